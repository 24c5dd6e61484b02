/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See harness/explore/explore-draw.h. */
#include "harness/explore/explore-draw.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

#include "lib/words/list.h"
#include "lib/words/percent.h"

#define MILLIONTHS_MAX (UINT64_C(100) * 1000000)

/* SplitMix64 (Steele et al., OOPSLA 2014). */
static uint64_t next_number(uint64_t *state)
{
	uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

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

static char *with_another_rate(const char *rule, uint64_t number)
{
	static const unsigned int quarters[] = { 1, 2, 4, 8, 16 };
	uint64_t millionths, drawn;
	size_t size;
	const char *at = find_percent(rule, &size, &millionths);
	g_autofree char *percent = NULL;

	if (!at || millionths > MILLIONTHS_MAX)
		return g_strdup(rule);
	drawn = millionths * quarters[number % G_N_ELEMENTS(quarters)] / 4;
	percent = percent_text(CLAMP(drawn, 1, MILLIONTHS_MAX));
	return g_strdup_printf("%.*s%s%s", (int)(at - rule), rule, percent, at + size);
}

char **explore_draw(char **faults, uint64_t number)
{
	bool is_alone = g_strv_length(faults) == 1;
	g_autoptr(GPtrArray) drawn = g_ptr_array_new();
	uint64_t state = number;

	for (char **fault = faults; *fault; fault++) {
		bool is_in = next_number(&state) >> 63;
		uint64_t rate = next_number(&state) >> 8;

		if (is_in || is_alone)
			g_ptr_array_add(drawn, with_another_rate(*fault, rate));
	}
	g_ptr_array_add(drawn, NULL);
	return (char **)g_ptr_array_steal(drawn, NULL);
}
