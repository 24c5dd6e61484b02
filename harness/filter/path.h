/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a program means by a path: something of the simulated devices, something that is to be
 * hidden, or what is none of our business.
 *
 * Paths are resolved by their text alone, without looking at any file: a symbolic link of the
 * program's own that leads to a device is not seen. Only the links by which /proc shows a process's
 * root, working directory and descriptors are followed, and those of what is shown in /sys, by a
 * function of the caller's.
 */
#ifndef UMADRIG_HARNESS_FILTER_PATH_H
#define UMADRIG_HARNESS_FILTER_PATH_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

enum path_kind {
	PATH_ELSEWHERE,		/* the kernel's business */
	PATH_DOOR,		/* a real directory that leads to ours: /, /sys, /sys/bus, /dev */
	PATH_LIST,		/* one of /sys in which ours are beside others: /sys/class */
	PATH_NODE_LIST,		/* /dev/infiniband */
	PATH_SHOWN,		/* of /sys: sysfs_place_is_ours() */
	PATH_UMAD,		/* /dev/infiniband/umadN */
	PATH_ISSM,		/* /dev/infiniband/issmN */
	PATH_UVERBS,		/* /dev/infiniband/uverbsN */
	PATH_RDMA_CM,		/* /dev/infiniband/rdma_cm */
	PATH_KMSG,		/* /dev/kmsg */
	PATH_UDEV,		/* of /run/udev: its entries of InfiniBand devices */
	PATH_NOWHERE,		/* what would show a real device, and must not be there */
};

struct path {
	char text[PATH_MAX];		/* absolute, without "//", "." and ".." */
	bool is_directory_wanted;	/* it ended in '/', or in "." or ".." */
	bool was_ours;			/* ".." led out of what is ours: /dev/infiniband/.. */
	enum path_kind kind;
	unsigned int number;		/* N of umadN, issmN and uverbsN */
};

/*
 * A link of /proc: /proc/PROCESS/root, /proc/PROCESS/cwd, /proc/PROCESS/fd/N; or what may be one of
 * those that are shown in /sys.
 */
struct path_link {
	pid_t process;		/* 0: the one that asks */
	enum path_link_kind {
		PATH_LINK_ROOT, PATH_LINK_CWD, PATH_LINK_FD, PATH_LINK_SHOWN,
	} kind;
	unsigned int fd;
	const char *shown;	/* its path */
};

/*
 * Writes where a link leads, absolute and clean, into 'target' (PATH_MAX bytes). False: to no
 * directory that is known, or it is no link; it is then taken for a directory.
 */
typedef bool path_follow_fn(void *context, const struct path_link *link, char *target);

/* The one that follows none. */
path_follow_fn path_follow_none;

/*
 * Is 'text' the path of a link of /proc? If so, 'ret' (which may be NULL) says which. "/dev/fd/N"
 * is one, too.
 */
bool path_is_link(const char *text, struct path_link *ret);

/*
 * Resolves 'text', which is relative to 'base' (absolute and clean) unless it begins with '/'. A
 * link at its end is followed only if 'follows_last'. 'kind' is not set. 0, or
 * -ENAMETOOLONG; "" is -ENOENT.
 */
int path_resolve(struct path *ret, const char *base, const char *text, bool follows_last,
		 path_follow_fn *follow, void *context);

/*
 * Sets 'kind' and 'number'. A path by device number (/dev/char/231:0) becomes the one by name.
 * 'hides_real': there are real devices: whatever is in /sys may lead to them and is a door.
 */
void path_classify(struct path *path, bool hides_real);

/* Of the three kinds of devices: "umad" and its like, "class/infiniband_mad", a minor number. */
bool path_is_node(enum path_kind kind);
const char *path_node_name(enum path_kind kind);
const char *path_node_class(enum path_kind kind);

/* Is it a character device, and which? */
struct path_device {
	unsigned int major, minor;
	mode_t mode;
};
bool path_device(const struct path *path, struct path_device *ret);

/*
 * Could 'text', relative to a directory that is not known, lead to ours? It cannot if that
 * directory is none of ours, and this is false.
 */
bool path_may_lead(const char *text);

#endif
