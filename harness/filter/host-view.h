/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the programs of a host see of its devices in /sys and /dev/infiniband.
 *
 * The files of /sys are those that the fabric server keeps up to date (sim/server/sysfs-view.h).
 * Beside them is a small tree of our own for /dev/infiniband and for the directories of /sys in
 * which they are beside others, which has nothing but the names. Programs open the files of both by
 * descriptors that the supervisor gives them, and never learn their real paths.
 *
 * One thread uses all of this.
 */
#ifndef UMADRIG_HARNESS_FILTER_HOST_VIEW_H
#define UMADRIG_HARNESS_FILTER_HOST_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "harness/filter/path.h"

struct host_views;
struct host_view;

/*
 * To be called when the fabric is attached (lib/attach/call.h). 'default_host': the host of
 * programs without UMADRIG_HOST; NULL: the server's choice. NULL with a message in 'reterr'.
 */
struct host_views *host_views_new(const char *default_host, char *reterr, size_t size);
/* Removes the tree. NULL is allowed. */
void host_views_free(struct host_views *views);

/* Has the machine real InfiniBand devices? */
bool host_views_hide_real(const struct host_views *views);
/*
 * Records that a program has one of these directories, which may then be the working directory of
 * any; whether that has happened.
 */
void host_views_note_given(struct host_views *views);
bool host_views_was_given(const struct host_views *views);

/*
 * The view of host 'host' (NULL: the default), which is made when first asked for. NULL: there is
 * none, and a line on stderr has said why.
 */
struct host_view *host_view_of(struct host_views *views, const char *host);
/* The same for the host of thread 'tid': UMADRIG_HOST in the environment it was started with. */
struct host_view *host_view_of_thread(struct host_views *views, pid_t tid);

/* For struct umad_backend's host_enter: NULL is the default. */
const char *host_view_host(const struct host_view *view);

/*
 * Where a path of a kind that is ours (path_is_ours()) is: a descriptor of a directory, which stays
 * the view's, and '*ret_inner' below it. Brings our own tree up to date.
 */
int host_view_place(struct host_view *view, const struct path *path, const char **ret_inner);

/*
 * What is shown of IsSM is so now: programs that open and close issm devices by themselves tell
 * nobody.
 */
void host_view_look_at_issm(struct host_view *view);

/*
 * Where path 'text' of kind PATH_SHOWN leads if it is a link, into 'target' (PATH_MAX bytes),
 * absolute and clean. False: it is none.
 */
bool host_view_follow(struct host_view *view, const char *text, char *target);

/*
 * A handle of the name of a device, or of a link in /sys, for O_PATH: of a file that
 * host_view_back() knows, but not the device, nor the link, of which none can be passed on.
 * Owned by the caller; or -errno.
 */
int host_view_open_name(const struct host_view *view, const struct path *path);

/*
 * The device and port of umadN or issmN ('ca_name' has room for UMAD_BACKEND_NAME_SIZE bytes). 0,
 * or -ENOENT.
 */
int host_view_port(const struct host_view *view, const struct path *path, char *ca_name,
		   unsigned int *ret_portnum);

/* The device of uverbsN ('ca_name' as above). 0, or -ENOENT. */
int host_view_device(const struct host_view *view, const struct path *path, char *ca_name);

/*
 * A write(2) of 'size' bytes, up to ATTACH_STORE_MAX, to the file that programs call 'text': what
 * it returns. What programs see follows before this returns.
 */
long host_view_store(struct host_view *view, const char *text, const char *bytes, size_t size);
/* May a file of a view that has this status be written? */
static inline bool host_view_may_write(const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_mode & S_IWUSR;
}

/* The same of the file that programs call 'text'. */
bool host_view_is_writable(const struct host_view *view, const char *text);

/* A directory that stands for /sys, which stays the view's, brought up to date. */
int host_view_values(const struct host_view *view);
/* Readable when that has something to do; -1: never, the server does it. */
int host_view_changes_fd(const struct host_view *view);

/*
 * If 'text' (PATH_MAX bytes) is the real path of a directory or file of a view, as /proc shows it,
 * replaces it by what programs call it, and returns the view. Otherwise NULL.
 */
struct host_view *host_view_back(struct host_views *views, char *text);

#endif
