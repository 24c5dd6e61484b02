/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Memory shared with programs: see sim/server/shared-memory.h.
 */
#include "config.h"

#include "sim/server/shared-memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

void *shared_memory_new(size_t size, int *ret_fd)
{
	int fd = memfd_create("umadrig", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	void *at = MAP_FAILED;

	/* A program that could shrink it could kill the server by SIGBUS. */
	if (fd >= 0 && ftruncate(fd, (off_t)size) == 0 &&
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
		at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at != MAP_FAILED) {
		*ret_fd = fd;
		return at;
	}
	if (fd >= 0) {
		int err = errno;

		close(fd);
		errno = err;
	}
	return NULL;
}
