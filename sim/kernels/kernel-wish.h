/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which hosts are to run on which kernel, as it is written: "KERNEL" or "HOST:KERNEL".
 */
#ifndef UMADRIG_SIM_KERNELS_KERNEL_WISH_H
#define UMADRIG_SIM_KERNELS_KERNEL_WISH_H

#include <stddef.h>

#include "sim/kernels/built-kernel.h"

struct kernel_wish {
	char *host;		/* its name, perhaps with '*' and '?' for more; NULL: all */
	char *kernel;		/* as built_kernel_find() takes it, or "kmod-stub" */
};

/*
 * Takes 'text' apart. What begins with '/' or '.' is a file, and "uml:" begins the name of a
 * guest's kernel; a HOST with a ':' is put in quotes. 0 and a wish to be cleared, or -EINVAL with a
 * message. The kernel is not looked for.
 */
int kernel_wish_parse(const char *text, struct kernel_wish *ret, char *reterr, size_t reterr_size);
void kernel_wish_clear(struct kernel_wish *wish);

/*
 * The kernel that is wished for: '*ret' is NULL for kmod-stub. 0, or -ENOENT with a message of
 * built_kernel_find().
 */
int kernel_wish_find(const struct kernel_wish *wish, const struct built_kernel **ret, char *reterr,
		     size_t reterr_size);

#endif
