/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What is in a directory, in an order that is not chance.
 */
#ifndef UMADRIG_HARNESS_BASE_DIRECTORY_NAMES_H
#define UMADRIG_HARNESS_BASE_DIRECTORY_NAMES_H

/*
 * All names in the directory, hidden ones too, sorted by their bytes; NULL-terminated, to be freed
 * with g_strfreev(). NULL: it cannot be read, and errno says why.
 */
char **directory_names(const char *path);

#endif
