/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Numbers that name things: what stands for <linux/xarray.h> and <linux/idr.h>. Each host counts
 * for itself, as if it had an array of its own: a file of a kernel has one for all hosts.
 *
 * The numbers of agents that the kernel has for itself (those of a port that is being added) go
 * down from below the first of a program's, which is given: as if they had been taken before.
 *
 * Left out: marks, ranges, entries that are numbers.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_LINUX_NUMBERS_H
#define UMADRIG_KMOD_STUB_LINUX_LINUX_NUMBERS_H

#include "kmod-stub/linux/linux-memory.h"
#include "kmod-stub/linux/linux-types.h"

/* Stands for the array of each host: its address is its name. */
struct xarray {
	u32 first;
};

struct xa_limit {
	u32 max, min;
};

struct ida {
	struct xarray numbers;
};

#define DEFINE_XARRAY_ALLOC(name) struct xarray name = { 0 }
#define DEFINE_XARRAY_ALLOC1(name) struct xarray name = { 1 }
#define XA_LIMIT(low, high) ((struct xa_limit){ .min = (low), .max = (high) })
#define DEFINE_IDA(name) struct ida name = { { 0 } }

void *xa_load(struct xarray *array, unsigned long number);
void *xa_erase(struct xarray *array, unsigned long number);
/* -EBUSY: none is free; -ENOMEM; 1: the numbers have begun again. '*next' is not used. */
int xa_alloc_cyclic(struct xarray *array, u32 *ret_number, void *entry, struct xa_limit limit,
		    u32 *next, gfp_t flags);

/* The least free number, or -ENOSPC. */
int ida_alloc_max(struct ida *ida, unsigned int max, gfp_t flags);
void ida_free(struct ida *ida, unsigned int number);

/* They need memory, which may be made to fail. */
#define xa_alloc_cyclic(...) \
	(linux_alloc_fails(LINUX_HERE) ? -ENOMEM : xa_alloc_cyclic(__VA_ARGS__))
#define ida_alloc_max(...) \
	(linux_alloc_fails(LINUX_HERE) ? -ENOMEM : ida_alloc_max(__VA_ARGS__))

struct list_head;

/* Frees what a host has counted with; reports numbers that are still taken. */
void linux_numbers_clear(struct list_head *all);

#endif
