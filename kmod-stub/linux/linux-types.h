/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Types, byte order, limits, errors in pointers, and the words of modules and compilers: what
 * stands for <linux/types.h>, <linux/kernel.h>, <linux/err.h>, <linux/module.h>, <linux/init.h>,
 * <linux/overflow.h>, <linux/bitmap.h>, <linux/nospec.h> and <asm/byteorder.h>.
 *
 * Left out: checks of bitwise types, speculation barriers, likely() and unlikely(), which do
 * nothing here. A module's words make no sections; what runs at its begin is module_init's
 * function, by the name that the build gives it.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_LINUX_TYPES_H
#define UMADRIG_KMOD_STUB_LINUX_LINUX_TYPES_H

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#include "kmod-stub/event.h"

/*
 * As in <stdio.h>, whose other names a kernel's file may have for itself. In brackets: where that
 * header was included, they may be macros.
 */
int (sprintf)(char *buf, const char *format, ...);
int (snprintf)(char *buf, size_t size, const char *format, ...);

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s8 s8;
typedef __s16 s16;
typedef __s32 s32;
typedef __s64 s64;
typedef unsigned short umode_t;

#ifndef __bitwise
#define __bitwise
#endif
#define __force
#define __user
#define __rcu
#define __iomem
#define __init
#define __exit
#define __read_mostly
#undef __packed
#define __packed __attribute__((packed))
#define __always_unused __attribute__((unused))
#define __maybe_unused __attribute__((unused))
#define fallthrough __attribute__((fallthrough))
#define likely(x) (x)
#define unlikely(x) (x)
#define IS_ENABLED(option) 0

#define EXPORT_SYMBOL(name)
#define EXPORT_SYMBOL_GPL(name)
#define MODULE_AUTHOR(text)
#define MODULE_DESCRIPTION(text)
#define MODULE_LICENSE(text)
#define MODULE_ALIAS_RDMA_CLIENT(name)
#define THIS_MODULE NULL
#define KBUILD_MODNAME "ib_core"
/* The file's own functions; the build renames these two by LINUX_MODULE. */
#define module_init(function) int linux_module_init(void) { return function(); }
#define module_exit(function) void linux_module_exit(void) { function(); }

/* A parameter is found by its name (mad-door.h). */
#define module_param_named(name, variable, type, mode) \
	int *const linux_parameter_##name = &(variable)
#define MODULE_PARM_DESC(name, text) struct linux_parameter_text_##name

#define cpu_to_be16(value) ((__be16)htobe16((u16)(value)))
#define cpu_to_be32(value) ((__be32)htobe32((u32)(value)))
#define cpu_to_be64(value) ((__be64)htobe64((u64)(value)))
#define be16_to_cpu(value) be16toh((u16)(value))
#define be32_to_cpu(value) be32toh((u32)(value))
#define be64_to_cpu(value) be64toh((u64)(value))
#define be16_to_cpup(pointer) be16_to_cpu(*(pointer))
#define be32_to_cpup(pointer) be32_to_cpu(*(pointer))
#define be64_to_cpup(pointer) be64_to_cpu(*(pointer))

#define LINUX_CHOICE(a, op, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); \
				  a_ op b_ ? a_ : b_; })
#define min(a, b) LINUX_CHOICE(a, <, b)
#define max(a, b) LINUX_CHOICE(a, >, b)
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))
#define clamp(value, low, high) min(max(value, low), high)
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define DIV_ROUND_UP(a, b) (((a) + (b) - 1) / (b))
#define array_index_nospec(index, size) (index)
#define READ_ONCE(x) (*(volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, value) (*(volatile __typeof__(x) *)&(x) = (value))

#define check_add_overflow(a, b, result) __builtin_add_overflow(a, b, result)
#define check_sub_overflow(a, b, result) __builtin_sub_overflow(a, b, result)
#define check_mul_overflow(a, b, result) __builtin_mul_overflow(a, b, result)

/* Sizes that do not wrap: SIZE_MAX, which no allocation has. */
static inline size_t size_add(size_t a, size_t b)
{
	size_t sum;

	return __builtin_add_overflow(a, b, &sum) ? SIZE_MAX : sum;
}

static inline size_t size_sub(size_t a, size_t b)
{
	size_t difference;

	if (a == SIZE_MAX || b == SIZE_MAX || __builtin_sub_overflow(a, b, &difference))
		return SIZE_MAX;
	return difference;
}

static inline size_t size_mul(size_t a, size_t b)
{
	size_t product;

	return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

#define struct_size(pointer, member, count) \
	size_add(sizeof(*(pointer)), size_mul(sizeof((pointer)->member[0]), count))
#define flex_array_size(pointer, member, count) size_mul(sizeof((pointer)->member[0]), count)

/* Errors in pointers: the last page has no objects. */
#define MAX_ERRNO 4095
#define ENOIOCTLCMD 515
#define ERESTARTSYS 512

static inline void *ERR_PTR(long err)
{
	return (void *)err;
}

static inline long PTR_ERR(const void *pointer)
{
	return (long)pointer;
}

static inline bool IS_ERR(const void *pointer)
{
	return (unsigned long)pointer >= (unsigned long)-MAX_ERRNO;
}

static inline bool IS_ERR_OR_NULL(const void *pointer)
{
	return !pointer || IS_ERR(pointer);
}

static inline void *ERR_CAST(const void *pointer)
{
	return (void *)(uintptr_t)pointer;
}

#define PTR_ERR_OR_ZERO(pointer) (IS_ERR(pointer) ? (int)PTR_ERR(pointer) : 0)

/* Bitmaps, of unsigned longs. */
#define BITS_PER_LONG ((int)(8 * sizeof(long)))
#define BIT(n) (1UL << (n))
#define BITS_TO_LONGS(n) DIV_ROUND_UP(n, BITS_PER_LONG)
#define DECLARE_BITMAP(name, bits) unsigned long name[BITS_TO_LONGS(bits)]

static inline bool test_bit(unsigned int bit, const unsigned long *map)
{
	return map[bit / BITS_PER_LONG] >> bit % BITS_PER_LONG & 1;
}

/* The first set bit from 'bit' on, or 'size'. */
static inline unsigned int linux_next_bit(const unsigned long *map, unsigned int size,
					  unsigned int bit)
{
	while (bit < size && !test_bit(bit, map))
		bit++;
	return bit;
}

#define for_each_set_bit(bit, map, size) \
	for ((bit) = linux_next_bit(map, size, 0); (bit) < (size); \
	     (bit) = linux_next_bit(map, size, (bit) + 1))

/* A place in the kernel's source. */
struct linux_place {
	const char *file, *function;
	int line;
};
#define LINUX_HERE ((struct linux_place){ __FILE__, __func__, __LINE__ })

#endif
