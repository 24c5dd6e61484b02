/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Programs that are not there.
 */
#ifndef UMADRIG_HARNESS_BASE_MISSING_PROGRAM_H
#define UMADRIG_HARNESS_BASE_MISSING_PROGRAM_H

/*
 * Says in one line that there is no program 'name' (in PATH, or where its path says), where else it
 * is, which package of Debian has it, or what name comes close. To be freed with g_free().
 */
char *program_missing(const char *name);

#endif
