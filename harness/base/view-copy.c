/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The copy of a view: see harness/base/view-copy.h.
 *
 * One call is always under way: its reply is what changes next.
 */
#include "config.h"

#include "harness/base/view-copy.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/attach/protocol.h"
#include "lib/base/socket-message.h"
#include "sim/system/private-directory.h"

enum {
	FILES_MODE = 0444, WRITABLE_MODE = 0644, DIRECTORIES_MODE = 0755,
	ASIDE_MAX = 64 << 20,	/* bytes: a host has some tens of kilobytes */
};

struct view_copy {
	int fd;			/* -1: the server has gone */
	uint64_t last;		/* the number of the latest change in it */
	char *directory, *root;
	bool has_failed;	/* a file could not be written; it was said */
};

/* ---- files ---- */

/* A name that leads nowhere but into the copy, whatever the server is. */
static bool is_name(const char *name)
{
	g_auto(GStrv) parts = g_strsplit(name, "/", -1);

	for (char **part = parts; *part; part++) {
		if (**part == '\0' || strcmp(*part, ".") == 0 || strcmp(*part, "..") == 0)
			return false;
	}
	return parts[0] != NULL;
}

static void fail(struct view_copy *copy, const char *path)
{
	if (!copy->has_failed)
		fprintf(stderr, "umadrig: %s: %s (what is in /sys is not right any more)\n", path,
			g_strerror(errno));
	copy->has_failed = true;
}

/*
 * A link's target that leads nowhere but into the copy, from a name in it: first up, at most to the
 * copy's own directory, then down.
 */
static bool is_target(const char *name, const char *target)
{
	size_t depth = 0;

	for (const char *c = name; *c; c++)
		depth += *c == '/';
	for (; g_str_has_prefix(target, "../"); target += strlen("../"))
		if (depth-- == 0)
			return false;
	return is_name(target);
}

/*
 * Opens the directory that a name is in, which is made if 'makes'. Links on the way are followed
 * nowhere: what was allowed of each of them alone could lead out of the copy together. -1 with
 * errno.
 */
static int open_parent(const struct view_copy *copy, const char *name, bool makes,
		       const char **ret_last)
{
	const int flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int fd = open(copy->root, flags);
	const char *slash;

	for (; fd >= 0 && (slash = strchr(name, '/')); name = slash + 1) {
		g_autofree char *part = g_strndup(name, (gsize)(slash - name));
		int inner;

		if (makes)
			mkdirat(fd, part, DIRECTORIES_MODE);
		inner = openat(fd, part, flags);
		close(fd);
		fd = inner;
	}
	*ret_last = name;
	return fd;
}

static int make_beside(const char *beside, enum attach_change_kind kind, const char *text,
		       size_t size)
{
	g_autofree char *target = g_strndup(text, size);
	ssize_t written;
	int fd;

	unlink(beside);
	if (kind == ATTACH_CHANGE_LINK)
		return symlink(target, beside);
	fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		  kind == ATTACH_CHANGE_WRITABLE ? WRITABLE_MODE : FILES_MODE);
	if (fd < 0)
		return -1;
	written = write(fd, text, size);
	close(fd);
	return written == (ssize_t)size ? 0 : -1;
}

/* As the server writes it: beside the tree first, so that no reader gets half a file. */
static void put(struct view_copy *copy, const char *name, enum attach_change_kind kind,
		const char *text, size_t size)
{
	g_autofree char *beside = g_build_filename(copy->directory, "next", NULL);
	const char *last;
	int fd = open_parent(copy, name, true, &last);

	if (fd < 0 || make_beside(beside, kind, text, size) < 0 ||
	    renameat(AT_FDCWD, beside, fd, last) < 0)
		fail(copy, name);
	if (fd >= 0)
		close(fd);
}

static void take_away(const struct view_copy *copy, const char *name)
{
	g_autofree char *path = g_build_filename(copy->root, name, NULL);
	const char *last;
	int fd = open_parent(copy, name, false, &last);

	if (fd < 0)
		return;
	if (unlinkat(fd, last, 0) < 0)
		remove_tree(path);
	close(fd);
}

/* ---- messages ---- */

/* False: it is nothing that may be done. */
static bool carry_out(struct view_copy *copy, uint32_t kind, const char *name, const char *text,
		      size_t size)
{
	g_autofree char *target = NULL;

	if (!is_name(name))
		return false;
	switch ((enum attach_change_kind)kind) {
	case ATTACH_CHANGE_FILE:
	case ATTACH_CHANGE_WRITABLE:
		put(copy, name, (enum attach_change_kind)kind, text, size);
		return true;
	case ATTACH_CHANGE_LINK:
		target = g_strndup(text, size);
		if (strlen(target) != size || !is_target(name, target))
			return false;
		put(copy, name, ATTACH_CHANGE_LINK, text, size);
		return true;
	case ATTACH_CHANGE_REMOVED:
		take_away(copy, name);
		return true;
	}
	return false;
}

/* Takes one change from the bytes. Returns how many those are; 0: it is none. */
static size_t take_one(struct view_copy *copy, const char *bytes, size_t size)
{
	g_autofree char *name = NULL;
	struct attach_change change;

	if (size < sizeof(change))
		return 0;
	memcpy(&change, bytes, sizeof(change));
	if (change.name_size > size - sizeof(change) ||
	    change.text_size > size - sizeof(change) - change.name_size)
		return 0;
	name = g_strndup(bytes + sizeof(change), change.name_size);
	if (strlen(name) != change.name_size ||
	    !carry_out(copy, change.kind, name, bytes + sizeof(change) + change.name_size,
		       change.text_size))
		return 0;
	return sizeof(change) + change.name_size + change.text_size;
}

