/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The words of a rule, behind its action:
 *
 *	drop 5% class=0x81 from "S1[3]"
 *	corrupt mended 1 SubnAdmGetTableResp(PathRecord) rmpp=DATA seg=4 to H1[1] at 26
 *
 * in any order, how many packets, which ones, where, and how. A filter ends it:
 *
 *	drop all to H1[1] where SubnGetResp(PortInfo) LinkState=Down or trap=128
 *
 * or stands in quotes between other words.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/wire.h"
#include "lib/words/duration.h"
#include "lib/words/list.h"
#include "lib/words/number.h"
#include "sim/dictionary/mad-dictionary.h"
#include "sim/fabric/fault-action.h"
#include "sim/fabric/fault-filter-word.h"
#include "sim/fabric/fault-parse.h"
#include "sim/fabric/lie.h"

/* The next word, to be freed: up to a blank outside of quotes and brackets. NULL: there is none. */
static char *take_word(const char **text)
{
	const char *start = *text + strspn(*text, " \t");
	size_t size = list_word_size(start, " \t");

	*text = start + size;
	return size > 0 ? g_strndup(start, size) : NULL;
}

/* ---- MADs ---- */

/* "0x0010", "PathRecord"; '*ret' 0: any. */
static bool attribute_number(const struct mad_class_info *info, const char *name, uint64_t *ret)
{
	const struct mad_attribute *attribute;

	*ret = 0;
	if (*name == '\0' || number_parse(name, 0, UINT16_MAX, ret) == 0)
		return true;
	attribute = info ? mad_attribute_by_name(info, name, NULL) : NULL;
	if (attribute)
		*ret = attribute->id;
	return attribute != NULL;
}

/* SubnAdmGetTableResp(PathRecord); 'open' is at the bracket. */
static int parse_mad(struct fault_parse *parse, const char *word, const char *open)
{
	g_autofree char *name = g_strndup(word, (gsize)(open - word));
	g_autofree char *inner = g_strdup(open + 1);
	const struct mad_class_info *info;
	uint64_t attribute;
	uint8_t method;

	if (!g_str_has_suffix(inner, ")"))
		return fault_fail(parse, "'%s': expected ')' at its end", word);
	inner[strlen(inner) - 1] = '\0';
	if (!mad_method_parse(name, &info, &method, NULL))
		return fault_fail(parse, "'%s': there is no method %s", word, name);
	if (!attribute_number(info, g_strstrip(inner), &attribute))
		return fault_fail(parse, "'%s': %s has no attribute %s", word, name, inner);
	parse->fault.method = method;
	parse->fault.attribute = (uint16_t)attribute;
	parse->fault.where_class = info->mgmt_class;
	/* Subn and Vend stand for several classes. */
	if (info->mgmt_class == info->last && !mad_class_is_smp(info->mgmt_class))
		parse->fault.mgmt_class = info->mgmt_class;
	return fault_once(parse, SAID_MAD, "a MAD", word);
}

/* class=SA, method=Get, attr=PathRecord (of the class so far) as numbers, rmpp=2 as a word. */
static char *field_value(const struct fault_parse *parse, const char *name, const char *value)
{
	static const char *const types[] = { "none", "data", "ack", "stop", "abort" };
	static const char *const prefixes[] = { "SubnAdm", "Subn" };
	const struct mad_class_info *info;
	uint64_t number;
	uint8_t method;

	if (strcmp(name, "rmpp") == 0 &&
	    number_parse(value, 0, G_N_ELEMENTS(types) - 1, &number) == 0)
		return g_strdup(types[number]);
	if (number_parse(value, 0, UINT64_MAX, &number) == 0)
		return g_strdup(value);
	info = strcmp(name, "class") == 0 ? mad_class_by_name(value) : NULL;
	if (info)
		return g_strdup_printf("%u", info->mgmt_class);
	for (size_t i = 0; strcmp(name, "method") == 0 && i < G_N_ELEMENTS(prefixes); i++) {
		g_autofree char *full = g_strconcat(prefixes[i], value, NULL);

		if (mad_method_parse(full, &info, &method, NULL))
			return g_strdup_printf("%u", method);
	}
	info = mad_class_find(parse->fault.mgmt_class);
	if (strcmp(name, "attr") == 0 && attribute_number(info, value, &number) && number != 0)
		return g_strdup_printf("%" G_GUINT64_FORMAT, number);
	return g_strdup(value);
}

