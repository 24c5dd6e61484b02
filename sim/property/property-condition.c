/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The conditions of properties: see sim/property/property-condition.h.
 */
#include "sim/property/property-condition.h"

#include <errno.h>
#include <string.h>

static const char sign[] = " = ";

/* ---- the console's answers ---- */

static bool answers(struct condition *condition, GString *why)
{
	g_autoptr(GString) answer = g_string_new(NULL);
	const char *end;

	if (condition->ask(condition->fabric, condition->line, answer) &&
	    g_regex_match(condition->pattern, answer->str, 0, NULL))
		return true;
	end = strchr(answer->str, '\n');
	if (why)
		g_string_append_printf(why, "the answer is '%.*s'",
				       (int)(end ? end - answer->str : (gssize)answer->len),
				       answer->str);
	return false;
}

static const struct condition_kind console_kind = { .holds = answers };

/* ---- the built-in ones ---- */

#define SECONDS(n) ((n) * NS_PER_S)

const char condition_program_name[] = "program";

const struct condition_kind condition_kinds[] = {
	{ .name = "all-active", .arguments = "", .within_ns = SECONDS(60),
	  .summary = "each port with a cable has a link that is Active, and each end port a LID",
	  .holds = condition_all_active },
	{ .name = "unique-lids", .arguments = "", .within_ns = SECONDS(10),
	  .summary = "no two end ports of a subnet have the same LID",
	  .holds = condition_unique_lids },
	{ .name = "every-way-leads", .arguments = "", .within_ns = SECONDS(60), .is_long = true,
	  .summary = "the tables lead from each end port to each LID, and never in a circle",
	  .holds = condition_every_way_leads },
	{ .name = "one-master", .arguments = "", .within_ns = SECONDS(30),
	  .summary = "no two subnet managers that links join are masters",
	  .begin = condition_masters_begin, .holds = condition_one_master,
	  .see = condition_masters_see, .end = condition_masters_end },
	{ .name = "every-request-ends", .arguments = "", .within_ns = SECONDS(30),
	  .summary = "each request of a program is answered, asked again, or given up",
	  .begin = condition_requests_begin, .holds = condition_every_request_ends,
	  .see_file = condition_requests_see, .since_ns = condition_requests_since_ns,
	  .end = condition_requests_end },
	{ .name = "alive", .arguments = "", .within_ns = SECONDS(20),
	  .summary = "there is a subnet manager, and each one answers SMInfo",
	  .begin = condition_alive_begin, .holds = condition_alive,
	  .see = condition_alive_see, .since_ns = condition_alive_since_ns,
	  .end = condition_alive_end },
	{ .name = "no-credit-loop", .arguments = "", .within_ns = SECONDS(60), .is_long = true,
	  .summary = "no packets wait for each other in a circle, by the tables and SLs",
	  .begin = condition_credits_begin, .holds = condition_no_credit_loop,
	  .see_file = condition_credits_see, .end = condition_credits_end },
	{ .name = "memory-bounded", .arguments = "SIZE", .looks_outside = true,
	  .summary = "no program has more memory than that",
	  .gap_ns = SECONDS(1) / 10, .begin = condition_memory_begin,
	  .holds = condition_memory_bounded, .end = condition_memory_end },
	{ .name = "log-has", .arguments = "FILE PATTERN", .looks_outside = true,
	  .summary = "a line of the file matches the pattern, which is a regular expression",
	  .begin = condition_log_begin, .holds = condition_log_has, .end = condition_log_end },
	{ .name = condition_program_name, .arguments = "'COMMAND' [every TIME]",
	  .within_ns = SECONDS(60), .summary = "the command exits with 0 when it is run among the "
	  "programs, every 10s or TIME",
	  .begin = condition_program_begin, .holds = condition_program,
	  .ask = condition_program_ask, .end = condition_program_end },
	{ .name = NULL },
};

/* "all-active, unique-lids, ..." */
static char *names(void)
{
	GString *text = g_string_new(NULL);

	for (const struct condition_kind *kind = condition_kinds; kind->name; kind++)
		g_string_append_printf(text, "%s%s", text->len ? ", " : "", kind->name);
	return g_string_free(text, false);
}

/* ---- reading them ---- */

static bool is_program(const char *text)
{
	size_t length = strlen(condition_program_name);

	return strncmp(text, condition_program_name, length) == 0 &&
	       (text[length] == ' ' || !text[length]);
}

static bool begin_console(struct condition *condition, const char *text, char **reterr)
{
	const char *at = strstr(text, sign);
	g_autoptr(GString) answer = g_string_new(NULL);
	g_autoptr(GError) error = NULL;

	condition->kind = &console_kind;
	condition->line = g_strndup(text, (gsize)(at - text));
	condition->pattern = g_regex_new(at + strlen(sign), G_REGEX_MULTILINE, 0, &error);
	if (!condition->pattern) {
		*reterr = g_strdup_printf("'%s': %s", at + strlen(sign), error->message);
		return false;
	}
	/* What cannot be asked, or is no question, is known at once. */
	if (condition->ask(condition->fabric, condition->line, answer))
		return true;
	*reterr = g_strdup(answer->str);
	return false;
}

static bool begin_kind(struct condition *condition, const struct condition_kind *kind,
		       const char *words, char **reterr)
{
	condition->kind = kind;
	if (*words && !*kind->arguments) {
		*reterr = g_strdup_printf("'%s' takes nothing after it: '%s'", kind->name, words);
		return false;
	}
	return !kind->begin || kind->begin(condition, words, reterr);
}

static bool begin_built_in(struct condition *condition, const char *text, char **reterr)
{
	size_t length = strcspn(text, " ");
	const char *words = text + length + strspn(text + length, " ");
	g_autofree char *all = NULL;

	for (const struct condition_kind *kind = condition_kinds; kind->name; kind++) {
		if (strlen(kind->name) == length && strncmp(kind->name, text, length) == 0)
			return begin_kind(condition, kind, words, reterr);
	}
	all = names();
	*reterr = g_strdup_printf("expected %s, or \"COMMAND = PATTERN\", not '%s'", all, text);
	return false;
}

int condition_parse(struct umadrig_fabric *fabric, const char *text, property_ask_fn *ask,
		    struct condition **ret_condition, char **reterr)
{
	struct condition *condition = g_new0(struct condition, 1);

	condition->fabric = fabric;
	condition->ask = ask;
	/* A command may have any words. */
	if (strstr(text, sign) && !is_program(text) ? begin_console(condition, text, reterr) :
	    begin_built_in(condition, text, reterr)) {
		*ret_condition = condition;
		return 0;
	}
	condition_free(condition);
	return -EINVAL;
}

void condition_free(struct condition *condition)
{
	if (condition->kind && condition->kind->end)
		condition->kind->end(condition);
	g_clear_pointer(&condition->pattern, g_regex_unref);
	g_free(condition->line);
	g_free(condition);
}
