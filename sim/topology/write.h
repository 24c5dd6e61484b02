/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* A topology as text. */
#ifndef UMADRIG_SIM_TOPOLOGY_WRITE_H
#define UMADRIG_SIM_TOPOLOGY_WRITE_H

#include "sim/topology/topology.h"

/*
 * Appends the fabric to 'out' as text. None of them looks at a clock: the same topology gives the
 * same bytes.
 *
 * As ibnetdiscover prints it: switches, CAs, routers, each in file order, ids made of node GUIDs;
 * revisions and VLCaps where they are known. topology_parse() makes an equal topology of it, up to
 * what such a dump cannot say: ids, what ports without a link are, and masks of what is enabled.
 * Graphviz: a graph with a node for each node and an edge for each link.
 * JSON: an object; bytes of descriptions that are no UTF-8 become U+FFFD.
 */
void topology_write_ibnetdiscover(const struct topology *topology, GString *out);
void topology_write_dot(const struct topology *topology, GString *out);
void topology_write_json(const struct topology *topology, GString *out);

#endif
