/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Files that do not describe a fabric, recognized so that the refusal can name their kind. */
#ifndef UMADRIG_SIM_TOPOLOGY_FOREIGN_H
#define UMADRIG_SIM_TOPOLOGY_FOREIGN_H

#include "sim/topology/line.h"

/* What the file is ("empty", "a packet capture (pcap)") according to its beginning; NULL: text. */
const char *foreign_file(struct span text);

/* The kind of file that has such a line; NULL: any file may. */
const char *foreign_line(struct span line);

/* Describes a text that no format recognizes; never NULL. */
const char *foreign_text(struct span text);

#endif
