/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A rehearsal: what a kernel, a container's profile or a security module denies differs from place
 * to place, and can be found out in no other way.
 */
#include "config.h"

#include "harness/filter/filter-check.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "harness/filter/memory.h"
#include "harness/filter/seccomp-filter.h"
#include "harness/filter/supervisor.h"
#include "sim/process/process-reap.h"
#include "sim/process/process-spawn.h"

enum {
	FIRST_NUMBER = 960,
	PATIENCE_MS = 5000,
};
#define LETTERS "umadrig"

/* What failed: the errno of each step, 0 for those that succeeded or never began. */
static struct findings {
	int read_err, write_err, give_err;
	bool has_called;
} findings;

/* The one call of the child, with LETTERS: they are read and written, and it gets a descriptor. */
static long on_call(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	char text[sizeof(LETTERS)] = "";
	pid_t tid = (pid_t)call->pid;
	int ret;

	findings.has_called = true;
	findings.read_err = -memory_read(tid, call->data.args[0], text, sizeof(text));
	findings.write_err = -memory_write(tid, call->data.args[0], text, sizeof(text));
	ret = listener_give(supervisor->listener, call, STDERR_FILENO, -1, true);
	findings.give_err = ret < 0 ? -ret : 0;
	return ret < 0 ? ret : CALL_ANSWERED;
}

static const struct trap traps[] = {
	{ SYS_getpriority, TRAP_ALWAYS, .handle = on_call },
};
static const struct trap_table table = { traps, G_N_ELEMENTS(traps) };

static void be_child(const struct seccomp_filter *filter, int socket) G_GNUC_NORETURN;

/* Async-signal-safe. */
static void be_child(const struct seccomp_filter *filter, int socket)
{
	static const char letters[] = LETTERS;
	char text[sizeof(letters)];

	memcpy(text, letters, sizeof(text));
	if (seccomp_filter_install(filter, socket) < 0)
		_exit(1);
	_exit(syscall(SYS_getpriority, text) >= 0 ? 0 : 1);
}

/* Answers the child's call. */
static void supervise(int listener, bool waits_killable)
{
	const struct supervisor_start start = {
		.table = &table, .listener = listener, .waits_killable = waits_killable,
		.first_number = FIRST_NUMBER, .end_number = FIRST_NUMBER,
	};
	struct supervisor *supervisor = supervisor_new(&start);

	/* One step for the call, another for the child's end. */
	for (int i = 0; supervisor && i < 2 && !supervisor_is_finished(supervisor); i++)
		supervisor_step(supervisor, PATIENCE_MS);
	supervisor_free(supervisor);
}

/* 0 or -errno of what the child could not even begin. */
static int rehearse(bool keeps_rights)
{
	struct seccomp_filter *filter = seccomp_filter_new(&table, FIRST_NUMBER);
	bool waits_killable = false;
	int ends[2], ret;
	pid_t pid;

	if (keeps_rights)
		seccomp_filter_keep_rights(filter);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) {
		ret = -errno;
		seccomp_filter_free(filter);
		return ret;
	}
	pid = spawn_fork_bare(NULL);
	if (pid == 0)
		be_child(filter, ends[1]);
	ret = MIN(pid, 0);
	close(ends[1]);
	if (ret == 0)
		ret = seccomp_filter_receive(ends[0], &waits_killable);
	close(ends[0]);
	seccomp_filter_free(filter);
	if (ret >= 0)
		supervise(ret, waits_killable);
	reap_killed(pid);
	return MIN(ret, 0);
}

/* ---- in words ---- */

static char *kernel_text(void)
{
	struct utsname name;

	return g_strdup_printf("Linux 5.14 or newer is needed, and not gVisor (this is %s)",
			       uname(&name) == 0 ? name.release : "unknown");
}

static char *install_text(int err)
{
	switch (err) {
	case EINVAL:
	case ENOSYS:
		return SECCOMP_FILTER_ARCH == 0 ?
		       g_strdup("it is written for x86_64 and aarch64 alone") : kernel_text();
	case EBUSY:
		if (filter_is_below_another())
			return g_strdup("an outer 'umadrig exec' stops system calls already, for "
					"its own fabric: start that one with --how preload");
		return g_strdup("LXD or a container's profile stops system calls already: start "
				"it outside of that");
	case EPERM:
	case EACCES:
		return g_strdup("seccomp(2) is denied: allow it in the container's seccomp "
				"profile");
	}
	return g_strdup_printf("seccomp(2): %s", g_strerror(err));
}

static char *memory_text(int err)
{
	g_autofree char *scope = NULL;

	if (g_file_get_contents("/proc/sys/kernel/yama/ptrace_scope", &scope, NULL, NULL) &&
	    *scope > '1')
		return g_strdup_printf("the memory of other processes cannot be read while "
				       "kernel.yama.ptrace_scope is %s: 'sysctl "
				       "kernel.yama.ptrace_scope=1', or run it as root",
				       g_strstrip(scope));
	return g_strdup_printf("process_vm_readv(2) and process_vm_writev(2) are denied (%s): "
			       "allow them in the container's seccomp profile, or add "
			       "--cap-add SYS_PTRACE", g_strerror(err));
}

char *filter_check(bool keeps_rights)
{
	int ret;

	findings = (struct findings){ 0 };
	ret = rehearse(keeps_rights);
	if (ret < 0)
		return install_text(-ret);
	if (!findings.has_called)
		return kernel_text();
	if (findings.read_err || findings.write_err)
		return memory_text(findings.read_err ? findings.read_err : findings.write_err);
	/* Linux before 5.14 does not know SECCOMP_ADDFD_FLAG_SEND. */
	return findings.give_err ? kernel_text() : NULL;
}

bool filter_is_below_another(void)
{
	char answer;

	/* Linux knows no attributes of this kind: EOPNOTSUPP, if the path is there. */
	return getxattr(FILTER_QUESTION_PATH, FILTER_QUESTION, &answer, sizeof(answer)) ==
	       sizeof(answer);
}

bool filter_may_keep_rights(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];

	return syscall(SYS_capget, &header, sets) == 0 &&
	       sets[CAP_TO_INDEX(CAP_SYS_ADMIN)].effective & CAP_TO_MASK(CAP_SYS_ADMIN);
}
