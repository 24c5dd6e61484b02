/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The simulated host that the foreign program is on: its UMADRIG_HOST names it, as of programs that
 * load the library. This process opens umad files and what is in /sys for it, so it is there, too.
 */
#ifndef UMADRIG_LIB_STAND_IN_FOREIGN_HOST_H
#define UMADRIG_LIB_STAND_IN_FOREIGN_HOST_H

/*
 * The foreign process has executed a program, which has not made a step, and has no other thread:
 * this process goes to its host. Files that are open stay with theirs.
 */
void foreign_host_take(void);

#endif
