/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Rules of faults as they were spelled, with colons between their words and the cable behind '@'.
 * They are not read any more; an error says how the rule is spelled:
 *
 *	drop:1/20:class=0x81:leaving@S1[3]	drop 1/20 class=0x81 from S1[3]
 *	delay:2ms@S1				delay all by 2ms on S1
 */
#include <string.h>

#include "lib/words/duration.h"
#include "lib/words/number.h"
#include "sim/fabric/fault-parse.h"

bool fault_has_colons(const char *text)
{
	return strchr(":@", text[strcspn(text, " \t:@")]) && *text && text[strcspn(text, ":@")];
}

static bool is_number(const char *word)
{
	uint64_t number;

	return number_parse(word, 0, UINT64_MAX, &number) == 0;
}

/* How many, or how often. */
static bool is_amount(const char *word)
{
	return is_number(word) || strpbrk(word, "%/");
}

/* A word as it is between blanks; "leaving" and "arriving" go to the cable. */
static void add_word(GString *rule, const char *word, const char **way)
{
	int64_t time_ns;

	if (strcmp(word, "leaving") == 0)
		*way = "from";
	else if (strcmp(word, "arriving") == 0)
		*way = "to";
	else if (!is_number(word) && duration_parse(word, &time_ns) == 0)
		g_string_append_printf(rule, " by %s", word);
	else if (*word)
		g_string_append_printf(rule, " %s", word);
}

char *fault_without_colons(const char *text)
{
	const char *at = strrchr(text, '@'), *way = "on";
	g_autofree char *front = at ? g_strndup(text, (gsize)(at - text)) : g_strdup(text);
	g_auto(GStrv) words = g_strsplit(front, ":", -1);
	GString *rule = g_string_new(NULL);
	bool has_amount = false;

	for (char **word = words + 1; words[0] && *word; word++) {
		add_word(rule, *word, &way);
		has_amount |= is_amount(*word);
	}
	/* Without a number it was all packets; it would be one. */
	g_string_prepend(rule, has_amount ? "" : " all");
	g_string_prepend(rule, words[0] ? words[0] : "");
	if (at)
		g_string_append_printf(rule, strchr(at, ' ') && at[1] != '"' ? " %s \"%s\"" :
				       " %s %s", way, at + 1);
	return g_string_free(rule, false);
}
