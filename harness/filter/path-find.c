/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a trapped call means by its path: see harness/filter/path-find.h.
 */
#include "config.h"

#include "harness/filter/path-find.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/filter/file-table.h"
#include "harness/filter/memory.h"
#include "harness/filter/supervisor-turn.h"

/* ---- directories of threads ---- */

/* Who asks, and the view whose directory was met on the way. */
struct asking {
	struct supervisor *supervisor;
	pid_t tid;
	struct host_view *view;
	bool has_followed;	/* a link of the view, which the kernel does not have */
};

/* Reads a link below /proc/TID; false: it leads to no path. 'text' has PATH_MAX bytes. */
static bool read_link(pid_t tid, const char *name, char *text)
{
	char link[64];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%d/%s", (int)tid, name);
	n = readlink(link, text, PATH_MAX - 1);
	if (n <= 0 || text[0] != '/')
		return false;
	text[n] = '\0';
	return true;
}

/* A path as the thread sees it: its root may be another. */
static void take_off_root(pid_t tid, char *text)
{
	char root[PATH_MAX];
	size_t length;

	if (!read_link(tid, "root", root))
		return;
	length = strlen(root);
	if (length < 2 || strncmp(text, root, length) != 0 || (text[length] && text[length] != '/'))
		return;
	memmove(text, text + length, strlen(text + length) + 1);
	if (text[0] == '\0')
		strcpy(text, "/");
}

bool path_of_link(struct supervisor *supervisor, pid_t tid, const char *name, char *text,
		  struct host_view **ret_view)
{
	if (!read_link(tid, name, text))
		return false;
	*ret_view = host_view_back(supervisor->views, text);
	if (!*ret_view)
		take_off_root(tid, text);
	return true;
}

static bool read_directory(struct asking *asking, pid_t tid, const char *name, char *text)
{
	struct host_view *view;

	if (!path_of_link(asking->supervisor, tid, name, text, &view))
		return false;
	asking->view = view ? view : asking->view;
	return true;
}

const struct umad_file *path_of_umad(struct supervisor *supervisor, pid_t tid, int fd,
				     char *text)
{
	const struct umad_file *file;

	file_table_settle(supervisor->files);
	file = file_find(supervisor, tid, fd);
	if (file)
		snprintf(text, PATH_MAX, "/dev/infiniband/umad%u", file_umad_number(file));
	return file;
}

static bool read_descriptor(struct asking *asking, pid_t tid, unsigned int fd, char *target)
{
	const struct umad_file *file = path_of_umad(asking->supervisor, tid, (int)fd, target);
	char name[32];

	if (file) {
		asking->view = host_view_of(asking->supervisor->views, file_host(file));
		return true;
	}
	snprintf(name, sizeof(name), "fd/%u", fd);
	return read_directory(asking, tid, name, target);
}

static bool follow(void *context, const struct path_link *link, char *target)
{
	struct asking *asking = context;
	pid_t tid = link->process ? link->process : asking->tid;

	switch (link->kind) {
	case PATH_LINK_ROOT:
		return read_directory(asking, tid, "root", target);
	case PATH_LINK_CWD:
		return read_directory(asking, tid, "cwd", target);
	case PATH_LINK_FD:
		return read_descriptor(asking, tid, link->fd, target);
	case PATH_LINK_SHOWN:
		if (!asking->view)
			asking->view = host_view_of_thread(asking->supervisor->views, tid);
		if (!asking->view || !host_view_follow(asking->view, link->shown, target))
			return false;
		asking->has_followed = true;
		return true;
	}
	return false;
}

/* ---- finding ---- */

/* Can a relative path be anything but the kernel's business? */
static bool is_worth_a_look(const struct supervisor *supervisor, int dirfd, const char *text)
{
	return dirfd != AT_FDCWD || path_may_lead(text) ||
	       host_views_was_given(supervisor->views) || host_views_hide_real(supervisor->views);
}

static bool read_base(struct asking *asking, int dirfd, char *base)
{
	char name[32] = "cwd";

	if (dirfd != AT_FDCWD)
		snprintf(name, sizeof(name), "fd/%d", dirfd);
	return read_directory(asking, asking->tid, name, base);
}

