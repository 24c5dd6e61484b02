/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The directory of the runs: see harness/explore/explore-directory.h.
 *
 * Its lock (sim/system/private-directory.h) is this process's and, as their copy, that of the runs'
 * processes, but of no program. A guard waits for it: who gets it is alone with the directory.
 */
#include "config.h"

#include "harness/explore/explore-directory.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include "sim/process/process-reap.h"
#include "sim/process/process-spawn.h"

static void guard(const char *path) G_GNUC_NORETURN;

static void guard(const char *path)
{
	g_autofree char *name = g_build_filename(path, PRIVATE_DIRECTORY_LOCK, NULL);
	int lock;

	/* Pipes whose readers wait for their end, and the copy of the lock. */
	spawn_close_others(NULL, 0);
	lock = open(name, O_RDONLY | O_CLOEXEC);
	while (lock >= 0 && flock(lock, LOCK_EX) < 0 && errno == EINTR)
		continue;
	if (lock >= 0)
		close(lock);
	private_directories_remove_left();
	_exit(0);
}

static int make_own(struct explore_directory *directory, char *reterr, size_t reterr_size)
{
	/* What ends our session, or asks it to end, is not for the guard. */
	struct spawn spawn = { .leads = SPAWN_LEADS_SESSION };
	sigset_t all;
	int ret = private_directory_make(&directory->own, PRIVATE_DIRECTORY_EXPLORE, reterr,
					 reterr_size);

	if (ret < 0)
		return ret;
	directory->path = g_strdup(directory->own.path);
	if (directory->own.lock < 0)
		return 0;
	/* If there is no guard, the next umadrig removes the directory. */
	sigfillset(&all);
	spawn.mask = &all;
	directory->guard = spawn_fork(&spawn);
	if (directory->guard == 0)
		guard(directory->path);
	directory->guard = MAX(directory->guard, 0);
	return 0;
}

int explore_directory_make(struct explore_directory *directory, const char *output, char *reterr,
			   size_t reterr_size)
{
	*directory = (struct explore_directory){ .own.lock = -1 };
	private_directories_remove_left();
	private_directories_leave_to_parent();
	if (!output)
		return make_own(directory, reterr, reterr_size);
	if (g_mkdir(output, 0777) < 0) {
		int err = errno;

		g_snprintf(reterr, reterr_size, "%s: %s", output, g_strerror(err));
		return -err;
	}
	directory->path = g_canonicalize_filename(output, NULL);
	return 0;
}

void explore_directory_end(struct explore_directory *directory, bool is_kept)
{
	if (is_kept)
		private_directory_keep(&directory->own);
	else
		private_directory_remove(&directory->own);
	if (directory->guard > 0)
		reap(directory->guard);
	g_clear_pointer(&directory->path, g_free);
}
