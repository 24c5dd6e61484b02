/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig_hca: which ways the MAD layer has gone, for a fuzzer out of the guest ('umadrig kernel
 * build --uml --edges'). The compiler calls this function at each branch of the files that
 * build-uml names. The kernel's own KCOV counts for one task, and what arrives is the work of
 * kernel threads that no task of a program's asks for: here each task is counted.
 */
#include <linux/hash.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "hca-edges.h"

enum {
	TASKS = 64,		/* whose last place is kept; one more for interrupts */
};

void __sanitizer_cov_trace_pc(void);

static u32 last[TASKS + 1];

/* An edge is two places, one after the other in one task. */
notrace void __sanitizer_cov_trace_pc(void)
{
	u32 place = hash_64((unsigned long)__builtin_return_address(0), UMADRIG_EDGE_BITS);
	unsigned int who = in_task() ? (unsigned int)current->pid % TASKS : TASKS;
	u8 *count;

	if (!umadrig_edges)
		return;
	count = &umadrig_edges[(place ^ last[who] >> 1) & (UMADRIG_EDGES - 1)];
	if (*count < 255)
		++*count;
	last[who] = place;
}
