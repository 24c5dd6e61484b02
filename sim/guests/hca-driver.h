/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The driver umadrig_hca of a kernel, a guest's or this machine's, as the fabric has it: which HCAs
 * it is to have, and which it has. What kernel and fabric say to each other is in
 * kmod-stub/linux/hca/umadrig_hca.h; how a message gets there is 'send'. Lock held in all of them.
 */
#ifndef UMADRIG_SIM_GUESTS_HCA_DRIVER_H
#define UMADRIG_SIM_GUESTS_HCA_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kmod-stub/linux/hca/umadrig_hca.h"

struct guest_port;
struct node;
struct umadrig_fabric;
struct umadrig_host;

enum hca_state {
	HCA_NONE,
	HCA_COMES,		/* ADD has been sent */
	HCA_THERE,		/* HELLO has come */
	HCA_GOES,		/* REMOVE has been sent */
};

struct hca_slot {
	struct node *node;	/* NULL: of no node */
	enum hca_state state;
	struct guest_port *port[UMADRIG_HCA_PORTS_MAX];	/* NULL: not there */
	/* What the kernel calls it, from its HELLO on. */
	char name[UMADRIG_HCA_NAME_SIZE];
	bool is_unnamed;	/* its name is another's there: the kernel is to choose one */
	int err;		/* with which it did not come; 0 */
};

struct hca_driver {
	struct umadrig_fabric *fabric;
	/*
	 * Sends a message: 'header' has its type and fields, the rest is filled in. 0, or the
	 * -errno with which it is refused; -ENOBUFS: there is no receive buffer for a packet.
	 */
	int (*send)(struct hca_driver *driver, const struct umadrig_hca_header *header,
		    const void *payload, size_t size);
	bool keeps_hcas;		/* there may be some of a session before this one */
	bool is_ready;			/* READY has come */
	unsigned int hca_count;		/* how many have a node */
	struct hca_slot hca[UMADRIG_HCA_HCAS_MAX];
	uint64_t seen_changes;		/* of the fabric, when its ports were looked at last */
	uint32_t own_agents;		/* of the kernel itself, when all HCAs had come first */
};

/* Why the host cannot have its HCAs from such a driver; NULL: it can. */
const char *hca_driver_objection(const struct umadrig_host *host);
/* The host's HCAs get numbers, of which there are enough. */
void hca_driver_take(struct hca_driver *driver, const struct umadrig_host *host);
/* Its kernel sees all HCAs of the host that are in there. */
void hca_driver_show(const struct umadrig_host *host);

/* Adds an HCA, if all of its ports are there, the driver is ready, and it has not come yet. */
void hca_driver_add(struct hca_driver *driver, uint8_t number);
/* It is to go. */
void hca_driver_remove(struct hca_driver *driver, uint8_t number);
/* The driver is not there any more. */
void hca_driver_end(struct hca_driver *driver);
/* Does one of its HCAs have to come yet? */
bool hca_driver_has_to_come(const struct hca_driver *driver);
/* A message of it has come up. 0, or -EPROTO: it makes no sense. */
int hca_driver_up(struct hca_driver *driver, const struct umadrig_hca_header *header,
		  const uint8_t *payload, size_t size);

#endif