static const char *field_name(const char *name)
{
	return strcmp(name, "modifier") == 0 ? "mod" : name;
}

static int parse_field(struct fault_parse *parse, const char *word, const char *equals)
{
	g_autofree char *name = g_strndup(word, (gsize)(equals - word));
	g_autofree char *value = field_value(parse, name, equals + 1);
	g_autofree char *plain = g_strdup_printf("%s=%s", field_name(name), value);

	return fault_parse_word(parse, plain);
}

/* "any", "NodeInfo.LocalPort=255"; what it means fault_check() says. */
static int parse_lie(struct fault_parse *parse, const char *word)
{
	int ret = fault_action_of(parse->fault.act)->takes & FAULT_LIE ? 0 :
		  fault_fail(parse, "'%s' is for lie only", word);

	if (ret == 0)
		ret = fault_once(parse, SAID_LIE, "what the lie is about", word);
	if (ret == 0)
		parse->fault.lie = g_strdup(word);
	return ret;
}

/* Refuses a word that is nearly a kind of lie. */
static int check_kind(struct fault_parse *parse, const char *word)
{
	const char *near = fault_action_of(parse->fault.act)->takes & FAULT_LIE ?
			   lie_kind_near(word) : NULL;

	return near ? fault_fail(parse, "unknown word '%s': did you mean '%s'?", word, near) : 0;
}

/* ---- words with another one behind them ---- */

typedef int follow_fn(struct fault_parse *parse, const char *word, const char *next);

/* "S1[3]" and "S1"[3] are S1[3]. */
static int parse_end(struct fault_parse *parse, enum umadrig_fault_way way, const char *word,
		     const char *next)
{
	int ret = fault_once(parse, SAID_WAY, "from, to or on", word);

	parse->fault.way = way;
	return ret < 0 ? ret : fault_parse_cable(parse, next);
}

static int parse_from(struct fault_parse *parse, const char *word, const char *next)
{
	return parse_end(parse, UMADRIG_FAULT_LEAVING, word, next);
}

static int parse_to(struct fault_parse *parse, const char *word, const char *next)
{
	return parse_end(parse, UMADRIG_FAULT_ARRIVING, word, next);
}

static int parse_on(struct fault_parse *parse, const char *word, const char *next)
{
	return parse_end(parse, UMADRIG_FAULT_EITHER_WAY, word, next);
}

static int parse_after(struct fault_parse *parse, const char *word, const char *next)
{
	g_autofree char *skip = g_strdup_printf("skip=%s", next);

	(void)word;
	return fault_parse_word(parse, skip);
}

static int parse_by(struct fault_parse *parse, const char *word, const char *next)
{
	int64_t time_ns;
	int err = duration_parse(next, &time_ns);

	if (err < 0)
		return fault_fail(parse, "'%s %s': expected %s", word, next,
				  duration_expected(err, "a time with a unit, such as 2ms"));
	parse->fault.time_ns = time_ns;
	return fault_once(parse, SAID_TIME, "a time", next);
}

static int parse_at(struct fault_parse *parse, const char *word, const char *next)
{
	g_autofree char *bits = NULL;
	uint64_t byte;

	if (number_parse(next, 0, 255, &byte) < 0)
		return fault_fail(parse, "'%s %s': expected a byte of the MAD, from 0 to 255",
					word, next);
	bits = g_strdup_printf("bits=%u-%u", (unsigned int)(8 * byte),
			       (unsigned int)(8 * byte + 7));
	return fault_parse_word(parse, bits);
}

static const struct follow {
	const char *word;
	follow_fn *parse;
	const char *what;
} follows[] = {
	{ "from", parse_from, "a port such as S1[3]" },
	{ "to", parse_to, "a port such as S1[3]" },
	{ "on", parse_on, "a port such as S1[3], or a node" },
	{ "after", parse_after, "how many pass" },
	{ "by", parse_by, "a time such as 2ms" },
	{ "at", parse_at, "a byte of the MAD" },
};

/* ---- where ---- */

