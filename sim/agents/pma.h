/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The performance management agent (IBA vol 1, 16.1): pma.c decides what is answered and how,
 * pma-counters.c knows the attributes that are made of counters, pma-samples.c samples them, and
 * pma-select.c says which ports are meant.
 *
 * Each attribute has counters of its own: a Set of PortCounters leaves PortCountersExtended as it
 * is, as on hardware. They never go round, but stay at their highest value.
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
 * What a node answers to 'in' (256 bytes of class 0x04) in 'out'. Returns kmod_mad_result bits:
 * responses and traps are not its affair.
 */
unsigned int pma_process(struct node *node, const uint8_t *in, uint8_t *out);

/* ---- sim/agents/pma-select.c ---- */

/* Is there a port of that number, or are all ports meant (PMA_ALL_PORTS)? Port 0: on switches. */
bool pma_has_port(const struct node *node, unsigned int num);

/*
 * Is port 'num' meant by PortSelect 'select'? All ports are those with a link; port 0 of a switch
 * only if it is an enhanced one, as programs do it that go from port to port themselves.
 */
bool pma_is_among(const struct node *node, unsigned int select, unsigned int num);

/* ---- sim/agents/pma-counters.c ---- */

struct pma_counters;

/* The attribute 'attr_id', NULL: 'node' has none that is made of counters and called so. */
const struct pma_counters *pma_counters_find(const struct node *node, uint16_t attr_id);

/*
 * Fills in the counters of 'num' (there is such a port) in the attribute at 'data'; the sum of all
 * ports' for PMA_ALL_PORTS. Where packets are counted by OpCode, 0 there means all of them.
 */
void pma_counters_get(const struct pma_counters *counters, const struct node *node,
		      unsigned int num, uint8_t *data);

/* Sets those counters that CounterSelect (and CounterSelect2) in 'data' names to what is there. */
void pma_counters_set(const struct pma_counters *counters, struct node *node, unsigned int num,
		      const uint8_t *data);

/*
 * One counter by name: "PortRcvErrors", or "PortCounters.PortRcvErrors" where the attribute matters
 * (else PortCountersExtended, if it has the counter). -EINVAL: there is none of that name.
 */
int pma_counter_get(const struct node *node, unsigned int num, const char *name,
		    uint64_t *ret_value);
/* Makes the counter show 'value', as a Set does, and count on from there. -ERANGE: it cannot. */
int pma_counter_set(struct node *node, unsigned int num, const char *name, uint64_t value);

/* ---- sim/agents/pma-samples.c ---- */

/* PortSamplesControl of 'num' at 'data': begins to sample, if nothing is being sampled. */
enum mad_status pma_samples_set(struct node *node, unsigned int num, const uint8_t *data);
void pma_samples_get(struct node *node, unsigned int num, uint8_t *data);

/* Ends what is under way; it is then as if nothing had ever been sampled. */
void pma_samples_reset(struct node *node);

/* PortSamplesResult, or PortSamplesResultExtended. */
void pma_samples_result(struct node *node, bool is_extended, uint8_t *data);

#endif
