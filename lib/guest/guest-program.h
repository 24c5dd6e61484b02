/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A program that runs in a guest for somebody outside: its input comes by messages, its output and
 * its end go by messages. It leads a process group of its own.
 */
#ifndef UMADRIG_LIB_GUEST_GUEST_PROGRAM_H
#define UMADRIG_LIB_GUEST_GUEST_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/guest/guest-order.h"

struct guest_program {
	struct guest_program *next;
	uint32_t number;
	pid_t pid;		/* of its group as well; 0: it has ended */
	int input;		/* pipes' ends; -1: closed */
	int output;
	int errors;
	uint8_t *waiting;	/* input for which the pipe had no room */
	size_t waiting_size;
	bool input_ends;	/* nothing comes behind it */
};

/*
 * Starts what 'order' wants, and says STARTED on 'channel'. NULL: that failed, which is said as
 * well. To be freed with guest_program_free().
 */
struct guest_program *guest_program_start(const struct guest_order *order, int channel);
/* Its descriptors are closed; it runs on. */
void guest_program_free(struct guest_program *program);

/* Input for it: TAKEN is said of what its pipe has taken. 'size' 0: the end of it. */
void guest_program_input(struct guest_program *program, const uint8_t *bytes, size_t size,
			 int channel);
/* Its pipe has room again, or nobody reads it any more. */
void guest_program_pump(struct guest_program *program, int channel);
/*
 * Says what is in a pipe of its output now, which is not more than a pipe has; and if it is
 * closed.
 */
void guest_program_output(struct guest_program *program, int *fd, int channel);
/* It has ended with 'status' of wait(2): what it wrote is said first. */
void guest_program_end(struct guest_program *program, int status, int channel);
/* Nothing more will be said of it. */
bool guest_program_is_over(const struct guest_program *program);

#endif
