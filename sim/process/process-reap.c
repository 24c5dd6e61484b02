/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The end of processes: see sim/process/process-reap.h.
 */
#include "config.h"

#include "sim/process/process-reap.h"

#include <errno.h>
#include <glib.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* As waitpid(2), but -errno. */
static pid_t wait_for(pid_t pid, int *status, int flags)
{
	pid_t ret;

	do
		ret = waitpid(pid, status, flags);
	while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : ret;
}

int reap(pid_t pid)
{
	int status, ret = wait_for(pid, &status, 0);

	return ret < 0 ? ret : status;
}

int reap_killed(pid_t pid)
{
	if (pid <= 0)
		return -ECHILD;
	kill(pid, SIGKILL);
	return reap(pid);
}

int reap_killed_group(pid_t leader)
{
	int ret, status;

	if (leader <= 0)
		return -ECHILD;
	kill(-leader, SIGKILL);
	ret = reap_killed(leader);
	while (wait_for(-leader, &status, 0) > 0)
		continue;
	return ret;
}

bool reap_ended(pid_t pid, int *ret_status)
{
	int status, ret = wait_for(pid, &status, WNOHANG);

	if (ret != 0)
		*ret_status = ret < 0 ? ret : status;
	return ret != 0;
}

bool reap_can(pid_t pid)
{
	siginfo_t info = { .si_pid = 0 };

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || info.si_pid != 0;
}

/* Looks before it takes: waitpid(2) takes stops of traced ones as well, and they come once. */
pid_t reap_any(int *ret_status)
{
	siginfo_t info = { .si_pid = 0 };
	pid_t ret;

	if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0)
		return -errno;
	if (info.si_pid == 0)
		return 0;
	if (info.si_code == CLD_TRAPPED || info.si_code == CLD_STOPPED)
		return -EAGAIN;
	ret = wait_for(info.si_pid, ret_status, WNOHANG);
	/* Its tracer may have been quicker. */
	return ret == -ECHILD ? -EAGAIN : ret;
}

char *reap_status_text(int status)
{
	return WIFSIGNALED(status) ?
	       g_strdup_printf("was ended by signal %d (%s)", WTERMSIG(status),
			       g_strsignal(WTERMSIG(status))) :
	       g_strdup_printf("ended with status %d", WEXITSTATUS(status));
}

int reap_descriptor(pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	return fd < 0 ? -errno : fd;
}

bool reap_has_ended(pid_t pid, int timeout_ms)
{
	struct pollfd end = { .fd = pid > 0 ? reap_descriptor(pid) : -ESRCH, .events = POLLIN };
	bool ret;

	if (end.fd < 0)
		return end.fd == -ESRCH;
	ret = poll(&end, 1, timeout_ms) > 0;
	close(end.fd);
	return ret;
}
