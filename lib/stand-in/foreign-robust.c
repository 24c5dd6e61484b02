/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/foreign-robust.h. */
#include <linux/futex.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-futex.h"
#include "lib/stand-in/foreign-memory.h"
#include "lib/stand-in/foreign-robust.h"

long foreign_robust_set_list(void)
{
	if (foreign_argument(1) == sizeof(struct robust_list_head))
		foreign_self->robust_list = foreign_argument(0);
	return CALL_GOES_ON;
}

/* A lock of this thread's: the lowest bit of an entry says that it lends its priority. */
static void leave(const struct foreign_task *task, uint64_t entry, long offset)
{
	uint64_t at = (entry & ~UINT64_C(1)) + (uint64_t)offset;
	uint32_t word;

	if (entry & 1 || at % 4 || foreign_memory_get(at, &word, sizeof(word)) < 0 ||
	    (word & FUTEX_TID_MASK) != task->number)
		return;
	word = (word & FUTEX_WAITERS) | FUTEX_OWNER_DIED;
	if (foreign_memory_put(at, &word, sizeof(word)) == 0 && word & FUTEX_WAITERS)
		foreign_futex_wake(at, 1);
}

void foreign_robust_end(struct foreign_task *task)
{
	struct robust_list_head head;
	uint64_t at = task->robust_list, entry;

	task->robust_list = 0;
	if (!at || foreign_memory_get(at, &head, sizeof(head)) < 0)
		return;
	entry = (uint64_t)(uintptr_t)head.list.next;
	for (int i = 0; i < ROBUST_LIST_LIMIT && (entry & ~UINT64_C(1)) != at; i++) {
		uint64_t next;

		if (foreign_memory_get(entry & ~UINT64_C(1), &next, sizeof(next)) < 0)
			break;
		leave(task, entry, head.futex_offset);
		entry = next;
	}
	/* The one that it was about to take, or to let go of. */
	if (head.list_op_pending)
		leave(task, (uint64_t)(uintptr_t)head.list_op_pending, head.futex_offset);
}

void foreign_robust_end_all(void)
{
	for (unsigned int i = 0; i < foreign.places; i++) {
		if (foreign.task[i].is_used)
			foreign_robust_end(&foreign.task[i]);
	}
}
