/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Launching the program: see harness/exec/launch.h.
 *
 * A library that was preloaded into umadrig may have made threads; a lock that one of them holds is
 * never released in the child. Only what is async-signal-safe may be called between fork and exec.
 */
#include "config.h"

#include <errno.h>
#include <glib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/exec/exec.h"
#include "harness/exec/launch.h"
#include "harness/filter/seccomp-filter.h"
#include "sim/process/process-spawn.h"
#include "sim/programs/program-addresses.h"

/* The child. */
struct child {
	const struct launch *launch;
	int filter;	/* a socket to the parent, for the filter's listener */
};

/* A line on stderr: the job's name, and the texts up to NULL. */
static void say(const struct child *child, const char *const *texts)
{
	struct iovec pieces[8] = {
		{ (char *)child->launch->name, strlen(child->launch->name) }, { (char *)": ", 2 },
	};
	int n = 2;

	for (; *texts; texts++)
		pieces[n++] = (struct iovec){ (char *)*texts, strlen(*texts) };
	/* Where it cannot be said there is nobody to say so to. */
	if (writev(STDERR_FILENO, pieces, n) < 0)
		return;
}

static void hide_devices(const struct child *child)
{
	int ret = exec_mounts_enter(child->launch->hidden);

	if (ret == 0)
		ret = exec_mounts_make(child->launch->hidden);
	if (ret == 0)
		return;
	say(child, (const char *const []){
		"the real devices of this machine cannot be hidden (", strerrordesc_np(-ret),
		child->launch->filtered ?
		"): programs that come to them by a way that no filter sees, as a symbolic link or "
		"chroot, reach the real fabric; 'umadrig doctor' has the cure\n" :
		"): programs that do not use umadrig's libibumad reach the real fabric; 'umadrig "
		"doctor' has the cure\n",
		NULL });
}

static bool show_sysfs(const struct child *child)
{
	const char *what = "cannot make a mount namespace";
	int ret = exec_mounts_enter(child->launch->shown);

	if (ret == 0) {
		what = "cannot mount anything over /sys/class";
		ret = exec_mounts_make(child->launch->shown);
	}
	if (ret == 0)
		return true;
	say(child, (const char *const []){
		"--sysfs: ", what, ": ", strerrordesc_np(-ret),
		".\nIt needs root, or the right to make user namespaces: sysctl "
		"kernel.unprivileged_userns_clone=1, user.max_user_namespaces above 0; in a "
		"container --cap-add SYS_ADMIN and no seccomp or AppArmor profile that denies "
		"mount. Without --sysfs, only programs that read /sys themselves do not work.\n",
		NULL });
	return false;
}

/* Docker's usual seccomp profile refuses it. */
static void fix_addresses(const struct child *child)
{
	int ret = program_addresses_fix();

	if (ret == 0)
		return;
	say(child, (const char *const []){
		PROGRAM_ADDRESSES_VARY(strerrordesc_np(-ret)), NULL });
}

/* Last of all: from here on, the calls of this process wait for the supervisor. */
static bool install_filter(const struct child *child)
{
	int ret = seccomp_filter_install(child->launch->filtered->filter, child->filter);

	if (ret == 0)
		return true;
	say(child, (const char *const []){
		"system calls cannot be stopped: seccomp(2): ", strerrordesc_np(-ret), "\n",
		NULL });
	return false;
}

/* Not 0: why it cannot become the program has been printed. */
static int prepare(void *ctx)
{
	const struct child *child = ctx;
	const struct launch *launch = child->launch;

	sigaction(SIGCHLD, &launch->child_action, NULL);
	if (!launch->is_apart)
		setpgid(0, launch->group);
	if (launch->same_addresses)
		fix_addresses(child);
	if (launch->hidden)
		hide_devices(child);
	return (launch->shown && !show_sysfs(child)) ||
	       (launch->filtered && !install_filter(child));
}

pid_t launch_program(const struct launch *launch, int *ret_report)
{
	struct child child = { .launch = launch };
	const struct spawn spawn = {
		.mask = &launch->mask, .leads = launch->is_apart ? SPAWN_LEADS_SESSION :
								   SPAWN_LEADS_NOTHING,
		.path = launch->path, .argv = launch->argv, .environment = launch->env,
		.keeps_open = true, .prepare = prepare, .ctx = &child,
	};
	int ends[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;
	child.filter = ends[1];
	pid = spawn_begin(&spawn, ret_report);
	close(ends[1]);
	if (pid > 0 && launch->filtered)
		launch->filtered->listener = seccomp_filter_receive(
			ends[0], &launch->filtered->waits_killable);
	close(ends[0]);
	return pid;
}
