/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Programs in a guest: see lib/guest/guest-program.h.
 */
#include "lib/guest/guest-program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is read of a pipe at most before others have their turn: what a pipe holds. */
enum { OUTPUT_AT_ONCE = 65536 };

/* ---- its begin ---- */

/* The ends of a program's pipes; -1: there is none. */
struct pipes {
	int input[2], output[2], errors[2];
	int failure[2];		/* an errno comes out of it, if execve(2) failed */
};

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void close_pipes(struct pipes *pipes)
{
	int *const all[] = { pipes->input, pipes->output, pipes->errors, pipes->failure };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		close_end(&all[i][0]);
		close_end(&all[i][1]);
	}
}

/* 0 or -errno: what has been opened is to be closed. */
static int open_pipes(struct pipes *pipes, bool has_input)
{
	*pipes = (struct pipes){ { -1, -1 }, { -1, -1 }, { -1, -1 }, { -1, -1 } };
	if (has_input ? pipe2(pipes->input, O_CLOEXEC) < 0 :
			(pipes->input[0] = open("/dev/null", O_RDONLY | O_CLOEXEC)) < 0)
		return -errno;
	if (pipe2(pipes->output, O_CLOEXEC) < 0 || pipe2(pipes->errors, O_CLOEXEC) < 0 ||
	    pipe2(pipes->failure, O_CLOEXEC) < 0)
		return -errno;
	if (has_input && fcntl(pipes->input[1], F_SETFL, O_NONBLOCK) < 0)
		return -errno;
	if (fcntl(pipes->output[0], F_SETFL, O_NONBLOCK) < 0 ||
	    fcntl(pipes->errors[0], F_SETFL, O_NONBLOCK) < 0)
		return -errno;
	return 0;
}

/* In the child. PATH is that of the program's environment. */
static void run(const struct guest_order *order, const struct pipes *pipes)
	__attribute__((noreturn));

