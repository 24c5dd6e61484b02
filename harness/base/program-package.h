/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which package of Debian has a program that people start on a fabric.
 */
#ifndef UMADRIG_HARNESS_BASE_PROGRAM_PACKAGE_H
#define UMADRIG_HARNESS_BASE_PROGRAM_PACKAGE_H

#include <stddef.h>

/* The package that has the program 'name', which is no path; NULL: none that is known here. */
const char *program_package(const char *name);

/* The programs that are known here, in the order of the table; NULL: there is no such index. */
const char *program_packaged(size_t at);

#endif
