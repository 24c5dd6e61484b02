/*
 * Real umad and issm devices out of sight, in a mount namespace of the program's own: what does not
 * come through our library (a raw open, a child that cleaned its environment) then finds none.
 *
 * Everything else in /dev/infiniband (uverbs, rdma_cm) stays: only MADs are simulated.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exec.h"

#define DEVICES "/dev/infiniband"

static gboolean is_hidden(const char *name)
{
	return g_str_has_prefix(name, "umad") || g_str_has_prefix(name, "issm");
}

/* Names in the devices' directory, sorted; NULL where there is none of those to hide. */
static GPtrArray *list_devices(void)
{
	GDir *dir = g_dir_open(DEVICES, 0, NULL);
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	gboolean found = FALSE;
	const char *name;

	if (!dir)
		return NULL;
	while ((name = g_dir_read_name(dir)) != NULL) {
		found |= is_hidden(name);
		g_ptr_array_add(names, g_strdup(name));
	}
	g_dir_close(dir);
	return found ? g_steal_pointer(&names) : NULL;
}

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

/* A user namespace in which this user is who he was: it gives the right to mount. */
static int enter_user_namespace(void)
{
	g_autofree char *uids = g_strdup_printf("%u %u 1", (unsigned int)geteuid(),
						(unsigned int)geteuid());
	g_autofree char *gids = g_strdup_printf("%u %u 1", (unsigned int)getegid(),
						(unsigned int)getegid());
	int ret;

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return -errno;
	/* user_namespaces(7): a group map may be written once setgroups is out of use. */
	ret = write_file("/proc/self/setgroups", "deny");
	if (ret == 0 || ret == -ENOENT)
		ret = write_file("/proc/self/uid_map", uids);
	if (ret == 0)
		ret = write_file("/proc/self/gid_map", gids);
	return ret;
}

static int enter_mount_namespace(void)
{
	int ret = 0;

	if (unshare(CLONE_NEWNS) < 0)
		ret = errno == EPERM ? enter_user_namespace() : -errno;
	/* What is mounted here stays here. */
	if (ret == 0 && mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) < 0)
		ret = -errno;
	return ret;
}

/* One that stays, bound into the new directory. 'from': the old directory. */
static int keep_device(int from, const char *name)
{
	g_autofree char *path = g_build_filename(DEVICES, name, NULL);
	g_autofree char *old = g_strdup_printf("/proc/self/fd/%d/%s", from, name);
	struct stat st;
	int fd;

	if (fstatat(from, name, &st, 0) < 0)
		return 0;	/* a link to nowhere */
	if (S_ISDIR(st.st_mode)) {
		if (mkdir(path, 0755) < 0)
			return -errno;
	} else {
		fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
		if (fd < 0)
			return -errno;
		close(fd);
	}
	return mount(old, path, NULL, MS_BIND | MS_REC, NULL) < 0 ? -errno : 0;
}

/* An empty directory over the old one, and what stays put into it. */
static int cover(const GPtrArray *names)
{
	int from = open(DEVICES, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int ret = 0;

	if (from < 0)
		return -errno;
	if (mount("umadrig", DEVICES, "tmpfs", MS_NOSUID | MS_NOEXEC, "mode=755") < 0)
		ret = -errno;
	for (guint i = 0; ret == 0 && i < names->len; i++) {
		if (!is_hidden(names->pdata[i]))
			ret = keep_device(from, names->pdata[i]);
	}
	close(from);
	return ret;
}

char *exec_hide_devices(void)
{
	g_autoptr(GPtrArray) names = list_devices();
	int ret;

	if (!names)
		return NULL;
	ret = enter_mount_namespace();
	if (ret == 0)
		ret = cover(names);
	if (ret == 0)
		return NULL;
	return g_strdup_printf("the real devices in " DEVICES " cannot be hidden (%s): what opens them "
			       "without libibumad reaches the real fabric", g_strerror(-ret));
}
