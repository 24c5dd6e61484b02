/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Files and links that stand for those of /sys, in a directory.
 *
 * A file is replaced as a whole: a reader gets the old text or the new. What happens to each is in
 * a journal. All paths are relative to /sys; the directories that they name are made. A file that
 * cannot be written is reported on stderr, once.
 *
 * A host with hundreds of virtual functions has a hundred thousand files, most of them with one of
 * some hundred texts. While many are added (sysfs_tree_add()) those with the same text are links to
 * one file, and the directory stays open.
 */
#ifndef UMADRIG_SIM_SERVER_SYSFS_TREE_H
#define UMADRIG_SIM_SERVER_SYSFS_TREE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "sim/server/sysfs-journal.h"

struct sysfs_tree {
	char *directory;
	char *root;		/* in it: what stands for /sys */
	unsigned int written;	/* files and links, since it was made */
	int err;		/* of the first that could not be written */
	bool is_seen;		/* programs may look at it */
	unsigned int adding;	/* calls of sysfs_tree_add() */
	char *at;		/* while adding: the directory that was written to last, */
	int at_fd;		/* and its descriptor */
	GHashTable *same;	/* text -> number of the file that has it; 0: the first one's */
	unsigned int same_count;
	struct sysfs_journal journal;
};

/* Makes 'directory', which must not exist. 0 or -errno. */
int sysfs_tree_make(struct sysfs_tree *tree, const char *directory);
/* Removes it. */
void sysfs_tree_clear(struct sysfs_tree *tree);

/*
 * Between these two, which may be nested, the files that are written have no names yet. What has
 * one is replaced, as ever.
 */
void sysfs_tree_add(struct sysfs_tree *tree);
void sysfs_tree_added(struct sysfs_tree *tree);
/* From now on programs may look at it. */
void sysfs_tree_show(struct sysfs_tree *tree);

void sysfs_tree_directory(struct sysfs_tree *tree, const char *path);
/* Writes file 'name' of directory 'path'. */
void sysfs_tree_put_bytes(struct sysfs_tree *tree, const char *path, const char *name,
			  const void *bytes, size_t size);
void sysfs_tree_put(struct sysfs_tree *tree, const char *path, const char *name,
		    const char *format, ...) G_GNUC_PRINTF(4, 5);
/* The same of a file that programs may write (sim/server/sysfs-store.h). */
void sysfs_tree_put_writable(struct sysfs_tree *tree, const char *path, const char *name,
			     const char *format, ...) G_GNUC_PRINTF(4, 5);
/* Makes the link 'name' of directory 'path' lead to 'target', by a relative path as in sysfs. */
void sysfs_tree_link(struct sysfs_tree *tree, const char *path, const char *name,
		     const char *target);
/* Removes a link, or a directory with all that is in it. */
void sysfs_tree_take_away(struct sysfs_tree *tree, const char *path);

#endif
