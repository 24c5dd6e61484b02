/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The memory of a guest, as far as it shares it, by the guest's own addresses.
 *
 * It is read and written by system calls and never mapped: a guest that makes its file shorter gets
 * an error, where a mapping would end this process by SIGBUS. Nothing of the guest runs meanwhile.
 */
#ifndef UMADRIG_SIM_GUESTS_GUEST_MEMORY_H
#define UMADRIG_SIM_GUESTS_GUEST_MEMORY_H

#include <stddef.h>
#include <stdint.h>

enum { GUEST_REGIONS_MAX = 8 };

struct guest_region {
	uint64_t physical;	/* what descriptors of a ring go by */
	uint64_t user;		/* what the addresses of a ring itself go by */
	uint64_t size;
	uint64_t offset;	/* in the file */
	int fd;
};

/* Zeros: none. */
struct guest_memory {
	struct guest_region region[GUEST_REGIONS_MAX];
	size_t count;
};

enum guest_address_kind { GUEST_PHYSICAL, GUEST_USER };

/*
 * Takes over 'fd', which is closed if this fails: -EINVAL for a region without bytes or beyond all
 * addresses, for one that is not in a regular file, and if there is no room for another.
 */
int guest_memory_add(struct guest_memory *memory, const struct guest_region *region);
void guest_memory_clear(struct guest_memory *memory);

/* All of it, out of one region; -EFAULT: it is not in the guest's memory, or not in the file. */
int guest_memory_read(const struct guest_memory *memory, enum guest_address_kind kind, uint64_t at,
		      void *bytes, size_t size);
int guest_memory_write(const struct guest_memory *memory, enum guest_address_kind kind, uint64_t at,
		       const void *bytes, size_t size);

#endif
