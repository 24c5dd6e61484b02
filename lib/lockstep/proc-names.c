/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/lockstep/proc-names.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/proc-names.h"
#include "lib/lockstep/processes.h"
#include "lib/lockstep/system-call.h"
#include "lib/words/number.h"

/* The number that a name is, or 0; '*ret_end': what follows. */
static uint32_t number_of(const char *name, const char **ret_end)
{
	uint64_t number = 0;

	*ret_end = name;
	return number_take(ret_end, 10, INT32_MAX, &number) < 0 ? 0 : (uint32_t)number;
}

static const char proc[] = "/proc/";
/* Not on the stack, where programs find what they send without having set it. */
static char own_path[256];

/* (A stand-in has the kernel's numbers in its paths.) */
static bool is_of_program(void)
{
	return session_is_on() && !lockstep_self->stands_for;
}

#ifndef SYS_faccessat2
#define SYS_faccessat2 439
#endif

enum { PROC_ROOT = 1 };		/* its inode */

/* Is that directory /proc? 'at' may be AT_FDCWD. */
static bool is_proc(int at)
{
	static struct stat root, it;

	if (root.st_ino == 0 && CALL_4(SYS_newfstatat, AT_FDCWD, "/proc", &root, 0) < 0)
		return false;
	return CALL_4(SYS_newfstatat, at, at == AT_FDCWD ? "." : "", &it,
		      at == AT_FDCWD ? 0 : AT_EMPTY_PATH) == 0 &&
	       it.st_ino == PROC_ROOT && it.st_dev == root.st_dev && S_ISDIR(it.st_mode);
}

SESSION_NO_REGISTERS const char *proc_names_to_kernel(int at, const char *path)
{
	bool is_whole = path && strncmp(path, proc, sizeof(proc) - 1) == 0;
	const char *name = is_whole ? path + sizeof(proc) - 1 : path, *rest;
	const struct lockstep_slot *slot;
	uint32_t number;
	int pid, length;

	if (!is_of_program() || !path || *name < '1' || *name > '9')
		return path;
	number = number_of(name, &rest);
	if (number == 0 || (*rest != '/' && *rest != '\0') || (!is_whole && !is_proc(at)))
		return path;
	pid = processes_to_kernel((int)number);
	slot = pid == (int)number ? NULL : session_slot_of(pid);
	if (!slot)
		return path;
	if (slot->stands_for_process)	/* that is the program */
		pid = slot->stands_for_process;
	length = snprintf(own_path, sizeof(own_path), "%s%d%s", is_whole ? proc : "", pid, rest);
	session_wipe();
	return length > 0 && length < (int)sizeof(own_path) ? own_path : path;
}

/* ---- lists ---- */

/* The kernel's number of a program of the session, and not of what stands for it; 0: it is none. */
static uint32_t kernel_number(const struct lockstep_slot *slot)
{
	if (!slot->is_main || !lockstep_is_alive(slot) || slot->pid <= 0)
		return 0;
	return (uint32_t)(slot->stands_for_process ? slot->stands_for_process : slot->pid);
}

/* How many programs of the session have a number in the kernel up to 'number'; 0: none has it. */
static uint32_t place_of(uint32_t number)
{
	uint32_t ret = 0;
	bool is_known = false;

	for (uint32_t i = 0; i < lockstep_count(lockstep); i++) {
		uint32_t other = kernel_number(&lockstep->slot[i]);

		is_known |= other == number;
		ret += other && other <= number;
	}
	return is_known ? ret : 0;
}

/* The first of the session's numbers beyond 'number'. */
static uint32_t number_after_it(uint32_t number)
{
	uint32_t ret = UINT32_MAX;

	for (uint32_t i = 0; i < lockstep_count(lockstep); i++) {
		const struct lockstep_slot *slot = &lockstep->slot[i];

		if (kernel_number(slot) && slot->virtual_pid > number && slot->virtual_pid < ret)
			ret = slot->virtual_pid;
	}
	return ret;
}

/*
 * The kernel lists processes by its numbers, which begin again at their end, and programs are to
 * see the session's in order: the first of those that it lists is the first of these.
 */
struct listed {
	uint32_t count;		/* so many of these */
	uint32_t number;	/* the last of them */
};

/* False: it is to be left out. */
static bool rename_entry(struct dirent64 *entry, struct listed *listed)
{
	const size_t room = entry->d_reclen - offsetof(struct dirent64, d_name);
	uint32_t number, place;
	const char *rest;

	number = number_of(entry->d_name, &rest);
	if (number == 0 || *rest != '\0')
		return true;
	for (place = place_of(number); listed->count < place; listed->count++)
		listed->number = number_after_it(listed->number);
	return place && (size_t)snprintf(entry->d_name, room, "%u", listed->number) < room;
}

/*
 * Leaves out what is beyond the session. Returns how many bytes are left. What it leaves on the
 * stack, the kernel's numbers, the caller wipes.
 */
static SESSION_NO_REGISTERS size_t rename_entries(char *bytes, size_t size)
{
	struct listed listed = { .count = 0 };
	size_t left = 0, length;

	for (size_t at = 0; at < size; at += length) {
		struct dirent64 *entry = (void *)(bytes + at);

		length = entry->d_reclen;
		if (!rename_entry(entry, &listed))
			continue;
		memmove(bytes + left, entry, length);
		left += length;
	}
	return left;
}

long hooked_getdents64(int fd, void *bytes, size_t size)
{
	long n;

	do {
		n = CALL_3(SYS_getdents64, fd, bytes, size);
		if (n <= 0 || !is_of_program() || !is_proc(fd))
			break;
		n = (long)rename_entries(bytes, (size_t)n);
	} while (n == 0);
	session_wipe();
	return call_result(n);
}

/* ---- paths ---- */

/* /proc/self is a link to a number. */
static long read_self(char *to, size_t size)
{
	char number[16];
	int n = snprintf(number, sizeof(number), "%u", lockstep_self->virtual_pid);
	size_t length = (size_t)n < size ? (size_t)n : size;

	memcpy(to, number, length);
	return (long)length;
}

long hooked_readlinkat(int at, const char *path, char *to, size_t size)
{
	if (is_of_program() && path && strcmp(path, "/proc/self") == 0 && (ssize_t)size > 0)
		return read_self(to, size);
	path = proc_names_to_kernel(at, path);
	return call_result(CALL_4(SYS_readlinkat, at, path, to, size));
}

long hooked_readlink(const char *path, char *to, size_t size)
{
	return hooked_readlinkat(AT_FDCWD, path, to, size);
}

/* Before Linux 5.8 the call has no flags: then it is as for the real user. */
int hooked_faccessat(int at, const char *path, int mode, int flags)
{
	long r;

	path = proc_names_to_kernel(at, path);
	r = flags ? CALL_4(SYS_faccessat2, at, path, mode, flags) : -ENOSYS;
	if (r == -ENOSYS)
		r = CALL_3(SYS_faccessat, at, path, mode);
	return (int)call_result(r);
}

int hooked_access(const char *path, int mode)
{
	return hooked_faccessat(AT_FDCWD, path, mode, 0);
}

int hooked_chdir(const char *path)
{
	return (int)call_result(CALL_1(SYS_chdir, proc_names_to_kernel(AT_FDCWD, path)));
}
