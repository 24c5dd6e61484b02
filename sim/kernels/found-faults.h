/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What was found to be wrong in the kernels that this process runs: in those of Linux's own files
 * by their checks, in guests by their consoles. Any thread may call these functions.
 */
#ifndef UMADRIG_SIM_KERNELS_FOUND_FAULTS_H
#define UMADRIG_SIM_KERNELS_FOUND_FAULTS_H

/* One more, a line of text, at a host; NULL: at none. After some 16 kB it is dropped. */
void found_faults_keep(const char *host, const char *text);

/* All since the last call, a line for each; to be freed. NULL: nothing. */
char *found_faults_take(void);

#endif
