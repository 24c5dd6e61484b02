/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the kernel, a container's profile or a security module allows: tried, each in a child where
 * it would change this process.
 */
#include "config.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/doctor/doctor.h"
#include "harness/filter/filter-check.h"
#include "harness/filter/seccomp-abi.h"
#include "sim/process/process-reap.h"
#include "sim/process/process-spawn.h"
#include "sim/programs/program-addresses.h"

/* The text of a file below /proc/sys, or NULL. */
static char *read_setting(const char *path)
{
	char *text = NULL;

	if (g_file_get_contents(path, &text, NULL, NULL))
		g_strstrip(text);
	return text;
}

static bool setting_is(const char *path, const char *value)
{
	g_autofree char *text = read_setting(path);

	return text && strcmp(text, value) == 0;
}

/* ---- seccomp ---- */

void doctor_look_seccomp(struct doctor_finding *ret)
{
	char *lack;

	if (filter_is_below_another()) {
		ret->state = DOCTOR_NOTE;
		ret->found = g_strdup("an outer 'umadrig exec' stops system calls already, for its "
				      "own fabric");
		return;
	}
	lack = filter_check(filter_may_keep_rights());
	if (!lack) {
		ret->found = g_strdup("system calls of programs can be stopped and answered");
		return;
	}
	ret->state = DOCTOR_LACK;
	ret->found = g_strdup("system calls of programs cannot be stopped and answered");
	ret->cost = g_strdup("programs that do not load libibumad (static ones, Go, musl, scripts "
			     "that open devices) are not on the fabric");
	ret->cure = lack;
}

/* Are these flags known? Without a filter the kernel looks at them, and then fails with EFAULT. */
static bool has_flags(unsigned long flags)
{
	syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, NULL);
	return errno == EFAULT;
}

void doctor_look_signals(struct doctor_finding *ret)
{
	if (has_flags(SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV)) {
		ret->found = g_strdup("signals wait until a stopped call is answered");
		return;
	}
	if (!has_flags(SECCOMP_FILTER_FLAG_NEW_LISTENER)) {
		ret->found = g_strdup("system calls are not stopped: signals do not matter");
		return;
	}
	ret->state = DOCTOR_LACK;
	ret->found = g_strdup("a signal ends a stopped call");
	ret->cost = g_strdup("below the filter, calls that Linux never interrupts may fail with "
			     "EINTR where a handler has no SA_RESTART");
	ret->cure = g_strdup("Linux 5.19 or newer");
}

/* ---- the memory of other processes ---- */

void doctor_look_yama(struct doctor_finding *ret)
{
	g_autofree char *scope = read_setting("/proc/sys/kernel/yama/ptrace_scope");

	if (!scope) {
		ret->found = g_strdup("the kernel has no Yama, or it is not shown here");
	} else if (*scope <= '1') {
		ret->found = g_strdup_printf("kernel.yama.ptrace_scope is %s", scope);
	} else {
		ret->state = DOCTOR_LACK;
		ret->found = g_strdup_printf("kernel.yama.ptrace_scope is %s", scope);
		ret->cost = g_strdup("the filter cannot read the memory of programs, unless root "
				     "starts umadrig");
		ret->cure = g_strdup(*scope == '2' ? "sysctl kernel.yama.ptrace_scope=1" :
				     "boot with another setting: 3 cannot be taken back");
	}
}

/* ---- namespaces ---- */

/* 0 or the errno of a child that wants a mount namespace, in a user namespace if it has to. */
static int try_namespace(void)
{
	pid_t pid = spawn_fork_bare(NULL);
	int status;

	if (pid == 0) {
		if (unshare(CLONE_NEWNS) == 0 ||
		    (errno == EPERM && unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0))
			_exit(0);
		_exit(errno);
	}
	if (pid < 0)
		return -pid;
	status = reap(pid);
	status = MAX(status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
}

static const char *namespace_cure(void)
{
	if (setting_is("/proc/sys/kernel/unprivileged_userns_clone", "0"))
		return "sysctl kernel.unprivileged_userns_clone=1";
	if (setting_is("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1"))
		return "sysctl kernel.apparmor_restrict_unprivileged_userns=0";
	if (setting_is("/proc/sys/user/max_user_namespaces", "0"))
		return "sysctl user.max_user_namespaces=10000";
	return "in a container: --cap-add SYS_ADMIN, or a seccomp profile that allows unshare(2)";
}

void doctor_look_namespaces(struct doctor_finding *ret)
{
	int err = try_namespace();

	if (err == 0) {
		ret->found = g_strdup("a program can have a mount namespace of its own");
		return;
	}
	ret->state = DOCTOR_LACK;
	ret->found = g_strdup_printf("no mount namespace can be made (unshare(2): %s)",
				     g_strerror(err));
	ret->cost = g_strdup("real devices are not hidden from programs, and a program with a path "
			     "to the usual libibumad in it loads that");
	ret->cure = g_strdup(namespace_cure());
}

/* ---- addresses ---- */

void doctor_look_addresses(struct doctor_finding *ret)
{
	int err = -program_addresses_check();

	if (err == 0) {
		ret->found = g_strdup("programs can lie at the same addresses each time");
		return;
	}
	ret->state = DOCTOR_LACK;
	ret->found = g_strdup_printf("addresses cannot be made the same each time "
				     "(personality(2): %s)", g_strerror(err));
	ret->cost = g_strdup("in virtual time, a program that sends memory which it has not set "
			     "does not send the same bytes each time");
	ret->cure = g_strdup("in a container: a seccomp profile that allows personality(2), or "
			     "'setarch -R' in front of all of it");
}
