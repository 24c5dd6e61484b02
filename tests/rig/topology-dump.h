/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Topologies and their diagnostics as text, for tests to compare. */
#ifndef UMADRIG_TESTS_RIG_TOPOLOGY_DUMP_H
#define UMADRIG_TESTS_RIG_TOPOLOGY_DUMP_H

#include "sim/topology/topology.h"

/*
 * One line per node, "switch S1/8 200000 lid 3: 1>H1.1@4xSDR 2>H2.1": kind, id, ports, GUID, other
 * attributes ("enhanced", "planes"), and each linked port with its peer, "@rate", "/enabled masks",
 * "(port GUID)", "=LID", "+LMC". To be freed with g_free().
 */
char *topology_dump(const struct topology *topology);

/*
 * Everything that an ibnetdiscover dump can express about a topology, one line per node, sorted by
 * GUID: two dumps are equal if these texts are. To be freed with g_free().
 */
char *topology_canonical(const struct topology *topology);

/* Whether a diagnostic is the 'expected' one, "LINE SEVERITY part of the message". */
bool topology_says(const char *expected, const struct topology_diagnostic *diagnostic);

/* Fails the test unless the diagnostics are these, in this order; NULL ends them before 'max'. */
void topology_check_says(const char *const *says, size_t max, const GArray *diagnostics);

#endif
