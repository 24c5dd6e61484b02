/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The subnet administration (SA) of a warm subnet, which has no subnet manager: it answers the
 * queries of programs from what the subnet is at that moment (IBA vol 1, 15).
 *
 * It is on the end port that the subnet's ports take for the SM's. It has a port of kmod-stub there
 * beside that of the host, with one file and one agent: segments, windows and retries of its
 * answers are those of Linux. What a program of that host has registered for goes to the program.
 *
 *   sa.c          its life, its file: requests in, answers out
 *   sa-answer.c   a request is checked, and becomes an answer
 *   sa-kind.h     the table of kinds of records; sa-node.c and others list them
 *   sa-request.h  a request, and the ports that it is about
 *   sa-table.h    the records of an answer, and which of them a ComponentMask selects
 *   sa-store.h    what programs have registered: services, and members of multicast groups
 *   sa-inform.h   events that programs have subscribed to, and reports of them
 *   sa-selector.h how MTU, Rate and PacketLifeTime are compared
 *   path-walk.h   the way from one port to another by the forwarding tables
 *   group-tree.h  a multicast group in the switches' tables
 *
 * Where it differs from OpenSM is in doc/fidelity.md.
 */
#ifndef UMADRIG_SIM_SA_SA_H
#define UMADRIG_SIM_SA_SA_H

struct subnet;
struct umadrig_fabric;

/*
 * Starts the SA on the port that has the LID which the subnet's ports take for the SM's. 0, or
 * -ENOENT: no port has such a LID, or -EEXIST: there is one. Lock held, as below.
 */
int sa_start(struct subnet *subnet);

/* Ends it, with what it knows of services, groups and subscribers. There may be none. */
void sa_end(struct subnet *subnet);

/* The same for all subnets. -ENOENT: none has been started. */
int sa_start_all(struct umadrig_fabric *fabric);
void sa_end_all(struct umadrig_fabric *fabric);

#endif
