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

enum { FILES_MODE = 0444, DIRECTORIES_MODE = 0755 };

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
		.directory = g_strdup(directory), .root = g_steal_pointer(&root),
	};
	sysfs_journal_init(&tree->journal);
	return 0;
}

void sysfs_tree_clear(struct sysfs_tree *tree)
{
	remove_tree(tree->directory);
	sysfs_journal_clear(&tree->journal);
	g_clear_pointer(&tree->root, g_free);
	g_clear_pointer(&tree->directory, g_free);
}

void sysfs_tree_directory(struct sysfs_tree *tree, const char *path)
{
	g_autofree char *made = g_build_filename(tree->root, path, NULL);

	if (g_mkdir_with_parents(made, DIRECTORIES_MODE) < 0)
		failed(tree, made);
}

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

void sysfs_tree_put_bytes(struct sysfs_tree *tree, const char *path, const char *name,
			  const void *bytes, size_t size)
{
	g_autofree char *beside = g_build_filename(tree->directory, "next", NULL);
	ssize_t written = -1;
	int fd;

	errno = 0;
	fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, FILES_MODE);
	if (fd >= 0) {
		written = write(fd, bytes, size);
		close(fd);
	}
	place(tree, beside, written == (ssize_t)size, path, name);
}

void sysfs_tree_put(struct sysfs_tree *tree, const char *path, const char *name,
		    const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	sysfs_tree_put_bytes(tree, path, name, text, strlen(text));
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
	g_autofree char *beside = g_build_filename(tree->directory, "link", NULL);
	g_autofree char *text = relative(path, target);

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