static void run(const struct guest_order *order, const struct pipes *pipes)
{
	sigset_t none;
	int err;

	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	environ = order->environment;
	if (dup2(pipes->input[0], STDIN_FILENO) >= 0 &&
	    dup2(pipes->output[1], STDOUT_FILENO) >= 0 &&
	    dup2(pipes->errors[1], STDERR_FILENO) >= 0 && chdir(order->directory) == 0)
		execvp(order->arguments[0], order->arguments);
	err = errno;
	/* A pipe that was just made has room for it. */
	if (write(pipes->failure[1], &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

/* The errno of the child's that it could not become the program with, or 0. */
static int wait_for_exec(int fd)
{
	int err = 0;
	ssize_t size;

	do
		size = read(fd, &err, sizeof(err));
	while (size < 0 && errno == EINTR);
	return size == sizeof(err) ? err : 0;
}

/* The child's number, or -errno. */
static pid_t fork_program(const struct guest_order *order, struct pipes *pipes)
{
	pid_t pid = fork();
	int err;

	if (pid < 0)
		return -errno;
	if (pid == 0)
		run(order, pipes);
	setpgid(pid, pid);
	close_end(&pipes->failure[1]);
	err = wait_for_exec(pipes->failure[0]);
	return err ? -err : pid;
}

static struct guest_program *program_new(uint32_t number, pid_t pid, struct pipes *pipes)
{
	struct guest_program *program = calloc(1, sizeof(*program));

	if (!program)
		return NULL;
	program->number = number;
	program->pid = pid;
	program->input = pipes->input[1];
	program->output = pipes->output[0];
	program->errors = pipes->errors[0];
	pipes->input[1] = pipes->output[0] = pipes->errors[0] = -1;
	return program;
}

struct guest_program *guest_program_start(const struct guest_order *order, int channel)
{
	struct guest_program *program = NULL;
	struct pipes pipes;
	pid_t pid = open_pipes(&pipes, order->has_input);

	if (pid == 0)
		pid = fork_program(order, &pipes);
	if (pid > 0) {
		program = program_new(order->program, pid, &pipes);
		if (!program) {
			kill(-pid, SIGKILL);
			pid = -ENOMEM;
		}
	}
	close_pipes(&pipes);
	guest_channel_send(channel, UMADRIG_GUEST_STARTED, order->program,
			   pid < 0 ? (uint32_t)-pid : 0, NULL, 0);
	return program;
}

void guest_program_free(struct guest_program *program)
{
	close_end(&program->input);
	close_end(&program->output);
	close_end(&program->errors);
	free(program->waiting);
	free(program);
}

/* ---- its input ---- */

static void say_taken(const struct guest_program *program, size_t size, int channel)
{
	if (size > 0)
		guest_channel_send(channel, UMADRIG_GUEST_TAKEN, program->number, (uint32_t)size,
				   NULL, 0);
}

/* Nobody reads it: what comes is taken, and goes nowhere, as with a pipe whose reader is gone. */
static void drop_input(struct guest_program *program)
{
	close_end(&program->input);
	free(program->waiting);
	program->waiting = NULL;
	program->waiting_size = 0;
}

void guest_program_pump(struct guest_program *program, int channel)
{
	size_t before = program->waiting_size;
	ssize_t written = 0;

	while (program->input >= 0 && program->waiting_size > 0) {
		written = write(program->input, program->waiting, program->waiting_size);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			break;
		program->waiting_size -= (size_t)written;
		memmove(program->waiting, program->waiting + written, program->waiting_size);
	}
	if (written < 0 && errno != EAGAIN)
		drop_input(program);
	if (program->waiting_size == 0 && program->input_ends)
		close_end(&program->input);
	say_taken(program, before - program->waiting_size, channel);
}

void guest_program_input(struct guest_program *program, const uint8_t *bytes, size_t size,
			 int channel)
{
	uint8_t *grown;

	if (size == 0)
		program->input_ends = true;
	if (program->input < 0) {
		say_taken(program, size, channel);
		return;
	}
	/* The fabric keeps to the window: what is beyond it is a mistake of its own. */
	if (size > UMADRIG_GUEST_WINDOW - program->waiting_size)
		size = UMADRIG_GUEST_WINDOW - program->waiting_size;
	if (size > 0) {
		grown = realloc(program->waiting, program->waiting_size + size);
		if (!grown) {
			drop_input(program);
			return;
		}
		memcpy(grown + program->waiting_size, bytes, size);
		program->waiting = grown;
		program->waiting_size += size;
	}
	guest_program_pump(program, channel);
}

/* ---- its output ---- */

void guest_program_output(struct guest_program *program, int *fd, int channel)
{
	uint8_t type = fd == &program->output ? UMADRIG_GUEST_STDOUT : UMADRIG_GUEST_STDERR;
	uint8_t bytes[GUEST_CONTENT_MAX];

	for (size_t done = 0; *fd >= 0 && done < OUTPUT_AT_ONCE;) {
		ssize_t size = read(*fd, bytes, sizeof(bytes));

		if (size < 0 && errno == EINTR)
			continue;
		if (size < 0 && errno == EAGAIN)
			return;
		if (size <= 0)
			close_end(fd);
		guest_channel_send(channel, type, program->number, 0, bytes,
				   size > 0 ? (size_t)size : 0);
		done += size > 0 ? (size_t)size : 0;
	}
}

void guest_program_end(struct guest_program *program, int status, int channel)
{
	guest_program_output(program, &program->output, channel);
	guest_program_output(program, &program->errors, channel);
	drop_input(program);
	program->pid = 0;
	guest_channel_send(channel, UMADRIG_GUEST_EXITED, program->number, (uint32_t)status, NULL,
			   0);
}

bool guest_program_is_over(const struct guest_program *program)
{
	return program->pid == 0 && program->output < 0 && program->errors < 0;
}
