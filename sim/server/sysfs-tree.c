/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Files that stand for those of /sys: see sim/server/sysfs-tree.h.
 */
#include "config.h"

#include "sim/server/sysfs-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/system/private-directory.h"

enum {
	FILES_MODE = 0444, WRITABLE_MODE = 0644, DIRECTORIES_MODE = 0755,
	SAME_MAX = 64,		/* bytes of a text that others may have */
};

/* What is written, and where. */
struct content {
	const char *path, *name;
	const char *text;	/* the bytes, if others may have the same; else NULL */
	const void *bytes;
	size_t size;
	mode_t mode;
};

static void failed(struct sysfs_tree *tree, const char *path)
{
	if (tree->err)
		return;
	tree->err = errno ? errno : EIO;
	fprintf(stderr, "umadrig: %s: %s (what --sysfs shows is not right any more)\n", path,
		g_strerror(tree->err));
}

int sysfs_tree_make(struct sysfs_tree *tree, const char *directory)
{
	g_autofree char *root = g_build_filename(directory, "sys", NULL);

	if (mkdir(directory, 0700) < 0)
		return -errno;
	if (mkdir(root, DIRECTORIES_MODE) < 0) {
		int err = errno;

		rmdir(directory);
		return -err;
	}
	*tree = (struct sysfs_tree){
		.directory = g_strdup(directory), .root = g_steal_pointer(&root), .at_fd = -1,
		.same = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
	};
	sysfs_journal_init(&tree->journal);
	return 0;
}

void sysfs_tree_clear(struct sysfs_tree *tree)
{
	remove_tree(tree->directory);
	sysfs_journal_clear(&tree->journal);
	g_clear_pointer(&tree->same, g_hash_table_unref);
	g_clear_pointer(&tree->root, g_free);
	g_clear_pointer(&tree->directory, g_free);
}

void sysfs_tree_directory(struct sysfs_tree *tree, const char *path)
{
	g_autofree char *made = g_build_filename(tree->root, path, NULL);

	if (g_mkdir_with_parents(made, DIRECTORIES_MODE) < 0)
		failed(tree, made);
}

/* ---- many at a time ---- */

void sysfs_tree_add(struct sysfs_tree *tree)
{
	tree->adding++;
}

static void leave_directory(struct sysfs_tree *tree)
{
	if (tree->at_fd >= 0)
		close(tree->at_fd);
	tree->at_fd = -1;
	g_clear_pointer(&tree->at, g_free);
}

void sysfs_tree_added(struct sysfs_tree *tree)
{
	if (--tree->adding == 0)
		leave_directory(tree);
}

void sysfs_tree_show(struct sysfs_tree *tree)
{
	tree->is_seen = true;
}

/* The directory 'path', which is made; -1 with errno. */
static int directory_at(struct sysfs_tree *tree, const char *path)
{
	g_autofree char *full = NULL;

	if (tree->at && strcmp(tree->at, path) == 0)
		return tree->at_fd;
	leave_directory(tree);
	full = g_build_filename(tree->root, path, NULL);
	/* Most are new, and in one that is there. */
	if (mkdir(full, DIRECTORIES_MODE) < 0 && errno != EEXIST)
		sysfs_tree_directory(tree, path);
	tree->at_fd = open(full, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (tree->at_fd >= 0)
		tree->at = g_strdup(path);
	return tree->at_fd;
}

static bool write_new(int at, const char *name, const struct content *content)
{
	int fd = openat(at, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, content->mode);
	ssize_t written;

	if (fd < 0)
		return false;
	written = write(fd, content->bytes, content->size);
	close(fd);
	if (written == (ssize_t)content->size)
		return true;
	unlinkat(at, name, 0);
	return false;
}

/* The path of the file that others with this text are links to; NULL: none is to be. */
static char *same_file(struct sysfs_tree *tree, const struct content *content)
{
	const char *text = content->text;
	g_autofree char *path = NULL;
	void *number = NULL;

	if (!g_hash_table_lookup_extended(tree->same, text, NULL, &number)) {
		g_hash_table_insert(tree->same, g_strdup(text), GUINT_TO_POINTER(0));
		return NULL;
	}
	if (number)
		return g_strdup_printf("%s/same%u", tree->directory, GPOINTER_TO_UINT(number));
	path = g_strdup_printf("%s/same%u", tree->directory, ++tree->same_count);
	if (!write_new(AT_FDCWD, path, content))
		return NULL;
	g_hash_table_insert(tree->same, g_strdup(text), GUINT_TO_POINTER(tree->same_count));
	return g_steal_pointer(&path);
}

/* False: it is to be written as any other, such as one that is there already. */
static bool put_new(struct sysfs_tree *tree, const struct content *content)
{
	g_autofree char *same = NULL;
	int at = directory_at(tree, content->path);

	if (at < 0)
		return false;
	if (content->text && content->size <= SAME_MAX)
		same = same_file(tree, content);
	if (same && linkat(AT_FDCWD, same, at, content->name, 0) == 0)
		return true;
	return !tree->is_seen && write_new(at, content->name, content);
}

static void note_new(struct sysfs_tree *tree, const char *path, const char *name)
{
	g_autofree char *inner = g_build_filename(path, name, NULL);

	tree->written++;
	sysfs_journal_note(&tree->journal, inner, false);
}

/* ---- one at a time ---- */

static int move(struct sysfs_tree *tree, const char *from, const char *path, const char *to)
{
	if (rename(from, to) == 0)
		return 0;
	if (errno != ENOENT)
		return -1;
	sysfs_tree_directory(tree, path);
	return rename(from, to);
}

/*
 * What is written beside the tree gets its place in it, so that it never appears there half written
 * or under another name.
 */
static void place(struct sysfs_tree *tree, const char *beside, bool is_written, const char *path,
		  const char *name)
{
	g_autofree char *inner = g_build_filename(path, name, NULL);
	g_autofree char *to = g_build_filename(tree->root, inner, NULL);

	tree->written++;
	if (!is_written || move(tree, beside, path, to) < 0)
		failed(tree, to);
	else
		sysfs_journal_note(&tree->journal, inner, false);
}

static void put(struct sysfs_tree *tree, const struct content *content)
{
	g_autofree char *beside = NULL;
	ssize_t written = -1;
	int fd;

	if (tree->adding && put_new(tree, content)) {
		note_new(tree, content->path, content->name);
		return;
	}
	beside = g_build_filename(tree->directory, "next", NULL);
	errno = 0;
	fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, content->mode);
	if (fd >= 0) {
		written = write(fd, content->bytes, content->size);
		close(fd);
	}
	place(tree, beside, written == (ssize_t)content->size, content->path, content->name);
}

