/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * exec --detach: the caller waits for a process that ends with the program; the fabric is in its
 * child, which stays as long as anything that the program has left.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/exec/exec.h"
#include "harness/exec/passed-signals.h"
#include "sim/process/process-reap.h"
#include "sim/process/process-spawn.h"

/* The process that stays. It is this process's child, and not waited for while signals come. */
static volatile sig_atomic_t other;

static void pass_on(int sig)
{
	kill((pid_t)other, sig);
}

/* As for a program: the terminal's signals come to all processes anyway. */
static void set_signals(void)
{
	static const int passed_on[] = { SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCONT };
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct sigaction pass = { .sa_handler = pass_on, .sa_flags = SA_RESTART };
	struct sigaction old;

	sigaction(SIGINT, &ignore, NULL);
	sigaction(SIGQUIT, &ignore, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(passed_on); i++) {
		if (sigaction(passed_on[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(passed_on[i], &pass, NULL);
	}
}

/* Waits for the verdict. Without one, a kernel has crashed that process, or others killed it. */
static void wait_for(const char *name, int fd, struct exec_verdict *ret)
{
	ssize_t got;
	int status;

	do
		got = recv(fd, ret, sizeof(*ret), 0);
	while (got < 0 && errno == EINTR);
	close(fd);
	if (got == sizeof(*ret))
		return;
	status = reap((pid_t)other);
	if (status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == COMMAND_KERNEL_FAULT) {
		*ret = (struct exec_verdict){ .status = COMMAND_KERNEL_FAULT };
		return;
	}
	fprintf(stderr, "%s: the process %d, which had the fabric, was killed\n", name,
		(int)other);
	*ret = (struct exec_verdict){ .status = COMMAND_REFUSED };
}

bool exec_detach_begin(const char *name, int *ret_fd, struct exec_verdict *ret_verdict)
{
	sigset_t all, before;
	int ends[2];
	pid_t pid;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	pid = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0 ? -errno :
	      spawn_fork(&(struct spawn){ .mask = &before });
	if (pid < 0) {
		command_error(name, COMMAND_REFUSED, "cannot make a process: %s",
			      g_strerror(-pid));
		*ret_verdict = (struct exec_verdict){ .status = COMMAND_REFUSED };
		return false;
	}
	if (pid > 0) {
		other = pid;
		set_signals();
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (pid > 0)
		passed_signals_release();
	close(ends[pid > 0 ? 1 : 0]);
	if (pid > 0) {
		wait_for(name, ends[0], ret_verdict);
		return false;
	}
	*ret_fd = ends[1];
	return true;
}

void exec_detach_tell(int *fd, struct exec_verdict verdict)
{
	if (*fd < 0)
		return;
	send(*fd, &verdict, sizeof(verdict), MSG_NOSIGNAL);
	close(*fd);
	*fd = -1;
}

void exec_detach_files(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = STDIN_FILENO; null >= 0 && fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	if (null > STDERR_FILENO)
		close(null);
}
