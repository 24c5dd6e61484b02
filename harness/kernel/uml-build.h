/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Whole kernels, built as programs of User-mode Linux with virtual HCAs (kmod-stub/linux/hca/),
 * into the cache (sim/kernels/kernel-cache.h).
 */
#ifndef UMADRIG_HARNESS_KERNEL_UML_BUILD_H
#define UMADRIG_HARNESS_KERNEL_UML_BUILD_H

#include <glib.h>
#include <stdbool.h>

struct uml_build_wishes {
	bool kasan, kcsan, lockdep, kcov, edges, debug;
	const char *output;	/* a file in place of the cache; NULL: the cache */
};

/*
 * The image of the kernel that 'source' (kernel_tree_open()) has: the one of the cache if it was
 * built of the same files before, else built now, which takes minutes and is said on standard
 * error. To be freed.
 *
 * NULL with an error of COMMAND_ERROR: COMMAND_LACKS if this machine lacks something, or the tree
 * cannot be built so (the message has the cure), else COMMAND_REFUSED.
 */
char *uml_build(const char *source, const struct uml_build_wishes *wishes, GError **error);

#endif
