/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The ports at the two ends of captured MADs, by their names.
 *
 * A record contains where it was taken and the addresses, but not always the port. So ports are
 * learned: a port that sends with a LID has that LID; one that answers a directed-route request is
 * at the end of its route. Where ports of two subnets have one LID, requests to it go to no port
 * that is known. The ends of a MAD may be looked up before or after it has been learned from.
 *
 * Memory grows with the ports and routes of the fabric, up to a limit, and not with the capture.
 */
#ifndef UMADRIG_HARNESS_CAPTURE_MAD_ENDS_H
#define UMADRIG_HARNESS_CAPTURE_MAD_ENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/capture/capture.h"

struct mad_ends;

struct mad_ends *mad_ends_new(void);
/* NULL is allowed. */
void mad_ends_free(struct mad_ends *ends);

void mad_ends_learn(struct mad_ends *ends, const struct capture_mad *mad);

/*
 * The same MADs will come once more, from the first on: an address is again that of the port that
 * had it first, and moves to others with the MADs that show it. So one that has moved once in the
 * capture is not taken for one that two ports use in turns.
 */
void mad_ends_rewind(struct mad_ends *ends);

/*
 * The name of the port that sent the MAD, or that it is for, in the form of interface names
 * ("H1[1]"); NULL: unknown. It lives as long as 'ends'; the same port has the same pointer.
 */
const char *mad_ends_source(const struct mad_ends *ends, const struct capture_mad *mad);
const char *mad_ends_destination(const struct mad_ends *ends, const struct capture_mad *mad);

/*
 * What the port at an end is called: its name as above; else the NodeDescription that it, or
 * its node's port along a directed route, has given, where PortInfo says which LID it has, or
 * NodeInfo that the node is the same. NULL: unknown.
 */
const char *mad_ends_called(const struct mad_ends *ends, const struct capture_mad *mad,
			    bool source);

/*
 * What an interface of the capture says of its port: the node's description, and in umadrig's own
 * captures the GUIDs.
 */
void mad_ends_learn_interface(struct mad_ends *ends, const struct capture_interface *interface);
/* Is the port at an end known to have this GUID, or its node? NodeInfo says which they have. */
bool mad_ends_has_guid(const struct mad_ends *ends, const struct capture_mad *mad, bool source,
		       uint64_t guid);
/* The NodeDescription of the node at an end; NULL: not known. It lives as long as 'ends'. */
const char *mad_ends_description(const struct mad_ends *ends, const struct capture_mad *mad,
				 bool source);

/* A port's name as the functions above return it; NULL: no MAD so far has named it. */
const char *mad_ends_known(const struct mad_ends *ends, const char *name);

/* Does a directed route, and no LID, determine where the MAD goes? And is it on its way back? */
bool mad_is_directed(const struct capture_mad *mad);
bool mad_is_returning(const struct capture_mad *mad);

/* If this is the second record of a MAD that did not arrive: why ("no route"). Otherwise NULL. */
const char *mad_death(const struct capture_mad *mad);

#endif
