/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See harness/exec/in-guest.h. */
#include "config.h"

#include "harness/exec/in-guest.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/attach-client.h"
#include "harness/base/command.h"
#include "harness/exec/die-like.h"
#include "harness/exec/exec.h"
#include "lib/attach/attach-spec.h"
#include "lib/attach/protocol.h"
#include "lib/lockstep/stand-in-door.h"
#include "sim/programs/program-environment.h"

struct in_guest {
	int fd;			/* to the server */
	int end;		/* where the program's status comes out of */
};

char **in_guest_words(char *const *argv)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	char *own = g_file_read_link("/proc/self/exe", NULL);

	g_ptr_array_add(words, own ? own : g_strdup("umadrig"));
	g_ptr_array_add(words, g_strdup(IN_GUEST_COMMAND));
	g_ptr_array_add(words, g_strdup("--"));
	for (; *argv; argv++)
		g_ptr_array_add(words, g_strdup(*argv));
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_steal(words, NULL);
}

/* ---- the server ---- */

static bool refuse(GError **error, const char *text)
{
	g_set_error_literal(error, COMMAND_ERROR, COMMAND_REFUSED, text);
	return false;
}

static bool connect_server(struct in_guest *in_guest, const struct attach_spec *spec,
			   const char *host, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *reason = NULL;
	int64_t ret;

	in_guest->fd = attach_client_connect(spec->path, error);
	if (in_guest->fd < 0)
		return false;
	/* By the session's name the server notes that it is used. */
	ret = exec_attach_hello(in_guest->fd, host, spec->session, text);
	if (ret >= 0)
		return true;
	reason = attach_client_reason((int)ret);
	return refuse(error, text->len ? text->str : reason);
}

static int64_t call(const struct in_guest *in_guest, enum attach_op op, uint32_t argument,
		    int passed)
{
	const struct attach_call call = { .op = op, .argument = argument };

	return attach_client_call_with(in_guest->fd, &call, "", 0, passed, NULL);
}

/* ---- the start ---- */

/* Its descriptors: ours, and a pipe for its end. 0 or -errno. */
static int64_t pass_streams(struct in_guest *in_guest)
{
	int ends[2];
	int64_t ret;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	in_guest->end = ends[0];
	ret = call(in_guest, ATTACH_GUEST_STREAM, ATTACH_GUEST_END, ends[1]);
	close(ends[1]);
	if (ret == 0 && fcntl(STDIN_FILENO, F_GETFD) >= 0)
		ret = call(in_guest, ATTACH_GUEST_STREAM, ATTACH_GUEST_INPUT, STDIN_FILENO);
	if (ret == 0)
		ret = call(in_guest, ATTACH_GUEST_STREAM, ATTACH_GUEST_OUTPUT, STDOUT_FILENO);
	if (ret == 0)
		ret = call(in_guest, ATTACH_GUEST_STREAM, ATTACH_GUEST_ERRORS, STDERR_FILENO);
	return ret;
}

static void append(GByteArray *bytes, const char *text)
{
	g_byte_array_append(bytes, (const guint8 *)text, (guint)strlen(text) + 1);
}

/* What our own programs need in their environment is not in there: its devices are real ones. */
static GByteArray *order_of(char *const *argv, GError **error)
{
	const struct attach_guest_run head = {
		.arguments = g_strv_length((char **)(uintptr_t)argv),
	};
	g_auto(GStrv) env = exec_environment_without(error);
	g_autofree char *directory = g_get_current_dir();
	GByteArray *bytes = env ? g_byte_array_new() : NULL;

	if (!env)
		return NULL;
	env = program_environment_in_guest(g_steal_pointer(&env));
	g_byte_array_append(bytes, (const guint8 *)&head, sizeof(head));
	append(bytes, directory);
	for (; *argv; argv++)
		append(bytes, *argv);
	for (char **word = env; *word; word++)
		append(bytes, *word);
	return bytes;
}

static int64_t order(const struct in_guest *in_guest, const GByteArray *bytes, GString *reply)
{
	struct attach_call call = { .op = ATTACH_GUEST_RUN };
	int64_t ret;
	int file;

	if (bytes->len <= ATTACH_INLINE_MAX)
		return attach_client_call_with(in_guest->fd, &call, bytes->data, bytes->len, -1,
					       reply);
	file = memfd_create("guest", MFD_CLOEXEC);
	if (file < 0)
		return -errno;
	call.argument = bytes->len;
	ret = write(file, bytes->data, bytes->len) != (ssize_t)bytes->len ? -EIO :
	      attach_client_call_with(in_guest->fd, &call, "", 0, file, reply);
	close(file);
	return ret;
}

