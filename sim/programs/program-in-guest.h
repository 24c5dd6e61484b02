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
 * Starts it. 'calls' are of the caller, with 'ctx'. What our own programs need in their environment
 * is left out of it. 0, or -errno with a message.
 */
int program_in_guest_start(struct guest *guest, const struct program_start *start,
			   const struct guest_program_calls *calls, void *ctx,
			   struct guest_program **ret, char *reterr, size_t reterr_size);

#endif
