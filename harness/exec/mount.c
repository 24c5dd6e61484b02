/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A mount namespace of the program's own, in which directories may be covered without any effect
 * outside it.
 *
 * What is to be mounted is a plan, made before fork(2): the child of a process that may have
 * threads can call what is async-signal-safe, and nothing else. GLib, which allocates and takes
 * locks, is for the parent: a lock that another thread held is never free in the child.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/exec/exec.h"

enum mount_act {
	MOUNT_COVER,	/* an empty directory over 'to', and 'names' of the old one in it */
	MOUNT_LINK,	/* the link 'from', made again as 'to' */
	MOUNT_ADD,	/* 'from' is bound to 'to', which is made, and cannot be written there */
	MOUNT_REPLACE,	/* 'from' is bound over 'to' */
};

struct mount_step {
	enum mount_act act;
	char *from, *to;
	char **names;	/* NULL-terminated */
};

struct exec_mounts {
	char *uids, *gids;	/* for the maps of a user namespace */
	GArray *steps;		/* of struct mount_step */
};

static void step_clear(void *data)
{
	struct mount_step *step = data;

	g_free(step->from);
	g_free(step->to);
	g_strfreev(step->names);
}

struct exec_mounts *exec_mounts_new(void)
{
	struct exec_mounts *mounts = g_new0(struct exec_mounts, 1);

	mounts->uids = g_strdup_printf("%u %u 1", (unsigned int)geteuid(), (unsigned int)geteuid());
	mounts->gids = g_strdup_printf("%u %u 1", (unsigned int)getegid(), (unsigned int)getegid());
	mounts->steps = g_array_new(false, false, sizeof(struct mount_step));
	g_array_set_clear_func(mounts->steps, step_clear);
	return mounts;
}

void exec_mounts_free(struct exec_mounts *mounts)
{
	if (!mounts)
		return;
	g_free(mounts->uids);
	g_free(mounts->gids);
	g_array_unref(mounts->steps);
	g_free(mounts);
}

/* ---- the plan, made in the parent ---- */

/* The names in a directory that are not hidden, unsorted; none if it cannot be read. */
static char **list(const char *directory, exec_mount_hides_fn *hides)
{
	GDir *dir = g_dir_open(directory, 0, NULL);
	GPtrArray *names = g_ptr_array_new();
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		if (!hides(name))
			g_ptr_array_add(names, g_strdup(name));
	}
	if (dir)
		g_dir_close(dir);
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, false);
}

void exec_mounts_cover(struct exec_mounts *mounts, const char *directory,
		       exec_mount_hides_fn *hides)
{
	exec_mounts_keep(mounts, directory, list(directory, hides));
}

void exec_mounts_keep(struct exec_mounts *mounts, const char *directory, char **names)
{
	struct mount_step step = {
		.act = MOUNT_COVER, .to = g_strdup(directory), .names = names,
	};

	g_array_append_val(mounts->steps, step);
}

void exec_mounts_add(struct exec_mounts *mounts, const char *from, const char *path)
{
	struct mount_step step = {
		.act = g_file_test(from, G_FILE_TEST_IS_SYMLINK) ? MOUNT_LINK : MOUNT_ADD,
		.from = g_strdup(from), .to = g_strdup(path),
	};

	g_array_append_val(mounts->steps, step);
}

void exec_mounts_replace(struct exec_mounts *mounts, const char *from, const char *path)
{
	struct mount_step step = {
		.act = MOUNT_REPLACE, .from = g_strdup(from), .to = g_strdup(path),
	};

	g_array_append_val(mounts->steps, step);
}

/* ---- carried out in the child, by system calls alone ---- */

static int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int ret = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

/* Enters a user namespace with the same user and group, which grants the right to mount. */
static int enter_user_namespace(const struct exec_mounts *mounts)
{
	int ret;

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return -errno;
	/* user_namespaces(7): a group map may be written once setgroups is disabled. */
	ret = write_file("/proc/self/setgroups", "deny");
	if (ret == 0 || ret == -ENOENT)
		ret = write_file("/proc/self/uid_map", mounts->uids);
	if (ret == 0)
		ret = write_file("/proc/self/gid_map", mounts->gids);
	return ret;
}

