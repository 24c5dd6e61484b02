/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Kernels that were built with AddressSanitizer, whose library has to be loaded in front of all
 * others: too late for a process that runs.
 */
#ifndef UMADRIG_HARNESS_KERNEL_KERNEL_SANITIZER_H
#define UMADRIG_HARNESS_KERNEL_KERNEL_SANITIZER_H

#include <glib.h>
#include <stdbool.h>

/*
 * To be called before 'kernel' (as built_kernel_find() takes it) is loaded: if it needs libraries
 * of sanitizers that this process does not have, the process executes itself again with them (and
 * the call does not return), and what they find ends it with COMMAND_KERNEL_FAULT. What it starts
 * does not get them. False with an error of
 * COMMAND_ERROR: it did, and they are not there. A kernel that is not there needs none.
 */
bool kernel_sanitizer_begin(const char *kernel, GError **error);

/* Was this process executed by that, so that it has libraries of sanitizers on purpose? */
bool kernel_sanitizer_is_again(void);

#endif
