/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig ctl: sends commands to the fabric of a server while programs run on it.
 *
 * 	umadrig ctl --socket /tmp/fabric Unlink '"S1"[3]'
 * 	umadrig exec --fabric cluster.net -- sh -c 'opensm & sleep 5; umadrig ctl node off S1; ...'
 *
 * The commands are those of the console (sim/console/console.h). Commands that wait or read files
 * are executed here, so that the server does neither.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/attach-client.h"
#include "harness/base/command.h"
#include "harness/cmd/commands.h"
#include "harness/script/tree/console-word.h"
#include "kmod-stub/event.h"
#include "lib/attach/protocol.h"
#include "lib/json/json-writer.h"
#include "lib/words/duration.h"
#include "sim/api/umadrig.h"

enum { FILE_DEPTH_MAX = 8 };

/* One run of the command. */
struct ctl {
	const char *name;	/* "umadrig ctl" */
	const char *command;	/* the line that is being done */
	const char *file;	/* where the lines come from; NULL: the command line */
	unsigned int line;
	unsigned int depth;	/* how deep files run files */
	int fd;
	bool is_json;		/* --json */
	int status;		/* exit status of the first failure */
	bool is_over;	/* the server has gone */
};

static void do_file(struct ctl *ctl, FILE *file, const char *name);

/* One line of JSON for a command: doc/ctl-json.md. */
static void begin_json(const struct ctl *ctl, struct json_writer *json)
{
	json_writer_init(json, JSON_SPACED, json_to_file, stdout);
	json_open(json, '{');
	json_string(json_name(json, "command"), ctl->command ? ctl->command : "");
}

static void end_json(struct json_writer *json)
{
	json_close(json, '}');
	json_end_line(json);
	json_finish(json);
}

/* 'result' is JSON. */
static void print_json(const struct ctl *ctl, const char *result)
{
	struct json_writer json;

	begin_json(ctl, &json);
	json_verbatim(json_name(&json, "result"), result);
	end_json(&json);
}

static void print_json_error(const struct ctl *ctl, int status, const char *why)
{
	struct json_writer json;

	begin_json(ctl, &json);
	json_open(json_name(&json, "error"), '{');
	json_number(json_name(&json, "status"), status);
	json_string(json_name(&json, "message"), why);
	if (ctl->file) {
		json_string(json_name(&json, "file"), ctl->file);
		json_unsigned(json_name(&json, "line"), ctl->line);
	}
	json_close(&json, '}');
	end_json(&json);
}

static void fail(struct ctl *ctl, int status, const char *why)
{
	if (ctl->is_json)
		print_json_error(ctl, status, why);
	else if (ctl->file)
		fprintf(stderr, "%s:%u: %s\n", ctl->file, ctl->line, why);
	else
		fprintf(stderr, "%s: %s\n", ctl->name, why);
	if (ctl->status == COMMAND_OK)
		ctl->status = status;
}

/* ---- commands that are executed here ---- */

static void wait_for(struct ctl *ctl, const char *word)
{
	int64_t time_ns;
	int err = duration_parse_seconds(word, &time_ns);

	if (err < 0) {
		g_autofree char *why = g_strdup_printf("Wait '%s': expected %s", word,
			duration_expected(err, "seconds, or a time such as 200ms"));

		fail(ctl, COMMAND_USAGE, why);
		return;
	}
	fflush(stdout);
	g_usleep((gulong)(time_ns / NS_PER_US));
	if (ctl->is_json)
		print_json(ctl, "null");
}

static void run_named_file(struct ctl *ctl, const char *name)
{
	g_autofree char *directory = ctl->file ? g_path_get_dirname(ctl->file) : g_strdup(".");
	g_autofree char *path = g_path_is_absolute(name) || !ctl->file ? g_strdup(name) :
				g_build_filename(directory, name, NULL);
	g_autofree char *why = NULL;
	FILE *file = ctl->depth < FILE_DEPTH_MAX ? fopen(path, "re") : NULL;

	if (file) {
		do_file(ctl, file, path);
		fclose(file);
		return;
	}
	why = ctl->depth < FILE_DEPTH_MAX ?
		g_strdup_printf("%s: %s", path, g_strerror(errno)) :
		g_strdup_printf("'%s' would be the %dth file that runs another; does it run "
				"itself?", path, FILE_DEPTH_MAX + 1);
	fail(ctl, COMMAND_FAILED, why);
}

/* If the line is a Wait: how long it waits. */
static char *wait_word(const char *line)
{
	g_auto(GStrv) words = g_strsplit_set(line, " \t\r\n", 2);

	if (!words[0] || !words[1] || g_ascii_strcasecmp(words[0], "wait") != 0)
		return NULL;
	words[1][strcspn(words[1], "#")] = '\0';
	return g_strdup(g_strstrip(words[1]));
}

/* ---- commands for the server ---- */

