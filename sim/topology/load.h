/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Loading topologies: from a file, whose format is detected (sim/topology/format.h), or generated
 * according to the name (sim/topology/generate.h).
 */
#ifndef UMADRIG_SIM_TOPOLOGY_LOAD_H
#define UMADRIG_SIM_TOPOLOGY_LOAD_H

#include "sim/topology/topology.h"

/*
 * A name that begins so is not a file: the rest says what to generate. "generate:" and
 * fat-tree:HCAS[,RADIX[,LEVELS]], torus:XxYxZ,HOSTS, dragonfly+:GROUPS,LEAVES,SPINES,HOSTS[,CABLES]
 * or rail:NODES,RAILS,RADIX[,PODS], then options (sim/topology/style.h), each after a comma.
 */
#define TOPOLOGY_GENERATE "generate:"

/*
 * Reads a file, or generates a fabric. Returns NULL only with a fatal diagnostic, which is then the
 * last of '*ret_diagnostics'. 'ret_diagnostics' may be NULL; otherwise '*ret_diagnostics' is the
 * GArray of struct topology_diagnostic that the loaded topology has as 'diagnostics', for the
 * caller to free with topology_diagnostics_free(), before or after the topology.
 */
struct topology *topology_load(const char *path, GArray **ret_diagnostics);

/*
 * The same from memory; 'name' is the file's name in diagnostics, and what an ibsim file includes
 * is looked for beside it. 'text' has 'size' bytes and needs no terminator.
 */
struct topology *topology_parse(const char *text, size_t size, const char *name,
				GArray **ret_diagnostics);

#endif
