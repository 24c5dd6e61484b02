/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * inotify_add_watch(2) of what is in /sys/class and /dev/infiniband.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "harness/filter/path-call.h"
#include "harness/filter/path-find.h"
#include "harness/filter/program-descriptor.h"

static void say_unwatched(const char *path)
{
	static bool said;

	if (!said)
		fprintf(stderr, "umadrig: %s cannot be watched (inotify) without the right to copy "
			"a descriptor of the program: read it again instead\n", path);
	said = true;
}

/* The watch belongs to the program's descriptor, of which a copy is needed. */
static int64_t add_watch(pid_t tid, int fd, const struct path_place *place, uint32_t mask)
{
	char path[64 + sizeof(place->room)];
	int copy = descriptor_copy(tid, fd);
	int64_t ret;

	if (copy < 0)
		return copy == -EBADF ? -EBADF : -EACCES;
	if (place->inner[0] == '/')
		snprintf(path, sizeof(path), "%s", place->inner);
	else
		snprintf(path, sizeof(path), "/proc/self/fd/%d/%s", place->at, place->inner);
	path_place_enter(place);
	ret = inotify_add_watch(copy, path, mask);
	ret = ret < 0 ? -errno : ret;
	path_place_leave(place);
	close(copy);
	return ret;
}

long path_on_inotify_add_watch(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	const __u64 *args = call->data.args;
	bool follows = !(args[2] & IN_DONT_FOLLOW);
	struct path_found found;
	struct path_place place;
	int64_t ret;

	if (!path_find_ours(supervisor, call, AT_FDCWD, args[1], follows, &found))
		return CALL_GOES_ON;
	ret = path_place(call, &found, &place);
	if (ret == 0)
		ret = add_watch((pid_t)call->pid, (int)args[0], &place, (uint32_t)args[2]);
	if (ret == -EACCES)
		say_unwatched(found.path.text);
	return ret;
}
