/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Built kernels: shared objects that 'umadrig kernel build' makes of Linux's own files, for hosts
 * to run on in place of kmod-stub. A process may have several.
 */
#ifndef UMADRIG_SIM_KERNELS_BUILT_KERNEL_H
#define UMADRIG_SIM_KERNELS_BUILT_KERNEL_H

#include <stddef.h>

#include "kmod-stub/kmod-kernel.h"

struct kernel_file;

/* Lives as long as the process. */
struct built_kernel {
	char *path;			/* absolute */
	const char *release;		/* "6.1.192" */
	const char *identity;
	const char *options;		/* "sanitize"; "": none */
	const struct kmod_kernel *kernel;
	enum kmod_profile profile;	/* that of the release */
	const struct kernel_file *file;
};

/*
 * The kernel in the file 'path', which is loaded once. NULL with a message that names the file, why
 * it is none and the cure. Any thread may call it.
 */
const struct built_kernel *built_kernel_load(const char *path, char *reterr, size_t reterr_size);

/*
 * The kernel that 'name' stands for: a file if it has a '/' ("./k.so"), else one that has been
 * built (kernel_cache_find(): "linux-6.12", "6.12"). NULL as above.
 */
const struct built_kernel *built_kernel_find(const char *name, char *reterr, size_t reterr_size);

/* That a table of operations is of; NULL: it is kmod-stub, or a test's. */
const struct built_kernel *built_kernel_of(const struct kmod_kernel *kernel);

/*
 * Reads what /sys/class/infiniband_mad has, in the words of 'kernel': "abi_version" of 'port' NULL,
 * "umad/ibdev" or "issm/port" of a port of it. Returns the length, at most 'size' - 1, and ends it
 * with a zero. -ENOENT: the kernel has no such attribute, or is none that was built. The lock of
 * the fabric is held.
 */
long built_kernel_attribute(const struct kmod_kernel *kernel, const struct kmod_port *port,
			    const char *name, char *buf, size_t size);

/*
 * With which status the process ends where a kernel finds that it cannot go on. 0, as it is in the
 * beginning: it ends by SIGABRT.
 */
void built_kernel_set_crash_status(int status);

#endif