/* What stands in the quotes that the text begins with, to be freed; it goes on behind them. */
static char *take_quoted(const char **text)
{
	GString *inner = g_string_new(NULL);
	const char *at = *text + 1;

	for (; *at && *at != '"'; at++) {
		if (*at == '\\' && (at[1] == '"' || at[1] == '\\'))
			at++;
		g_string_append_c(inner, *at);
	}
	*text = *at ? at + 1 : at;
	return g_string_free(inner, false);
}

/* A filter: in quotes, or all that follows. What it means fault_check() says. */
static int parse_where(struct fault_parse *parse, const char **words)
{
	const char *text = *words + strspn(*words, " \t");
	bool is_quoted = *text == '"';

	if (!*text)
		return fault_fail(parse, "expected a filter behind 'where', such as "
				  "SubnGetResp(PortInfo) LinkState=Down");
	if (fault_once(parse, SAID_WHERE, "it", "where") < 0)
		return -EINVAL;
	*words = text;
	parse->fault.where = is_quoted ? take_quoted(words) : g_strdup(text);
	if (!is_quoted)
		*words += strlen(text);
	return 0;
}

/* ---- all words ---- */

/* Refuses a word that the action does not take. */
static int check_part(struct fault_parse *parse, const char *word)
{
	unsigned int takes = fault_action_of(parse->fault.act)->takes;
	size_t size = strcspn(word, "=");
	const struct fault_part *part;

	for (unsigned int i = 0; (part = fault_part_at(i)); i++) {
		g_autofree char *words = NULL;

		if (strlen(part->word) != size || strncmp(part->word, word, size) != 0 ||
		    (takes & part->argument))
			continue;
		words = fault_action_words(part->argument, "and");
		return fault_fail(parse, "'%s' is for %s only", part->word, words);
	}
	return 0;
}

/* "NodeInfo.LocalPort", of a lie, lacks its value; "0.5%" is a rate. */
static bool is_field_alone(const struct fault_parse *parse, const char *word)
{
	return (fault_action_of(parse->fault.act)->takes & FAULT_LIE) && strchr(word, '.') &&
	       !strpbrk(word, "(=") && !g_ascii_isdigit(*word);
}

/* Refuses what filters of captures have, with what rules have instead. */
static int check_filter_word(struct fault_parse *parse, const char *word)
{
	g_autofree char *reason = fault_filter_item_reason(word);

	return reason ? fault_fail(parse, "'%s': %s", word, reason) : 0;
}

/* One word, and the one that it takes from '*words'. */
static int parse_one(struct fault_parse *parse, const char *word, const char **words)
{
	const char *mark = strpbrk(word, "(=");
	enum lie_kind kind;

	if (check_part(parse, word) < 0)
		return -EINVAL;
	for (size_t i = 0; i < G_N_ELEMENTS(follows); i++) {
		g_autofree char *next = NULL;

		if (strcmp(follows[i].word, word) != 0)
			continue;
		next = take_word(words);
		return next ? follows[i].parse(parse, word, next) :
		       fault_fail(parse, "expected %s after '%s'", follows[i].what, word);
	}
	if (strcmp(word, "where") == 0)
		return parse_where(parse, words);
	if (strcmp(word, "all") == 0)
		return fault_once(parse, SAID_COUNT, "the number of packets", word);
	if (lie_names_field(word) || lie_kind_find(word, &kind) ||
	    is_field_alone(parse, word))
		return parse_lie(parse, word);
	if (!(mark && *mark == '(') && check_filter_word(parse, word) < 0)
		return -EINVAL;
	if (mark && *mark == '(')
		return parse_mad(parse, word, mark);
	if (mark)
		return parse_field(parse, word, mark);
	return check_kind(parse, word) < 0 ? -EINVAL : fault_parse_word(parse, word);
}

int fault_parse_sentence(struct fault_parse *parse, const char *words)
{
	char *word;
	int ret = 0;

	while (ret == 0 && (word = take_word(&words))) {
		ret = parse_one(parse, word, &words);
		g_free(word);
	}
	/* One packet, unless it says how many or how often. */
	if (ret == 0 && !(parse->said & (SAID_COUNT | SAID_RATE)))
		parse->fault.count = 1;
	return ret;
}
