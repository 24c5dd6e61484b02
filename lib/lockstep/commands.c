/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Shell commands, daemons, and programs on a terminal of their own: system(3), popen(3), daemon(3),
 * forkpty(3). libc's make their processes by calls that have no name.
 */
#include <errno.h>
#include <fcntl.h>
#include <paths.h>
#include <pthread.h>
#include <pty.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

#include "lib/lockstep/next.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/system-call.h"

static int spawn_shell(pid_t *ret, const char *command, const posix_spawn_file_actions_t *actions,
		       const posix_spawnattr_t *attr)
{
	char *const argv[] = { (char *)"sh", (char *)"-c", (char *)command, NULL };

	return posix_spawn(ret, _PATH_BSHELL, actions, attr, argv, environ);
}

static pid_t reap(pid_t pid, int *status)
{
	pid_t r;

	do
		r = waitpid(pid, status, 0);
	while (r < 0 && errno == EINTR);
	return r;
}

/* ---- system ---- */

/* SIGINT and SIGQUIT are ignored while any thread is in it. */
static unsigned int systems;
static struct sigaction before_int, before_quit;

static void begin_system(void)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	if (systems++ > 0)
		return;
	sigaction(SIGINT, &ignore, &before_int);
	sigaction(SIGQUIT, &ignore, &before_quit);
}

static void end_system(void)
{
	if (--systems > 0)
		return;
	sigaction(SIGINT, &before_int, NULL);
	sigaction(SIGQUIT, &before_quit, NULL);
}

struct system_run {
	pid_t pid;
	sigset_t mask;		/* that the caller had */
};

/* The caller is cancelled. */
static void cancel_system(void *data)
{
	const struct system_run *run = data;

	kill(run->pid, SIGKILL);
	reap(run->pid, NULL);
	end_system();
	pthread_sigmask(SIG_SETMASK, &run->mask, NULL);
}

static int start_system(struct system_run *run, const char *command)
{
	posix_spawnattr_t attr;
	sigset_t defaults;
	int err;

	sigemptyset(&defaults);
	if (before_int.sa_handler != SIG_IGN)
		sigaddset(&defaults, SIGINT);
	if (before_quit.sa_handler != SIG_IGN)
		sigaddset(&defaults, SIGQUIT);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &run->mask);
	posix_spawnattr_setsigdefault(&attr, &defaults);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	err = spawn_shell(&run->pid, command, NULL, &attr);
	posix_spawnattr_destroy(&attr);
	return err;
}

/* A shell that cannot be started is one that has ended with 127. */
static int run_system(const char *command)
{
	struct system_run run = { .pid = 0 };
	int status = W_EXITCODE(127, 0), err;
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	begin_system();
	pthread_sigmask(SIG_BLOCK, &child, &run.mask);
	err = start_system(&run, command);
	if (!err) {
		pthread_cleanup_push(cancel_system, &run);
		if (reap(run.pid, &status) < 0)
			status = -1;
		pthread_cleanup_pop(0);
	}
	end_system();
	pthread_sigmask(SIG_SETMASK, &run.mask, NULL);
	if (err)
		errno = err;
	return status;
}

NEXT_DECLARE(system);
PUBLIC int system(const char *command)
{
	if (!session_is_on())
		return NEXT(system)(command);
	return command ? run_system(command) : run_system("exit 0") == 0;
}

/* ---- popen ---- */

static struct stream {
	FILE *file;
	pid_t pid;
	struct stream *next;
} *streams;

/* "r" or "w", and perhaps "e". */
static bool parse_mode(const char *mode, bool *ret_reads, bool *ret_is_cloexec)
{
	bool reads = false, writes = false;

	*ret_is_cloexec = false;
	for (; *mode; mode++) {
		if (*mode == 'r')
			reads = true;
		else if (*mode == 'w')
			writes = true;
		else if (*mode == 'e')
			*ret_is_cloexec = true;
		else
			return false;
	}
	*ret_reads = reads;
	return reads != writes;
}

