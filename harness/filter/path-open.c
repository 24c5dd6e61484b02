/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * open(2) and its kin, of what is shown in /sys, /dev/infiniband, and the directories above.
 *
 * The supervisor opens the file, and puts it into the program. A directory gets a high number, so
 * that calls relative to it are trapped.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/filter/file-table.h"
#include "harness/filter/issm-file.h"
#include "harness/filter/kmsg-file.h"
#include "harness/filter/memory.h"
#include "harness/filter/path-call.h"
#include "harness/filter/path-find.h"
#include "harness/filter/path-give.h"
#include "harness/filter/store-file.h"
#include "harness/filter/uverbs-file.h"
#include "lib/backend-list.h"

/* What a program asks for. */
struct opening {
	int dirfd;
	uint64_t at;
	int flags;
	mode_t mode;
	uint64_t resolve;	/* of openat2(2), otherwise 0 */
};

/* ---- handles ---- */

/* O_PATH: a handle of the name, with which a device stays closed, or of a link. */
static long open_name(struct supervisor *supervisor, const struct seccomp_notif *call,
		      const struct path_found *found, int flags)
{
	struct host_view *view = found->view ? found->view :
				 host_view_of_thread(supervisor->views, (pid_t)call->pid);
	int fd = view ? host_view_open_name(view, &found->path) : -ELOOP;

	if (fd < 0)
		return fd;
	return path_give_high(supervisor, call, fd, flags & O_CLOEXEC);
}

/*
 * A link itself is asked for, as by a program that goes through each component by itself. Of those
 * of the machine only the ones in /sys have a handle, which are not without number.
 */
static bool is_link_wanted(const struct path_found *found, const struct path_place *place,
			   int flags)
{
	struct stat st;
	bool is_link;

	if (!(flags & O_PATH) || !(flags & O_NOFOLLOW) || (flags & O_DIRECTORY) ||
	    strncmp(found->path.text, "/sys/", strlen("/sys/")) != 0)
		return false;
	path_place_enter(place);
	is_link = fstatat(place->at, place->inner, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		  S_ISLNK(st.st_mode);
	path_place_leave(place);
	return is_link;
}

/* ---- files of the view ---- */

/*
 * The errno for writing, 0 if that is not wanted. As in sysfs: nothing can be created, and what is
 * read-only is so for root as well.
 */
static int refuse_write(const struct path_place *place, int flags)
{
	bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC);
	struct stat st;

	if (flags & O_PATH)
		return 0;
	if ((flags & O_TMPFILE) == O_TMPFILE)
		return -EOPNOTSUPP;
	if (!writes && !(flags & O_CREAT))
		return 0;
	if (fstatat(place->at, place->inner, &st, 0) < 0)
		return errno == ENOENT && (flags & O_CREAT) ? -EACCES : -errno;
	if ((flags & O_CREAT) && (flags & O_EXCL))
		return -EEXIST;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	return writes && !host_view_may_write(&st) ? -EACCES : 0;
}

static long open_shown(struct supervisor *supervisor, const struct seccomp_notif *call,
		       const struct path_found *found, const struct path_place *place, int flags)
{
	int err = refuse_write(place, flags), fd;

	if (is_link_wanted(found, place, flags))
		return open_name(supervisor, call, found, flags);
	if (err < 0)
		return err;
	fd = openat(place->at, place->inner, O_RDONLY | O_CLOEXEC |
		    (flags & (O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK)));
	if (fd < 0)
		return -errno;
	if ((flags & O_ACCMODE) == O_RDONLY || flags & O_PATH)
		return path_give(supervisor, call, fd, flags & O_CLOEXEC);
	store_file_note(supervisor);
	return path_give_high(supervisor, call, fd, flags & O_CLOEXEC);
}

/* ---- devices ---- */

static long open_device(struct supervisor *supervisor, const struct seccomp_notif *call,
			const struct path_found *found, int flags)
{
	const char *host = found->view ? host_view_host(found->view) : NULL;
	char ca_name[UMAD_BACKEND_NAME_SIZE];
	unsigned int portnum = 0;
	int err = -ENOENT;

	if (found->view && found->path.kind == PATH_UVERBS)
		err = host_view_device(found->view, &found->path, ca_name);
	else if (found->view)
		err = host_view_port(found->view, &found->path, ca_name, &portnum);

	if (err == 0 && (found->path.is_directory_wanted || (flags & O_DIRECTORY)))
		err = -ENOTDIR;
	else if (err == 0 && (flags & O_CREAT) && (flags & O_EXCL))
		err = -EEXIST;
	else if (err < 0 && (flags & O_CREAT))
		err = -EACCES;
	if (err == 0)
		err = umad_backend_attach.host_enter(host);
	if (err < 0)
		return err;
	if (flags & O_PATH)
		return open_name(supervisor, call, found, flags);
	if (found->path.kind == PATH_UVERBS)
		return uverbs_file_open(supervisor, call, found->view, ca_name, found->path.number,
					flags);
	if (found->path.kind == PATH_ISSM)
		return issm_file_open(supervisor, call, host, ca_name, portnum, found->path.number,
				      flags);
	return file_open(supervisor, call, host, ca_name, portnum, found->path.number, flags);
}

