/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A guest's virtio device, over vhost-user with notifications in the same sockets (feature
 * INBAND_NOTIFICATIONS, with REPLY_ACK): what the guest kicks is seen in order with its time. The
 * device has two queues of messages (kmod-stub/linux/hca/umadrig_hca.h), up from the guest and down
 * to it.
 *
 * All that the guest says is checked; see guest-ring.h and guest-memory.h.
 */
#ifndef UMADRIG_SIM_GUESTS_GUEST_VHOST_H
#define UMADRIG_SIM_GUESTS_GUEST_VHOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/guests/guest-memory.h"
#include "sim/guests/guest-ring.h"

enum { GUEST_QUEUE_UP, GUEST_QUEUE_DOWN, GUEST_QUEUES };

struct guest_vhost_calls {
	/* A message has come up, of 'size' bytes. 0, or -EPROTO: the guest is not to be trusted. */
	int (*up)(void *ctx, const uint8_t *message, size_t size);
	/* All messages of a kick have come up; the guest goes on after this. 0 or -errno. */
	int (*kicked)(void *ctx);
};

/* Zeros but for descriptors, which are -1 where there is none and the struct's otherwise. */
struct guest_vhost {
	int listener;		/* until the guest has connected */
	int fd;
	int call_fd;		/* by which the guest is interrupted */
	struct guest_memory memory;
	struct guest_ring ring[GUEST_QUEUES];
	const struct guest_vhost_calls *calls;
	void *ctx;
	int patience_ms;
	char why[160];		/* an error has come of this */
};

/* Closes and frees what is there. */
void guest_vhost_clear(struct guest_vhost *vhost);
/* The guest connects: accepted. -errno. */
int guest_vhost_accept(struct guest_vhost *vhost);
/*
 * Takes one message. 0; -EPIPE: the guest has closed the device, which has then been cleared; or
 * -errno with 'why'.
 */
int guest_vhost_take(struct guest_vhost *vhost);
/* Has the guest room for a message down? 1 or 0, or -errno with 'why'. */
int guest_vhost_has_room(struct guest_vhost *vhost);
/* Puts a message there, which the guest sees when it is interrupted. 1; 0: no room; or -errno. */
int guest_vhost_put(struct guest_vhost *vhost, const void *message, size_t size);
/*
 * Interrupts the guest, which must wait: sent. It serves the interrupt, asks for its time, and then
 * answers on 'call_fd', which guest_vhost_called() reads.
 */
int guest_vhost_call(struct guest_vhost *vhost);
int guest_vhost_called(struct guest_vhost *vhost);

#endif
