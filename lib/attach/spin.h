/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Whether to spin, to look again for a moment before sleeping: being woken on another CPU costs
 * more than many MADs, but a thread that looks in vain keeps a CPU from others. So a thread that
 * found nothing skips the next times, up to 255 of them; one that found something looks the next
 * time, too.
 */
#ifndef UMADRIG_LIB_ATTACH_SPIN_H
#define UMADRIG_LIB_ATTACH_SPIN_H

#include <stdbool.h>

enum { ATTACH_SPIN_SKIPS_MAX = 255 };

/* Zeros at the start. */
struct attach_spin {
	unsigned int skips;	/* how many more times to skip */
	unsigned int failed;	/* how many to skip; after a failure 2 n + 1 */
};

/* Should the caller look? To be called once each time. */
static inline bool attach_spin_may(struct attach_spin *spin)
{
	if (spin->skips == 0)
		return true;
	spin->skips--;
	return false;
}

/* To be called after looking, with whether something was found. */
static inline void attach_spin_done(struct attach_spin *spin, bool found)
{
	if (found)
		spin->failed = 0;
	else if (spin->failed < ATTACH_SPIN_SKIPS_MAX)
		spin->failed = 2 * spin->failed + 1;
	spin->skips = spin->failed;
}

/* A pause of the processor, without a system call. */
static inline void attach_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#endif
}

#endif
