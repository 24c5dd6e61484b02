/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The file systems of a guest: see lib/guest/guest-mounts.h.
 */
#include "lib/guest/guest-mounts.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>

static const struct {
	const char *type, *path;
	unsigned long flags;
	const char *options;
	bool is_made;		/* the directory is not there before */
	bool is_optional;	/* hosts may lack it */
} mounts[] = {
	{ "proc", "/proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL, false, false },
	{ "sysfs", "/sys", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL, false, false },
	{ "devtmpfs", "/dev", MS_NOSUID, NULL, false, false },
	{ "devpts", "/dev/pts", MS_NOSUID | MS_NOEXEC, "ptmxmode=0666", true, false },
	{ "tmpfs", "/dev/shm", MS_NOSUID | MS_NODEV, "mode=1777", true, false },
	{ "tmpfs", "/run", MS_NOSUID | MS_NODEV, "mode=0755", false, false },
	{ "tmpfs", "/var/log", MS_NOSUID | MS_NODEV, "mode=0755", false, true },
	{ "tmpfs", "/var/cache", MS_NOSUID | MS_NODEV, "mode=0755", false, true },
};

static void complain(void (*say)(const char *text), const char *path)
{
	char text[256];

	snprintf(text, sizeof(text), "%s cannot be mounted: %s", path, strerror(errno));
	say(text);
}

void guest_mounts_make(const char *files, void (*say)(const char *text))
{
	for (size_t i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		if (mounts[i].is_made)
			mkdir(mounts[i].path, 0755);
		if (mount(mounts[i].type, mounts[i].path, mounts[i].type, mounts[i].flags,
			  mounts[i].options) < 0 &&
		    !(mounts[i].is_optional && errno == ENOENT))
			complain(say, mounts[i].path);
	}
	/* For TMPDIR: the host's /tmp is read only here. */
	if (mkdir("/run/tmp", 0) == 0)
		chmod("/run/tmp", 01777);
	/* hostfs takes the host's path, whatever is mounted there here. */
	if (files && mount("hostfs", files, "hostfs", MS_NOSUID | MS_NODEV, files) < 0)
		complain(say, files);
}
