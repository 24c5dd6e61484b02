/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * issm-link.c: see lib/attach/issm-link.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/attach/issm-link.h"

enum { LINKS = 256 };	/* ports that one process may be the SM of */

/* Descriptors, each plus 1; 0: none. A program may have closed them: each is checked before use. */
static _Atomic int links[LINKS];

bool issm_link_is_needed(const char *path, int fd)
{
	struct stat seen, meant;
	int here = open(path, O_PATH | O_CLOEXEC);	/* IsSM does not notice */
	bool is_same = here >= 0 && fstat(here, &seen) == 0 && fstat(fd, &meant) == 0 &&
		       seen.st_dev == meant.st_dev && seen.st_ino == meant.st_ino;

	if (here >= 0)
		close(here);
	return !is_same;
}

/* Is it still the O_PATH descriptor of a pipe that was put here? */
static bool is_link(int fd, struct stat *ret)
{
	int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && (flags & O_PATH) && fstat(fd, ret) == 0 && S_ISFIFO(ret->st_mode);
}

/* Returns the kept descriptor of the same pipe, or -1. */
static int find(const struct stat *pipe)
{
	struct stat st;

	for (int i = 0; i < LINKS; i++) {
		int fd = atomic_load(&links[i]) - 1;

		if (fd >= 0 && is_link(fd, &st) && st.st_dev == pipe->st_dev &&
		    st.st_ino == pipe->st_ino)
			return fd;
	}
	return -1;
}

/* Keeps 'fd' in a place that is free, or whose pipe has gone with its device. */
static int keep(int fd)
{
	struct stat st;

	for (int i = 0; i < LINKS; i++) {
		int old = atomic_load(&links[i]);
		bool is_ours = old > 0 && is_link(old - 1, &st);

		if (is_ours && st.st_nlink > 0)
			continue;
		if (!atomic_compare_exchange_strong(&links[i], &old, fd + 1))
			continue;
		if (is_ours)
			close(old - 1);
		return 0;
	}
	return -EMFILE;
}

int issm_link_make(int fd, char *path, size_t size)
{
	struct stat st;
	int found, length, r = is_link(fd, &st) ? 0 : -EINVAL;

	found = r == 0 ? find(&st) : -1;
	length = snprintf(path, size, "/proc/self/fd/%d", found >= 0 ? found : fd);
	if (r == 0 && (size_t)length >= size)
		r = -ENAMETOOLONG;
	if (r == 0 && found < 0)
		r = keep(fd);
	if (r < 0 || found >= 0)
		close(fd);
	return r;
}
