/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A fabric as SVG: hosts in the lowest row, above them the switches, each row one cable farther
 * from hosts than the one below.
 */
#ifndef UMADRIG_HARNESS_REPORT_FABRIC_SVG_H
#define UMADRIG_HARNESS_REPORT_FABRIC_SVG_H

#include "sim/topology/topology.h"

/* False: it has more nodes than can be looked at, and nothing is drawn. */
bool fabric_svg(GString *out, const struct topology *topology);

#endif
