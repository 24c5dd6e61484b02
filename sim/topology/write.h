/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* A topology as text. */
#ifndef UMADRIG_SIM_TOPOLOGY_WRITE_H
#define UMADRIG_SIM_TOPOLOGY_WRITE_H

#include "lib/json/json-writer.h"
#include "sim/topology/topology.h"

/*
 * These functions append the fabric to 'out' as text. None of them looks at a clock: the same
 * topology gives the same bytes.
 *
 * ibnetdiscover's format: switches, CAs, routers, each in file order, with ids made of node GUIDs,
 * and revisions and VLCaps where known. topology_parse() makes an equal topology of it, except for
 * what such a dump cannot express: ids, data of ports without a link, and masks of what is enabled.
 * Graphviz: a graph with a node for each node and an edge for each link.
 * JSON: an object; bytes of descriptions that are not UTF-8 become U+FFFD.
 */
void topology_write_ibnetdiscover(const struct topology *topology, GString *out);
void topology_write_dot(const struct topology *topology, GString *out);
void topology_write_json(const struct topology *topology, GString *out);
/* The same object as a value of other JSON. */
void topology_json(const struct topology *topology, struct json_writer *json);

#endif
