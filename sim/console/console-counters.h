/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Performance counters: the console reads and writes them by MADs that the node's own PMA answers,
 * so that every counter of the PMA can be named.
 */
#ifndef UMADRIG_SIM_CONSOLE_CONSOLE_COUNTERS_H
#define UMADRIG_SIM_CONSOLE_CONSOLE_COUNTERS_H

#include "sim/console/console.h"

/*
 * Sets field 'field' of 'attribute' ("PortCounters") at the port to 'value'; all others keep their
 * values. 0 or -errno with the console's error.
 */
int counters_set(struct console *console, struct port *port, const char *attribute,
		 const char *field, uint64_t value);

/* Appends every counter of 'attribute' at the port, one "Name: value" per line. */
int counters_print(struct console *console, struct port *port, const char *attribute);

#endif