/* The child has none of the streams that were opened before: POSIX. */
static int start_stream(struct stream *stream, const char *command, int child_end, int to)
{
	posix_spawn_file_actions_t actions;
	int err;

	posix_spawn_file_actions_init(&actions);
	err = posix_spawn_file_actions_adddup2(&actions, child_end, to);
	for (const struct stream *old = streams; old && !err; old = old->next) {
		if (fileno(old->file) != to)
			err = posix_spawn_file_actions_addclose(&actions, fileno(old->file));
	}
	if (!err)
		err = spawn_shell(&stream->pid, command, &actions, NULL);
	posix_spawn_file_actions_destroy(&actions);
	return err;
}

static FILE *open_stream(const char *command, bool reads, bool is_cloexec)
{
	struct stream *stream = malloc(sizeof(*stream));
	int ends[2], own = reads ? 0 : 1, err;

	if (!stream)
		return NULL;
	if (pipe2(ends, O_CLOEXEC) < 0) {
		free(stream);
		return NULL;
	}
	stream->file = fdopen(ends[own], reads ? "r" : "w");
	err = stream->file ? start_stream(stream, command, ends[!own], !own) : errno;
	CALL_1(SYS_close, ends[!own]);
	if (err) {
		if (stream->file)
			fclose(stream->file);
		else
			CALL_1(SYS_close, ends[own]);
		free(stream);
		errno = err;
		return NULL;
	}
	if (!is_cloexec)
		fcntl(ends[own], F_SETFD, 0);
	stream->next = streams;
	streams = stream;
	return stream->file;
}

NEXT_DECLARE(popen);
PUBLIC FILE *popen(const char *command, const char *mode)
{
	bool reads, is_cloexec;

	if (!session_is_on())
		return NEXT(popen)(command, mode);
	if (!parse_mode(mode, &reads, &is_cloexec)) {
		errno = EINVAL;
		return NULL;
	}
	return open_stream(command, reads, is_cloexec);
}

NEXT_DECLARE(pclose);
PUBLIC int pclose(FILE *file)
{
	struct stream **at = &streams, *stream;
	int status = -1;
	pid_t pid;

	while (*at && (*at)->file != file)
		at = &(*at)->next;
	stream = *at;
	if (!stream)
		return NEXT(pclose)(file);
	*at = stream->next;
	pid = stream->pid;
	free(stream);
	fclose(file);
	return reap(pid, &status) < 0 ? -1 : status;
}

/* ---- daemon ---- */

static int leave_terminal(void)
{
	int fd = open(_PATH_DEVNULL, O_RDWR);

	if (fd < 0)
		return -1;
	for (int to = 0; to <= 2; to++)
		dup2(fd, to);
	if (fd > 2)
		close(fd);
	return 0;
}

NEXT_DECLARE(daemon);
PUBLIC int daemon(int stays_here, int keeps_files)
{
	pid_t pid;

	if (!session_is_on())
		return NEXT(daemon)(stays_here, keeps_files);
	pid = fork();
	if (pid < 0)
		return -1;
	if (pid > 0)
		_exit(0);
	if (setsid() < 0 || (!stays_here && chdir("/") < 0))
		return -1;
	return keeps_files ? 0 : leave_terminal();
}

/* ---- forkpty ---- */

NEXT_DECLARE(openpty);
NEXT_DECLARE(login_tty);
NEXT_DECLARE(forkpty);
PUBLIC int forkpty(int *ret_controller, char *name, const struct termios *modes,
		   const struct winsize *size)
{
	int controller, terminal, err;
	pid_t pid;

	if (!session_is_on())
		return NEXT(forkpty)(ret_controller, name, modes, size);
	if (NEXT(openpty)(&controller, &terminal, name, modes, size) < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		close(controller);
		if (NEXT(login_tty)(terminal) < 0)
			_exit(EXIT_FAILURE);
		return 0;
	}
	err = errno;
	close(terminal);
	if (pid > 0)
		*ret_controller = controller;
	else
		close(controller);
	errno = err;
	return pid;
}
