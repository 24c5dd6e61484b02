/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Bytes that a program has sent in a memfd: see sim/server/memfd.h.
 */
#include "config.h"

#include "sim/server/memfd.h"

#include <fcntl.h>
#include <glib.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Is it a memfd (or a file of tmpfs)? Only for such files is it certain that a read does not block.
 */
static bool is_memfd(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && fcntl(fd, F_GET_SEALS) >= 0;
}

uint8_t *memfd_read(int fd, size_t size)
{
	uint8_t *bytes;

	if (!is_memfd(fd))
		return NULL;
	bytes = g_try_malloc(size);
	if (bytes && pread(fd, bytes, size, 0) != (ssize_t)size)
		g_clear_pointer(&bytes, g_free);
	return bytes;
}
