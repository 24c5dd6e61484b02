/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Where programs lie in memory: in virtual time at the same addresses each time, so that what they
 * send by mistake is the same as well.
 */
#ifndef UMADRIG_SIM_PROGRAMS_PROGRAM_ADDRESSES_H
#define UMADRIG_SIM_PROGRAMS_PROGRAM_ADDRESSES_H

/*
 * The calling thread, and what it executes and forks, is without ASLR. Async-signal-safe. -errno:
 * it cannot be; seccomp profiles of containers refuse it.
 */
int program_addresses_fix(void);

#endif