/* /dev/kmsg, of which one that only writes has the machine's own, and rdma_cm. */
static long open_other(struct supervisor *supervisor, const struct seccomp_notif *call,
		       const struct path_found *found, int flags)
{
	struct path_place place;
	int err = path_place(call, found, &place);	/* its name has to be there */

	if (err == 0 && (found->path.is_directory_wanted || (flags & O_DIRECTORY)))
		err = -ENOTDIR;
	if (err < 0)
		return err;
	if (flags & O_PATH)
		return open_name(supervisor, call, found, flags);
	if (found->path.kind == PATH_RDMA_CM)
		return uverbs_file_open_cm(supervisor, call, found->view, flags);
	if ((flags & O_ACCMODE) == O_WRONLY)
		return CALL_GOES_ON;
	return kmsg_open(supervisor, call, found->view, flags);
}

/* ---- real files ---- */

/*
 * A real file that the kernel would look for in a directory of ours. It must not make the
 * supervisor wait.
 */
static long open_real(struct supervisor *supervisor, const struct seccomp_notif *call,
		      const struct path_found *found, const struct path_place *place,
		      const struct opening *opening)
{
	int flags = opening->flags & ~O_PATH, fd;

	if (is_link_wanted(found, place, opening->flags))
		return open_name(supervisor, call, found, opening->flags);
	path_place_enter(place);
	fd = openat(place->at, place->inner, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
		    opening->mode);
	path_place_leave(place);
	if (fd < 0)
		return -errno;
	if (!(flags & O_NONBLOCK))
		fcntl(fd, F_SETFL, flags & (O_APPEND | O_DIRECT | O_NOATIME));
	return path_give(supervisor, call, fd, flags & O_CLOEXEC);
}

/* A real directory that leads to ours. Any other file there is the kernel's business. */
static long open_door(struct supervisor *supervisor, const struct seccomp_notif *call,
		      const struct path_found *found, const struct path_place *place,
		      const struct opening *opening)
{
	bool writes = (opening->flags & O_ACCMODE) != O_RDONLY && !(opening->flags & O_PATH);
	int fd;

	path_place_enter(place);
	fd = writes ? -1 : openat(place->at, place->inner, O_RDONLY | O_DIRECTORY | O_CLOEXEC |
				  (opening->flags & O_NOFOLLOW));
	path_place_leave(place);
	if (fd >= 0)
		return path_give(supervisor, call, fd, opening->flags & O_CLOEXEC);
	if (found->is_misplaced)
		return open_real(supervisor, call, found, place, opening);
	return CALL_GOES_ON;
}

/* ---- all ---- */

static long open_found(struct supervisor *supervisor, const struct seccomp_notif *call,
		       const struct path_found *found, const struct opening *opening)
{
	struct path_place place;
	int err;

	if (found->path.kind == PATH_NOWHERE)
		return opening->flags & O_CREAT ? -EACCES : -ENOENT;
	if (path_is_node(found->path.kind))
		return open_device(supervisor, call, found, opening->flags);
	if (found->path.kind == PATH_KMSG || found->path.kind == PATH_RDMA_CM)
		return open_other(supervisor, call, found, opening->flags);
	/* A program that closes an issm device makes no call that is stopped. */
	if (found->view && found->path.kind == PATH_SHOWN &&
	    g_str_has_suffix(found->path.text, "/cap_mask"))
		host_view_look_at_issm(found->view);
	err = path_place(call, found, &place);
	if (err < 0)
		return err;
	if (path_is_ours(&found->path))
		return open_shown(supervisor, call, found, &place, opening->flags);
	if (found->path.kind == PATH_DOOR)
		return open_door(supervisor, call, found, &place, opening);
	return open_real(supervisor, call, found, &place, opening);
}

/*
 * The errno for links of ours where openat2(2) is asked not to follow any, or none that leads out
 * of the directory, as all but some of them do.
 */
