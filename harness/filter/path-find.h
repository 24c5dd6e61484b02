/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a trapped call means by its path, and where that is.
 */
#ifndef UMADRIG_HARNESS_FILTER_PATH_FIND_H
#define UMADRIG_HARNESS_FILTER_PATH_FIND_H

#include "harness/filter/host-view.h"
#include "harness/filter/supervisor.h"

struct umad_file;

struct path_found {
	struct path path;
	/*
	 * It is relative to a directory of ours, or leads through one or a link of ours, where the
	 * kernel would not find it: the supervisor does the call, whatever the path's kind is.
	 */
	bool is_misplaced;
	bool has_followed;	/* it leads through a link of ours */
	struct host_view *view;	/* NULL: the path's kind is none of ours, or there is no view */
};

/*
 * Finds out what thread 'call->pid' means by the text at its address 'at', relative to 'dirfd'
 * (AT_FDCWD, or a descriptor). 'follows_last' as for path_resolve(). -errno: the text cannot be
 * read, is "", or relative to no directory; the kernel will have an error of its own for it.
 */
int path_find(struct supervisor *supervisor, const struct seccomp_notif *call, int dirfd,
	      uint64_t at, bool follows_last, struct path_found *ret);

/* The same of a text that has been read already. */
int path_find_text(struct supervisor *supervisor, const struct seccomp_notif *call, int dirfd,
		   const char *text, bool follows_last, struct path_found *ret);

/*
 * What the thread's link 'name' below /proc/TID ("cwd", "fd/3") leads to, as the thread calls it,
 * in 'text' (PATH_MAX bytes); the view if it is a file or directory of one, otherwise NULL. False:
 * to no path.
 */
bool path_of_link(struct supervisor *supervisor, pid_t tid, const char *name, char *text,
		  struct host_view **ret_view);

/*
 * The umad file that descriptor 'fd' of the thread is, with its path in 'text' (PATH_MAX bytes). A
 * socket stands for it, which leads nowhere. NULL: it is none.
 */
const struct umad_file *path_of_umad(struct supervisor *supervisor, pid_t tid, int fd,
				     char *text);

/* Is it a kind that exists only here? */
bool path_is_ours(const struct path *path);

/* As path_find(). False: it names nothing that is ours or misplaced, and the kernel goes on. */
bool path_find_ours(struct supervisor *supervisor, const struct seccomp_notif *call, int dirfd,
		    uint64_t at, bool follows_last, struct path_found *ret);

/* Where a found path is, for calls like fstatat(2). */
struct path_place {
	int at;			/* not the caller's to close */
	const char *inner;	/* below 'at'; ends in '/' if a directory is wanted */
	char room[PATH_MAX + 64];
};

/*
 * 0, or an -errno for the program: -ENOENT, there is none; -EACCES, the program has other rights
 * than the supervisor, which must not do for it what it may not.
 */
int path_place(const struct seccomp_notif *call, const struct path_found *found,
	       struct path_place *ret);

/*
 * Around a call that looks there: a place that is not ours may be on a file system that a program
 * serves itself, and never answers. Then as turn_outside_begin() and turn_outside_end().
 */
void path_place_enter(const struct path_place *place);
void path_place_leave(const struct path_place *place);

#endif
