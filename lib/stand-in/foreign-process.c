/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/foreign-process.h. */
#include <stddef.h>

#include "lib/stand-in/foreign-process.h"

struct foreign_process foreign;
__thread struct foreign_task *foreign_self;
__thread struct foreign_told foreign_told;

struct foreign_task *foreign_task_new(pid_t tid)
{
	for (unsigned int i = 0; i < FOREIGN_TASKS; i++) {
		if (foreign.task[i].is_used)
			continue;
		foreign.task[i] = (struct foreign_task){ .is_used = true, .tid = tid };
		if (i >= foreign.places)
			foreign.places = i + 1;
		return &foreign.task[i];
	}
	return NULL;
}

void foreign_task_is_alone(void)
{
	for (unsigned int i = 0; i < foreign.places; i++) {
		if (&foreign.task[i] != foreign_self)
			foreign.task[i].has_ended = foreign.task[i].is_used;
	}
	foreign_self->tid = foreign.pid;
	foreign_self->cleared_at = 0;
	foreign_self->robust_list = 0;
	foreign.tasks = 1;
	foreign.seized = foreign_self->is_seized;
}
