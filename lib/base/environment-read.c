/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The environment of another process: see lib/base/environment-read.h. */
#include "lib/base/environment-read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The kernel gives a program 6 MiB of arguments and environment at most (its _STK_LIM). */
enum { SIZE_FIRST = 64 << 10, SIZE_LAST = 8 << 20 };

/*
 * All of the file, behind which there is a 0, in memory that the caller frees; its size. -EIO: not
 * all of it can be read.
 */
static ssize_t read_all(int fd, char **ret)
{
	size_t room = SIZE_FIRST, size = 0;
	char *text = malloc(room);

	while (text) {
		ssize_t n = read(fd, text + size, room - size - 1);
		char *wider = text;

		if (n == 0) {
			text[size] = '\0';
			*ret = text;
			return (ssize_t)size;
		}
		size += n < 0 ? 0 : (size_t)n;
		if (size + 1 == room)
			wider = room < SIZE_LAST ? realloc(text, room *= 2) : NULL;
		if (n < 0 || !wider)
			break;
		text = wider;
	}
	free(text);
	return -EIO;
}

/* The value of the variable, or NULL. */
static const char *find(const char *text, size_t size, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = text; at < text + size; at += strlen(at) + 1) {
		if (strncmp(at, name, length) == 0 && at[length] == '=')
			return at + length + 1;
	}
	return NULL;
}

static int copy(const char *found, char *value, size_t size)
{
	if (!found)
		return -ENOENT;
	if (strlen(found) >= size)
		return -ENAMETOOLONG;
	strcpy(value, found);
	return 0;
}

int environment_read(pid_t tid, const char *name, char *value, size_t size)
{
	char path[32], *text = NULL;
	ssize_t length;
	int fd, ret;

	snprintf(path, sizeof(path), "/proc/%d/environ", (int)tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -EIO;
	length = read_all(fd, &text);
	close(fd);
	if (length < 0)
		return -EIO;
	ret = copy(find(text, (size_t)length, name), value, size);
	free(text);
	return ret;
}