void sysfs_tree_put_bytes(struct sysfs_tree *tree, const char *path, const char *name,
			  const void *bytes, size_t size)
{
	const struct content content = {
		.path = path, .name = name, .bytes = bytes, .size = size, .mode = FILES_MODE,
	};

	put(tree, &content);
}

/* 'content' has all but the text. What can be written is no link to a file that others have. */
static void put_text(struct sysfs_tree *tree, struct content content, const char *format,
		     va_list args)
{
	g_autofree char *text = g_strdup_vprintf(format, args);

	content.bytes = text;
	content.size = strlen(text);
	content.text = content.mode == FILES_MODE ? text : NULL;
	put(tree, &content);
}

void sysfs_tree_put(struct sysfs_tree *tree, const char *path, const char *name,
		    const char *format, ...)
{
	const struct content content = { .path = path, .name = name, .mode = FILES_MODE };
	va_list args;

	va_start(args, format);
	put_text(tree, content, format, args);
	va_end(args);
}

void sysfs_tree_put_writable(struct sysfs_tree *tree, const char *path, const char *name,
			     const char *format, ...)
{
	const struct content content = { .path = path, .name = name, .mode = WRITABLE_MODE };
	va_list args;

	va_start(args, format);
	put_text(tree, content, format, args);
	va_end(args);
}

/*
 * From directory 'path' to 'target', as the kernel writes it: up to a directory that the target is
 * in, and down.
 */
static char *relative(const char *path, const char *target)
{
	GString *text = g_string_new(NULL);
	size_t common = 0, i;

	for (i = 0; path[i] == target[i] && target[i]; i++)
		if (target[i] == '/')
			common = i + 1;
	/* "a/b" from "a/b/c" is "../../b", but "a/b/d" from "a/b" is "d". */
	if (path[i] == '\0' && target[i] == '/')
		common = i + 1;
	for (const char *c = path + MIN(common, strlen(path)); *c; c += strcspn(c, "/")) {
		c += *c == '/';
		g_string_append(text, "../");
	}
	g_string_append(text, target + common);
	return g_string_free(text, false);
}

void sysfs_tree_link(struct sysfs_tree *tree, const char *path, const char *name,
		     const char *target)
{
	g_autofree char *beside = NULL, *text = relative(path, target);
	int at = tree->adding ? directory_at(tree, path) : -1;

	if (at >= 0 && symlinkat(text, at, name) == 0) {
		note_new(tree, path, name);
		return;
	}
	beside = g_build_filename(tree->directory, "link", NULL);
	errno = 0;
	place(tree, beside, symlink(text, beside) == 0, path, name);
}

void sysfs_tree_take_away(struct sysfs_tree *tree, const char *path)
{
	g_autofree char *gone = g_build_filename(tree->root, path, NULL);

	if (unlink(gone) < 0)
		remove_tree(gone);
	sysfs_journal_note(&tree->journal, path, true);
}
