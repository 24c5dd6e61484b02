/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The start of a program in virtual time: see lib/lockstep/lockstep-session.h.
 *
 * -z initfirst makes this the first constructor of all, even before libc's: environ is not set.
 */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

#include "lib/lockstep/advance.h"
#include "lib/lockstep/audit.h"
#include "lib/lockstep/lockstep-chance.h"
#include "lib/lockstep/clock-settings.h"
#include "lib/lockstep/clocks.h"
#include "lib/lockstep/crash.h"
#include "lib/lockstep/credentials.h"
#include "lib/lockstep/descriptors.h"
#include "lib/lockstep/file-locks.h"
#include "lib/lockstep/file-owner.h"
#include "lib/lockstep/file-times.h"
#include "lib/lockstep/hooks.h"
#include "lib/lockstep/images.h"
#include "lib/lockstep/library-cache.h"
#include "lib/lockstep/machine.h"
#include "lib/lockstep/machine-files.h"
#include "lib/lockstep/opens.h"
#include "lib/lockstep/past-libc.h"
#include "lib/lockstep/processes.h"
#include "lib/lockstep/processors.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/signals.h"
#include "lib/lockstep/sleeps.h"
#include "lib/lockstep/sockets.h"
#include "lib/lockstep/splices.h"
#include "lib/lockstep/signal-waits.h"
#include "lib/lockstep/stops.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/tcp-end.h"
#include "lib/lockstep/tcp.h"
#include "lib/lockstep/threads.h"
#include "lib/lockstep/timer-files.h"
#include "lib/lockstep/timers.h"
#include "lib/lockstep/turn.h"

/* One for each noun that has hooks. */
static const struct hook *const tables[] = {
	chance_hooks, clock_settings_hooks, clocks_hooks, credentials_hooks, descriptors_hooks,
	file_locks_hooks,
	file_owner_hooks,
	file_times_hooks, images_hooks, machine_hooks, machine_files_hooks, opens_hooks,
	processes_hooks, processors_hooks, signal_waits_hooks, signals_hooks, sleeps_hooks,
	sockets_hooks, splices_hooks, tcp_end_hooks, tcp_hooks, timer_files_hooks, timers_hooks,
};

static const char *look_up(char **env, const char *name)
{
	size_t n = strlen(name);

	for (; *env; env++) {
		if (strncmp(*env, name, n) == 0 && (*env)[n] == '=')
			return *env + n + 1;
	}
	return NULL;
}

static void refuse(const char *why)
{
	session_say("umadrig: this program cannot be put into virtual time: %s. Leave out "
		    "clock=virtual.\n", why);
	session_exit(LOCKSTEP_EXIT);
}

/*
 * Where ThreadSanitizer's runtime is in the program itself, its functions are called in place of
 * ours, and call ours: its own thread, which sleeps by system calls, would be one of the session.
 * No function of libc that it replaces can be called before it is set up, which it is not yet.
 */
static void refuse_functions_of_program(void)
{
	static const char why[] =
		"umadrig: this program cannot be put into virtual time: it has functions of its "
		"own for libc's pthread_cond_wait() and others, as with ThreadSanitizer's static "
		"runtime. Link it with the shared one: gcc without -static-libtsan, clang with "
		"-shared-libsan; or leave out clock=virtual.\n";
	const void *function = dlsym(RTLD_DEFAULT, "pthread_cond_wait");
	struct link_map *map = NULL;
	Dl_info info;

	if (!function || !dladdr1(function, &info, (void **)&map, RTLD_DL_LINKMAP) || !map ||
	    *map->l_name != '\0')
		return;
	CALL_3(SYS_write, 2, why, sizeof(why) - 1);
	session_exit(LOCKSTEP_EXIT);
}

static void set_hooks(void)
{
	if (!hooks_set(tables, sizeof(tables) / sizeof(*tables)))
		refuse("libc's functions cannot be changed (SELinux: execmod)");
}

__attribute__((constructor)) static void begin(int argc, char **argv, char **env)
{
	const char *path = look_up(env, LOCKSTEP_VARIABLE);
	int r;

	(void)argc;
	if (!path)
		return;
	refuse_functions_of_program();
	chance_begin();
	r = session_open(path);
	if (r == -EACCES)
		refuse("its user cannot reach the session's files; let all pass through TMPDIR, or "
		       "set another");
	if (r < 0)
		refuse("its session has ended, or is of another version of umadrig");
	chance_seed();
	advance_setup(path);
	if (!processes_join())
		refuse("it was not started by a program of the session");
	processors_begin();
	file_times_begin();
	images_begin(env);
	if (past_libc_is_this()) {
		images_restart(argv, env);
		refuse("it makes system calls past libc, and the program that stands for such ones "
		       "does not start");
	}
	library_cache_begin();
	set_hooks();
	stops_self = turn_stop;
	processes_begin();
	threads_begin();
	crash_begin();
	if (!audit_begin())
		refuse("audit= needs x86_64, and Linux 5.11 or later");
}
