/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* How much of what runs out is left. */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "harness/doctor/doctor.h"
#include "sim/process/process-reap.h"
#include "sim/process/process-spawn.h"

enum {
	INSTANCES = 8,			/* of inotify; a session takes two at most */
	DESCRIPTORS = 1024,		/* what programs expect */
	CHILDREN = 16,			/* processes of a small session */
	ROOM_MB = 64,			/* of a directory for sockets, logs and captures */
};

/* ---- inotify ---- */

void doctor_look_inotify(struct doctor_finding *ret)
{
	g_autofree char *most = NULL;
	int fds[INSTANCES], count = 0, err = 0;

	while (count < INSTANCES && (fds[count] = inotify_init1(IN_CLOEXEC)) >= 0)
		count++;
	if (count < INSTANCES)
		err = errno;
	for (int i = 0; i < count; i++)
		close(fds[i]);
	if (!g_file_get_contents("/proc/sys/fs/inotify/max_user_instances", &most, NULL, NULL))
		most = g_strdup("unknown");
	g_strstrip(most);
	if (err == 0) {
		ret->found = g_strdup_printf("%d instances are free (fs.inotify.max_user_instances "
					     "is %s)", INSTANCES, most);
		return;
	}
	ret->state = DOCTOR_LACK;
	ret->found = g_strdup_printf("only %d instances are free (fs.inotify.max_user_instances is "
				     "%s): %s", count, most, g_strerror(err));
	ret->cost = g_strdup("sessions with the filter or --sysfs fail with 'Too many open files'");
	ret->cure = g_strdup("sysctl fs.inotify.max_user_instances=8192, or fewer programs of this "
			     "user that watch files");
}

/* ---- descriptors ---- */

void doctor_look_descriptors(struct doctor_finding *ret)
{
	struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };

	getrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_max == RLIM_INFINITY) {
		ret->found = g_strdup("there is no limit");
		return;
	}
	ret->found = g_strdup_printf("a process may have %llu",
				     (unsigned long long)limit.rlim_max);
	if (limit.rlim_max >= DESCRIPTORS)
		return;
	ret->state = DOCTOR_LACK;
	ret->cost = g_strdup("a fabric server needs two for each handle that programs open, and "
			     "turns them away when it has none left");
	ret->cure = g_strdup_printf("'ulimit -Hn %d' or more, before umadrig starts", DESCRIPTORS);
}

/* ---- processes ---- */

/* Makes up to CHILDREN processes that wait for the end of 'fd'. Their number; 'reterr' if fewer. */
static int make_children(int ends[2], pid_t pids[CHILDREN], int *reterr)
{
	char byte;
	int count;

	for (count = 0; count < CHILDREN; count++) {
		pids[count] = spawn_fork_bare(NULL);
		if (pids[count] < 0) {
			*reterr = -pids[count];
			break;
		}
		if (pids[count] == 0) {
			close(ends[1]);
			_exit(read(ends[0], &byte, 1) < 0);
		}
	}
	return count;
}

void doctor_look_processes(struct doctor_finding *ret)
{
	pid_t pids[CHILDREN];
	int ends[2], count, err = 0;

	if (pipe(ends) < 0) {
		err = errno;
		count = 0;
	} else {
		count = make_children(ends, pids, &err);
		close(ends[1]);
		for (int i = 0; i < count; i++)
			reap(pids[i]);
		close(ends[0]);
	}
	if (err == 0) {
		ret->found = g_strdup_printf("%d more can be started", CHILDREN);
		return;
	}
	ret->state = DOCTOR_LACK;
	ret->found = g_strdup_printf("only %d more can be started: %s", count, g_strerror(err));
	ret->cost = g_strdup("a session takes three processes and some threads, beside those of "
			     "the program");
	ret->cure = g_strdup("a higher 'ulimit -u' (it counts all processes of this user), or "
			     "pids.max of the container");
}

/* ---- a place for sockets and logs ---- */

static void lack_directory(struct doctor_finding *ret, const char *path, const char *why)
{
	ret->state = DOCTOR_LACK;
	ret->found = g_strdup_printf("%s: %s", path, why);
	ret->cost = g_strdup("sessions cannot make their sockets there, and logs and captures are "
			     "cut off");
	ret->cure = g_strdup("make room, or name another directory in TMPDIR");
}

void doctor_look_directory(struct doctor_finding *ret)
{
	g_autofree char *path = g_build_filename(g_get_tmp_dir(), "umadrig-doctor-XXXXXX", NULL);
	struct statvfs info;

	if (!g_mkdtemp(path)) {
		lack_directory(ret, g_get_tmp_dir(), g_strerror(errno));
		return;
	}
	rmdir(path);
	if (statvfs(g_get_tmp_dir(), &info) == 0 &&
	    (guint64)info.f_bavail * info.f_frsize < (guint64)ROOM_MB << 20)
		lack_directory(ret, g_get_tmp_dir(), "less than 64 MB are free");
	else
		ret->found = g_strdup_printf("%s can be used", g_get_tmp_dir());
}
