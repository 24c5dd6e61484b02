/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The memory of a guest: see sim/guests/guest-memory.h.
 */
#include "sim/guests/guest-memory.h"

#include <errno.h>
#include <glib.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_file(int fd)
{
	struct stat status;

	return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

static bool fits(uint64_t at, uint64_t size, uint64_t limit)
{
	return size <= limit && at <= limit - size;
}

int guest_memory_add(struct guest_memory *memory, const struct guest_region *region)
{
	if (memory->count == GUEST_REGIONS_MAX || region->size == 0 ||
	    !fits(region->physical, region->size, UINT64_MAX) ||
	    !fits(region->user, region->size, UINT64_MAX) ||
	    !fits(region->offset, region->size, INT64_MAX) || !is_file(region->fd)) {
		close(region->fd);
		return -EINVAL;
	}
	memory->region[memory->count++] = *region;
	return 0;
}

void guest_memory_clear(struct guest_memory *memory)
{
	for (size_t i = 0; i < memory->count; i++)
		close(memory->region[i].fd);
	memory->count = 0;
}

/* Where it is in its region's file; NULL: in none. */
static const struct guest_region *find(const struct guest_memory *memory,
				       enum guest_address_kind kind, uint64_t at, size_t size,
				       off_t *ret)
{
	for (size_t i = 0; i < memory->count; i++) {
		const struct guest_region *region = &memory->region[i];
		uint64_t begin = kind == GUEST_PHYSICAL ? region->physical : region->user;

		if (at < begin || !fits(at - begin, size, region->size))
			continue;
		*ret = (off_t)(region->offset + (at - begin));
		return region;
	}
	return NULL;
}

int guest_memory_read(const struct guest_memory *memory, enum guest_address_kind kind, uint64_t at,
		      void *bytes, size_t size)
{
	off_t offset;
	const struct guest_region *region = find(memory, kind, at, size, &offset);
	ssize_t got;

	if (!region)
		return -EFAULT;
	do
		got = pread(region->fd, bytes, size, offset);
	while (got < 0 && errno == EINTR);
	return got == (ssize_t)size ? 0 : -EFAULT;
}

/*
 * A file that has become shorter is not to be made longer again: that would take room on the disk
 * at the guest's word.
 */
static bool has(int fd, off_t offset, size_t size)
{
	struct stat status;

	return fstat(fd, &status) == 0 && status.st_size >= offset &&
	       (uint64_t)(status.st_size - offset) >= size;
}

int guest_memory_write(const struct guest_memory *memory, enum guest_address_kind kind, uint64_t at,
		       const void *bytes, size_t size)
{
	off_t offset;
	const struct guest_region *region = find(memory, kind, at, size, &offset);
	ssize_t put;

	if (!region || !has(region->fd, offset, size))
		return -EFAULT;
	do
		put = pwrite(region->fd, bytes, size, offset);
	while (put < 0 && errno == EINTR);
	return put == (ssize_t)size ? 0 : -EFAULT;
}
