/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/verbs-values-read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/wire.h"
#include "lib/words/number.h"

enum { TEXT_SIZE = 2048, PATH_SIZE = 192 };

/* All of a small file, after a newline, so that each line begins behind one. False: none. */
static bool read_text(int shown, const char *path, char text[TEXT_SIZE])
{
	int fd = openat(shown, path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text + 1, TEXT_SIZE - 2);

	if (fd >= 0)
		close(fd);
	if (n < 0)
		return false;
	text[0] = '\n';
	text[1 + n] = '\0';
	return true;
}

static bool read_values(int shown, const char *device, const char *name, char text[TEXT_SIZE])
{
	char path[PATH_SIZE];

	snprintf(path, sizeof(path), VERBS_VALUES "/%s/%s", device, name);
	return read_text(shown, path, text);
}

/* 'name': with its newline and '='. 0 if it is not there. */
static uint64_t value_of(const char *text, const char *name)
{
	const char *at = strstr(text, name);
	uint64_t value = 0;

	if (at) {
		at += strlen(name);
		number_take(&at, 0, UINT64_MAX, &value);
	}
	return value;
}

#define TAKE(name) ret->name = value_of(text, "\n" #name "=");

int verbs_values_read_device(int shown, const char *device, struct verbs_device *ret)
{
	char text[TEXT_SIZE];

	if (!read_values(shown, device, VERBS_VALUES_DEVICE, text))
		return -EIO;
	VERBS_DEVICE_VALUES(TAKE)
	return 0;
}

int verbs_values_read_port(int shown, const char *device, unsigned int portnum,
			   struct verbs_port *ret)
{
	char text[TEXT_SIZE], name[16];

	snprintf(name, sizeof(name), "%u", portnum);
	if (!read_values(shown, device, name, text))
		return -EINVAL;
	VERBS_PORT_VALUES(TAKE)
	return 0;
}

/* Of a file as sysfs has it: "fe80:0000:...". */
int verbs_values_read_gid(int shown, const char *device, unsigned int portnum, unsigned int index,
			  uint8_t ret_gid[16])
{
	enum { PARTS = 8 };
	char path[PATH_SIZE], text[TEXT_SIZE];
	const char *at = text + 1;

	snprintf(path, sizeof(path), "class/infiniband/%s/ports/%u/gids/%u", device, portnum,
		 index);
	if (!read_text(shown, path, text))
		return -EINVAL;
	for (int i = 0; i < PARTS; i++) {
		uint64_t part = 0;

		if (number_take(&at, 16, UINT16_MAX, &part) < 0)
			return -EINVAL;
		put_be16(ret_gid + 2 * i, (uint16_t)part);
		at += *at == ':';
	}
	return 0;
}