int exec_mounts_enter(const struct exec_mounts *mounts)
{
	static bool entered;
	int ret = 0;

	if (entered)
		return 0;
	if (unshare(CLONE_NEWNS) < 0)
		ret = errno == EPERM ? enter_user_namespace(mounts) : -errno;
	/* Mounts made here must not propagate. */
	if (ret == 0 && mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) < 0)
		ret = -errno;
	entered = ret == 0;
	return ret;
}

/* Makes a mount point of the same kind as 'st'. */
static int make_place(const char *path, const struct stat *st)
{
	int fd;

	if (S_ISDIR(st->st_mode))
		return mkdir(path, 0755) < 0 ? -errno : 0;
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

static int replace(const char *from, const char *path)
{
	return mount(from, path, NULL, MS_BIND | MS_REC, NULL) < 0 ? -errno : 0;
}

/* A mount would show what the link leads to. */
static int add_link(const char *from, const char *path)
{
	char target[PATH_MAX];
	ssize_t size = readlink(from, target, sizeof(target) - 1);

	if (size < 0)
		return -errno;
	target[size] = '\0';
	return symlink(target, path) < 0 ? -errno : 0;
}

static int add(const char *from, const char *path)
{
	struct stat st;
	int ret;

	if (stat(from, &st) < 0)
		return -errno;
	ret = make_place(path, &st);
	return ret < 0 ? ret : replace(from, path);
}

/* Appends 'text' to a string of 'size' bytes at most; false: there is no room. */
static bool append(char *string, size_t size, const char *text)
{
	size_t used = strlen(string), more = strlen(text);

	if (used + more >= size)
		return false;
	memcpy(string + used, text, more + 1);
	return true;
}

/* "/proc/self/fd/FD/": snprintf() may allocate. */
static void descriptor_path(char path[static 32], int fd)
{
	char digits[12], *first = digits + sizeof(digits) - 1;

	*first = '\0';
	do {
		*--first = (char)('0' + fd % 10);
		fd /= 10;
	} while (fd > 0);
	strcpy(path, "/proc/self/fd/");
	strcat(path, first);
	strcat(path, "/");
}

/* Gives a name of the covered directory 'from' the same name in the one that covers it. */
static int give_back(const char *from, const char *directory, const char *name)
{
	char old[PATH_MAX] = "", path[PATH_MAX] = "", byte;

	if (!append(old, sizeof(old), from) || !append(old, sizeof(old), name) ||
	    !append(path, sizeof(path), directory) || !append(path, sizeof(path), "/") ||
	    !append(path, sizeof(path), name))
		return -ENAMETOOLONG;
	return readlink(old, &byte, 1) < 0 ? add(old, path) : add_link(old, path);
}

static int cover(const struct mount_step *step)
{
	int from = open(step->to, O_PATH | O_DIRECTORY | O_CLOEXEC);
	char prefix[32];
	int ret = 0;

	if (from < 0)
		return -errno;
	descriptor_path(prefix, from);
	if (mount("umadrig", step->to, "tmpfs", MS_NOSUID | MS_NOEXEC, "mode=755") < 0)
		ret = -errno;
	for (char **name = step->names; ret == 0 && *name; name++) {
		ret = give_back(prefix, step->to, *name);
		if (ret == -ENOENT)
			ret = 0;	/* it has gone since */
	}
	close(from);
	return ret;
}

/*
 * Linux before 5.12 has no call for it that a user namespace may always make; there root's programs
 * can write what is shown, though nobody notices.
 */
static void make_read_only(const char *path)
{
#ifdef MOUNT_ATTR_RDONLY
	struct mount_attr attr = { .attr_set = MOUNT_ATTR_RDONLY };

	syscall(SYS_mount_setattr, AT_FDCWD, path, 0, &attr, sizeof(attr));
#else
	(void)path;
#endif
}

static int take(const struct mount_step *step)
{
	int ret;

	switch (step->act) {
	case MOUNT_COVER:
		return cover(step);
	case MOUNT_LINK:
		return add_link(step->from, step->to);
	case MOUNT_ADD:
		ret = add(step->from, step->to);
		if (ret == 0)
			make_read_only(step->to);
		return ret;
	case MOUNT_REPLACE:
		return replace(step->from, step->to);
	}
	return 0;
}

int exec_mounts_make(const struct exec_mounts *mounts)
{
	int ret = 0;

	for (guint i = 0; ret == 0 && i < mounts->steps->len; i++)
		ret = take(&g_array_index(mounts->steps, struct mount_step, i));
	return ret;
}
