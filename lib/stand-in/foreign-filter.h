/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The filter of system calls that a foreign program is below. */
#ifndef UMADRIG_LIB_STAND_IN_FOREIGN_FILTER_H
#define UMADRIG_LIB_STAND_IN_FOREIGN_FILTER_H

/*
 * Has the kernel stop the calls of stopped-calls.h, of the calling process and all that come of it.
 * Returns the listener, or -errno. Linux 5.19 or newer.
 */
int foreign_filter_install(void);

#endif
