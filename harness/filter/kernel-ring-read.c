/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/kernel-ring-read.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/kernel-ring.h"
#include "lib/words/number.h"

/* What file 'name' of the ring has, with a terminating zero behind it; or -ENOENT. */
static ssize_t read_file(int shown, const char *ring, const char *name, char *bytes, size_t room)
{
	char path[sizeof(KERNEL_MESSAGES) + 32];
	ssize_t size;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", ring, name);
	fd = openat(shown, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -ENOENT;
	size = read(fd, bytes, room - 1);
	close(fd);
	if (size < 0)
		return -ENOENT;
	bytes[size] = '\0';
	return size;
}

/* The number in the first line; returns what follows, NULL: there is none. */
static char *skip_number(char *text, uint64_t *ret)
{
	char *end = strchr(text, '\n');

	if (!end)
		return NULL;
	*end = '\0';
	return number_parse_decimal(text, 0, UINT64_MAX, ret) < 0 ? NULL : end + 1;
}

uint64_t kernel_ring_count(int shown, const char *ring)
{
	uint64_t count = 0;
	char text[32];

	if (read_file(shown, ring, KERNEL_RING_COUNT, text, sizeof(text)) < 0 ||
	    !skip_number(text, &count))
		return 0;
	return count;
}

uint64_t kernel_ring_first(int shown, const char *ring)
{
	uint64_t count = kernel_ring_count(shown, ring);

	return count > KERNEL_RING_SLOTS ? count - KERNEL_RING_SLOTS : 0;
}

ssize_t kernel_ring_read(int shown, const char *ring, uint64_t number, char *record)
{
	char name[24], bytes[KERNEL_RECORD_MAX + 1];
	uint64_t found;
	const char *rest;
	ssize_t size;

	snprintf(name, sizeof(name), "%u", (unsigned int)(number % KERNEL_RING_SLOTS));
	size = read_file(shown, ring, name, bytes, sizeof(bytes));
	rest = size < 0 ? NULL : skip_number(bytes, &found);
	if (!rest || found != number)
		return -ENOENT;
	size -= rest - bytes;
	memcpy(record, rest, (size_t)size);
	return size;
}