/* False: it is not a reply as in lib/attach/protocol.h. */
static bool take(struct view_copy *copy, const GByteArray *reply)
{
	const char *bytes = (const char *)reply->data;
	struct attach_changes head;
	size_t at = sizeof(head);

	if (reply->len < sizeof(head))
		return false;
	memcpy(&head, bytes, sizeof(head));
	while (at < reply->len) {
		size_t taken = take_one(copy, bytes + at, reply->len - at);

		if (taken == 0)
			return false;
		at += taken;
	}
	copy->last = head.last;
	return true;
}

static int ask(struct view_copy *copy)
{
	struct attach_call call = { .op = ATTACH_SYSFS_CHANGES };
	const struct iovec parts[] = {
		{ .iov_base = &call, .iov_len = sizeof(call) },
		{ .iov_base = &copy->last, .iov_len = sizeof(copy->last) },
	};
	int ret;

	do
		ret = socket_message_send(copy->fd, parts, G_N_ELEMENTS(parts), -1, 0);
	while (ret == -EINTR);
	return ret;
}

/* What was too long for the reply itself. */
static int read_aside(int fd, GByteArray *bytes)
{
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (st.st_size < 0 || st.st_size > ASIDE_MAX)
		return -EPROTO;
	g_byte_array_set_size(bytes, (guint)st.st_size);
	n = pread(fd, bytes->data, bytes->len, 0);
	return n == (ssize_t)bytes->len ? 0 : -EIO;
}

/* Receives a reply. 0, or -errno: -EAGAIN, none is there; or the server's. */
static int receive(const struct view_copy *copy, int message_flags, GByteArray *bytes)
{
	struct attach_reply reply;
	struct iovec parts[] = {
		{ .iov_base = &reply, .iov_len = sizeof(reply) },
		{ .iov_len = ATTACH_INLINE_MAX },
	};
	int fd, flags, ret = 0;
	long n;

	g_byte_array_set_size(bytes, ATTACH_INLINE_MAX);
	parts[1].iov_base = bytes->data;
	do
		n = socket_message_receive(copy->fd, parts, G_N_ELEMENTS(parts), message_flags, &fd,
					   &flags);
	while (n == -EINTR);
	if (n == -EAGAIN)
		return -EAGAIN;
	if (n < (long)sizeof(reply) || (flags & (MSG_TRUNC | MSG_CTRUNC)))
		ret = -EIO;
	else if (reply.result < 0)
		ret = (int)reply.result;
	else if (fd >= 0)
		ret = read_aside(fd, bytes);
	else
		g_byte_array_set_size(bytes, (guint)(n - (long)sizeof(reply)));
	if (fd >= 0)
		close(fd);
	/* What a server says of another call must not look as if nothing were there. */
	return ret == -EAGAIN ? -EPROTO : ret;
}

/* Receives a reply, carries it out, and asks for the next. 0, or as receive(). */
static int step(struct view_copy *copy, int flags)
{
	g_autoptr(GByteArray) reply = g_byte_array_new();
	int ret = receive(copy, flags, reply);

	if (ret < 0)
		return ret;
	return take(copy, reply) ? ask(copy) : -EPROTO;
}

/* ---- coming and going ---- */

struct view_copy *view_copy_new(int connection, const char *directory)
{
	struct view_copy *copy = g_new(struct view_copy, 1);
	g_autofree char *root = g_build_filename(directory, "sys", NULL);
	g_autofree char *infiniband = g_build_filename(root, "class", "infiniband", NULL);
	int ret;

	*copy = (struct view_copy){
		.fd = connection,
		.directory = g_strdup(directory),
		.root = g_steal_pointer(&root),
	};
	ret = mkdir(directory, 0700) < 0 ||
	      g_mkdir_with_parents(infiniband, DIRECTORIES_MODE) < 0 ? -errno : 0;
	if (ret == 0)
		ret = ask(copy);
	if (ret == 0)
		ret = step(copy, 0);
	if (ret == 0 && copy->has_failed)
		ret = -EIO;
	if (ret == 0)
		return copy;
	view_copy_free(copy);
	errno = -ret;
	return NULL;
}

void view_copy_free(struct view_copy *copy)
{
	if (!copy)
		return;
	if (copy->fd >= 0)
		close(copy->fd);
	remove_tree(copy->directory);
	g_free(copy->directory);
	g_free(copy->root);
	g_free(copy);
}

const char *view_copy_path(const struct view_copy *copy)
{
	return copy->root;
}

int view_copy_fd(const struct view_copy *copy)
{
	return copy->fd;
}

static void server_has_gone(struct view_copy *copy)
{
	close(copy->fd);
	copy->fd = -1;
	remove_tree(copy->root);
}

void view_copy_update(struct view_copy *copy)
{
	int ret = 0;

	while (copy->fd >= 0 && ret == 0)
		ret = step(copy, MSG_DONTWAIT);
	if (copy->fd >= 0 && ret != -EAGAIN)
		server_has_gone(copy);
}

void view_copy_await(struct view_copy *copy, uint64_t number)
{
	int ret = 0;

	while (copy->fd >= 0 && ret == 0 && copy->last < number)
		ret = step(copy, 0);
	if (copy->fd >= 0 && ret < 0)
		server_has_gone(copy);
}
