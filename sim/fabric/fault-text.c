/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Rules of faults in words:
 *
 *	drop 5%   drop 1/20 class=0x81 from S1[3]   delay 3 by 2ms   corrupt mended 1 bits=8-15
 *
 * the action, then any other words (sim/fabric/fault-sentence.c). See sim/fabric/fault.h, and
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

static int check(struct fault_parse *parse)
{
	const struct fault_action *action = fault_action_of(parse->fault.act);
	char why[512];

	if ((action->needs & FAULT_TIME) && !parse->fault.time_ns)
		return fault_fail(parse, "%s needs a time, as in '%s all by 2ms'", action->word,
				  action->word);
	if ((action->needs & FAULT_LIE) && !parse->fault.lie)
		return fault_fail(parse, "%s needs a field or a kind of them, as in '%s "
				  "NodeInfo.LocalPort=255' or '%s any 1%%'", action->word,
				  action->word, action->word);
	return fault_check(&parse->fault, why, sizeof(why)) < 0 ? fault_fail(parse, "%s", why) : 0;
}

static int parse_all(struct fault_parse *parse)
{
	size_t size = strcspn(parse->text, " \t");
	g_autofree char *act = g_strndup(parse->text, size);
	const char *rest = parse->text + size;
	int ret = parse_act(parse, act);

	if (ret < 0)
		return ret;
	if (*rest == '\0' && !(fault_action_of(parse->fault.act)->needs))
		return fault_fail(parse, "say how many packets: '%s 1', '%s all' or '%s 5%%'",
					act, act, act);
	ret = fault_parse_sentence(parse, rest);
	return ret < 0 ? ret : check(parse);
}

/* A rule with colons between its words. */
static int refuse_colons(const char *text, char *reterr, size_t reterr_size)
{
	g_autofree char *plain = fault_without_colons(text);
	struct umadrig_fault fault;

	if (fault_text_parse(plain, &fault, reterr, reterr_size) < 0)
		return -EINVAL;
	fault_text_clear(&fault);
	g_snprintf(reterr, reterr_size, "fault=%s: the words of a rule have blanks between them: "
		   "write '%s'", text, plain);
	return -EINVAL;
}

int fault_text_parse(const char *text, struct umadrig_fault *ret_fault, char *reterr,
		     size_t reterr_size)
{
	struct fault_parse parse = { .text = text, .reterr = reterr, .reterr_size = reterr_size };
	int ret;

	if (fault_has_colons(text))
		return refuse_colons(text, reterr, reterr_size);
	ret = parse_all(&parse);
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
	g_free((char *)fault->lie);
	g_free((char *)fault->where);
	fault->name = fault->node = fault->lie = fault->where = NULL;
}
