/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A fake guest's umad files: see tests/tools/fake-guest.h.
 */
#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "tests/tools/fake-guest.h"

/* Of umadN, what the tests need: a MAD that is written goes out, and answers can be read. */
struct file {
	uint32_t number;
	bool is_open;
	uint8_t written[64 + 256], waiting[8][64 + 256];
	size_t size;
	unsigned int count;
};

static struct file files[8];

static uint32_t revents_of(const struct file *file)
{
	return htole32(POLLOUT | (file->count ? POLLIN : 0));
}

static void say_of_file(uint32_t number, uint8_t type, uint32_t value, const void *payload,
			size_t size)
{
	struct umadrig_hca_header header = {
		.type = type, .sequence = htole32(number), .value = htole32(value),
	};

	fake_up(&header, payload, size);
}

static void done(const struct file *file, uint32_t number, int32_t value, const void *argument,
		 size_t size)
{
	uint8_t payload[4 + 64] = { 0 };
	uint32_t revents = file ? revents_of(file) : 0;

	memcpy(payload, &revents, 4);
	if (size)
		memcpy(payload + 4, argument, size);
	say_of_file(number, UMADRIG_GUEST_FILE_DONE, (uint32_t)value, payload, 4 + size);
}

static void open_file(uint32_t number)
{
	struct file *file = files;

	while (file < files + 8 && file->is_open)
		file++;
	if (file == files + 8) {
		done(NULL, number, -EMFILE, NULL, 0);
		return;
	}
	*file = (struct file){ .number = number, .is_open = true };
	done(file, number, 0, NULL, 0);
}

static void write_file(struct file *file, const struct umadrig_hca_header *header,
		       const uint8_t *payload, size_t size)
{
	uint16_t lid;

	if (file->size + size > sizeof(file->written))
		_exit(12);
	memcpy(file->written + file->size, payload, size);
	file->size += size;
	if (header->flags & UMADRIG_HCA_FLAG_MORE)
		return;
	memcpy(&lid, file->written + 28, sizeof(lid));
	fake_send_mad(be16toh(lid), file->written[64 + 1], file->written[64 + 3], 9);
	size = file->size;
	file->size = 0;
	done(file, file->number, (int32_t)size, NULL, 0);
}

static void read_file(struct file *file, uint32_t count)
{
	if (file->count == 0) {
		done(file, file->number, -EAGAIN, NULL, 0);
		return;
	}
	if (count < sizeof(file->waiting[0])) {
		say_of_file(file->number, UMADRIG_GUEST_FILE_DATA, 0, file->waiting[0], count);
		done(file, file->number, -ENOSPC, NULL, 0);
		return;
	}
	say_of_file(file->number, UMADRIG_GUEST_FILE_DATA, 0, file->waiting[0], 200);
	say_of_file(file->number, UMADRIG_GUEST_FILE_DATA, 0, file->waiting[0] + 200, 120);
	file->count--;
	memmove(file->waiting[0], file->waiting[1], file->count * sizeof(file->waiting[0]));
	done(file, file->number, 320, NULL, 0);
}

void fake_take_file(const struct umadrig_hca_header *header, const uint8_t *payload, size_t size)
{
	uint32_t number = le32toh(header->sequence);
	struct file *file = files;
	uint8_t argument[64];

	while (file < files + 8 && (!file->is_open || file->number != number))
		file++;
	if (header->type == UMADRIG_GUEST_FILE_OPEN) {
		open_file(number);
	} else if (file == files + 8) {
		done(NULL, number, -EBADF, NULL, 0);
	} else if (header->type == UMADRIG_GUEST_FILE_IOCTL) {
		memcpy(argument, payload, size);
		memcpy(argument, &(uint32_t){ 5 }, 4);
		done(file, number, size ? 0 : -EFAULT, argument, size);
	} else if (header->type == UMADRIG_GUEST_FILE_WRITE) {
		write_file(file, header, payload, size);
	} else if (header->type == UMADRIG_GUEST_FILE_READ) {
		read_file(file, le32toh(header->value));
	} else {
		file->is_open = false;
		done(NULL, number, 0, NULL, 0);
	}
}

void fake_give_file(const uint8_t *mad)
{
	struct file *file = &files[0];

	if (!file->is_open || !(mad[3] & 0x80) || file->count == 8)
		return;
	memset(file->waiting[file->count], 0, 64);
	memcpy(file->waiting[file->count++] + 64, mad, 256);
	say_of_file(file->number, UMADRIG_GUEST_FILE_READY, le32toh(revents_of(file)), "", 0);
}
