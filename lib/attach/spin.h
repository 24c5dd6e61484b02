/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Whether to look again for a moment before one sleeps: to be woken on another CPU costs more than
 * many MADs, but a thread that looks in vain keeps a CPU from others. So whoever found nothing does
 * without the next times, up to 255 of them; whoever found something looks the next time, too.
 */
#ifndef UMADRIG_LIB_ATTACH_SPIN_H
#define UMADRIG_LIB_ATTACH_SPIN_H

#include <stdbool.h>

enum { ATTACH_SPIN_SKIPS_MAX = 255 };

/* Zeros at the start. */
struct attach_spin {
	unsigned int skips;	/* so often it is done without */
	unsigned int failed;	/* twice as many, and one, when it failed again */
};

/* Once for each time: shall one look? */
static inline bool attach_spin_may(struct attach_spin *spin)
{
	if (spin->skips == 0)
		return true;
	spin->skips--;
	return false;
}

/* One has looked, and has found something or not. */
static inline void attach_spin_done(struct attach_spin *spin, bool found)
{
	if (found)
		spin->failed = 0;
	else if (spin->failed < ATTACH_SPIN_SKIPS_MAX)
		spin->failed = 2 * spin->failed + 1;
	spin->skips = spin->failed;
}

/* A moment of the processor's: no system call. */
static inline void attach_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#endif
}

#endif
