/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Messages on their way to a guest, in order: they wait until it does, and has room for them.
 */
#ifndef UMADRIG_SIM_GUESTS_GUEST_LETTER_H
#define UMADRIG_SIM_GUESTS_GUEST_LETTER_H

#include <stdbool.h>
#include <stddef.h>

#include "kmod-stub/linux/hca/umadrig_hca.h"

struct guest;

/*
 * Queues a message: 'header' has its type and fields, the rest is filled in. 0; -ENODEV: the guest
 * has no power; -ENOBUFS: too many packets wait for it already.
 */
int guest_send(struct guest *guest, const struct umadrig_hca_header *header, const void *payload,
	       size_t size);
/* Is there one for which the guest has room? */
bool guest_letters_can_go(struct guest *guest);
/* Puts what there is room for into its queue: how many messages, or -errno. */
int guest_letters_put(struct guest *guest);
/* Nothing is on its way any more. */
void guest_letters_forget(struct guest *guest);

#endif
