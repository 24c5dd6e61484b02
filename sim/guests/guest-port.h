/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The end ports of a kernel that is not in this process, a guest's or this machine's: what arrives
 * for them goes there as messages (kmod-stub/linux/hca/umadrig_hca.h), and what it sends comes from
 * there. The HCA's own agents stay in the fabric: they answer before the kernel sees a MAD.
 */
#ifndef UMADRIG_SIM_GUESTS_GUEST_PORT_H
#define UMADRIG_SIM_GUESTS_GUEST_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kmod-stub/kmod.h"
#include "kmod-stub/linux/hca/umadrig_hca.h"
#include "sim/fabric/end-port.h"
#include "sim/guests/guest-datagram.h"
#include "sim/guests/hca-driver.h"

struct guest_file;
struct packet;

/* What struct kmod_host and kmod_port are of this kernel. */
struct guest_host {
	const struct kmod_kernel *kernel;
	struct hca_driver *driver;
	const struct kmod_ops *ops;
	void *ctx;
};

struct guest_port {
	const struct kmod_kernel *kernel;
	struct guest_host *host;
	const struct kmod_port_attr *attr;
	struct end_port *end;
	uint8_t hca, num;
	uint32_t psn[2];		/* of QP0 and QP1 */
	struct guest_datagrams datagrams;
	struct guest_file *issm;	/* of a guest's, open out here; NULL */
	unsigned int files;		/* that are; the port lives until the last one is closed */
	bool is_removed;
	/* What the kernel was told last; all zeros: nothing. */
	struct umadrig_hca_port said;
	uint16_t said_pkeys[PKEY_COUNT];
	uint64_t said_gids[GID_COUNT];
};

static inline bool guest_port_is_there(const struct guest_port *port)
{
	return port->host->driver->hca[port->hca].state == HCA_THERE;
}

/* A file of it has been closed, or it has been removed: it goes with the last of these. */
void guest_port_release(struct guest_port *port);

/* A packet has arrived, whose ownership passes to the port: as kmod_port_receive(). */
void guest_port_receive(struct guest_port *port, struct packet *packet);

/* Tells the kernel what has changed of it since it was told last, and whether to register again. */
void guest_port_tell(struct guest_port *port, bool reregisters);
/* The same, for a kernel that was told nothing. */
void guest_port_tell_all(struct guest_port *port);
/* Tells it what has changed of all ports since it was told last. */
void guest_ports_look(struct hca_driver *driver);
/* A message of the port has come up. 0, or -EPROTO: it makes no sense. */
int guest_port_up(struct guest_port *port, const struct umadrig_hca_header *header,
		  const uint8_t *payload, size_t size);

#endif