static void ask_server(struct ctl *ctl, const char *line)
{
	g_autoptr(GString) reply = g_string_new(NULL);
	g_autofree char *whole = g_strconcat(ctl->is_json ? "json " : "", line, NULL);
	int64_t result;

	if (strlen(whole) > ATTACH_INLINE_MAX) {
		fail(ctl, COMMAND_USAGE, "the line is too long");
		return;
	}
	result = attach_client_call(ctl->fd, ATTACH_CONSOLE, whole, strlen(whole), reply);
	if (result < 0 && reply->len == 0) {
		g_autofree char *reason = attach_client_reason((int)result);
		g_autofree char *text = g_strconcat(reason, ", with umadrig of the same version",
						    NULL);

		fail(ctl, COMMAND_REFUSED, text);
		ctl->is_over = true;
	} else if (result < 0) {
		fail(ctl, result == -EINVAL ? COMMAND_USAGE : COMMAND_FAILED, reply->str);
	} else if (ctl->is_json) {
		print_json(ctl, g_strchomp(reply->str));
	} else {
		fputs(reply->str, stdout);	/* command_finish_output() reports an error */
	}
}

/* The server may have another working directory, so "capture start FILE" gets an absolute path. */
static char *with_whole_path(const char *line)
{
	g_auto(GStrv) words = g_strsplit_set(line, " \t", 3);
	g_autofree char *name = NULL, *path = NULL;

	if (g_strv_length(words) < 3 || g_ascii_strcasecmp(words[0], "capture") != 0 ||
	    g_ascii_strcasecmp(words[1], "start") != 0 || strchr(words[2], '"'))
		return g_strdup(line);
	name = g_strstrip(g_strdup(words[2]));
	path = g_canonicalize_filename(name, NULL);
	return g_strdup_printf("capture start \"%s\"", path);
}

static void do_line(struct ctl *ctl, const char *line)
{
	g_autofree char *whole = NULL;
	g_autofree char *wait = NULL;

	line += strspn(line, " \t\r\n");
	if (line[0] == '\0' || line[0] == '#')
		return;
	ctl->command = line;
	if (line[0] == '!') {
		g_autofree char *name = g_strstrip(g_strdup(line + 1));

		run_named_file(ctl, name);
		return;
	}
	wait = wait_word(line);
	if (wait)
		wait_for(ctl, wait);
	else
		ask_server(ctl, whole = with_whole_path(line));
}

static void do_file(struct ctl *ctl, FILE *file, const char *name)
{
	struct ctl before = *ctl;
	bool prompt = file == stdin && isatty(STDIN_FILENO);
	char *line = NULL;
	size_t room = 0;

	ctl->file = name;
	ctl->line = 0;
	ctl->depth++;
	for (;;) {
		if (prompt) {
			fputs("umadrig> ", stdout);
			fflush(stdout);
		}
		if (ctl->is_over || getline(&line, &room, file) < 0)
			break;
		line[strcspn(line, "\n")] = '\0';
		ctl->line++;
		do_line(ctl, line);
	}
	free(line);
	ctl->file = before.file;
	ctl->line = before.line;
	ctl->depth = before.depth;
}

/* ---- the command line ---- */

static char *describe(void)
{
	char *text = NULL, *description;

	umadrig_console(NULL, "Help", &text);
	description = g_strconcat("Without a command, lines are read from standard input. "
				  "Commands, in any case:\n", text,
				  "\nExit status: 0; 1 if a command failed, 2 if it is unknown or "
				  "its arguments are wrong, 125 if there is no server.", NULL);
	free(text);
	return g_strchomp(description);
}

int cmd_ctl(int argc, char **argv)
{
	g_autofree char *socket = NULL, *description = describe();
	gboolean is_json = false;
	const GOptionEntry entries[] = {
		{ "socket", 's', 0, G_OPTION_ARG_FILENAME, &socket,
		  "Socket of the server (default: that of UMAD_BACKEND)", "PATH" },
		{ "json", 'j', 0, G_OPTION_ARG_NONE, &is_json,
		  "Print each command's answer as a line of JSON", NULL },
		G_OPTION_ENTRY_NULL,
	};
	g_autoptr(GOptionContext) context = g_option_context_new("[COMMAND [WORD...]]");
	g_autoptr(GString) line = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	struct ctl ctl = { .name = argv[0] };

	g_option_context_set_summary(context, "Changes and shows the fabric of a server.");
	g_option_context_set_description(context, description);
	g_option_context_set_strict_posix(context, true);
	g_option_context_add_main_entries(context, entries, NULL);
	if (!command_parse(context, &argc, &argv, &error))
		return command_usage(ctl.name, "%s", error->message);
	if (!socket)
		socket = attach_client_socket();
	if (!socket)
		return command_usage(ctl.name, "no server given: name its socket (--socket PATH), "
				     "or run this below 'umadrig exec'");
	ctl.is_json = is_json;
	ctl.fd = attach_client_connect(socket, &error);
	if (ctl.fd < 0)
		return command_error(ctl.name, error->code, "%s", error->message);
	for (int i = 1; i < argc; i++)
		console_line_append(line, argv[i]);	/* the shell has removed the quotes */
	if (argc > 1)
		do_line(&ctl, line->str);
	else
		do_file(&ctl, stdin, "standard input");
	close(ctl.fd);
	return command_finish_output(ctl.name, ctl.status);
}
