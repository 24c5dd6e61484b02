/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A directory in TMPDIR that only this user may enter, for sockets, issm paths and what else stands
 * for devices. It goes with its process: whoever makes the next one takes away those whose
 * processes were killed.
 */
#ifndef UMADRIG_SIM_SYSTEM_PRIVATE_DIRECTORY_H
#define UMADRIG_SIM_SYSTEM_PRIVATE_DIRECTORY_H

#include <stddef.h>

/* Zeros: none. */
struct private_directory {
	char *path;	/* absolute; NULL: none */
	int lock;	/* open as long as somebody lives here; -1: nobody knows */
};

/* Makes one, mode 0700. 0, or -errno and why in 'reterr'. */
int private_directory_make(struct private_directory *directory, char *reterr, size_t reterr_size);
/* Takes it away with all that is in it. */
void private_directory_remove(struct private_directory *directory);
/* Leaves it to another process that has 'lock' open (a child's, a parent's). */
void private_directory_leave(struct private_directory *directory);

/* Removes a directory with all that is in it; links are removed, not followed. */
void remove_tree(const char *path);

#endif
