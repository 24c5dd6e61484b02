/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Other calls that look at a path without opening it.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/filter/file-table.h"
#include "harness/filter/filter-check.h"
#include "harness/filter/issm-file.h"
#include "harness/filter/kmsg-file.h"
#include "harness/filter/memory.h"
#include "harness/filter/path-call.h"
#include "harness/filter/path-find.h"
#include "harness/filter/uverbs-file.h"

/* devtmpfs, which /dev is on, says that it is a tmpfs. */
#define NODES_MAGIC TMPFS_MAGIC

/* ---- access ---- */

/* As faccessat(2) at a place: 0 or -errno. */
static int may_access(const struct path_place *place, int mode, int flags)
{
	int err;

	path_place_enter(place);
	err = faccessat(place->at, place->inner, mode, flags) < 0 ? -errno : 0;
	path_place_leave(place);
	return err;
}

static long look_access(struct supervisor *supervisor, const struct seccomp_notif *call, int dirfd,
			uint64_t at, int mode, int flags)
{
	struct path_found found;
	struct path_place place;
	int err;

	if (!path_find_ours(supervisor, call, dirfd, at, !(flags & AT_SYMLINK_NOFOLLOW), &found))
		return CALL_GOES_ON;
	err = path_place(call, &found, &place);
	if (err == 0)
		err = may_access(&place, mode, flags & AT_SYMLINK_NOFOLLOW);
	return err;
}

long path_on_access(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	return look_access(supervisor, call, AT_FDCWD, call->data.args[0],
			   (int)call->data.args[1], 0);
}

long path_on_faccessat(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	const __u64 *args = call->data.args;
	/* faccessat has no flags: what is in their register means nothing. */
	int flags = call->data.nr == SYS_faccessat ? 0 : (int)args[3];

	return look_access(supervisor, call, (int)args[0], args[1], (int)args[2], flags);
}

/* ---- readlink ---- */

static long write_text(const struct seccomp_notif *call, const char *text, uint64_t to,
		       uint64_t room)
{
	size_t size = strlen(text) < room ? strlen(text) : (size_t)room;
	int err = memory_write((pid_t)call->pid, to, text, size);

	return err < 0 ? err : (long)size;
}

/* What programs see at a link of /proc to one of our files. False: it is the kernel's business. */
static bool read_proc_link(struct supervisor *supervisor, const struct seccomp_notif *call,
			   const struct path *path, char *text)
{
	struct host_view *view;
	struct path_link link;
	char name[32] = "cwd";
	pid_t tid;

	if (!path_is_link(path->text, &link) || link.kind == PATH_LINK_ROOT)
		return false;
	tid = link.process ? link.process : (pid_t)call->pid;
	if (link.kind == PATH_LINK_FD) {
		if (path_of_umad(supervisor, tid, (int)link.fd, text))
			return true;
		snprintf(name, sizeof(name), "fd/%u", link.fd);
	}
	return path_of_link(supervisor, tid, name, text, &view) && view;
}

static long look_readlink(struct supervisor *supervisor, const struct seccomp_notif *call,
			  int dirfd, uint64_t at, uint64_t to, int room)
{
	struct path_found found;
	struct path_place place;
	char text[PATH_MAX];
	ssize_t n = -1;
	int err;

	if (room <= 0 || path_find(supervisor, call, dirfd, at, false, &found) < 0)
		return CALL_GOES_ON;
	if (found.path.kind == PATH_ELSEWHERE &&
	    read_proc_link(supervisor, call, &found.path, text))
		return write_text(call, text, to, (uint64_t)room);
	if (!found.is_misplaced &&
	    (found.path.kind == PATH_ELSEWHERE || found.path.kind == PATH_DOOR))
		return CALL_GOES_ON;
	err = path_place(call, &found, &place);
	if (err == 0) {
		path_place_enter(&place);
		n = readlinkat(place.at, place.inner, text, sizeof(text) - 1);
		path_place_leave(&place);
	}
	if (n < 0)
		return err < 0 ? err : -errno;
	text[n] = '\0';
	return write_text(call, text, to, (uint64_t)room);
}

long path_on_readlink(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	const __u64 *args = call->data.args;

	return look_readlink(supervisor, call, AT_FDCWD, args[0], args[1], (int)args[2]);
}

long path_on_readlinkat(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	const __u64 *args = call->data.args;

	return look_readlink(supervisor, call, (int)args[0], args[1], args[2], (int)args[3]);
}

