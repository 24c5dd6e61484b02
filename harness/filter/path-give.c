/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Descriptors for programs: see harness/filter/path-give.h.
 */
#include "config.h"

#include "harness/filter/path-give.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/filter/host-view.h"
#include "harness/filter/numbers.h"
#include "harness/filter/supervisor-turn.h"

static void say_low(pid_t tid)
{
	static bool said;

	if (!said)
		fprintf(stderr, "umadrig: process %d has no high descriptor number free: it may "
			"miss simulated devices below the directories that it has open (ulimit -n "
			"raises its limit)\n", (int)tid);
	said = true;
}

long path_give_high(struct supervisor *supervisor, const struct seccomp_notif *call, int fd,
		    bool cloexec)
{
	int number = number_free(supervisor, (pid_t)call->pid), ret = -EBADF;

	host_views_note_given(supervisor->views);
	if (number >= 0)
		ret = listener_give(supervisor->listener, call, fd, number, cloexec);
	/* There is none, or the process has lowered its limit. */
	if (ret == -EBADF) {
		say_low((pid_t)call->pid);
		ret = listener_give(supervisor->listener, call, fd, -1, cloexec);
	}
	close(fd);
	return ret < 0 ? ret : CALL_ANSWERED;
}

long path_give(struct supervisor *supervisor, const struct seccomp_notif *call, int fd,
	       bool cloexec)
{
	struct stat st;
	bool is_directory;
	int ret;

	/* A program may serve the file system that it is on itself: see path_place_enter(). */
	turn_outside_begin();
	is_directory = fstat(fd, &st) == 0 && S_ISDIR(st.st_mode);
	turn_outside_end();
	if (is_directory)
		return path_give_high(supervisor, call, fd, cloexec);
	ret = listener_give(supervisor->listener, call, fd, -1, cloexec);
	turn_outside_begin();
	close(fd);
	turn_outside_end();
	return ret < 0 ? ret : CALL_ANSWERED;
}
