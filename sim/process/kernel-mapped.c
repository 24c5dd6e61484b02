/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What the kernel maps by itself: see sim/process/kernel-mapped.h. */
#include "config.h"

#include "sim/process/kernel-mapped.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "lib/words/number.h"

/* A line of /proc/PID/maps is as long as a path, and more. */
struct lines {
	int fd;
	size_t size;		/* of what has been read and not been taken */
	char bytes[8192];
};

/* Bytes of a mapping, by its line. */
static uint64_t size_of(const char *line)
{
	uint64_t begin, end;

	if (number_take(&line, 16, UINT64_MAX, &begin) < 0 || *line++ != '-' ||
	    number_take(&line, 16, UINT64_MAX, &end) < 0 || end < begin)
		return 0;
	return end - begin;
}

static uint64_t size_if_kernels(const char *line)
{
	return strstr(line, "[vvar") || strstr(line, "[vdso]") ? size_of(line) : 0;
}

/* Reads more; false: there is no more, or no room for a line. */
static bool fill(struct lines *lines)
{
	size_t room = sizeof(lines->bytes) - 1 - lines->size;
	ssize_t n = room ? read(lines->fd, lines->bytes + lines->size, room) : 0;

	if (n <= 0)
		return false;
	lines->size += (size_t)n;
	return true;
}

/* Takes whole lines: how much the kernel's are of those. */
static uint64_t take(struct lines *lines)
{
	char *line = lines->bytes, *end;
	uint64_t size = 0;

	lines->bytes[lines->size] = '\0';
	while ((end = strchr(line, '\n'))) {
		*end = '\0';
		size += size_if_kernels(line);
		line = end + 1;
	}
	lines->size -= (size_t)(line - lines->bytes);
	memmove(lines->bytes, line, lines->size);
	return size;
}

uint64_t kernel_mapped_size(void)
{
	struct lines lines = { .fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC), .size = 0 };
	uint64_t size = 0;

	if (lines.fd < 0)
		return 0;
	while (fill(&lines))
		size += take(&lines);
	close(lines.fd);
	return size;
}
