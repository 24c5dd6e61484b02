/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig replay: a captured fabric answers a program again, or is asked again.
 *
 *	umadrig replay march.pcapng -- ./my-tests
 *	umadrig replay march.pcapng --mode ask --fabric cluster.net
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/command.h"
#include "harness/cmd/commands.h"
#include "harness/record/bundle.h"
#include "harness/cmd/replay-ask.h"
#include "harness/exec/exec.h"
#include "sim/capture/capture.h"

enum { DETAILS_MAX = 100 };

static const char description[] =
	"answer: a request that is in the capture (same class, method, attribute, modifier, and\n"
	"LID or route) gets the captured answer, with its own transaction ID. One that is not\n"
	"gets no answer, and the closest captured request is named on standard error.\n"
	"\n"
	"ask: the requests of the captured host are sent again, to a simulated fabric or from a\n"
	"real port, and the answers compared with those of the capture. Requests that would\n"
	"change the fabric are skipped and counted, unless --allow-writes names the port.\n"
	"\n"
	"Exit status: answer: as for umadrig exec; ask: 0 when all answers are as captured, 1\n"
	"when one is not, 2 when the capture or the command line cannot be used.";

struct replay_command {
	char *mode, *order, *as_of, *unmatched;
	char *fabric, *host, *backend, *port, *allow_writes, *where;
	char **ignoring;
	struct replay_ask ask;
};

static GOptionContext *option_context(struct replay_command *command)
{
	const GOptionEntry entries[] = {
		{ "mode", 'm', 0, G_OPTION_ARG_STRING, &command->mode,
		  "Answer as the captured fabric did (the default with a command), or ask what "
		  "was asked (without)", "answer|ask" },
		{ "order", 'o', 0, G_OPTION_ARG_STRING, &command->order,
		  "With any, take captures too in which time goes backwards", "time|any" },
		{ "as-of", 0, 0, G_OPTION_ARG_STRING, &command->as_of,
		  "answer: always what was answered at first, at last, or at this time of the "
		  "capture (default: one answer after the other)", "first|last|TIME" },
		{ "unmatched", 0, 0, G_OPTION_ARG_STRING, &command->unmatched,
		  "answer: what requests get that the capture does not have: no answer (the "
		  "default), or a MAD status", "drop|status=N" },
		{ "fabric", 'f', 0, G_OPTION_ARG_STRING, &command->fabric,
		  "ask: the fabric, as for umadrig exec", "FABRIC[,OPTION=VALUE...]" },
		{ "host", 0, 0, G_OPTION_ARG_STRING, &command->host,
		  "answer: the port of the capture that runs COMMAND (default: that with most "
		  "requests); ask: the node of the fabric that asks", "NODE|LID|ADDRESS" },
		{ "backend", 'b', 0, G_OPTION_ARG_STRING, &command->backend,
		  "ask: send from a real port", "ib_umad" },
		{ "port", 'p', 0, G_OPTION_ARG_STRING, &command->port,
		  "ask: the port that asks", "CA/PORT" },
		{ "allow-writes", 0, 0, G_OPTION_ARG_STRING, &command->allow_writes,
		  "ask: send requests that change the fabric, too", "CA/PORT" },
		{ "ignoring", 'i', 0, G_OPTION_ARG_STRING_ARRAY, &command->ignoring,
		  "ask: do not compare these fields", "FIELD,..." },
		{ "where", 'w', 0, G_OPTION_ARG_STRING, &command->where,
		  "ask: only requests that fit FILTER", "FILTER" },
		{ "limit", 'n', 0, G_OPTION_ARG_INT, &command->ask.limit,
		  "ask: print the first N differences (default: 100)", "N" },
		{ "json", 'j', 0, G_OPTION_ARG_NONE, &command->ask.json,
		  "ask: print a line of JSON for each", NULL },
		G_OPTION_ENTRY_NULL,
	};
	GOptionContext *context = g_option_context_new("CAPTURE [-- COMMAND [ARGUMENT...]]");

	g_option_context_set_summary(context, "Runs a program against a captured fabric, or asks "
				     "a fabric what a capture asked.");
	g_option_context_set_description(context, description);
	g_option_context_add_main_entries(context, entries, NULL);
	return context;
}

