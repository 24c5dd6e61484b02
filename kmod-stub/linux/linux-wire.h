/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Packets: down from a QP, and up to it.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_LINUX_WIRE_H
#define UMADRIG_KMOD_STUB_LINUX_LINUX_WIRE_H

#include <stdbool.h>

struct kmod_host;
struct kmod_port;
struct linux_dues;
struct packet;

/* The oldest completion of a send that is to come at the host, now. False: there is none. */
bool linux_wire_complete_one(struct kmod_host *host);

/* Adds those that are to come. */
void linux_wire_due(struct kmod_host *host, struct linux_dues *dues);

/* Frees what is kept for future sends. */
void linux_wire_trim(struct kmod_host *host);

/* kmod_port_receive(). */
void linux_port_receive(struct kmod_port *port, struct packet *packet);

#endif
