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
 * The same in memory, for many small files that are gone with their process: on a disk they take a
 * hundred times as long. Not where TMPDIR says where such things are to be (-EXDEV), nor where
 * there is no room for as many files (-ENOSPC), or no such place (-errno). The mode is that of
 * 'like'. There is no message: the caller then uses another directory.
 */
int private_directory_make_in_memory(struct private_directory *directory, uint64_t files,
				     const char *like);
/* Is there room for as many files more? */
bool private_directory_has_room(const struct private_directory *directory, uint64_t files);
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

/* Removes a directory with all that is in it; links are removed, not followed. */
void remove_tree(const char *path);

#endif
