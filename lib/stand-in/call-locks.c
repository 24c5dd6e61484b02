/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/call-locks.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/lockstep/stand-in-door.h"
#include "lib/stand-in/call-locks.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-descriptor.h"
#include "lib/stand-in/foreign-memory.h"
#include "lib/words/number.h"

/* ---- of open files ---- */

long call_locks_flock(void)
{
	struct foreign_descriptor descriptor;
	int ret;

	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	ret = flock(descriptor.fd, (int)foreign_argument(1));
	foreign_descriptor_put(&descriptor);
	return foreign_call_restarting(ret);
}

static long lock_open_file(struct flock *lock)
{
	struct foreign_descriptor descriptor;
	int ret;

	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	/* (A copy has the same place in the file, from which SEEK_CUR counts.) */
	ret = fcntl(descriptor.fd, F_OFD_SETLKW, lock);
	foreign_descriptor_put(&descriptor);
	return foreign_call_restarting(ret);
}

/* ---- of processes ---- */

/* A line of /proc/locks: "1: POSIX  ADVISORY  WRITE 1234 08:01:5678 0 EOF", proc(5). */
struct line {
	bool is_posix, is_write;
	uint64_t pid, inode, first, last;
};

static bool take_field(char **at, char **ret)
{
	*at += strspn(*at, " ");
	*ret = *at;
	*at += strcspn(*at, " \n");
	if (*ret == *at)
		return false;
	if (**at)
		*(*at)++ = '\0';
	return true;
}

static bool take_line(char *text, struct line *ret)
{
	char *field[8], *inode;

	for (size_t i = 0; i < 8; i++) {
		if (!take_field(&text, &field[i]))
			return false;
	}
	ret->is_posix = strcmp(field[1], "POSIX") == 0;
	ret->is_write = strcmp(field[3], "WRITE") == 0;
	inode = strrchr(field[5], ':');
	if (!inode || number_parse_decimal(inode + 1, 0, UINT64_MAX, &ret->inode) < 0 ||
	    number_parse_decimal(field[6], 0, UINT64_MAX, &ret->first) < 0)
		return false;
	/* (That of an open file has the number -1.) */
	if (number_parse_decimal(field[4], 0, INT32_MAX, &ret->pid) < 0)
		ret->pid = 0;
	if (number_parse_decimal(field[7], 0, UINT64_MAX, &ret->last) < 0)
		ret->last = UINT64_MAX;
	return true;
}

static bool is_in_the_way(const struct line *line, const struct flock *wanted, uint64_t inode)
{
	uint64_t first = (uint64_t)wanted->l_start;
	uint64_t last = wanted->l_len ? first + (uint64_t)wanted->l_len - 1 : UINT64_MAX;

	return line->is_posix && line->inode == inode && line->pid != (uint64_t)foreign.pid &&
	       (line->is_write || wanted->l_type == F_WRLCK) && line->first <= last &&
	       line->last >= first;
}

/* Has another process than the foreign one a lock in the way, beside those that are its own? */
static bool list_has(int fd, const struct flock *wanted)
{
	FILE *list = fopen("/proc/locks", "re");
	char text[256];
	struct line line;
	struct stat st;
	bool found = false;

	if (fstat(fd, &st) == 0) {
		while (!found && list && fgets(text, sizeof(text), list))
			found = take_line(text, &line) &&
				is_in_the_way(&line, wanted, st.st_ino);
	}
	if (list)
		fclose(list);
	return found;
}

/* From the file's start, as the list counts. */
static void make_absolute(int fd, struct flock *lock)
{
	struct stat st;

	if (lock->l_whence == SEEK_CUR)
		lock->l_start += lseek(fd, 0, SEEK_CUR);
	else if (lock->l_whence == SEEK_END && fstat(fd, &st) == 0)
		lock->l_start += st.st_size;
	if (lock->l_len < 0) {
		lock->l_start += lock->l_len;
		lock->l_len = -lock->l_len;
	}
	lock->l_whence = SEEK_SET;
}

/* The kernel names the first lock in the way of this process, for which the foreign one's is. */
static bool must_wait(int fd, const struct flock *wanted)
{
	struct flock first = *wanted;

	if (CALL_3(SYS_fcntl, fd, F_GETLK, &first) < 0 || first.l_type == F_UNLCK)
		return false;
	return first.l_pid != foreign.pid || list_has(fd, wanted);
}

static long lock_in_foreign(struct flock *lock)
{
	struct foreign_descriptor descriptor;
	bool is_first = true;
	int ret = 0;

	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	if (descriptor.fd >= 0 && lock->l_type != F_UNLCK) {
		make_absolute(descriptor.fd, lock);
		while (ret == 0 && must_wait(descriptor.fd, lock)) {
			ret = umadrig_session_await_others(is_first);
			is_first = false;
		}
	}
	foreign_descriptor_put(&descriptor);
	if (ret < 0)
		return CALL_RESTARTS;
	return CALL_GOES_ON;
}

/*
 * F_GETLK(2): for this process one of the foreign one's would be in the way as well, so that only
 * another's answers; where the first is its own, the kernel looks, and shows its number of another.
 */
static long find_lock(struct flock *lock)
{
	struct foreign_descriptor descriptor;
	long ret;

	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	if (descriptor.fd >= 0)
		make_absolute(descriptor.fd, lock);
	ret = CALL_3(SYS_fcntl, descriptor.fd, F_GETLK, lock);
	foreign_descriptor_put(&descriptor);
	if (ret < 0 || lock->l_type == F_UNLCK || lock->l_pid <= 0 || lock->l_pid == foreign.pid)
		return CALL_GOES_ON;
	lock->l_pid = umadrig_session_number_of(lock->l_pid);
	return foreign_call_with(0, foreign_argument(2), lock, sizeof(*lock));
}

long call_locks_fcntl(void)
{
	int command = (int)foreign_argument(1);
	struct flock lock;

	if ((command != F_SETLKW && command != F_OFD_SETLKW && command != F_GETLK) ||
	    foreign_memory_get(foreign_argument(2), &lock, sizeof(lock)) < 0)
		return CALL_GOES_ON;
	if (command == F_GETLK)
		return find_lock(&lock);
	if (command == F_SETLKW)
		return lock_in_foreign(&lock);
	return lock_open_file(&lock);
}
