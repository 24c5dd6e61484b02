/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The journal of a view: see sim/server/sysfs-journal.h.
 */
#include "config.h"

#include "sim/server/sysfs-journal.h"

#include <string.h>
#include <sys/stat.h>

#include "lib/attach/protocol.h"
#include "lib/base/monotonic.h"

/* The latest that happened to a name. */
struct journal_entry {
	uint64_t number;
	bool is_removed;
};

struct named_entry {
	const char *name;
	const struct journal_entry *entry;
};

void sysfs_journal_init(struct sysfs_journal *journal)
{
	journal->entries = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	/* After any number of an earlier view of the same host. */
	journal->last = (uint64_t)monotonic_ns();
}

void sysfs_journal_clear(struct sysfs_journal *journal)
{
	g_clear_pointer(&journal->entries, g_hash_table_unref);
}

void sysfs_journal_note(struct sysfs_journal *journal, const char *name, bool is_removed)
{
	struct journal_entry *entry = g_hash_table_lookup(journal->entries, name);

	if (!entry) {
		entry = g_new0(struct journal_entry, 1);
		g_hash_table_insert(journal->entries, g_strdup(name), entry);
	}
	*entry = (struct journal_entry){ ++journal->last, is_removed };
}

static int by_number(const void *left, const void *right)
{
	const struct named_entry *a = left, *b = right;

	return (a->entry->number > b->entry->number) - (a->entry->number < b->entry->number);
}

static void put_record(GByteArray *bytes, enum attach_change_kind kind, const char *name,
		       const char *text, size_t text_size)
{
	struct attach_change change = {
		.kind = kind,
		.name_size = (uint32_t)strlen(name),
		.text_size = (uint32_t)text_size,
	};

	g_byte_array_append(bytes, (const guint8 *)&change, sizeof(change));
	g_byte_array_append(bytes, (const guint8 *)name, change.name_size);
	g_byte_array_append(bytes, (const guint8 *)text, change.text_size);
}

static void put_entry(const struct named_entry *named, const char *directory, GByteArray *bytes)
{
	g_autofree char *path = g_build_filename(directory, named->name, NULL);
	g_autofree char *target = g_file_read_link(path, NULL), *text = NULL;
	enum attach_change_kind kind = ATTACH_CHANGE_FILE;
	struct stat st;
	gsize size;

	/* A file that is gone went with its directory, whose entry says so. */
	if (named->entry->is_removed)
		put_record(bytes, ATTACH_CHANGE_REMOVED, named->name, "", 0);
	else if (target)
		put_record(bytes, ATTACH_CHANGE_LINK, named->name, target, strlen(target));
	else if (stat(path, &st) == 0 && g_file_get_contents(path, &text, &size, NULL)) {
		if (st.st_mode & S_IWUSR)
			kind = ATTACH_CHANGE_WRITABLE;
		put_record(bytes, kind, named->name, text, size);
	}
}

void sysfs_journal_put(const struct sysfs_journal *journal, uint64_t since, const char *directory,
		       GByteArray *bytes)
{
	g_autoptr(GArray) newer = g_array_new(false, false, sizeof(struct named_entry));
	GHashTableIter iter;
	void *name, *entry;

	g_hash_table_iter_init(&iter, journal->entries);
	while (g_hash_table_iter_next(&iter, &name, &entry)) {
		struct named_entry named = { name, entry };

		if (named.entry->number > since)
			g_array_append_val(newer, named);
	}
	g_array_sort(newer, by_number);
	for (guint i = 0; i < newer->len; i++)
		put_entry(&g_array_index(newer, struct named_entry, i), directory, bytes);
}
