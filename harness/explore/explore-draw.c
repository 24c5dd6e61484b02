/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See harness/explore/explore-draw.h. */
#include "harness/explore/explore-draw.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

#include "lib/words/list.h"
#include "lib/words/percent.h"

#define MILLIONTHS_MAX (UINT64_C(100) * 1000000)

/* The word of a rule that is a percentage, in millionths of a hundredth; NULL: there is none. */
static const char *find_percent(const char *rule, size_t *ret_size, uint64_t *ret_millionths)
{
	for (const char *word = rule; *word;) {
		size_t size = list_word_size(word, " ");
		g_autofree char *text = g_strndup(word, size);
		struct decimal decimal;

		if (percent_parse(text, &decimal) == 0 &&
		    decimal_scale(&decimal, PERCENT_PLACES, ret_millionths) == 0) {
			*ret_size = size;
			return word;
		}
		word += size + (word[size] != '\0');
	}
	return NULL;
}

/* "12.5%", without zeros at its end. */
static char *percent_text(uint64_t millionths)
{
	g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT ".%06u", millionths / 1000000,
						(unsigned int)(millionths % 1000000));
	size_t size = strlen(text);

	while (text[size - 1] == '0')
		size--;
	if (text[size - 1] == '.')
		size--;
	return g_strdup_printf("%.*s%%", (int)size, text);
}

static char *with_another_rate(const char *rule, struct chance *chance)
{
	static const unsigned int quarters[] = { 1, 2, 4, 8, 16 };
	unsigned int drawn = quarters[chance_below(chance, G_N_ELEMENTS(quarters))];
	uint64_t millionths;
	size_t size;
	const char *at = find_percent(rule, &size, &millionths);
	g_autofree char *percent = NULL;

	if (!at || millionths > MILLIONTHS_MAX)
		return g_strdup(rule);
	percent = percent_text(CLAMP(millionths * drawn / 4, 1, MILLIONTHS_MAX));
	return g_strdup_printf("%.*s%s%s", (int)(at - rule), rule, percent, at + size);
}

char **explore_draw(char **faults, uint64_t number)
{
	bool is_alone = g_strv_length(faults) == 1;
	g_autoptr(GPtrArray) drawn = g_ptr_array_new();
	struct chance chance;

	chance_init(&chance, number, "faults");
	for (char **fault = faults; *fault; fault++) {
		bool is_in = chance_hits(&chance, 1, 2);
		g_autofree char *rule = with_another_rate(*fault, &chance);

		if (is_in || is_alone)
			g_ptr_array_add(drawn, g_steal_pointer(&rule));
	}
	g_ptr_array_add(drawn, NULL);
	return (char **)g_ptr_array_steal(drawn, NULL);
}

/* Are these the same rule, but for its percentage? */
static bool is_same_rule(const char *a, const char *b)
{
	size_t a_size, b_size;
	uint64_t millionths;
	const char *in_a = find_percent(a, &a_size, &millionths);
	const char *in_b = find_percent(b, &b_size, &millionths);

	if (!in_a || !in_b)
		return strcmp(a, b) == 0;
	return in_a - a == in_b - b && strncmp(a, b, (size_t)(in_a - a)) == 0 &&
	       strcmp(in_a + a_size, in_b + b_size) == 0;
}

/* The first of 'rules' that is the same as 'rule'; or none, which is their end. */
static unsigned int find_rule(char **rules, const char *rule)
{
	unsigned int at = 0;

	while (rules[at] && !is_same_rule(rules[at], rule))
		at++;
	return at;
}

char **explore_draw_near(char **faults, char **drawn, struct chance *chance)
{
	unsigned int all = g_strv_length(faults), at;
	g_autoptr(GPtrArray) near = g_ptr_array_new_with_free_func(g_free);
	bool is_less = chance_hits(chance, 1, 2);
	const char *rule;

	rule = faults[chance_below(chance, all)];
	at = find_rule(drawn, rule);
	is_less &= drawn[at] && g_strv_length(drawn) > 1;
	for (unsigned int i = 0; drawn[i]; i++) {
		if (i != at)
			g_ptr_array_add(near, g_strdup(drawn[i]));
	}
	if (!is_less)
		g_ptr_array_insert(near, (gint)MIN(at, near->len), with_another_rate(rule, chance));
	g_ptr_array_set_free_func(near, NULL);
	g_ptr_array_add(near, NULL);
	return (char **)g_ptr_array_steal(near, NULL);
}
