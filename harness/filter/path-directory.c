/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Working directories, and copies of directories.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/filter/memory.h"
#include "harness/filter/numbers.h"
#include "harness/filter/path-call.h"
#include "harness/filter/path-find.h"
#include "harness/filter/program-descriptor.h"
#include "harness/filter/supervisor-turn.h"
#include "harness/filter/thread-chdir.h"

/* ---- chdir ---- */

long path_on_chdir(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	struct path_found found;
	struct path_place place;
	long err;
	int fd = -1;

	if (!path_find_ours(supervisor, call, AT_FDCWD, call->data.args[0], true, &found))
		return CALL_GOES_ON;
	err = path_place(call, &found, &place);
	if (err == 0) {
		path_place_enter(&place);
		fd = openat(place.at, place.inner, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		err = fd < 0 ? -errno : 0;
		path_place_leave(&place);
	}
	if (err < 0)
		return err;
	host_views_note_given(supervisor->views);
	err = thread_chdir(supervisor->listener, call, fd,
			   number_free(supervisor, (pid_t)call->pid));
	close(fd);
	return err;
}

/* ---- getcwd ---- */

static bool ends_in(const char *text, const char *end)
{
	size_t length = strlen(text), end_length = strlen(end);

	return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

long path_on_getcwd(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	const __u64 *args = call->data.args;
	pid_t tid = (pid_t)call->pid;
	struct host_view *view = NULL;
	char text[PATH_MAX];
	int64_t size;
	int err;

	if (!supervisor->views || !host_views_was_given(supervisor->views) ||
	    !path_of_link(supervisor, tid, "cwd", text, &view) || !view)
		return CALL_GOES_ON;
	size = (int64_t)strlen(text) + 1;
	if (ends_in(text, " (deleted)"))
		err = -ENOENT;	/* the device is gone */
	else if (args[1] < (uint64_t)size)
		err = -ERANGE;
	else
		err = memory_write(tid, args[0], text, (size_t)size);
	return err < 0 ? err : size;
}

/* ---- copies ---- */

/*
 * The same open directory, where the machine's rules allow that; otherwise it is opened again, and
 * has a position of its own.
 */
static int copy_directory(pid_t tid, int number)
{
	char path[64];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)tid, number);
	if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
		return -ENOTDIR;
	fd = descriptor_copy(tid, number);
	if (fd < 0)
		fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

long path_on_dup_directory(struct supervisor *supervisor, const struct seccomp_notif *call,
			   bool cloexec)
{
	int fd, number;

	/* It need not be one of ours. */
	turn_outside_begin();
	fd = copy_directory((pid_t)call->pid, (int)call->data.args[0]);
	turn_outside_end();
	if (fd < 0)
		return CALL_GOES_ON;
	number = number_free(supervisor, (pid_t)call->pid);
	if (number >= 0)
		number = listener_give(supervisor->listener, call, fd, number, cloexec);
	close(fd);
	return number < 0 ? CALL_GOES_ON : CALL_ANSWERED;
}
