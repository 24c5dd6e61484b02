/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Planarized HCAs, as those for XDR are: the HCA's ports are the planes of one port. Each plane has
 * a cable, a state, a rate and counters of its own; GUID, LIDs, P_Keys, GIDs, M_Key, CapabilityMask
 * and what else an SM writes for an end port there is once, in the *vport*, which is the end port
 * of the first plane, whichever plane the SM writes it by.
 *
 * Programs have two devices of it (Linux since 6.11; RDMA_DEVICE_TYPE_SMI):
 *
 *	mlx5_0	the GSI device: one port, all planes together, with QP1 and without QP0
 *	smi0	the SMI device: a port for each plane, with QP0 and without QP1
 *
 * The node of the fabric is the SMI device. The GSI device is a node of its own that is in no
 * fabric's list: hosts have it as a device. MADs for QP1 come to it from any plane, and leave by
 * the one that leads to their DLID.
 */
#ifndef UMADRIG_SIM_FABRIC_PLANE_H
#define UMADRIG_SIM_FABRIC_PLANE_H

#include <stdint.h>

struct end_port;
struct node;
struct packet;
struct port;

/* What an HCA and its GSI device share. */
struct planes {
	struct node *hca;		/* in the fabric: its SMI device */
	struct node *gsi;		/* belongs to 'hca' */
	struct end_port *vport;		/* of the first plane */
};

/*
 * Makes the ports of a CA, which has two or more, the planes of one port, with the first one's GUID
 * and LIDs (without LIDs: those of the next). To be called once, after the fabric's hosts are made
 * and before anything uses it.
 */
void planes_join(struct node *hca);

/*
 * The first plane that is Active and has a way to the LID, by its switch's table; else the first
 * one that is up.
 */
struct port *planes_toward(const struct planes *planes, uint16_t dlid);

/*
 * The plane by which a packet leaves that 'port' sends, a plane or the GSI device's port: SMPs and
 * raw packets by the plane itself, others as planes_toward() says.
 */
struct port *planes_way_out(struct port *port, const struct packet *packet);

/* How many planes are up; if none is, all of them. */
unsigned int planes_count_up(const struct planes *planes);

/* The lanes of all planes that are up; if none is, of all planes. */
unsigned int planes_lanes(const struct planes *planes);

#endif
