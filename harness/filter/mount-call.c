/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/mount-call.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/filter/memory.h"
#include "harness/filter/supervisor.h"

#define HIDDEN "infiniband"	/* part of the path of each directory where they are hidden */

/* "." and the like. */
static bool is_within_hidden(pid_t tid)
{
	char path[32], directory[PATH_MAX] = "";

	snprintf(path, sizeof(path), "/proc/%d/cwd", (int)tid);
	return readlink(path, directory, sizeof(directory) - 1) > 0 && strstr(directory, HIDDEN);
}

/* As for a mount that came from another namespace, which cannot be taken away alone (EINVAL). */
long mount_on_umount(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	char path[PATH_MAX];
	int ret = memory_read_text((pid_t)call->pid, call->data.args[0], path, sizeof(path));

	(void)supervisor;
	if (ret < 0)
		return ret;
	if (strstr(path, HIDDEN) || (*path != '/' && is_within_hidden((pid_t)call->pid)))
		return -EINVAL;
	return CALL_GOES_ON;
}
