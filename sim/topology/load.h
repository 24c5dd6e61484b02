/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Topologies out of files: the format is found by looking at the file (sim/topology/format.h), or
 * the name says what to generate (sim/topology/generate.h).
 */
#ifndef UMADRIG_SIM_TOPOLOGY_LOAD_H
#define UMADRIG_SIM_TOPOLOGY_LOAD_H

#include "sim/topology/topology.h"

/*
 * A file of which this is the beginning is none: it is made as the rest says. "generate:" and
 * fat-tree:HCAS[,RADIX[,LEVELS]], torus:XxYxZ,HOSTS or
 * dragonfly+:GROUPS,LEAVES,SPINES,HOSTS[,CABLES].
 */
#define TOPOLOGY_GENERATE "generate:"

/*
 * Reads a file (format found by looking at it), or makes a fabric. Returns NULL only with a fatal
 * diagnostic, which is then the last of '*ret_diagnostics'. 'ret_diagnostics' may be NULL; else it
 * becomes the GArray of struct topology_diagnostic that a loaded topology's 'diagnostics' is too,
 * for the caller to free with topology_diagnostics_free(), before or after the topology.
 */
struct topology *topology_load(const char *path, GArray **ret_diagnostics);

/*
 * The same from memory; 'name' stands for the file in diagnostics, and what an ibsim file includes
 * is looked for beside it. 'size' bytes, no terminator needed.
 */
struct topology *topology_parse(const char *text, size_t size, const char *name,
				GArray **ret_diagnostics);

#endif
