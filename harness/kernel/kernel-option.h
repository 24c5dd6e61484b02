/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The option --kernel of the commands that simulate hosts.
 */
#ifndef UMADRIG_HARNESS_KERNEL_KERNEL_OPTION_H
#define UMADRIG_HARNESS_KERNEL_KERNEL_OPTION_H

#include <glib.h>
#include <stdbool.h>

#include "sim/kernels/built-kernel.h"

/* What --help says of it, and of its value. */
#define KERNEL_OPTION_TEXT "Simulated hosts run this kernel: one that 'umadrig kernel build' has " \
			   "made, or its sources"
#define KERNEL_OPTION_VALUE "KERNEL|SOURCE"

/*
 * The kernel that 'kernel', the value of the option, stands for: a name or file of
 * built_kernel_find(), or sources of kernel_build(), which are built first if they have not been;
 * then command 'name' says so on stderr. To be called before anything is forked. May execute the
 * process again (kernel_sanitizer_begin()).
 *
 * NULL with an error of COMMAND_ERROR, whose message begins with the option: COMMAND_USAGE if there
 * is no such kernel, COMMAND_REFUSED if its sources cannot be built. 'git bisect run' skips what
 * has that status.
 */
const struct built_kernel *kernel_option_take(const char *name, const char *kernel, GError **error);

/* A whole kernel, which all hosts are to run as guests. */
struct whole_kernel {
	char *wish;		/* "uml:/path", for an option of a fabric */
	char *name;		/* "linux-6.12.117" */
	enum kmod_profile profile;	/* that of its release */
};

/* Is the value of the option the name of one, "uml:..."? */
bool kernel_option_is_whole(const char *kernel);
/*
 * That kernel, to be freed by kernel_option_free_whole(). NULL with an error of COMMAND_ERROR as
 * above: there is none, or it does not say its release.
 */
struct whole_kernel *kernel_option_take_whole(const char *kernel, GError **error);
void kernel_option_free_whole(struct whole_kernel *kernel);

/*
 * The same for a command that has its fabric as words: "FABRIC[,OPTION=VALUE...]" with the kernel
 * as one more option. Either may be NULL: the default fabric, and no other kernel. To be freed.
 */
char *kernel_option_fabric(const char *name, const char *fabric, const char *kernel,
			   GError **error);

#endif
