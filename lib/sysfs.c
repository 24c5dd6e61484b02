/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* sysfs.c: reads attributes of the kernel, one open, read and close each. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/sysfs.h"
#include "lib/words/number.h"

struct sysfs_roots umad_roots = {
	.infiniband = "/sys/class/infiniband",
	.infiniband_mad = "/sys/class/infiniband_mad",
	.dev = "/dev/infiniband",
};

int sysfs_path(char *path, size_t size, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(path, size, format, args);
	va_end(args);
	return length >= 0 && (size_t)length < size ? 0 : -ENAMETOOLONG;
}

int sysfs_read_text(const char *dir, const char *file, char *value, size_t size)
{
	char path[SYSFS_PATH_SIZE];
	int fd, saved_errno;
	long length;

	if (sysfs_path(path, sizeof(path), "%s/%s", dir, file) < 0)
		return -ENAMETOOLONG;
	do
		fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd < 0 && errno == EINTR);
	if (fd < 0)
		return -errno;
	do
		length = read(fd, value, size - 1);
	while (length < 0 && errno == EINTR);
	saved_errno = errno;
	close(fd);
	if (length < 0)
		return -saved_errno;
	if (length > 0 && value[length - 1] == '\n')
		length--;
	value[length] = '\0';
	return (int)length;
}

int sysfs_read_number(const char *dir, const char *file, unsigned int *ret)
{
	const char *at;
	char value[32];
	uint64_t number;
	int r;

	r = sysfs_read_text(dir, file, value, sizeof(value));
	if (r < 0)
		return r;
	/* "4: ACTIVE" */
	at = value;
	if (number_take(&at, 0, UINT_MAX, &number) < 0)
		return -EINVAL;
	*ret = (unsigned int)number;
	return 0;
}

/* Reads groups of 16 bits in hex, separated by colons or blanks: 0 if there are 'count' of them. */
static int parse_groups(const char *text, uint16_t *ret, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t group;

		text += strspn(text, ": \t\n");
		if (number_take(&text, 16, UINT16_MAX, &group) < 0)
			return -EINVAL;
		ret[i] = (uint16_t)group;
	}
	return 0;
}

static uint64_t join_groups(const uint16_t *groups)
{
	return (uint64_t)groups[0] << 48 | (uint64_t)groups[1] << 32 |
	       (uint64_t)groups[2] << 16 | groups[3];
}

int sysfs_read_guid(const char *dir, const char *file, uint64_t *ret)
{
	uint16_t groups[4];
	char value[64];
	int r;

	r = sysfs_read_text(dir, file, value, sizeof(value));
	if (r >= 0)
		r = parse_groups(value, groups, 4);
	if (r < 0)
		return r;
	*ret = join_groups(groups);
	return 0;
}

int sysfs_read_gid(const char *dir, const char *file, uint64_t *ret_prefix, uint64_t *ret_id)
{
	uint16_t groups[8];
	char value[64];
	int r;

	r = sysfs_read_text(dir, file, value, sizeof(value));
	if (r >= 0)
		r = parse_groups(value, groups, 8);
	if (r < 0)
		return r;
	*ret_prefix = join_groups(groups);
	*ret_id = join_groups(groups + 4);
	return 0;
}

static int compare_numbers(const void *a, const void *b)
{
	const unsigned int x = *(const unsigned int *)a, y = *(const unsigned int *)b;

	return (x > y) - (x < y);
}

/* Does 'name' consist of 'prefix' and a number without leading zeros? */
static int parse_entry(const char *name, const char *prefix, unsigned int *ret)
{
	size_t skip = strlen(prefix);
	uint64_t number;

	if (strncmp(name, prefix, skip) != 0 ||
	    (name[skip] == '0' && name[skip + 1] != '\0') ||
	    number_parse_decimal(name + skip, 0, INT_MAX, &number) < 0)
		return -EINVAL;
	*ret = (unsigned int)number;
	return 0;
}

int sysfs_list_numbers(const char *dir, const char *prefix, unsigned int **ret_numbers,
		       size_t *ret_count)
{
	unsigned int *numbers = NULL, *grown, number;
	size_t count = 0, room = 0;
	struct dirent *entry;
	int r = 0;
	DIR *d;

	d = opendir(dir);
	if (!d)
		return -errno;
	while (errno = 0, (entry = readdir(d))) {
		if (parse_entry(entry->d_name, prefix, &number) < 0)
			continue;
		if (count == room) {
			room = room ? 2 * room : 16;
			grown = realloc(numbers, room * sizeof(*numbers));
			if (!grown) {
				errno = ENOMEM;
				break;
			}
			numbers = grown;
		}
		numbers[count++] = number;
	}
	r = -errno;
	closedir(d);
	if (r < 0) {
		free(numbers);
		return r;
	}
	if (count > 0)
		qsort(numbers, count, sizeof(*numbers), compare_numbers);
	*ret_numbers = numbers;
	*ret_count = count;
	return 0;
}
