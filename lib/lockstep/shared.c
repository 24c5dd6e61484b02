/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Names of locks that processes share: see lib/lockstep/shared.h. */
#include <fcntl.h>

#include "lib/lockstep/shared.h"
#include "lib/lockstep/system-call.h"

/* A line of /proc/self/maps: START-END PERMISSIONS OFFSET MAJOR:MINOR INODE PATH */
struct reader {
	int fd;
	long size, at;
	char bytes[4096];
};

/* '\0': it has ended. */
static char next_char(struct reader *reader)
{
	if (reader->at == reader->size) {
		reader->at = 0;
		reader->size = CALL_3(SYS_read, reader->fd, reader->bytes, sizeof(reader->bytes));
		if (reader->size <= 0)
			return reader->size = 0, '\0';
	}
	return reader->bytes[reader->at++];
}

/* A number up to the next other character, which is read, too. */
static uint64_t next_number(struct reader *reader, unsigned int base)
{
	uint64_t value = 0;

	for (;;) {
		char c = next_char(reader);

		if (c >= '0' && c <= '9')
			value = value * base + (uint64_t)(c - '0');
		else if (base == 16 && c >= 'a' && c <= 'f')
			value = value * base + (uint64_t)(c - 'a' + 10);
		else
			return value;
	}
}

static uint64_t mix(uint64_t name, uint64_t value)
{
	name = (name ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return name ^ (name >> 29);
}

/* False: there are no more lines. */
static bool read_line(struct reader *reader, uintptr_t address, uint64_t *ret_name)
{
	uint64_t start = next_number(reader, 16), end = next_number(reader, 16);
	uint64_t offset, major, minor, inode;
	bool is_shared = false;
	char c;

	while ((c = next_char(reader)) != '\0' && c != ' ')
		is_shared = c == 's';
	if (c == '\0')
		return false;
	offset = next_number(reader, 16);
	major = next_number(reader, 16);
	minor = next_number(reader, 16);
	inode = next_number(reader, 10);
	if (address >= start && address < end) {
		if (is_shared && inode != 0)
			*ret_name = mix(mix(mix(mix(1, major), minor), inode),
					offset + (address - start)) | UINT64_C(1) << 63;
		return false;
	}
	while (c != '\0' && c != '\n')
		c = next_char(reader);
	return c != '\0';
}

uint64_t shared_name_in(const char *maps, uint64_t at)
{
	uint64_t name = at;
	struct reader reader;

	reader.fd = (int)CALL_4(SYS_openat, AT_FDCWD, maps, O_RDONLY | O_CLOEXEC, 0);
	reader.size = reader.at = 0;
	if (reader.fd < 0) {
		session_say("umadrig: virtual time needs /proc for locks that processes share\n");
		return name;
	}
	while (read_line(&reader, at, &name))
		continue;
	CALL_1(SYS_close, reader.fd);
	return name;
}

uint64_t shared_name(const void *at, bool is_shared)
{
	return is_shared ? shared_name_in("/proc/self/maps", (uintptr_t)at) : (uintptr_t)at;
}

uint64_t shared_name_to_wake(enum lockstep_kind kind, const void *at, bool is_shared)
{
	for (uint32_t i = 0; is_shared && i < lockstep->count; i++) {
		const struct lockstep_slot *slot = &lockstep->slot[i];

		if (lockstep_waits(slot) && slot->kind == (uint32_t)kind &&
		    lockstep_is_shared(slot->addr))
			return shared_name(at, true);
	}
	return (uintptr_t)at;
}
