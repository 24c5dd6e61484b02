/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * stat(2) and its kin, of what is in /sys/class and /dev/infiniband.
 *
 * umadN, issmN, uverbsN and kmsg are said to be the character devices that they stand for.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "harness/filter/file-table.h"
#include "harness/filter/issm-file.h"
#include "harness/filter/kmsg-file.h"
#include "harness/filter/memory.h"
#include "harness/filter/path-call.h"
#include "harness/filter/path-find.h"
#include "harness/filter/uverbs-file.h"

/* What the kernel writes; the C library's struct is the same where there is one size of off_t. */
#if defined(__x86_64__)
_Static_assert(sizeof(struct stat) == 144 && offsetof(struct stat, st_rdev) == 40,
	       "the kernel's layout");
#elif defined(__aarch64__)
_Static_assert(sizeof(struct stat) == 128 && offsetof(struct stat, st_rdev) == 32,
	       "the kernel's layout");
#endif

/* ---- what is said ---- */

static int stat_found(const struct seccomp_notif *call, const struct path_found *found, int flags,
		      struct stat *ret)
{
	struct path_device device;
	struct path_place place;
	int err = path_place(call, found, &place);

	if (err < 0)
		return err;
	path_place_enter(&place);
	if (syscall(SYS_newfstatat, place.at, place.inner, ret, flags & ~AT_EMPTY_PATH) < 0)
		err = -errno;
	path_place_leave(&place);
	if (err < 0)
		return err;
	if (path_device(&found->path, &device)) {
		ret->st_mode = device.mode;
		ret->st_rdev = makedev(device.major, device.minor);
		ret->st_size = 0;
	}
	return 0;
}

static int statx_found(const struct seccomp_notif *call, const struct path_found *found, int flags,
		       unsigned int mask, struct statx *ret)
{
	struct path_device device;
	struct path_place place;
	int err = path_place(call, found, &place);

	if (err < 0)
		return err;
	path_place_enter(&place);
	if (syscall(SYS_statx, place.at, place.inner, flags & ~AT_EMPTY_PATH, mask, ret) < 0)
		err = -errno;
	path_place_leave(&place);
	if (err < 0)
		return err;
	if (path_device(&found->path, &device)) {
		ret->stx_mode = (uint16_t)device.mode;
		ret->stx_rdev_major = device.major;
		ret->stx_rdev_minor = device.minor;
		ret->stx_size = 0;
	}
	return 0;
}

/* ---- descriptors ---- */

/* Of what is in /sys a descriptor is what it stands for, but for one of a link. */
static bool is_link(const struct seccomp_notif *call, const struct path_found *found)
{
	struct path_place place;
	struct stat st;
	bool ret;

	if (path_place(call, found, &place) < 0)
		return false;
	path_place_enter(&place);
	ret = fstatat(place.at, place.inner, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode);
	path_place_leave(&place);
	return ret;
}

/* What a descriptor of ours stands for. False: it is the kernel's business. */
static bool find_descriptor(struct supervisor *supervisor, const struct seccomp_notif *call, int fd,
			    struct path_found *ret)
{
	const struct uverbs_file *uverbs;
	const struct issm_file *issm;
	const struct umad_file *file;
	struct path_device device;
	char name[32];

	*ret = (struct path_found){ .path.kind = PATH_UMAD };
	if (!supervisor->views)
		return false;
	file = path_of_umad(supervisor, (pid_t)call->pid, fd, ret->path.text);
	if (file) {
		ret->path.number = file_umad_number(file);
		ret->view = host_view_of(supervisor->views, file_host(file));
		return true;
	}
	issm = issm_file_find(supervisor, (pid_t)call->pid, fd);
	if (issm) {
		ret->path.kind = PATH_ISSM;
		ret->path.number = issm->number;
		ret->view = host_view_of(supervisor->views, issm->host);
		snprintf(ret->path.text, sizeof(ret->path.text), "/dev/infiniband/issm%u",
			 issm->number);
		return true;
	}
	uverbs = uverbs_file_find(supervisor, (pid_t)call->pid, fd);
	if (uverbs && !uverbs->is_events) {
		ret->path.kind = uverbs->is_cm ? PATH_RDMA_CM : PATH_UVERBS;
		ret->path.number = uverbs->number;
		ret->view = view_file_view(&uverbs->common);
		snprintf(ret->path.text, sizeof(ret->path.text), "/dev/infiniband/uverbs%u",
			 uverbs->number);
		if (uverbs->is_cm)
			strcpy(ret->path.text, "/dev/infiniband/rdma_cm");
		return true;
	}
	if (kmsg_is(supervisor, (pid_t)call->pid, fd)) {
		ret->path.kind = PATH_KMSG;
		strcpy(ret->path.text, "/dev/kmsg");
		ret->view = host_view_of_thread(supervisor->views, (pid_t)call->pid);
		return true;
	}
	/* One that was opened with O_PATH. */
	snprintf(name, sizeof(name), "fd/%d", fd);
	if (!path_of_link(supervisor, (pid_t)call->pid, name, ret->path.text, &ret->view) ||
	    !ret->view)
		return false;
	path_classify(&ret->path, false);
	return path_device(&ret->path, &device) || is_link(call, ret);
}

