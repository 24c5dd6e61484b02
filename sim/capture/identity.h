/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a port is at which was captured. No packet says so of the port that asks: SMPs to its own
 * node never leave it. umadrig's own captures have it as the comment of the port's interface, in
 * the names of NodeInfo and PortInfo, so that the fabric can be rebuilt from the capture.
 */
#ifndef UMADRIG_SIM_CAPTURE_IDENTITY_H
#define UMADRIG_SIM_CAPTURE_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

/* Host byte order. */
struct capture_identity {
	unsigned int node_type;		/* NodeInfo.NodeType: CA 1, switch 2, router 3 */
	unsigned int port_count;
	unsigned int port_num;		/* 0: a switch's own */
	uint64_t system_guid;
	uint64_t node_guid;
	uint64_t port_guid;
	unsigned int vendor_id;
	unsigned int device_id;
	unsigned int revision;
	unsigned int lid;		/* when the interface was first used; 0: none yet */
	unsigned int lmc;
};

/* One line; to be freed with g_free(). */
char *capture_identity_format(const struct capture_identity *identity);

/* False: 'text' (NULL is allowed) is none, or says what cannot be; '*ret' is undefined then. */
bool capture_identity_parse(const char *text, struct capture_identity *ret);

#endif