static const char *ask_option(const struct replay_command *command)
{
	const struct {
		const char *name;
		bool is_given;
	} options[] = {
		{ "--fabric", command->fabric }, { "--backend", command->backend },
		{ "--port", command->port }, { "--allow-writes", command->allow_writes },
		{ "--where", command->where }, { "--ignoring", command->ignoring },
		{ "--json", command->ask.json },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(options); i++) {
		if (options[i].is_given)
			return options[i].name;
	}
	return NULL;
}

/* The capture and its options, as exec takes them. */
static char *answer_spec(const struct replay_command *command, const char *capture, GError **error)
{
	GString *text = g_string_new(capture);
	char *spec;

	if (command->as_of)
		g_string_append_printf(text, ",as-of=%s", command->as_of);
	if (command->unmatched)
		g_string_append_printf(text, ",unmatched=%s", command->unmatched);
	if (command->order)
		g_string_append_printf(text, ",order=%s", command->order);
	g_string_append(text, ",summary=yes");
	spec = exec_spec(text->str, command->host, error);
	g_string_free(text, true);
	return spec;
}

static int answer(const struct replay_command *command, const char *name, const char *capture,
		  char **argv)
{
	g_autofree char *spec = NULL;
	g_autoptr(GError) error = NULL;
	struct exec_job job = { .name = name, .argv = argv };

	if (!argv)
		return command_usage(name, "no command given: put it after --");
	spec = answer_spec(command, capture, &error);
	if (!spec)
		return command_error(name, error->code, "%s", error->message);
	if (!capture_is_capture(capture))
		return command_error(name, COMMAND_REFUSED, "%s is neither a pcap nor a pcapng "
				     "nor an ERF file (for a topology, use umadrig exec "
				     "--fabric)", capture);
	job.spec = spec;
	return exec_run(&job);
}

/* What one sensible choice is left needs no --mode. */
static int run_mode(struct replay_command *command, const char *name, const char *path,
		    char **argv)
{
	const char *mode = command->mode, *order = command->order;
	g_autofree char *capture = bundle_capture(path);

	if (!mode)
		mode = argv || !ask_option(command) ? "answer" : "ask";
	if (strcmp(mode, "answer") != 0 && strcmp(mode, "ask") != 0)
		return command_usage(name, "--mode '%s': expected answer or ask (a script replays "
				     "a capture at its own times: replay \"x.pcap\" timed)", mode);
	if (order && strcmp(order, "any") != 0 && strcmp(order, "time") != 0)
		return command_usage(name, "--order is 'time' or 'any', not '%s'", order);
	if (strcmp(mode, "answer") == 0) {
		if (ask_option(command))
			return command_usage(name, "%s is only for --mode ask",
					     ask_option(command));
		return answer(command, name, capture, argv);
	}
	if (command->as_of || command->unmatched)
		return command_usage(name, "--as-of and --unmatched are only for --mode answer");
	if (argv)
		return command_usage(name, "--mode ask runs no command");
	command->ask.name = name;
	command->ask.capture = capture;
	command->ask.any_order = order && strcmp(order, "any") == 0;
	command->ask.fabric = command->fabric;
	command->ask.host = command->host;
	command->ask.backend = command->backend;
	command->ask.port = command->port;
	command->ask.allow_writes = command->allow_writes;
	command->ask.ignoring = command->ignoring;
	command->ask.where = command->where;
	return replay_ask_run(&command->ask);
}

int cmd_replay(int argc, char **argv)
{
	struct replay_command command = { .ask = { .limit = DETAILS_MAX } };
	g_autoptr(GOptionContext) context = option_context(&command);
	g_autoptr(GError) error = NULL;
	g_autofree char *name = g_strdup(argv[0]);
	char **program = command_split(&argc, argv);
	int status;

	if (!g_option_context_parse(context, &argc, &argv, &error))
		status = command_usage(name, "%s", error->message);
	else if (argc < 2)
		status = command_usage(name, "no capture given");
	else if (argc > 2)
		status = command_usage(name, "unexpected argument '%s': put the command after --, "
				       "as in '%s %s -- %s'", argv[2], name, argv[1], argv[2]);
	else
		status = run_mode(&command, name, argv[1], program);
	g_strfreev(command.ignoring);
	g_free(command.mode);
	g_free(command.order);
	g_free(command.as_of);
	g_free(command.unmatched);
	g_free(command.fabric);
	g_free(command.host);
	g_free(command.backend);
	g_free(command.port);
	g_free(command.allow_writes);
	g_free(command.where);
	return status;
}