static int refuse_link(const struct path_found *found, uint64_t resolve)
{
	if (!found->has_followed)
		return 0;
	if (resolve & RESOLVE_NO_SYMLINKS)
		return -ELOOP;
	if (resolve & RESOLVE_BENEATH)
		return -EXDEV;
	return resolve & RESOLVE_IN_ROOT ? -ENOENT : 0;
}

static long open_text(struct supervisor *supervisor, const struct seccomp_notif *call,
		      const struct opening *opening, const char *text)
{
	bool follows = !(opening->flags & O_NOFOLLOW);
	struct path_found found;

	if (strstr(text, "/libibverbs.so"))
		supervisor->has_met_verbs = true;
	if (path_find_text(supervisor, call, opening->dirfd, text, follows, &found) < 0 ||
	    (found.path.kind == PATH_ELSEWHERE && !found.is_misplaced))
		return CALL_GOES_ON;
	if (refuse_link(&found, opening->resolve) < 0)
		return refuse_link(&found, opening->resolve);
	return open_found(supervisor, call, &found, opening);
}

static long open_path(struct supervisor *supervisor, const struct seccomp_notif *call,
		      const struct opening *opening)
{
	char text[PATH_MAX];

	if (memory_read_text((pid_t)call->pid, opening->at, text, sizeof(text)) < 0)
		return CALL_GOES_ON;
	return open_text(supervisor, call, opening, text);
}

long path_on_open(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	const __u64 *args = call->data.args;
	const struct opening opening = {
		.dirfd = AT_FDCWD, .at = args[0], .flags = (int)args[1], .mode = (mode_t)args[2],
	};

	return open_path(supervisor, call, &opening);
}

long path_on_creat(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	const __u64 *args = call->data.args;
	const struct opening opening = {
		.dirfd = AT_FDCWD, .at = args[0], .flags = O_CREAT | O_WRONLY | O_TRUNC,
		.mode = (mode_t)args[1],
	};

	return open_path(supervisor, call, &opening);
}

long path_on_openat(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	const __u64 *args = call->data.args;
	const struct opening opening = {
		.dirfd = (int)args[0], .at = args[1], .flags = (int)args[2],
		.mode = (mode_t)args[3],
	};

	return open_path(supervisor, call, &opening);
}

/* ---- openat2 ---- */

enum { HOW_MAX = 4096 };	/* the kernel's limit, the smallest page that there is */

/*
 * RESOLVE_IN_ROOT: the path never leaves the directory. RESOLVE_BENEATH is left to the kernel where
 * it must fail.
 */
static bool keep_inside(char *text, uint64_t resolve)
{
	struct path inside;

	if ((resolve & RESOLVE_BENEATH) && text[0] == '/')
		return false;
	if (!(resolve & (RESOLVE_IN_ROOT | RESOLVE_BENEATH)))
		return true;
	if (path_resolve(&inside, "/", text, false, path_follow_none, NULL) < 0)
		return false;
	if (strlen(inside.text) + strlen("./") >= PATH_MAX)
		return false;
	text[0] = '.';
	strcpy(text + 1, inside.text);
	if (inside.is_directory_wanted)
		strcat(text, "/");
	return true;
}

/*
 * Of a longer struct the rest must be zeros, as for a kernel that does not know what that means.
 * False: the kernel refuses it.
 */
static bool read_how(pid_t tid, uint64_t at, uint64_t size, struct open_how *ret)
{
	static const char zeros[HOW_MAX];
	char bytes[HOW_MAX];

	if (size < sizeof(*ret) || size > sizeof(bytes) || memory_read(tid, at, bytes, size) < 0 ||
	    memcmp(bytes + sizeof(*ret), zeros, size - sizeof(*ret)) != 0)
		return false;
	memcpy(ret, bytes, sizeof(*ret));
	return true;
}

long path_on_openat2(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	const __u64 *args = call->data.args;
	pid_t tid = (pid_t)call->pid;
	char text[PATH_MAX];
	struct open_how how;
	struct opening opening;

	if (!read_how(tid, args[2], args[3], &how) ||
	    memory_read_text(tid, args[1], text, sizeof(text)) < 0 ||
	    !keep_inside(text, how.resolve))
		return CALL_GOES_ON;
	opening = (struct opening){
		.dirfd = (int)args[0], .flags = (int)how.flags, .mode = (mode_t)how.mode,
		.resolve = how.resolve,
	};
	return open_text(supervisor, call, &opening, text);
}
