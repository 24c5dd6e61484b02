/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Rules of faults in words:
 *
 *	drop:5%   drop:1/20:class=0x81@S1[3]   delay:2ms:3   corrupt:1:bits=8-15:mended@H1[1]
 *
 * the action, then any other words, separated by colons, then the cable after the last '@'; or as
 * in scenarios, with blanks (sim/fabric/fault-sentence.c). See sim/fabric/fault.h, and
 * sim/fabric/fault-action.h for the actions.
 */
#include "sim/fabric/fault.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "sim/fabric/fault-action.h"
#include "sim/fabric/fault-parse.h"

static int parse_act(struct fault_parse *parse, const char *word)
{
	const struct fault_action *action = word ? fault_action_find(word) : NULL;
	g_autofree char *words = NULL;

	if (action) {
		parse->fault.act = action->act;
		return 0;
	}
	words = fault_action_words(0, "or");
	return fault_fail(parse, "expected %s first", words);
}

/* What a rule gives that does not go with every action. */
static unsigned int given(const struct fault_parse *parse)
{
	const struct umadrig_fault *fault = &parse->fault;

	return (fault->time_ns ? FAULT_TIME : 0) | (fault->loss ? FAULT_LOSS : 0) |
	       ((parse->said & SAID_BITS) || fault->flips ? FAULT_BITS : 0) |
	       (fault->crc_mended ? FAULT_MENDED : 0) | (fault->whole_packet ? FAULT_PACKET : 0);
}

/* Refuses words that the action does not take. */
static int check_arguments(struct fault_parse *parse)
{
	static const struct { unsigned int argument; const char *words; } arguments[] = {
		{ FAULT_TIME, "a time is" }, { FAULT_LOSS, "overrun and unread are" },
		{ FAULT_BITS, "bits= and flips= are" }, { FAULT_MENDED, "mended is" },
		{ FAULT_PACKET, "packet is" },
	};
	const struct fault_action *action = fault_action_of(parse->fault.act);
	unsigned int excess = given(parse) & ~action->takes;

	if ((action->needs & FAULT_TIME) && !parse->fault.time_ns)
		return fault_fail(parse, "%s needs a time, as in %s:2ms", action->word,
				  action->word);
	for (size_t i = 0; i < G_N_ELEMENTS(arguments); i++) {
		g_autofree char *words = fault_action_words(arguments[i].argument, "and");

		if (excess & arguments[i].argument)
			return fault_fail(parse, "%s for %s only", arguments[i].words, words);
	}
	return 0;
}

static int check(struct fault_parse *parse)
{
	const struct umadrig_fault *fault = &parse->fault;
	int ret = check_arguments(parse);
	char why[128];

	if (ret < 0)
		return ret;
	if (fault->way != UMADRIG_FAULT_EITHER_WAY && !fault->node)
		return fault_fail(parse, "leaving and arriving need a port, as in @S1[3]");
	return fault_check(fault, why, sizeof(why)) < 0 ? fault_fail(parse, "%s", why) : 0;
}

/* drop:1/20:class=0x81@S1[3], behind the action */
static int parse_words(struct fault_parse *parse, const char *text)
{
	const char *at = strrchr(text, '@');
	g_autofree char *front = at ? g_strndup(text, (gsize)(at - text)) : g_strdup(text);
	g_auto(GStrv) words = *front == ':' ? g_strsplit(front + 1, ":", -1) : NULL;
	int ret = 0;

	/* "drop:" has a word, which is empty. */
	if (*front == ':' && !words[0])
		ret = fault_parse_word(parse, "");
	for (size_t i = 0; ret == 0 && words && words[i]; i++)
		ret = fault_parse_word(parse, words[i]);
	return ret == 0 && at ? fault_parse_cable(parse, at + 1) : ret;
}

static int parse_all(struct fault_parse *parse)
{
	size_t size = strcspn(parse->text, " \t:@");
	g_autofree char *act = g_strndup(parse->text, size);
	const char *rest = parse->text + size;
	int ret = parse_act(parse, act);

	if (ret < 0)
		return ret;
	/* It would be all packets between colons, and one in a scenario. */
	if (*rest == '\0' && !(fault_action_of(parse->fault.act)->needs & FAULT_TIME))
		return fault_fail(parse, "say how many packets: '%s 1', '%s all' or '%s 5%%'",
					act, act, act);
	ret = fault_is_sentence(parse->text) ? fault_parse_sentence(parse, rest) :
	      parse_words(parse, rest);
	return ret < 0 ? ret : check(parse);
}

int fault_text_parse(const char *text, struct umadrig_fault *ret_fault, char *reterr,
		     size_t reterr_size)
{
	struct fault_parse parse = { .text = text, .reterr = reterr, .reterr_size = reterr_size };
	int ret = parse_all(&parse);

	if (ret < 0) {
		fault_text_clear(&parse.fault);
		return ret;
	}
	parse.fault.name = g_strdup(text);
	*ret_fault = parse.fault;
	return 0;
}

void fault_text_clear(struct umadrig_fault *fault)
{
	g_free((char *)fault->name);
	g_free((char *)fault->node);
	fault->name = fault->node = NULL;
}
