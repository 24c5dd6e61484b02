/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig replay: a captured fabric answers a program again, comes again, or is asked again.
 *
 *	umadrig replay march.pcapng -- ./my-tests
 *	umadrig replay march.pcapng --mode timed --speed 2 -- ./my-tests
 *	umadrig replay march.pcapng --mode ask --fabric cluster.net
 */
#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/base/option-value.h"
#include "harness/cmd/commands.h"
#include "harness/record/bundle.h"
#include "harness/cmd/replay-ask.h"
#include "harness/cmd/cmd-replay-timed.h"
#include "harness/cmd/replay-send.h"
#include "harness/exec/exec.h"
#include "lib/words/size.h"
#include "sim/capture/capture.h"
#include "sim/capture/pace.h"
#include "sim/capture/stream.h"

enum { DETAILS_MAX = 100 };

static const char description[] =
	"answer: a request that is in the capture (same class, method, attribute, modifier, and\n"
	"LID or route) gets the captured answer, with its own transaction ID. One that is not\n"
	"gets no answer, and the closest captured request is named on standard error.\n"
	"\n"
	"timed: what the captured port received arrives again, each MAD at its own time since the\n"
	"capture began: at COMMAND's port, from when it opens that; or without a command, in\n"
	"virtual time, at a port of a simulated fabric.\n"
	"\n"
	"ask: the requests of the captured host are sent again, to a simulated fabric or from a\n"
	"real port, and the answers compared with those of the capture. Requests that would\n"
	"change the fabric are skipped and counted, unless --allow-writes names the port.\n"
	"\n"
	"Exit status: with a command, as for umadrig exec; timed: 0, or 2 when the capture or the\n"
	"command line cannot be used; ask: 0 when all answers are as captured, 1 when one is\n"
	"not, 2 as for timed. 122 if the checks of a host's kernel found a fault.";

/* As bits, for options of several modes. */
enum mode {
	MODE_ANSWER = 1 << 0,
	MODE_TIMED = 1 << 1,
	MODE_ASK = 1 << 2,
};

static const struct {
	const char *name;
	enum mode mode;
} modes[] = {
	{ "answer", MODE_ANSWER }, { "timed", MODE_TIMED }, { "ask", MODE_ASK },
};

struct replay_command {
	char *mode, *order, *as_of, *unmatched, *speed, *rewrite, *max_size;
	char *fabric, *host, *backend, *port, *to, *allow_writes, *where, *how, *limit;
	char **ignoring;
	unsigned int speed_milli;
	uint64_t size_max;	/* 0: the usual one */
	struct replay_ask ask;
};