bool path_is_ours(const struct path *path)
{
	switch (path->kind) {
	case PATH_LIST:
	case PATH_NODE_LIST:
	case PATH_SHOWN:
	case PATH_UMAD:
	case PATH_ISSM:
	case PATH_UVERBS:
	case PATH_RDMA_CM:
	case PATH_KMSG:
	case PATH_UDEV:
		return true;
	case PATH_ELSEWHERE:
	case PATH_DOOR:
	case PATH_NOWHERE:
		break;
	}
	return false;
}

int path_find_text(struct supervisor *supervisor, const struct seccomp_notif *call, int dirfd,
		   const char *text, bool follows_last, struct path_found *ret)
{
	struct asking asking = { .supervisor = supervisor, .tid = (pid_t)call->pid };
	char base[PATH_MAX];
	int err;

	if (!supervisor->views)
		return -ENOENT;	/* without devices all is the kernel's business */
	ret->path.text[0] = '\0';
	ret->path.kind = PATH_ELSEWHERE;
	ret->is_misplaced = ret->has_followed = false;
	ret->view = NULL;
	strcpy(base, "/");
	if (text[0] != '/') {
		if (!is_worth_a_look(supervisor, dirfd, text))
			return 0;
		if (!read_base(&asking, dirfd, base))
			return -ENOTDIR;
		ret->is_misplaced = asking.view;
	}
	err = path_resolve(&ret->path, base, text, follows_last, follow, &asking);
	if (err < 0)
		return err;
	ret->has_followed = asking.has_followed;
	ret->is_misplaced |= ret->path.was_ours || ret->has_followed;
	path_classify(&ret->path, host_views_hide_real(supervisor->views));
	if (path_is_ours(&ret->path))
		ret->view = asking.view ? asking.view :
			    host_view_of_thread(supervisor->views, asking.tid);
	/* Without a simulated host they are the machine's. */
	if (!ret->view && (ret->path.kind == PATH_KMSG || ret->path.kind == PATH_UDEV))
		ret->path.kind = PATH_ELSEWHERE;
	return 0;
}

int path_find(struct supervisor *supervisor, const struct seccomp_notif *call, int dirfd,
	      uint64_t at, bool follows_last, struct path_found *ret)
{
	char text[PATH_MAX];
	int err = memory_read_text((pid_t)call->pid, at, text, sizeof(text));

	if (err < 0)
		return err;
	return path_find_text(supervisor, call, dirfd, text, follows_last, ret);
}

bool path_find_ours(struct supervisor *supervisor, const struct seccomp_notif *call, int dirfd,
		    uint64_t at, bool follows_last, struct path_found *ret)
{
	int err = path_find(supervisor, call, dirfd, at, follows_last, ret);

	return err == 0 && (ret->is_misplaced || (ret->path.kind != PATH_ELSEWHERE &&
						  ret->path.kind != PATH_DOOR));
}

/* ---- places ---- */

/* What belongs to another user than ours must not be done with our rights. */
static bool has_our_rights(pid_t tid)
{
	char path[32];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d", (int)tid);
	return stat(path, &st) == 0 && st.st_uid == geteuid();
}

static int real_place(pid_t tid, const struct path *path, struct path_place *ret)
{
	/* Doors are no secret. */
	if (path->kind != PATH_DOOR && !has_our_rights(tid))
		return -EACCES;
	ret->at = AT_FDCWD;
	snprintf(ret->room, sizeof(ret->room), "/proc/%d/root%s%s", (int)tid, path->text,
		 path->is_directory_wanted ? "/" : "");
	ret->inner = ret->room;
	return 0;
}

int path_place(const struct seccomp_notif *call, const struct path_found *found,
	       struct path_place *ret)
{
	const char *inner;

	if (found->path.kind == PATH_ELSEWHERE || found->path.kind == PATH_DOOR)
		return real_place((pid_t)call->pid, &found->path, ret);
	if (!found->view)
		return -ENOENT;
	ret->at = host_view_place(found->view, &found->path, &inner);
	snprintf(ret->room, sizeof(ret->room), "%s%s", inner,
		 found->path.is_directory_wanted ? "/" : "");
	ret->inner = ret->room;
	return 0;
}

void path_place_enter(const struct path_place *place)
{
	if (place->at == AT_FDCWD)
		turn_outside_begin();
}

void path_place_leave(const struct path_place *place)
{
	if (place->at == AT_FDCWD)
		turn_outside_end();
}
