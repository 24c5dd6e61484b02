/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * When the files of a view were last written or removed, for programs that keep a copy of it
 * because they do not see the view itself.
 */
#ifndef UMADRIG_SIM_SERVER_SYSFS_JOURNAL_H
#define UMADRIG_SIM_SERVER_SYSFS_JOURNAL_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct sysfs_journal {
	GHashTable *entries;	/* by name, relative to the view: struct journal_entry */
	uint64_t last;		/* the number of the latest */
};

void sysfs_journal_init(struct sysfs_journal *journal);
void sysfs_journal_clear(struct sysfs_journal *journal);

/* A file or link has been written; or one has been removed, or a directory with all in it. */
void sysfs_journal_note(struct sysfs_journal *journal, const char *name, bool is_removed);

/*
 * Appends what has happened after number 'since' (0: everything), in its order, as the records of
 * ATTACH_SYSFS_CHANGES; the files are below 'directory'.
 */
void sysfs_journal_put(const struct sysfs_journal *journal, uint64_t since, const char *directory,
		       GByteArray *bytes);

#endif
