/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What comes after "where" in the rule of a fault: a filter, in the words that filters of
 * captures have (sim/filter/mad-filter.h). It is tried on a packet that is on its way: words about
 * what comes later, or was before, have no place in it. Names of ports and nodes are the fabric's.
 */
#ifndef UMADRIG_SIM_FABRIC_FAULT_WHERE_H
#define UMADRIG_SIM_FABRIC_FAULT_WHERE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/api/umadrig.h"

struct fault_where;
struct filter_error;
struct mad_filter;
struct packet;
struct port;

/* ---- sim/fabric/fault-where-parse.c ---- */

/*
 * Reads a filter for a rule. Fields of the attribute of a class may be named without a method; 0:
 * there is none. NULL: it is invalid, and '*reterr' says why. The filter is the caller's.
 */
struct mad_filter *fault_where_parse(const char *text, uint8_t mgmt_class, uint16_t attribute,
				     struct filter_error *reterr);

/* The filter of a rule that has one, which is the caller's. NULL with a message: it is invalid. */
struct mad_filter *fault_where_of(const struct umadrig_fault *fault, char *reterr,
				  size_t reterr_size);
/* Is it possible in any fabric? 0, or -EINVAL with a message. */
int fault_where_check(const struct umadrig_fault *fault, char *reterr, size_t reterr_size);

/* ---- sim/fabric/fault-where.c ---- */

/*
 * The filter of a rule that has one, for this fabric, whose nodes it names. NULL with a message: it
 * is invalid, or there is no such node.
 */
struct fault_where *fault_where_new(struct umadrig_fabric *fabric,
				    const struct umadrig_fault *fault, char *reterr,
				    size_t reterr_size);
void fault_where_free(struct fault_where *where);	/* NULL is allowed */

/* Does the packet, on the cable at 'out', match? Does not allocate. */
bool fault_where_fits(const struct fault_where *where, const struct port *out,
		      const struct packet *packet);

#endif
