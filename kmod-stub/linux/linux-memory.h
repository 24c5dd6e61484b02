/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Memory of the kernel's, and copies from and to a program's: what stands for <linux/slab.h>,
 * <linux/rcupdate.h> and <linux/uaccess.h>. Each block is listed with the place that it was
 * allocated at, until it is freed; what is left when the last host goes is a leak.
 *
 * Left out: NUMA nodes, caches of one size, faults but at the first page: a program's memory is
 * this process's own, and its creator has checked it.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_LINUX_MEMORY_H
#define UMADRIG_KMOD_STUB_LINUX_LINUX_MEMORY_H

#include "kmod-stub/linux/linux-locks.h"
#include "kmod-stub/linux/linux-types.h"

typedef enum {
	GFP_ATOMIC,
	GFP_NOWAIT,
	GFP_KERNEL,		/* may sleep */
} gfp_t;

/* 'what': for a report of a leak, or NULL. Zeroed or not. NULL: no memory. */
void *linux_alloc(size_t size, bool zero, gfp_t flags, const char *what,
		  struct linux_place place);
/* Counts an allocation: is it the one that is to fail? Of what has a memory of its own. */
bool linux_alloc_fails(struct linux_place place);
/*
 * From now on the 'number'th allocation fails, and only that; 0: none. Its place is written to
 * 'ret_place' then, "mad.c:597, in function()", which has 'size' bytes and stays the caller's.
 */
void linux_alloc_fail(unsigned long number, char *ret_place, size_t size);
/* How many there have been since then. */
unsigned long linux_alloc_count(void);
void linux_free(const void *block, const char *file, int line);
/* How many blocks there are. */
extern unsigned long linux_blocks;
/* Reports all blocks that are there. Returns how many. */
unsigned int linux_report_leaks(void);

#define kzalloc(size, flags) linux_alloc(size, true, flags, NULL, LINUX_HERE)
#define kmalloc(size, flags) linux_alloc(size, false, flags, NULL, LINUX_HERE)
#define kcalloc(n, size, flags) kzalloc(size_mul(n, size), flags)
#define kmalloc_array(n, size, flags) kmalloc(size_mul(n, size), flags)
#define kvzalloc(size, flags) kzalloc(size, flags)
#define kfree(block) linux_free(block, __FILE__, __LINE__)
#define kvfree(block) kfree(block)
#define kfree_sensitive(block) kfree(block)
#define kfree_rcu(block, member) linux_free_later(block, __FILE__, __LINE__)

/* Only another task (linux-processors.h) can be a reader meanwhile. */
struct rcu_head {
	void *unused;
};

void linux_rcu_lock(void);
void linux_rcu_unlock(void);
/* Waits until there are no readers. */
void linux_rcu_wait(const char *file, int line);
/* Frees it when there are no readers. */
void linux_free_later(const void *block, const char *file, int line);

#define rcu_read_lock() linux_rcu_lock()
#define rcu_read_unlock() linux_rcu_unlock()
#define synchronize_rcu() linux_rcu_wait(__FILE__, __LINE__)

/* By the type of an object; the flags are GFP_KERNEL if there are none. */
#define LINUX_GFP(...) LINUX_GFP_FIRST(__VA_ARGS__ __VA_OPT__(,) GFP_KERNEL)
#define LINUX_GFP_FIRST(flags, ...) flags
#define kzalloc_obj(object, ...) \
	((__typeof__(object) *)kzalloc(sizeof(object), LINUX_GFP(__VA_ARGS__)))
#define kmalloc_obj(object, ...) \
	((__typeof__(object) *)kmalloc(sizeof(object), LINUX_GFP(__VA_ARGS__)))
#define kzalloc_objs(object, n, ...) \
	((__typeof__(object) *)kzalloc(size_mul(sizeof(object), n), LINUX_GFP(__VA_ARGS__)))
#define kmalloc_objs(object, n, ...) \
	((__typeof__(object) *)kmalloc(size_mul(sizeof(object), n), LINUX_GFP(__VA_ARGS__)))
#define LINUX_FLEX_SIZE(object, member, n) \
	size_add(sizeof(object), size_mul(sizeof((object).member[0]), n))
#define kzalloc_flex(object, member, n, ...) \
	((__typeof__(object) *)kzalloc(LINUX_FLEX_SIZE(object, member, n), LINUX_GFP(__VA_ARGS__)))
#define kmalloc_flex(object, member, n, ...) \
	((__typeof__(object) *)kmalloc(LINUX_FLEX_SIZE(object, member, n), LINUX_GFP(__VA_ARGS__)))

#define kmemdup(from, size, flags) ({ \
	size_t size_ = (size); \
	void *copy_ = kmalloc(size_, flags); \
	copy_ ? memcpy(copy_, from, size_) : NULL; \
})

/* How many bytes were not copied: all or none. */
unsigned long linux_copy(void *to, const void *from, size_t size, const void *user,
			 const char *file, int line);

#define copy_from_user(to, from, size) linux_copy(to, from, size, from, __FILE__, __LINE__)
#define copy_to_user(to, from, size) linux_copy(to, from, size, to, __FILE__, __LINE__)
#define get_user(value, user) \
	(linux_copy(&(value), user, sizeof(*(user)), user, __FILE__, __LINE__) ? -EFAULT : 0)
#define put_user(value, user) ({ \
	__typeof__(*(user)) value_ = (value); \
	linux_copy(user, &value_, sizeof(value_), user, __FILE__, __LINE__) ? -EFAULT : 0; \
})
#define u64_to_user_ptr(value) ((void *)(uintptr_t)(value))

#endif