static GOptionContext *option_context(struct replay_command *command)
{
	const GOptionEntry entries[] = {
		{ "mode", 'm', 0, G_OPTION_ARG_STRING, &command->mode,
		  "Answer as the captured fabric did (the default with a command), send again what "
		  "it sent, or ask what it was asked (the default with options of ask)",
		  "answer|timed|ask" },
		{ "speed", 0, 0, G_OPTION_ARG_STRING, &command->speed,
		  "timed: so many times as fast as captured (default: 1)", "N[.N]" },
		{ "rewrite", 0, 0, G_OPTION_ARG_STRING, &command->rewrite,
		  "timed: answers get the transaction ID of the last request with the same content",
		  "tid" },
		{ "order", 'o', 0, G_OPTION_ARG_STRING, &command->order,
		  "With any, take captures too in which time goes backwards", "time|any" },
		{ "as-of", 0, 0, G_OPTION_ARG_STRING, &command->as_of,
		  "answer: always what was answered at first, at last, or at this time of the "
		  "capture (default: one answer after the other)", "first|last|TIME" },
		{ "unmatched", 0, 0, G_OPTION_ARG_STRING, &command->unmatched,
		  "answer: what requests get that the capture does not have: they are lost (the "
		  "default), time out at once, or get a MAD status", "drop|timeout|status=N" },
		{ "fabric", 'f', 0, G_OPTION_ARG_STRING, &command->fabric,
		  "timed, ask: the fabric, as for umadrig exec", "FABRIC[,OPTION=VALUE...]" },
		{ "host", 0, 0, G_OPTION_ARG_STRING, &command->host,
		  "With --fabric: its node that asks, or its port where MADs arrive; otherwise the "
		  "port of the capture that runs COMMAND (default: that with most requests)",
		  "NODE|LID|ADDRESS" },
		{ "how", 0, 0, G_OPTION_ARG_STRING, &command->how,
		  "With COMMAND: how programs reach the fabric (default both)",
		  "preload|filter|both" },
		{ "backend", 'b', 0, G_OPTION_ARG_STRING, &command->backend,
		  "timed, ask: send from a real port", "ib_umad" },
		{ "port", 'p', 0, G_OPTION_ARG_STRING, &command->port,
		  "timed, ask: the port that sends", "CA/PORT" },
		{ "to", 0, 0, G_OPTION_ARG_STRING, &command->to,
		  "timed, from a real port: where the MADs go", "CA/PORT|LID|GID" },
		{ "allow-writes", 0, 0, G_OPTION_ARG_STRING, &command->allow_writes,
		  "timed, ask: send what changes the fabric, too", "CA/PORT" },
		{ "max-size", 0, 0, G_OPTION_ARG_STRING, &command->max_size,
		  "Take a compressed capture that unpacks to at most SIZE bytes (default: 256M)",
		  "SIZE" },
		{ "ignoring", 'i', 0, G_OPTION_ARG_STRING_ARRAY, &command->ignoring,
		  "ask: do not compare these fields", "FIELD,..." },
		{ "where", 'w', 0, G_OPTION_ARG_STRING, &command->where,
		  "ask: only requests that fit FILTER", "FILTER" },
		{ "limit", 'n', 0, G_OPTION_ARG_STRING, &command->limit,
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

/* An option that is given, and the modes that know it. */
struct mode_option {
	const char *name;
	bool is_given;
	unsigned int modes;	/* of enum mode */
};

enum { MODE_OPTIONS = 13 };

static void list_options(const struct replay_command *command,
			 struct mode_option ret[static MODE_OPTIONS])
{
	const struct mode_option options[MODE_OPTIONS] = {
		{ "--as-of", command->as_of, MODE_ANSWER },
		{ "--unmatched", command->unmatched, MODE_ANSWER },
		{ "--speed", command->speed, MODE_TIMED },
		{ "--rewrite", command->rewrite, MODE_TIMED },
		{ "--fabric", command->fabric, MODE_TIMED | MODE_ASK },
		{ "--how", command->how, MODE_ANSWER | MODE_TIMED },
		{ "--to", command->to, MODE_TIMED },
		{ "--backend", command->backend, MODE_TIMED | MODE_ASK },
		{ "--port", command->port, MODE_TIMED | MODE_ASK },
		{ "--allow-writes", command->allow_writes, MODE_TIMED | MODE_ASK },
		{ "--where", command->where, MODE_ASK },
		{ "--ignoring", command->ignoring, MODE_ASK },
		{ "--json", command->ask.json, MODE_ASK },
	};

	memcpy(ret, options, sizeof(options));
}

static const char *mode_name(enum mode mode)
{
	for (size_t i = 0; i < G_N_ELEMENTS(modes); i++) {
		if (modes[i].mode == mode)
			return modes[i].name;
	}
	return NULL;
}

/* The mode that the options and the command leave, if --mode does not say it. */
static enum mode guess_mode(const struct replay_command *command, bool has_program)
{
	struct mode_option options[MODE_OPTIONS];
	unsigned int left = has_program ? MODE_ANSWER | MODE_TIMED : MODE_TIMED | MODE_ASK;
	bool is_any_given = false;

	list_options(command, options);
	for (size_t i = 0; i < MODE_OPTIONS; i++) {
		if (options[i].is_given)
			left &= options[i].modes;
		is_any_given |= options[i].is_given;
	}
	if (left == MODE_TIMED || command->speed || command->rewrite || command->to)
		return MODE_TIMED;
	return has_program || !is_any_given ? MODE_ANSWER : MODE_ASK;
}

/* Into 'command' and '*ret'; -1, or an exit status after an error. */
static int take_mode(struct replay_command *command, const char *name, bool has_program,
		     enum mode *ret)
{
	struct mode_option options[MODE_OPTIONS];

	*ret = command->mode ? 0 : guess_mode(command, has_program);
	for (size_t i = 0; command->mode && i < G_N_ELEMENTS(modes); i++) {
		if (strcmp(command->mode, modes[i].name) == 0)
			*ret = modes[i].mode;
	}
	if (!*ret)
		return command_usage(name, "--mode '%s': expected answer, timed or ask",
				     command->mode);
	list_options(command, options);
	for (size_t i = 0; i < MODE_OPTIONS; i++) {
		g_autoptr(GString) known = NULL;

		if (!options[i].is_given || options[i].modes & *ret)
			continue;
		known = g_string_new(NULL);
		for (size_t j = 0; j < G_N_ELEMENTS(modes); j++) {
			if (options[i].modes & modes[j].mode)
				g_string_append_printf(known, "%s%s", known->len ? " or " : "",
						       modes[j].name);
		}
		return command_usage(name, "%s is for --mode %s, not --mode %s", options[i].name,
				     known->str, mode_name(*ret));
	}
	return -1;
}

/* The capture and its options, as exec takes them. */
static char *program_spec(const struct replay_command *command, enum mode mode,
			  const char *capture, GError **error)
{
	GString *text = g_string_new(capture);
	char *spec;

	if (command->as_of)
		g_string_append_printf(text, ",as-of=%s", command->as_of);
	if (command->unmatched)
		g_string_append_printf(text, ",unmatched=%s", command->unmatched);
	if (command->order)
		g_string_append_printf(text, ",order=%s", command->order);
	if (command->max_size)
		g_string_append_printf(text, ",max-size=%s", command->max_size);
	if (mode == MODE_TIMED)
		g_string_append(text, ",mode=timed");
	if (command->speed)
		g_string_append_printf(text, ",speed=%s", command->speed);
	if (command->rewrite)
		g_string_append(text, ",rewrite=tid");
	g_string_append(text, ",summary=yes");
	spec = exec_spec(text->str, command->host, error);
	g_string_free(text, true);
	return spec;
}

/*
 * What is wrong with a file that is no capture; COMMAND_OK: it is one, or cannot be read at all,
 * which is told where it is opened.
 */
static int check_capture(const char *name, const char *capture, int status)
{
	char message[512];
	struct capture_stream *stream;

	if (access(capture, R_OK) < 0 || capture_is_capture(capture))
		return COMMAND_OK;
	if (!g_file_test(capture, G_FILE_TEST_IS_REGULAR))
		return command_error(name, status, "%s: a capture that becomes a fabric is read "
				     "more than once: put it into a file", capture);
	stream = capture_stream_open(capture, 0, message, sizeof(message));
	if (!stream)
		return command_error(name, status, "%s", message);
	capture_stream_close(stream);
	return COMMAND_OK;
}

static int run_program(const struct replay_command *command, enum mode mode, const char *name,
		       const char *capture, char **argv)
{
	g_autofree char *spec = NULL;
	g_autoptr(GError) error = NULL;
	struct exec_job job = {
		.name = name, .how = EXEC_BOTH, .has_how = command->how,
		.grace_ns = EXEC_GRACE_NS, .argv = argv,
	};

	if (!argv)
		return command_usage(name, "no command given: put it after --, or name a "
				     "fabric that is asked (--fabric FABRIC)");
	if (command->how && !exec_how_parse(command->how, &job.how))
		return command_bad_value(name, "--how", command->how, "preload, filter or both");
	spec = program_spec(command, mode, capture, &error);
	if (!spec)
		return command_error(name, error->code, "%s", error->message);
	if (check_capture(name, capture, COMMAND_REFUSED) != COMMAND_OK)
		return COMMAND_REFUSED;
	job.spec = spec;
	return exec_run(&job);
}

static int ask(struct replay_command *command, const char *name, const char *capture)
{
	uint64_t limit = DETAILS_MAX;

	if (!option_number(name, "--limit", command->limit, 0, INT_MAX, "a number from 0", &limit))
		return COMMAND_USAGE;
	command->ask.limit = (size_t)limit;
	command->ask.name = name;
	command->ask.capture = capture;
	command->ask.size_max = command->size_max;
	command->ask.any_order = g_strcmp0(command->order, "any") == 0;
	command->ask.fabric = command->fabric;
	command->ask.host = command->host;
	command->ask.backend = command->backend;
	command->ask.port = command->port;
	command->ask.allow_writes = command->allow_writes;
	command->ask.ignoring = command->ignoring;
	command->ask.where = command->where;
	return replay_ask_run(&command->ask);
}

static int timed_real(const struct replay_command *command, const char *name,
		      const char *capture)
{
	const struct replay_send send = {
		.name = name, .capture = capture, .host = command->host, .port = command->port,
		.to = command->to, .allow_writes = command->allow_writes,
		.speed_milli = command->speed_milli, .size_max = command->size_max,
		.any_order = g_strcmp0(command->order, "any") == 0,
	};

	if (strcmp(command->backend, "ib_umad") != 0)
		return command_bad_value(name, "--backend", command->backend, "ib_umad");
	if (command->fabric || command->rewrite)
		return command_usage(name, "%s is for simulated fabrics, not --backend ib_umad",
				     command->fabric ? "--fabric" : "--rewrite");
	return replay_send_run(&send);
}

static int timed(const struct replay_command *command, const char *name, const char *capture)
{
	const struct replay_timed_job job = {
		.name = name, .capture = capture, .fabric = command->fabric,
		.host = command->host, .speed_milli = command->speed_milli,
		.own_tids = command->rewrite != NULL, .max_size = command->max_size,
		.size_max = command->size_max,
		.any_order = g_strcmp0(command->order, "any") == 0,
	};

	if (check_capture(name, capture, COMMAND_USAGE) != COMMAND_OK)
		return COMMAND_USAGE;
	return replay_timed_run(&job);
}

/* Values of options. -1, or an exit status after an error. */
static int check_values(struct replay_command *command, const char *name)
{
	const char *order = command->order;

	if (order && strcmp(order, "any") != 0 && strcmp(order, "time") != 0)
		return command_usage(name, "--order is 'time' or 'any', not '%s'", order);
	if (command->speed && pace_parse(command->speed, &command->speed_milli) < 0)
		return command_bad_value(name, "--speed", command->speed, PACE_WANTED);
	if (command->max_size && size_parse(command->max_size, &command->size_max) < 0)
		return command_bad_value(name, "--max-size", command->max_size, SIZE_WANTED);
	if (command->rewrite && strcmp(command->rewrite, "tid") != 0)
		return command_bad_value(name, "--rewrite", command->rewrite, "tid");
	return -1;
}

static int run_mode(struct replay_command *command, const char *name, const char *path,
		    char **argv)
{
	g_autofree char *capture = bundle_capture(path);
	enum mode mode;
	int status = take_mode(command, name, argv != NULL, &mode);

	if (status < 0)
		status = check_values(command, name);
	if (status >= 0)
		return status;
	if (mode == MODE_ASK && argv)
		return command_usage(name, "--mode ask runs no command");
	if (command->how && !argv)
		return command_usage(name, "--how goes with a command, after --");
	if (mode == MODE_ASK)
		return ask(command, name, capture);
	if (strcmp(path, "-") == 0 && !(mode == MODE_TIMED && command->backend))
		return command_usage(name, "a capture that becomes a fabric is read more than "
				     "once, and standard input is the command's: put it into a "
				     "file");
	if (mode == MODE_TIMED && !command->backend &&
	    (command->port || command->to || command->allow_writes))
		return command_usage(name, "%s needs --backend ib_umad", command->port ? "--port" :
				     command->to ? "--to" : "--allow-writes");
	if (mode == MODE_TIMED && command->backend && argv)
		return command_usage(name, "--backend ib_umad runs no command");
	if (mode == MODE_TIMED && command->backend)
		return timed_real(command, name, capture);
	if (mode == MODE_TIMED && !argv)
		return timed(command, name, capture);
	if (command->fabric)
		return command_usage(name, "--fabric is for replays without a command: with one, "
				     "the fabric is the capture's own");
	return run_program(command, mode, name, capture, argv);
}

static void clear(struct replay_command *command)
{
	g_strfreev(command->ignoring);
	g_free(command->mode);
	g_free(command->order);
	g_free(command->as_of);
	g_free(command->unmatched);
	g_free(command->speed);
	g_free(command->rewrite);
	g_free(command->max_size);
	g_free(command->fabric);
	g_free(command->host);
	g_free(command->backend);
	g_free(command->port);
	g_free(command->to);
	g_free(command->allow_writes);
	g_free(command->where);
	g_free(command->limit);
	g_free(command->how);
}

int cmd_replay(int argc, char **argv)
{
	struct replay_command command = { .mode = NULL };
	g_autoptr(GOptionContext) context = option_context(&command);
	g_autoptr(GError) error = NULL;
	g_autofree char *name = g_strdup(argv[0]);
	char **program = command_split(&argc, argv);
	int status;

	if (!command_parse(context, &argc, &argv, &error))
		status = command_usage(name, "%s", error->message);
	else if (argc < 2)
		status = command_usage(name, "no capture given");
	else if (argc > 2)
		status = command_usage(name, "unexpected argument '%s': put the command after --, "
				       "as in '%s %s -- %s'", argv[2], name, argv[1], argv[2]);
	else
		status = run_mode(&command, name, argv[1], program);
	clear(&command);
	return status;
}