/* ---- attributes ---- */

/* The files of sysfs and the devices have no extended attributes. */
static long look_xattr(struct supervisor *supervisor, const struct seccomp_notif *call, int none)
{
	struct path_found found;
	struct path_place place;
	int err;

	if (!path_find_ours(supervisor, call, AT_FDCWD, call->data.args[0], true, &found))
		return CALL_GOES_ON;
	err = path_place(call, &found, &place);
	if (err == 0)
		err = may_access(&place, F_OK, AT_SYMLINK_NOFOLLOW);
	return err < 0 ? err : none;
}

/* An inner umadrig asks whether we are here: see filter_is_below_another(). */
static bool is_question(const struct seccomp_notif *call)
{
	char path[sizeof(FILTER_QUESTION_PATH)], name[sizeof(FILTER_QUESTION)];
	pid_t tid = (pid_t)call->pid;

	return call->data.args[3] == 1 &&
	       memory_read_text(tid, call->data.args[0], path, sizeof(path)) >= 0 &&
	       strcmp(path, FILTER_QUESTION_PATH) == 0 &&
	       memory_read_text(tid, call->data.args[1], name, sizeof(name)) >= 0 &&
	       strcmp(name, FILTER_QUESTION) == 0;
}

long path_on_xattr_none(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	if (is_question(call)) {
		int err = memory_write((pid_t)call->pid, call->data.args[2], "1", 1);

		return err < 0 ? err : 1;
	}
	return look_xattr(supervisor, call, -ENODATA);
}

long path_on_xattr_empty(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	return look_xattr(supervisor, call, 0);
}

/* ---- file systems ---- */

static int read_statfs(const struct path_found *found, const struct path_place *place,
		       struct statfs *ret)
{
	int fd, err;

	path_place_enter(place);
	fd = openat(place->at, place->inner, O_PATH | O_CLOEXEC);
	err = fd < 0 || fstatfs(fd, ret) < 0 ? -errno : 0;
	if (fd >= 0)
		close(fd);
	path_place_leave(place);
	if (err == 0 && path_is_ours(&found->path))
		ret->f_type = strncmp(found->path.text, "/sys", 4) == 0 ? SYSFS_MAGIC : NODES_MAGIC;
	return err;
}

long path_on_statfs(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	struct path_found found;
	struct path_place place;
	struct statfs st;
	int err;

	if (!path_find_ours(supervisor, call, AT_FDCWD, call->data.args[0], true, &found))
		return CALL_GOES_ON;
	err = path_place(call, &found, &place);
	if (err == 0)
		err = read_statfs(&found, &place, &st);
	if (err == 0)
		err = memory_write((pid_t)call->pid, call->data.args[1], &st, sizeof(st));
	return err;
}

/* A device of ours. */
static bool is_device(struct supervisor *supervisor, pid_t tid, int fd)
{
	file_table_settle(supervisor->files);
	return file_find(supervisor, tid, fd) || issm_file_find(supervisor, tid, fd) ||
	       uverbs_file_find(supervisor, tid, fd) || kmsg_is(supervisor, tid, fd);
}

/* A directory of ours, or a link, of which descriptors have high numbers. */
static bool is_shown(struct supervisor *supervisor, pid_t tid, int fd)
{
	struct host_view *view = NULL;
	struct path path;
	char name[32];

	if (!supervisor->views)
		return false;
	snprintf(name, sizeof(name), "fd/%d", fd);
	if (!path_of_link(supervisor, tid, name, path.text, &view) || !view)
		return false;
	path_classify(&path, false);
	return path.kind == PATH_SHOWN || path.kind == PATH_LIST;
}

/* Of its file system a socket says that it is none of files; of ours in /sys it is sysfs. */
long path_on_fstatfs(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	pid_t tid = (pid_t)call->pid;
	int fd = (int)call->data.args[0], err = -EBADF;
	bool is_node = is_device(supervisor, tid, fd);
	struct statfs st;

	if (!is_node && !is_shown(supervisor, tid, fd))
		return CALL_GOES_ON;
	if (statfs(is_node ? "/dev" : "/sys", &st) == 0) {
		st.f_type = is_node ? NODES_MAGIC : SYSFS_MAGIC;
		err = memory_write((pid_t)call->pid, call->data.args[1], &st, sizeof(st));
	}
	return err;
}