static bool start(struct in_guest *in_guest, const char *host, char *const *argv, GError **error)
{
	g_autoptr(GByteArray) bytes = order_of(argv, error);
	g_autoptr(GString) reply = g_string_new(NULL);
	const char *shown = *host ? host : "the fabric's first host";
	int64_t ret;

	if (!bytes)
		return false;
	ret = pass_streams(in_guest);
	if (ret == 0)
		ret = order(in_guest, bytes, reply);
	if (ret == 0)
		return true;
	if (ret == -EOPNOTSUPP)
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s is no guest, but a "
			    "simulated host: start the program without 'umadrig guest', or make "
			    "the host a guest with kernel=%s:uml:RELEASE", shown,
			    *host ? host : "HOST");
	else
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s: %s", shown,
			    reply->len ? reply->str : g_strerror((int)-ret));
	return false;
}

/* ---- while it runs ---- */

static const int passed[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM };

static volatile sig_atomic_t has_come[NSIG];

static void note(int sig)
{
	has_come[sig] = 1;
}

/* Blocks them but in wait_for_end(); 'ret_mask': as it was, without them. */
static void begin_signals(sigset_t *ret_mask)
{
	struct sigaction action = { .sa_handler = note };
	sigset_t blocked;

	sigemptyset(&blocked);
	for (size_t i = 0; i < G_N_ELEMENTS(passed); i++) {
		struct sigaction before;

		sigaction(passed[i], NULL, &before);
		if (before.sa_handler != SIG_IGN)
			sigaction(passed[i], &action, NULL);
		sigaddset(&blocked, passed[i]);
	}
	sigprocmask(SIG_BLOCK, &blocked, ret_mask);
	for (size_t i = 0; i < G_N_ELEMENTS(passed); i++)
		sigdelset(ret_mask, passed[i]);
}

static void pass_signals(const struct in_guest *in_guest)
{
	for (size_t i = 0; i < G_N_ELEMENTS(passed); i++) {
		if (!has_come[passed[i]])
			continue;
		has_come[passed[i]] = 0;
		call(in_guest, ATTACH_GUEST_SIGNAL, (uint32_t)passed[i], -1);
	}
}

/* The program's status; or -EIO: the server has gone. */
static int wait_for_end(const struct in_guest *in_guest, const sigset_t *mask)
{
	struct pollfd pollfd = { .fd = in_guest->end, .events = POLLIN };
	int32_t status;

	while (ppoll(&pollfd, 1, NULL, mask) != 1)
		pass_signals(in_guest);
	return read(in_guest->end, &status, sizeof(status)) == sizeof(status) ? status : -EIO;
}

/* It is known by the program's name, to ps(1) and to the session. */
static void take_name(const char *program)
{
	g_autofree char *name = g_path_get_basename(program);

	prctl(PR_SET_NAME, name);
	if (umadrig_session_name)
		umadrig_session_name(program);
}

static int run(struct in_guest *in_guest, const char *host, char *const *argv, GError **error)
{
	struct attach_spec spec;
	sigset_t mask;
	int status;

	if (attach_client_spec(&spec) < 0) {
		refuse(error, "there is no session here: it runs below 'umadrig exec'");
		return -1;
	}
	if (!host)
		host = spec.host;
	begin_signals(&mask);
	if (!connect_server(in_guest, &spec, host, error) || !start(in_guest, host, argv, error))
		return -1;
	take_name(argv[0]);
	status = wait_for_end(in_guest, &mask);
	if (status < 0)
		refuse(error, "the fabric's server has gone, and the guest with it");
	return status;
}

int in_guest_run(const char *name, const char *host, char *const *argv)
{
	struct in_guest in_guest = { .fd = -1, .end = -1 };
	g_autoptr(GError) error = NULL;
	int status = run(&in_guest, host, argv, &error);

	if (in_guest.end >= 0)
		close(in_guest.end);
	if (in_guest.fd >= 0)
		close(in_guest.fd);
	if (status < 0)
		return command_error(name, error->code, "%s", error->message);
	if (WIFSIGNALED(status))
		die_like(WTERMSIG(status));
	return WEXITSTATUS(status);
}
