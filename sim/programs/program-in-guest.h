/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A program on a host that is a guest (sim/guests/guest.h): it runs in there.
 */
#ifndef UMADRIG_SIM_PROGRAMS_PROGRAM_IN_GUEST_H
#define UMADRIG_SIM_PROGRAMS_PROGRAM_IN_GUEST_H

#include <stddef.h>

#include "sim/guests/guest-programs.h"

struct guest;
struct program_start;

/*
 * Starts it. 'handle' is woken at its end, and then belongs to the guest. What our own programs
 * need in their environment is left out of it. 0, or -errno with a message.
 */
int program_in_guest_start(struct guest *guest, const struct program_start *start, void *handle,
			   struct guest_program **ret, char *reterr, size_t reterr_size);
struct umadrig_fabric *program_in_guest_fabric(const struct guest_program *program);

#endif
