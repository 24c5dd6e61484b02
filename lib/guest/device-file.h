/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Device files of a guest that somebody outside has open: umadN and issmN. Each call on one is a
 * message, which is answered at once, as the files do not block.
 */
#ifndef UMADRIG_LIB_GUEST_DEVICE_FILE_H
#define UMADRIG_LIB_GUEST_DEVICE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/guest/guest-channel.h"

enum {
	DEVICE_FILES_MAX = 512,
	/* Of an ioctl's argument. */
	DEVICE_FILE_ARGUMENT_MAX = 256,
};

struct device_file {
	struct device_file *next;
	uint32_t number;
	int fd;
	short said;		/* as of poll(2), outside knows of it */
	uint8_t *bytes;		/* of a write, whose last piece has not come */
	size_t size;
};

/* Opens the file that a message FILE_OPEN wants, and answers. NULL: that failed. */
struct device_file *device_file_open(const struct guest_message *message, int channel);
void device_file_free(struct device_file *file);

/* A message about it, FILE_IOCTL, _WRITE or _READ: does it, and answers. */
void device_file_act(struct device_file *file, const struct guest_message *message, int channel);
/* An answer to a call on a file that is not there, or not any more. */
void device_file_answer_none(uint32_t number, int err, int channel);
/* poll(2) has found this: says so if it is new. */
void device_file_ready(struct device_file *file, short revents, int channel);

#endif
