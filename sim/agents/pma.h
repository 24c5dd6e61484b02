/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The performance management agent (IBA vol 1, 16.1): pma.c decides which requests are answered and
 * how, pma-counters.c has the attributes that are made of counters, pma-samples.c samples them, and
 * pma-select.c selects ports.
 *
 * Each attribute has counters of its own: a Set of PortCounters leaves PortCountersExtended as it
 * is, as on hardware. Counters do not wrap, but stay at their highest value.
 */
#ifndef UMADRIG_SIM_AGENTS_PMA_H
#define UMADRIG_SIM_AGENTS_PMA_H

#include "sim/dictionary/mad-dictionary.h"
#include "sim/fabric/fabric.h"

enum {
	PMA_ALL_PORTS = 255,		/* PortSelect: AllPortSelect */
	PMA_DATA = 64,			/* where attributes begin in their MAD */
	PMA_DATA_SIZE = 192,

	ATTR_PORT_SAMPLES_CONTROL = 0x0010,
	ATTR_PORT_SAMPLES_RESULT = 0x0011,
	ATTR_PORT_SAMPLES_RESULT_EXTENDED = 0x001e,
};

/* ---- pma.c ---- */

/*
 * Puts a node's answer to 'in' (256 bytes of class 0x04) into 'out'. Returns kmod_mad_result bits:
 * responses and traps are not handled.
 */
unsigned int pma_process(struct node *node, const uint8_t *in, uint8_t *out);

/* ---- sim/agents/pma-select.c ---- */

/* Does the node have port 'num'? Also true for PMA_ALL_PORTS. Port 0 exists on switches. */
bool pma_has_port(const struct node *node, unsigned int num);

/*
 * Does PortSelect 'select' include port 'num'? All ports are those with a link; port 0 of a switch
 * only if it is an enhanced one, as in programs that go from port to port themselves.
 */
bool pma_is_among(const struct node *node, unsigned int select, unsigned int num);

/* How many of 'what' the port has counted up to now, with what loads have moved. */
uint64_t pma_total(const struct port *port, unsigned int what);

/* ---- sim/agents/pma-counters.c ---- */

struct pma_counters;

/* The attribute 'attr_id'; NULL: 'node' has no such attribute made of counters. */
const struct pma_counters *pma_counters_find(const struct node *node, uint16_t attr_id);

/*
 * Fills in the counters of port 'num' (which exists) in the attribute at 'data'; for PMA_ALL_PORTS
 * the sums of all ports. If packets are counted by OpCode, OpCode 0 means all of them.
 */
void pma_counters_get(const struct pma_counters *counters, const struct node *node,
		      unsigned int num, uint8_t *data);

/*
 * Sets the counters that CounterSelect (and CounterSelect2) in 'data' selects to the values there.
 */
void pma_counters_set(const struct pma_counters *counters, struct node *node, unsigned int num,
		      const uint8_t *data);

/*
 * One counter by name: "PortRcvErrors", or "PortCounters.PortRcvErrors" if the attribute matters
 * (else PortCountersExtended, if it has the counter). -EINVAL: there is none of that name.
 */
int pma_counter_get(const struct node *node, unsigned int num, const char *name,
		    uint64_t *ret_value);
/*
 * Sets the counter to 'value', as a Set does; it counts on from there. -ERANGE: it is too narrow.
 */
int pma_counter_set(struct node *node, unsigned int num, const char *name, uint64_t value);

/*
 * From now on the counter grows by 'numerator' in each 'per_ns' (> 0), for 'for_ns' (INT64_MAX:
 * without an end), in every attribute that has it (sim/fabric/motion.h). -EINVAL: there is none of
 * that name.
 */
int pma_counter_drift(struct node *node, unsigned int num, const char *name, uint64_t numerator,
		      uint64_t per_ns, int64_t for_ns);
/* Ends that. How many of such orders there were, or -EINVAL. */
int pma_counter_stop(struct node *node, unsigned int num, const char *name);

/* ---- sim/agents/pma-samples.c ---- */

/* PortSamplesControl of 'num' at 'data': begins to sample, if nothing is being sampled. */
enum mad_status pma_samples_set(struct node *node, unsigned int num, const uint8_t *data);
void pma_samples_get(struct node *node, unsigned int num, uint8_t *data);

/* Ends sampling, and resets to the state before the first Set. */
void pma_samples_reset(struct node *node);

/* Fills in PortSamplesResult, or PortSamplesResultExtended. */
void pma_samples_result(struct node *node, bool is_extended, uint8_t *data);

#endif
