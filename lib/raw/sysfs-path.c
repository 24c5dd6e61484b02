/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Adapters in /sys: see lib/raw/sysfs-path.h. */
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/base/lockstep-variable.h"
#include "lib/base/sysfs-place.h"
#include "lib/raw/raw.h"
#include "lib/raw/sysfs-path.h"

enum {
	/* Signals' handlers and other threads may open files while one is opened. */
	PATHS = 64,
	PATH_ROOM = 1024,
};

static const char sys[] = "/sys";
/* udev's files are beside what /sys has, below "udev". */
static const char udev_data[] = "/run/udev/data/", udev_control[] = "/run/udev/control";
enum { RUN_SIZE = sizeof("/run") - 1 };

/*
 * Not on the stack, where programs find what they send without having set it; nor a thread's own,
 * which would lie between what libc and the program have of it, and make fork(2) dearer.
 */
static char paths[PATHS][PATH_ROOM];
static atomic_uint next;

/* The server's directory; "/sys" is its end. */
static char directory[PATH_ROOM];
static enum { UNKNOWN, ASKED, NONE, KNOWN } state;

static bool ends_in_sys(size_t length)
{
	return length > sizeof(sys) - 1 && strcmp(directory + length - (sizeof(sys) - 1), sys) == 0;
}

/* Of the threads that may ask at the same time, by what libc does for itself, one does. */
static bool is_known(void)
{
	if (state == UNKNOWN) {
		state = ASKED;
		state = secure_getenv(LOCKSTEP_VARIABLE) && raw_calls() &&
			raw_calls()->sysfs(directory, sizeof(directory)) == 0 &&
			ends_in_sys(strlen(directory)) ? KNOWN : NONE;
	}
	return state == KNOWN;
}

/* It has another directory, for which the next path asks. */
void umadrig_raw_host_changed(void)
{
	state = UNKNOWN;
	if (raw_calls())
		raw_calls()->host_changed();
}

/* Where it is in the server's directory; NULL: it is not there. */
static const char *find_below(const char *path)
{
	const char *below = path + sizeof(sys) - 1;

	if (strncmp(path, udev_data, sizeof(udev_data) - 1) == 0 || strcmp(path, udev_control) == 0)
		return path + RUN_SIZE;
	return strncmp(path, sys, sizeof(sys) - 1) == 0 && *below == '/' &&
	       sysfs_place_is_ours(below + 1) ? below : NULL;
}

bool sysfs_path_lead(const char **path)
{
	const char *below = find_below(*path);
	int err = errno;
	char *led;

	if (!below || !is_known() ||
	    strlen(directory) + strlen(below) >= PATH_ROOM) {
		errno = err;
		return false;
	}
	led = paths[atomic_fetch_add(&next, 1) % PATHS];
	strcpy(stpcpy(led, directory), below);
	*path = led;
	errno = err;
	return true;
}

/* A program that was started there has not asked. */
static bool is_there(void)
{
	char *cwd = paths[atomic_fetch_add(&next, 1) % PATHS];

	if (state == NONE || !secure_getenv(LOCKSTEP_VARIABLE) ||
	    syscall(SYS_getcwd, cwd, PATH_ROOM) <= 0 || !strstr(cwd, "/sys/") || !is_known())
		return false;
	return strncmp(cwd, directory, strlen(directory)) == 0;
}

bool sysfs_path_leads(const char *path)
{
	const char *led = path;
	int err = errno;
	bool ret;

	if (path[0] == '/')
		return sysfs_path_lead(&led);
	ret = is_there();
	errno = err;
	return ret;
}

char *sysfs_path_plain(char *path)
{
	size_t length;

	if (!path || state != KNOWN)
		return path;
	length = strlen(directory) - (sizeof(sys) - 1);
	if (strncmp(path, directory, length) == 0 &&
	    strncmp(path + length, sys, sizeof(sys) - 1) == 0 &&
	    strchr("/", path[length + sizeof(sys) - 1]))
		memmove(path, path + length, strlen(path + length) + 1);
	return path;
}
