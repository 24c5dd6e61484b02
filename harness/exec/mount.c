/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A mount namespace of the program's own, in which directories may be covered without any effect
 * outside it.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/exec/exec.h"

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
static int enter_user_namespace(void)
{
	g_autofree char *uids = g_strdup_printf("%u %u 1", (unsigned int)geteuid(),
						(unsigned int)geteuid());
	g_autofree char *gids = g_strdup_printf("%u %u 1", (unsigned int)getegid(),
						(unsigned int)getegid());
	int ret;

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return -errno;
	/* user_namespaces(7): a group map may be written once setgroups is disabled. */
	ret = write_file("/proc/self/setgroups", "deny");
	if (ret == 0 || ret == -ENOENT)
		ret = write_file("/proc/self/uid_map", uids);
	if (ret == 0)
		ret = write_file("/proc/self/gid_map", gids);
	return ret;
}

int exec_mount_enter(void)
{
	static bool entered;
	int ret = 0;

	if (entered)
		return 0;
	if (unshare(CLONE_NEWNS) < 0)
		ret = errno == EPERM ? enter_user_namespace() : -errno;
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

int exec_mount_over(const char *from, const char *path)
{
	return mount(from, path, NULL, MS_BIND | MS_REC, NULL) < 0 ? -errno : 0;
}

int exec_mount_bind(const char *from, const char *directory, const char *name)
{
	g_autofree char *path = g_build_filename(directory, name, NULL);
	struct stat st;
	int ret;

	if (stat(from, &st) < 0)
		return -errno;
	ret = make_place(path, &st);
	return ret < 0 ? ret : exec_mount_over(from, path);
}

/* The names in a directory, unsorted. NULL: it cannot be read. */
static GPtrArray *list(const char *directory)
{
	GDir *dir = g_dir_open(directory, 0, NULL);
	GPtrArray *names;
	const char *name;

	if (!dir)
		return NULL;
	names = g_ptr_array_new_with_free_func(g_free);
	while ((name = g_dir_read_name(dir)))
		g_ptr_array_add(names, g_strdup(name));
	g_dir_close(dir);
	return names;
}

int exec_mount_cover(const char *directory, exec_mount_hides_fn *hides)
{
	g_autoptr(GPtrArray) names = list(directory);
	int from = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int ret = 0;

	if (from < 0)
		return -errno;
	if (mount("umadrig", directory, "tmpfs", MS_NOSUID | MS_NOEXEC, "mode=755") < 0)
		ret = -errno;
	for (guint i = 0; ret == 0 && names && i < names->len; i++) {
		const char *name = names->pdata[i];
		g_autofree char *old = g_strdup_printf("/proc/self/fd/%d/%s", from, name);

		if (!hides(name))
			ret = exec_mount_bind(old, directory, name);
		if (ret == -ENOENT)
			ret = 0;	/* a dangling link */
	}
	close(from);
	return ret;
}
