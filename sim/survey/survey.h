/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A survey: what a capture says of the fabric that it was made in.
 *
 *	survey = survey_new();
 *	survey_take(survey, mad, NULL);		for each MAD, in the order of time
 *	topology = survey_topology(survey, "fabric.pcapng", gaps);
 *
 * Answers are looked at, not requests: of the subnet management agents (NodeInfo, NodeDescription,
 * PortInfo, SwitchInfo, and Mellanox's for FDR10), by directed routes and by LID; of subnet
 * administration NodeRecords, PortInfoRecords, SwitchInfoRecords and LinkRecords. Forwarding
 * tables, P_Keys, SMInfo and firmware are no part of a topology, but of the fabric's facts. Where
 * two say different things the later one counts, so a capture of an SM gives the fabric as it was
 * at the end. What is held grows with the fabric, not with the capture.
 */
#ifndef UMADRIG_SIM_SURVEY_SURVEY_H
#define UMADRIG_SIM_SURVEY_SURVEY_H

#include <glib.h>
#include <stdint.h>

#include "sim/capture/capture.h"
#include "sim/facts/facts.h"
#include "sim/topology/topology.h"

struct survey;

struct survey_counts {
	uint64_t mads;			/* all that were shown to it */
	uint64_t used;			/* MADs that say something of the fabric */
	uint64_t wrong_crc;		/* MADs with a wrong CRC, which no port would have taken */
	uint64_t unasked;		/* answers along a route of which no request was captured */
	uint64_t impossible;		/* NodeInfos that no node has */
	unsigned int incomplete_tables;	/* answers of SA without some of their segments */
};

struct survey *survey_new(void);
/* NULL is allowed. */
void survey_free(struct survey *survey);

/*
 * The next MAD, and the interface where it was captured; NULL: the capture has none. Those of
 * umadrig's own captures say which port it is that asks.
 */
void survey_take(struct survey *survey, const struct capture_mad *mad,
		 const struct capture_interface *interface);

/*
 * The fabric, when all MADs were taken; NULL: they identify no node. 'name' is what the topology is
 * called. To 'gaps' (of char *, the caller's) it adds what the capture does not say, a line each.
 */
struct topology *survey_topology(struct survey *survey, const char *name, GPtrArray *gaps);

/* The same with all else that is known of the fabric. */
struct fabric_facts *survey_take_facts(struct survey *survey, const char *name, GPtrArray *gaps);

const struct survey_counts *survey_get_counts(const struct survey *survey);

#endif
