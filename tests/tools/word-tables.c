/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Prints the tables that the parser and the checker of scenarios, the readers of files and the
 * console use: a row on each line, the name of its table first, tabs between. data/generate makes
 * manual pages, completion and syntax highlighting of it.
 */
#include <stdio.h>

#include "harness/script/mad/pattern.h"
#include "harness/script/parse/lex.h"
#include "harness/script/parse/parse.h"
#include "harness/script/tree/value.h"
#include "harness/script/verb-table.h"
#include "harness/script/verb/call-run.h"
#include "harness/script/verb/call-table.h"
#include "kmod-stub/kmod.h"
#include "lib/words/duration.h"
#include "sim/capture/cause.h"
#include "sim/capture/stream.h"
#include "sim/console/console-line.h"
#include "sim/fabric/fault-action.h"
#include "sim/fabric/lie.h"
#include "sim/fabric/quirk-name.h"
#include "sim/run/spec.h"
#include "sim/server/limits.h"
#include "sim/topology/format.h"
#include "sim/topology/style.h"

static void print_lines(void)
{
	const char *word, *takes;

	for (const char *const *name = script_directives(); *name; name++)
		printf("directive\t%s\n", *name);
	for (const struct script_verb *const *verb = script_verbs; *verb; verb++) {
		if ((*verb)->word)
			printf("verb\t%s\t%s\n", (*verb)->word,
			       (*verb)->second ? (*verb)->second : "");
	}
	for (unsigned int i = 0; (word = script_need(i, &takes)); i++)
		printf("need\t%s\t%s\n", word, takes);
	for (const char *const *name = script_reply_words; *name; name++)
		printf("reply\t%s\n", *name);
	for (unsigned int i = 0; (word = script_data_word(i)); i++)
		printf("data\t%s\n", word);
	for (unsigned int i = 0; (word = duration_unit(i)); i++)
		printf("unit\t%s\n", word);
}

static const char *param_kind(enum param_kind kind)
{
	switch (kind) {
	case PARAM_HANDLE: return "handle";
	case PARAM_FILE: return "file";
	case PARAM_AGENT: return "agent";
	case PARAM_NUMBER: return "number";
	case PARAM_MS: return "time";
	case PARAM_METHODS: return "methods";
	case PARAM_PORT: return "port";
	case PARAM_MAD: return "MAD";
	case PARAM_DATA: return "data";
	case PARAM_BUFFER: return "buffer";
	case PARAM_TEXT: return "text";
	case PARAM_WORD: return "word";
	}
	return "?";
}

/* call NAME WHERE, then an argument each: "name:kind:required". */
static void print_calls(void)
{
	const struct call_kind *call;
	const char *request;

	for (unsigned int i = 0; (call = call_at(i)); i++) {
		printf("call\t%s\t%s", call->name, call->sim_only ? "sim" :
		       call->wire_only ? "wire" : "");
		for (int j = 0; j < CALL_PARAMS_MAX && call->params[j].name; j++)
			printf("\t%s:%s:%s", call->params[j].name,
			       param_kind(call->params[j].kind),
			       call->params[j].required ? "required" : "");
		putchar('\n');
	}
	for (unsigned int i = 0; (request = call_request_name(i)); i++)
		printf("request\t%s\n", request);
}

/* field NAME USES BITS WORDS WIRESHARK'S-NAME */
static void print_fields(void)
{
	const struct term_info *term;
	g_autoptr(GPtrArray) errnos = g_ptr_array_new();

	for (unsigned int i = 0; (term = term_at(i)); i++) {
		printf("field\t%s\t%s%s%s%s\t%u\t", term->name, term->uses & MAD_SENT ? "s" : "",
		       term->uses & MAD_ON_WIRE ? "w" : "", term->uses & MAD_RECEIVED ? "r" : "",
		       term->uses & MAD_HEADER ? "h" : "", term->width);
		for (const struct term_word *word = term->words; word && word->name; word++)
			printf("%s%s", word == term->words ? "" : " ", word->name);
		printf("\t%s\n", term->alias ? term->alias : "");
	}
	errno_names(errnos);
	for (guint i = 0; i < errnos->len; i++)
		printf("errno\t%s\n", (const char *)errnos->pdata[i]);
}

static const char *cause_kind(enum frame_kind kind)
{
	switch (kind) {
	case FRAME_MAD: return "mad";
	case FRAME_OTHER: return "other";
	case FRAME_DAMAGED: return "damaged";
	}
	return "?";
}

static void print_files(void)
{
	const char *name, *wanted;
	uint32_t number;

#define ROW(format) printf("topology\t%s\t%s\n", #format, topology_format_##format.name);
	TOPOLOGY_FORMATS(ROW)
#undef ROW
	for (unsigned int i = 0; (name = capture_link_type(i, &number)); i++)
		printf("link-type\t%u\t%s\n", (unsigned int)number, name);
	for (unsigned int i = 0; i < CAPTURE_CAUSES; i++) {
		const struct capture_cause_info *cause =
			capture_cause_info((enum capture_cause)i);

		printf("cause\t%s\t%s\t%s\n", cause->word, cause_kind(cause->kind), cause->text);
	}
	for (unsigned int i = 0; (name = spec_option(i, &wanted)); i++)
		printf("option\t%s\t%s\n", name, wanted);
	for (unsigned int i = 0; (name = generate_style_option(i, &wanted)); i++)
		printf("shape-option\t%s\t%s\n", name, wanted);
	for (unsigned int i = 0; i < KMOD_PROFILE_COUNT; i++)
		printf("profile\t%s\n", kmod_profile_name((enum kmod_profile)i));
	for (unsigned int i = 0; i < QUIRK_COUNT; i++) {
		const struct quirk_info *quirk = quirk_info((enum quirk_kind)i);

		printf("quirk\t%s\t%s\t%s\n", quirk->name, quirk->help, quirk->more);
	}
}

/* fault WORD TIME HELP MORE SAMPLE, where the sample is a rule with all that the action takes. */
static void print_faults(void)
{
	const struct fault_action *action;
	const struct fault_part *part;
	const char *kind, *help;

	for (unsigned int i = 0; (action = fault_action_at(i)); i++) {
		unsigned int left = action->takes;

		printf("fault\t%s\t%s\t%s\t%s\t%s 5%%", action->word,
		       action->needs & FAULT_TIME ? "time" :
		       action->needs & FAULT_LIE ? "about" :
		       action->takes & FAULT_TIME ? "[time]" : "", action->help, action->more,
		       action->word);
		for (unsigned int j = 0; (part = fault_part_at(j)); j++) {
			if (left & part->argument)
				printf(" %s", part->example);
			left &= ~part->argument;
		}
		printf(" class=0x81 from H1[1]\n");
	}
	for (unsigned int i = 0; (kind = lie_kind_word(i, &help)); i++)
		printf("lie\t%s\t%s\n", kind, help);
}

static void print_fabric(void)
{
	print_faults();
	for (const struct console_verb *verb = console_verbs; verb->name; verb++)
		printf("command\t%s\t%s\t%s\n", verb->name, verb->arguments ? verb->arguments : "",
		       verb->summary ? verb->summary : "");
	for (unsigned int i = 0; i < SERVER_LIMIT_COUNT; i++)
		printf("limit\t%s\n", server_limit_name((enum server_limit)i));
}

int main(void)
{
	print_lines();
	print_calls();
	print_fields();
	print_files();
	print_fabric();
	return ferror(stdout) != 0;
}