/* A device that is gone has no name any more; its open descriptors still have a type and number. */
static void stat_descriptor(const struct seccomp_notif *call, const struct path_found *found,
			    struct stat *ret)
{
	struct path_device device = { .mode = 0 };

	if (stat_found(call, found, AT_SYMLINK_NOFOLLOW, ret) == 0)
		return;
	path_device(&found->path, &device);
	*ret = (struct stat){
		.st_mode = device.mode, .st_nlink = 1, .st_blksize = 4096,
		.st_rdev = makedev(device.major, device.minor),
	};
}

static void statx_descriptor(const struct seccomp_notif *call, const struct path_found *found,
			     unsigned int mask, struct statx *ret)
{
	struct path_device device = { .mode = 0 };

	if (statx_found(call, found, AT_SYMLINK_NOFOLLOW, mask, ret) == 0)
		return;
	path_device(&found->path, &device);
	*ret = (struct statx){
		.stx_mask = STATX_TYPE | STATX_MODE | STATX_NLINK,
		.stx_mode = (uint16_t)device.mode,
		.stx_nlink = 1, .stx_blksize = 4096, .stx_rdev_major = device.major,
		.stx_rdev_minor = device.minor,
	};
}

/* Is the call about its descriptor itself? The path may be NULL then. */
static bool is_empty_path(const struct seccomp_notif *call, int fd, uint64_t at, int flags)
{
	char first = '\0';

	return (flags & AT_EMPTY_PATH) && fd != AT_FDCWD &&
	       (at == 0 || (memory_read((pid_t)call->pid, at, &first, 1) == 0 && first == '\0'));
}

/* ---- calls ---- */

static long stat_fd(struct supervisor *supervisor, const struct seccomp_notif *call, int fd,
		    uint64_t to)
{
	struct path_found found;
	struct stat st;

	if (!find_descriptor(supervisor, call, fd, &found))
		return CALL_GOES_ON;
	stat_descriptor(call, &found, &st);
	return memory_write((pid_t)call->pid, to, &st, sizeof(st));
}

static long stat_path(struct supervisor *supervisor, const struct seccomp_notif *call, int dirfd,
		      uint64_t at, uint64_t to, int flags)
{
	struct path_found found;
	struct stat st;
	int err;

	if (is_empty_path(call, dirfd, at, flags))
		return stat_fd(supervisor, call, dirfd, to);
	if (!path_find_ours(supervisor, call, dirfd, at, !(flags & AT_SYMLINK_NOFOLLOW), &found))
		return CALL_GOES_ON;
	err = stat_found(call, &found, flags, &st);
	return err < 0 ? err : memory_write((pid_t)call->pid, to, &st, sizeof(st));
}

long path_on_stat(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	return stat_path(supervisor, call, AT_FDCWD, call->data.args[0], call->data.args[1], 0);
}

long path_on_lstat(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	return stat_path(supervisor, call, AT_FDCWD, call->data.args[0], call->data.args[1],
			 AT_SYMLINK_NOFOLLOW);
}

long path_on_newfstatat(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	const __u64 *args = call->data.args;

	return stat_path(supervisor, call, (int)args[0], args[1], args[2], (int)args[3]);
}

long path_on_fstat(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	return stat_fd(supervisor, call, (int)call->data.args[0], call->data.args[1]);
}

long path_on_statx(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	const __u64 *args = call->data.args;
	int dirfd = (int)args[0], flags = (int)args[2], err = 0;
	unsigned int mask = (unsigned int)args[3];
	struct path_found found;
	struct statx st;

	memset(&st, 0, sizeof(st));
	if (is_empty_path(call, dirfd, args[1], flags)) {
		if (!find_descriptor(supervisor, call, dirfd, &found))
			return CALL_GOES_ON;
		statx_descriptor(call, &found, mask, &st);
	} else {
		if (!path_find_ours(supervisor, call, dirfd, args[1],
				    !(flags & AT_SYMLINK_NOFOLLOW), &found))
			return CALL_GOES_ON;
		err = statx_found(call, &found, flags, mask, &st);
	}
	return err < 0 ? err : memory_write((pid_t)call->pid, args[4], &st, sizeof(st));
}
