/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * One that looks on: it sees each packet where it leaves its port, and is told that something has
 * changed. It changes nothing itself, nor now: it arms events. See sim/property/property.h.
 */
#ifndef UMADRIG_SIM_FABRIC_OBSERVER_H
#define UMADRIG_SIM_FABRIC_OBSERVER_H

#include <stddef.h>
#include <stdint.h>

struct end_port;
struct packet;
struct port;
struct umadrig_fabric;

/* What has become of a umad file of a program. */
enum file_event_kind {
	FILE_WRITTEN,		/* the kernel has taken a MAD */
	FILE_READ,		/* and given one to the program: a MAD, or how a send has failed */
	FILE_CLOSED,
};

struct file_event {
	enum file_event_kind kind;
	const void *file;		/* tells files apart */
	const struct end_port *end;	/* whose file it is */
	/*
	 * Not of FILE_CLOSED: the user header, of USER_HEADER_SIZE, and what there is of the MAD:
	 * MAD_HDR_SIZE bytes or more. What is read may be less than the whole, and be read again.
	 */
	const uint8_t *umad;
	size_t size;
};

/* Lock held. */
struct fabric_observer {
	/* Not raw packets. */
	void (*packet)(struct umadrig_fabric *fabric, struct port *port,
		       const struct packet *packet);
	/* What node_changed() is called for. */
	void (*change)(struct umadrig_fabric *fabric);
	/* A program and its kernel. */
	void (*file)(struct umadrig_fabric *fabric, const struct file_event *event);
};

#endif
