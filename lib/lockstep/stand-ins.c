/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/lockstep/stand-ins.h, and for what a stand-in asks lib/lockstep/stand-in-door.h. */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/lockstep/advance.h"
#include "lib/lockstep/descriptors.h"
#include "lib/lockstep/file-times.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/look-row.h"
#include "lib/lockstep/shared.h"
#include "lib/lockstep/stand-in-door.h"
#include "lib/lockstep/stand-ins.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/tasks.h"
#include "lib/lockstep/tcp.h"
#include "lib/lockstep/threads.h"

#define PROGRAM "umadrig-stand-in"

enum { ARGUMENTS_MAX = 65536 };

/* ---- starting one ---- */

/* Beside this library, or one directory above, as in a build tree. */
static long execute_beside(char *const *arguments, char *const *env)
{
	static char path[PATH_MAX + sizeof("../" PROGRAM)];
	char *end;
	Dl_info info;
	long ret;

	if (!dladdr((void *)stand_ins_execute, &info) || strlen(info.dli_fname) >= PATH_MAX)
		return -ENOENT;
	strcpy(path, info.dli_fname);
	end = strrchr(path, '/');
	end = end ? end + 1 : path;
	strcpy(end, PROGRAM);
	ret = CALL_3(SYS_execve, path, arguments, env);
	if (ret != -ENOENT)
		return ret;
	strcpy(end, "../" PROGRAM);
	return CALL_3(SYS_execve, path, arguments, env);
}

long stand_ins_execute(const char *path, char *const *argv, char *const *env)
{
	size_t count = 0;

	while (argv && argv[count])
		count++;
	if (count > ARGUMENTS_MAX)
		return -E2BIG;
	{
		char *arguments[count + 4];

		arguments[0] = (char *)PROGRAM;
		arguments[1] = (char *)path;
		arguments[2] = count ? argv[0] : (char *)path;
		for (size_t i = 1; i <= count; i++)
			arguments[2 + i] = argv[i];
		arguments[3 + (count ? count - 1 : 0)] = NULL;
		return execute_beside(arguments, env);
	}
}

/* (The name of a thread has no more room.) */
bool stand_ins_are_this(void)
{
	return strncmp(lockstep_self->name, PROGRAM, LOCKSTEP_NAME_SIZE - 1) == 0;
}

/* ---- what one asks ---- */

PUBLIC int umadrig_session_tid(pthread_t thread)
{
	const struct lockstep_slot *slot = session_is_on() ? threads_slot_of(thread) : NULL;

	return slot ? (int)slot->virtual_tid : 0;
}

PUBLIC void umadrig_session_has_call_of(int pid, int tid)
{
	if (!session_is_on())
		return;
	lockstep_self->stands_for = tid;
	lockstep_self->stands_for_process = pid;
	lockstep_self->calls++;
}

PUBLIC void umadrig_session_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (session_is_on())
		snprintf(lockstep_self->name, sizeof(lockstep_self->name), "%s",
			 slash ? slash + 1 : path);
}

PUBLIC int umadrig_session_pid_of(int pidfd)
{
	return tasks_of_pidfd(pidfd);
}

PUBLIC int umadrig_session_process(int number)
{
	for (uint32_t i = 0; session_is_on() && i < lockstep->count; i++) {
		const struct lockstep_slot *slot = &lockstep->slot[i];

		if (slot->is_main && lockstep_is_thread(slot) &&
		    slot->virtual_pid == (uint32_t)number)
			return slot->stands_for_process ? slot->stands_for_process : slot->pid;
	}
	return 0;
}

PUBLIC int umadrig_session_number_of(int pid)
{
	return session_is_on() ? tasks_to_virtual(pid) : pid;
}

PUBLIC uint64_t umadrig_session_word(int pid, uint64_t at)
{
	char maps[32];

	snprintf(maps, sizeof(maps), "/proc/%d/maps", pid);
	return shared_name_in(maps, at);
}

PUBLIC bool umadrig_session_leads_out(int fd)
{
	return session_is_on() && session_leads_out(fd);
}

PUBLIC bool umadrig_session_leads_to_server(int fd)
{
	return session_is_on() && advance_leads_to_server(fd);
}

PUBLIC void umadrig_session_file_changed(int fd)
{
	file_times_changed(fd);
}

PUBLIC void umadrig_session_path_changed(const char *path, int flags)
{
	file_times_path_changed(path, flags);
}

PUBLIC void umadrig_session_transfers(void)
{
	if (session_is_on())
		look_row_end();
}

PUBLIC void umadrig_session_connects(int fd, int pidfd, int number)
{
	tcp_remember_of(fd, pidfd, number);
}

PUBLIC int64_t umadrig_session_now(void)
{
	return session_is_on() ? lockstep->now : 0;
}

PUBLIC int umadrig_session_await_others(bool is_first)
{
	if (is_first)
		descriptors_begin_tries();
	return (int)call_result(descriptors_await_others(LOCKSTEP_NEVER));
}
