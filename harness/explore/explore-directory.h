/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Where runs are, and what is kept of those that fail: one that the user names, or one in TMPDIR,
 * which is removed at the end unless something is kept in it, also if this process is killed.
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_DIRECTORY_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "sim/system/private-directory.h"

struct explore_directory {
	char *path;			/* absolute */
	struct private_directory own;	/* none where the user has named it */
	pid_t guard;			/* 0: none */
};

/*
 * Makes 'output', or one in TMPDIR where it is NULL. 0, or -errno with a message. To be called
 * before any thread is made.
 */
int explore_directory_make(struct explore_directory *directory, const char *output, char *reterr,
			   size_t reterr_size);
/* 'is_kept': there is something in it. */
void explore_directory_end(struct explore_directory *directory, bool is_kept);

#endif
