/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See harness/exec/attendant.h. */
#include "config.h"

#include "harness/exec/attendant.h"

#include <errno.h>
#include <glib.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/attach-client.h"
#include "harness/base/command.h"
#include "lib/attach/protocol.h"
#include "sim/process/process-output.h"
#include "sim/process/process-reap.h"
#include "sim/process/process-spawn.h"

struct attendant {
	int fd;			/* to the server */
	sigset_t mask;		/* as the program has it */
};

char **attendant_words(const char *path, char *const *argv)
{
	static char name[] = "umadrig", command[] = ATTENDANT_COMMAND;
	g_autoptr(GPtrArray) words = g_ptr_array_new();

	g_ptr_array_add(words, name);
	g_ptr_array_add(words, command);
	g_ptr_array_add(words, (char *)path);
	for (; *argv; argv++)
		g_ptr_array_add(words, *argv);
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_steal(words, NULL);
}

static int connect_server(void)
{
	g_autofree char *path = attach_client_socket();
	g_autoptr(GError) error = NULL;
	int fd = path ? attach_client_connect(path, &error) : -1;

	if (fd < 0)
		fprintf(stderr, "umadrig: the session's attendant: %s\n",
			error ? error->message : "UMAD_BACKEND names no server");
	return fd;
}

/* ---- in a process for each command that is asked about ---- */

/* The last line that has any word, within 'text'; "": there is none. */
static const char *last_line(char *text)
{
	const char *at = strrchr(g_strchomp(text), '\n');

	return at ? at + 1 : text;
}

static void tell(int64_t number, int status, const char *said)
{
	const struct attach_errand_end end = { .number = (uint64_t)number, .status = status };
	size_t length = MIN(strlen(said), ATTACH_INLINE_MAX - sizeof(end));
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	int fd = connect_server();

	g_byte_array_append(bytes, (const guint8 *)&end, sizeof(end));
	g_byte_array_append(bytes, (const guint8 *)said, (guint)length);
	if (fd < 0)
		return;
	/* -ENOENT: nobody wants to know any more. */
	attach_client_call(fd, ATTACH_ERRAND_END, bytes->data, bytes->len, NULL);
	close(fd);
}

static void ask(const struct spawn *spawn, int64_t number)
{
	struct output output;
	int status = output_take(spawn, &output);
	const char *said;

	if (status < 0) {
		tell(number, W_EXITCODE(COMMAND_CANNOT_RUN, 0), g_strerror(-status));
		return;
	}
	said = last_line(output.printed);
	tell(number, status, *said ? said : last_line(output.errors));
	output_clear(&output);
}

/* ---- the attendant ---- */

static void do_errand(const struct attendant *attendant, int64_t number, char *command,
		      bool is_asked)
{
	static char shell[] = "sh", option[] = "-c";
	char *argv[] = { shell, option, command, NULL };
	const struct spawn spawn = {
		.path = "/bin/sh", .argv = argv, .input = SPAWN_NULL, .mask = &attendant->mask,
	};
	struct spawn_failure failure;

	if (!is_asked) {
		if (spawn_program(&spawn, &failure) < 0)
			fprintf(stderr, "umadrig: start %s: %s\n", command,
				g_strerror(failure.err));
		return;
	}
	if (spawn_fork(NULL) != 0)
		return;
	close(attendant->fd);
	ask(&spawn, number);
	fflush(NULL);
	_exit(0);
}

/* Those that have come so far. False: the server has gone. */
static bool do_errands(const struct attendant *attendant)
{
	for (;;) {
		g_autoptr(GString) text = g_string_new(NULL);
		int64_t number = attach_client_call(attendant->fd, ATTACH_ERRAND, "", 0, text);
		uint32_t is_asked;

		if (number == -EAGAIN)
			return true;
		if (number < 0 || text->len < sizeof(is_asked))
			return false;
		memcpy(&is_asked, text->str, sizeof(is_asked));
		do_errand(attendant, number, text->str + sizeof(is_asked), is_asked);
	}
}

static void attend(void)
{
	struct attendant attendant = { .fd = connect_server() };
	sigset_t awaited;
	int status;

	if (attendant.fd < 0)
		return;
	sigemptyset(&awaited);
	sigaddset(&awaited, SIGUSR1);
	sigaddset(&awaited, SIGCHLD);
	sigprocmask(SIG_BLOCK, &awaited, &attendant.mask);
	while (do_errands(&attendant)) {
		sigwaitinfo(&awaited, NULL);
		while (reap_any(&status) > 0)
			continue;
	}
}

/* As a daemon: the program has no child that it has not made. False: there is none. */
static bool begin(void)
{
	pid_t pid = spawn_fork(NULL);

	if (pid == 0) {
		if (spawn_fork(NULL) == 0)
			attend();
		_exit(0);
	}
	return pid > 0 && reap(pid) == 0;
}

int attendant_main(int argc, char **argv)
{
	int ret;

	if (argc < 3)
		return command_usage("umadrig", "'%s' is for umadrig exec", ATTENDANT_COMMAND);
	if (!begin())
		fprintf(stderr, "umadrig: the session's attendant cannot be started\n");
	ret = spawn_become(argv[1], argv + 2, environ);
	fprintf(stderr, "umadrig exec: %s: %s\n", argv[1], g_strerror(-ret));
	return ret == -ENOENT ? COMMAND_NOT_FOUND : COMMAND_CANNOT_RUN;
}
