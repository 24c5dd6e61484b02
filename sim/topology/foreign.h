/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Files that describe no fabric, recognized so that they can be refused by their name. */
#ifndef UMADRIG_SIM_TOPOLOGY_FOREIGN_H
#define UMADRIG_SIM_TOPOLOGY_FOREIGN_H

#include "sim/topology/line.h"

/* What the file is ("empty", "a packet capture (pcap)"), by its beginning; NULL: text. */
const char *foreign_file(struct span text);

/* The kind of file that has such a line; NULL: any may. */
const char *foreign_line(struct span line);

/* What a text is that no format takes for its own; never NULL. */
const char *foreign_text(struct span text);

#endif
