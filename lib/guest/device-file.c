/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Device files for somebody outside: see lib/guest/device-file.h.
 */
#include "lib/guest/device-file.h"

#include <dirent.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/words/number.h"

#define CLASS "/sys/class/infiniband_mad"

enum { NAME_SIZE = 64, PATH_SIZE = 320 };

/* ---- answers ---- */

static void answer(uint32_t number, int64_t result, short revents, const void *argument,
		   size_t size, int channel)
{
	uint8_t bytes[sizeof(uint32_t) + DEVICE_FILE_ARGUMENT_MAX];
	uint32_t value = htole32((uint32_t)(uint16_t)revents);

	memcpy(bytes, &value, sizeof(value));
	if (size > 0)
		memcpy(bytes + sizeof(value), argument, size);
	guest_channel_send(channel, UMADRIG_GUEST_FILE_DONE, number, (uint32_t)result, bytes,
			   sizeof(value) + size);
}

void device_file_answer_none(uint32_t number, int err, int channel)
{
	answer(number, -err, 0, NULL, 0, channel);
}

static short look(const struct device_file *file)
{
	struct pollfd one = { .fd = file->fd, .events = POLLIN | POLLOUT };

	return poll(&one, 1, 0) > 0 ? one.revents : 0;
}

static void finish(struct device_file *file, int64_t result, const void *argument, size_t size,
		   int channel)
{
	file->said = look(file);
	answer(file->number, result, file->said, argument, size, channel);
}

void device_file_ready(struct device_file *file, short revents, int channel)
{
	if ((revents & ~file->said) == 0)
		return;
	file->said = look(file);
	guest_channel_send(channel, UMADRIG_GUEST_FILE_READY, file->number,
			   (uint32_t)(uint16_t)file->said, NULL, 0);
}

/* ---- opening ---- */

/* A line of a file in sysfs, without its end; "": there is none. */
static void read_line(const char *directory, const char *name, char *line, size_t size)
{
	char path[PATH_SIZE];
	FILE *file;

	line[0] = '\0';
	snprintf(path, sizeof(path), CLASS "/%s/%s", directory, name);
	file = fopen(path, "re");
	if (!file)
		return;
	if (!fgets(line, (int)size, file))
		line[0] = '\0';
	fclose(file);
	line[strcspn(line, "\n")] = '\0';
}

static bool is_of(const char *entry, const char *device, unsigned int port)
{
	char line[NAME_SIZE];
	uint64_t number;

	read_line(entry, "ibdev", line, sizeof(line));
	if (strcmp(line, device) != 0)
		return false;
	read_line(entry, "port", line, sizeof(line));
	return number_parse(line, 0, UINT8_MAX, &number) == 0 && number == port;
}

/* The name below /dev/infiniband. 0 or -ENODEV. */
static int find(const char *prefix, const char *device, unsigned int port, char *name, size_t size)
{
	DIR *directory = opendir(CLASS);
	const struct dirent *entry;
	int ret = -ENODEV;

	while (directory && ret == -ENODEV && (entry = readdir(directory))) {
		if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0 ||
		    !is_of(entry->d_name, device, port))
			continue;
		ret = strlen(entry->d_name) < size ? 0 : -ENAMETOOLONG;
		if (ret == 0)
			strcpy(name, entry->d_name);
	}
	if (directory)
		closedir(directory);
	return ret;
}

static int open_it(const struct guest_message *message)
{
	const char *prefix = message->value == UMADRIG_GUEST_FILE_ISSM ? "issm" : "umad";
	char device[NAME_SIZE] = "", name[NAME_SIZE], path[PATH_SIZE];
	int ret, fd;

	if (message->size >= sizeof(device))
		return -EBADMSG;
	memcpy(device, message->content, message->size);
	ret = find(prefix, device, message->port, name, sizeof(name));
	if (ret < 0)
		return ret;
	snprintf(path, sizeof(path), "/dev/infiniband/%s", name);
	fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

struct device_file *device_file_open(const struct guest_message *message, int channel)
{
	struct device_file *file = calloc(1, sizeof(*file));
	int fd = file ? open_it(message) : -ENOMEM;

	if (fd < 0) {
		free(file);
		device_file_answer_none(message->program, -fd, channel);
		return NULL;
	}
	file->number = message->program;
	file->fd = fd;
	finish(file, 0, NULL, 0, channel);
	return file;
}

void device_file_free(struct device_file *file)
{
	close(file->fd);
	free(file->bytes);
	free(file);
}

/* ---- calls ---- */

static void control(struct device_file *file, const struct guest_message *message, int channel)
{
	uint8_t argument[DEVICE_FILE_ARGUMENT_MAX] = { 0 };
	size_t size = message->size < sizeof(argument) ? message->size : sizeof(argument);
	int ret;

	memcpy(argument, message->content, size);
	ret = ioctl(file->fd, (unsigned long)message->value, size > 0 ? argument : NULL);
	finish(file, ret < 0 ? -errno : ret, argument, size, channel);
}

/* -errno: nothing will come of this write. */
static int add_piece(struct device_file *file, const struct guest_message *message)
{
	uint8_t *grown;

	if (message->size > UMADRIG_GUEST_FILE_MAX - file->size)
		return -ENOMEM;
	grown = realloc(file->bytes, file->size + message->size + 1);
	if (!grown)
		return -ENOMEM;
	memcpy(grown + file->size, message->content, message->size);
	file->bytes = grown;
	file->size += message->size;
	return 0;
}

static void write_to(struct device_file *file, const struct guest_message *message, int channel)
{
	int64_t ret = add_piece(file, message);

	if (message->flags & UMADRIG_HCA_FLAG_MORE)
		return;
	if (ret == 0) {
		ret = write(file->fd, file->bytes, file->size);
		ret = ret < 0 ? -errno : ret;
	}
	free(file->bytes);
	file->bytes = NULL;
	file->size = 0;
	finish(file, ret, NULL, 0, channel);
}

static void read_from(struct device_file *file, const struct guest_message *message, int channel)
{
	size_t room = message->value < UMADRIG_GUEST_FILE_MAX ? message->value :
		      UMADRIG_GUEST_FILE_MAX;
	/* Pages that are never filled cost nothing, but to map them each time does. */
	static uint8_t bytes[UMADRIG_GUEST_FILE_MAX];
	ssize_t got = read(file->fd, bytes, room);
	int err = errno;
	/* Where all has no room, the kernel has filled what there is. */
	size_t size = got >= 0 ? (size_t)got : err == ENOSPC ? room : 0;

	for (size_t at = 0; at < size; at += GUEST_CONTENT_MAX)
		guest_channel_send(channel, UMADRIG_GUEST_FILE_DATA, file->number, 0, bytes + at,
				   size - at < GUEST_CONTENT_MAX ? size - at :
								   (size_t)GUEST_CONTENT_MAX);
	finish(file, got < 0 ? -err : got, NULL, 0, channel);
}

void device_file_act(struct device_file *file, const struct guest_message *message, int channel)
{
	if (message->type == UMADRIG_GUEST_FILE_IOCTL)
		control(file, message, channel);
	else if (message->type == UMADRIG_GUEST_FILE_WRITE)
		write_to(file, message, channel);
	else
		read_from(file, message, channel);
}
