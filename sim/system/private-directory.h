/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A directory in TMPDIR that only this user may enter, for sockets, issm paths and other
 * substitutes for devices. It is removed at the end of its process; if that was killed, by one that
 * outlives it and looks for what is left, or by the process that makes the next one.
 */
#ifndef UMADRIG_SIM_SYSTEM_PRIVATE_DIRECTORY_H
#define UMADRIG_SIM_SYSTEM_PRIVATE_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeros: none. */
struct private_directory {
	char *path;	/* absolute; NULL: none */
	int lock;	/* open while the directory is in use; -1: not known */
};

/* In its name, of what it is; and the file that is locked while it is in use. */
#define PRIVATE_DIRECTORY_EXPLORE "explore-"
#define PRIVATE_DIRECTORY_LOCK "lock"

/*
 * Makes one, mode 0700. 'kind': of its name, "" or one of the above. 0, or -errno with a message in
 * 'reterr'.
 */
int private_directory_make(struct private_directory *directory, const char *kind, char *reterr,
			   size_t reterr_size);
/*
 * The same for sockets, pipes and small files, which are gone with their process: in memory if
 * TMPDIR says nothing else and there is much room. On a disk each of them takes a hundred times as
 * long, and a program that calls fsync(2) waits for it.
 */
int private_directory_make_small(struct private_directory *directory, char *reterr,
				 size_t reterr_size);
/* Is there room for as many small files more? */
bool private_directory_has_room(const char *path, uint64_t files);
/* It stays, as any other directory. Nothing, where there is none. */
void private_directory_keep(struct private_directory *directory);
/*
 * Lets all users pass through it, mode 0711, to files in it whose names they know. 0 or -errno.
 */
int private_directory_let_through(const struct private_directory *directory);
/* Removes it with all that is in it. */
void private_directory_remove(struct private_directory *directory);
/* Leaves it to another process that has 'lock' open (a child's, a parent's). */
void private_directory_leave(struct private_directory *directory);

/* Removes those of this user in TMPDIR, and in memory, whose processes were killed. */
void private_directories_remove_left(void);
/*
 * From now on, the making of one does not do so in this process and its children: the parent, which
 * makes many short ones, has done it. Not while others use these functions.
 */
void private_directories_leave_to_parent(void);

/* Removes a directory with all that is in it; links are removed, not followed. */
void remove_tree(const char *path);

#endif
