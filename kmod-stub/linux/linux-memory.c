/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Memory: see linux-memory.h.
 */
#include "kmod-stub/linux/linux-memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kmod-stub/linux/linux-lists.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LINUX_ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define LINUX_ADDRESS_SANITIZER
#endif
#ifdef LINUX_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#endif

/*
 * Precedes what the kernel has, which begins at 16 bytes like malloc's. AddressSanitizer takes this
 * for the kernel's own memory, but for its last bytes, by which it finds writes before the begin.
 */
struct block {
	struct list_head entry;
	size_t size;
	const char *what;
	struct linux_place place;
	struct block *next_free;	/* when the readers have gone */
	uint8_t gap[16] __attribute__((aligned(16)));
} __attribute__((aligned(16)));

static LIST_HEAD(blocks);
unsigned long linux_blocks;

static void release(struct block *block)
{
	ASAN_UNPOISON_MEMORY_REGION(block->gap, sizeof(block->gap));
	linux_blocks--;
	free(block);
}

static struct {
	unsigned long count, number;
	char *place;
	size_t size;
} failing;

/* Below this address there is nothing. */
enum { USER_MIN = 4096 };

void linux_alloc_fail(unsigned long number, char *ret_place, size_t size)
{
	failing.count = 0;
	failing.number = number;
	failing.place = ret_place;
	failing.size = size;
}

unsigned long linux_alloc_count(void)
{
	return failing.count;
}

bool linux_alloc_fails(struct linux_place place)
{
	if (++failing.count != failing.number)
		return false;
	snprintf(failing.place, failing.size, "%s:%d, in %s()", linux_short_name(place.file),
		 place.line, place.function);
	return true;
}

void *linux_alloc(size_t size, bool zero, gfp_t flags, const char *what,
		  struct linux_place place)
{
	struct block *block;

	if (flags == GFP_KERNEL)
		linux_may_sleep("an allocation with GFP_KERNEL", place.file, place.line);
	if (linux_alloc_fails(place) || size > SIZE_MAX - sizeof(*block))
		return NULL;
	block = zero ? calloc(1, sizeof(*block) + size) : malloc(sizeof(*block) + size);
	if (!block)
		return NULL;
	block->size = size;
	block->what = what;
	block->place = place;
	ASAN_POISON_MEMORY_REGION(block->gap, sizeof(block->gap));
	list_add_tail(&block->entry, &blocks);
	linux_blocks++;
	return block + 1;
}

void linux_free(const void *memory, const char *file, int line)
{
	struct block *block;

	if (!memory)
		return;
	block = (struct block *)(uintptr_t)memory - 1;
	if (!linux_list_remove(&block->entry, file, line))
		return;
	release(block);
}

/* ---- RCU ---- */

static unsigned int readers;
static struct block *free_later;

void linux_rcu_lock(void)
{
	readers++;
}

void linux_rcu_unlock(void)
{
	struct block *block;

	if (--readers > 0)
		return;
	while ((block = free_later)) {
		free_later = block->next_free;
		linux_free(block + 1, __FILE__, __LINE__);
	}
}

static bool has_no_readers(const void *what)
{
	(void)what;
	return readers == 0;
}

void linux_rcu_wait(const char *file, int line)
{
	linux_may_sleep("synchronize_rcu", file, line);
	if (readers > 0 && !(linux_processors_on && linux_processors_wait(has_no_readers, NULL)))
		linux_stop("%s:%d: synchronize_rcu() would wait for ever", file, line);
}

void linux_free_later(const void *memory, const char *file, int line)
{
	struct block *block = (struct block *)(uintptr_t)memory - 1;

	if (readers == 0) {
		linux_free(memory, file, line);
		return;
	}
	block->next_free = free_later;
	free_later = block;
}

/* ---- at the end ---- */

unsigned int linux_report_leaks(void)
{
	struct block *block, *next;
	unsigned int count = 0;

	list_for_each_entry_safe(block, next, &blocks, entry) {
		linux_fault(NULL, 0, "leak: %s of %zu bytes, allocated at %s:%d, in %s()",
			    block->what ? block->what : "memory", block->size,
			    linux_short_name(block->place.file), block->place.line,
			    block->place.function);
		list_del(&block->entry);
		release(block);
		count++;
	}
	return count;
}

unsigned long linux_copy(void *to, const void *from, size_t size, const void *user,
			 const char *file, int line)
{
	linux_may_sleep("a copy from or to a program", file, line);
	if ((uintptr_t)user < USER_MIN)
		return size;
	memcpy(to, from, size);
	return 0;
}
