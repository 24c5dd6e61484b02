/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Where programs lie in memory: in virtual time at the same addresses each time, so that what they
 * send by mistake is the same as well.
 */
#ifndef UMADRIG_SIM_PROGRAMS_PROGRAM_ADDRESSES_H
#define UMADRIG_SIM_PROGRAMS_PROGRAM_ADDRESSES_H

/*
 * What is not promised where they cannot be the same, as one line in three pieces: 'error' says
 * why.
 */
#define PROGRAM_ADDRESSES_VARY(error) \
	"virtual time: addresses cannot be made the same each time (personality(2): ", (error), \
	"): each run has the same MADs, order and times, but a program that sends memory which " \
	"it has not set does not send the same bytes; 'umadrig doctor' has the cure\n"

/*
 * The calling thread, and what it executes and forks, is without ASLR, with the usual layout and a
 * stack of 8 MiB once the program is loaded (lib/base/mapping-base.h), so that addresses, and so
 * OpenSM's numbers of threads, are the same whatever umadrig's caller has set. Async-signal-safe.
 * -errno: it cannot be; seccomp profiles of containers refuse it.
 */
int program_addresses_fix(void);
/* Could it? 0 or -errno; nothing has changed afterwards. Any thread. */
int program_addresses_check(void);
/*
 * Says so on stderr, after 'name' and a colon, if they cannot be; once in a process. Any thread;
 * nothing has changed afterwards.
 */
void program_addresses_warn(const char *name);

#endif
