/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The fabric that a capture shows, for umadrig topology --from-capture. */
#ifndef UMADRIG_HARNESS_CMD_TOPOLOGY_CAPTURE_H
#define UMADRIG_HARNESS_CMD_TOPOLOGY_CAPTURE_H

#include <glib.h>

struct fabric_facts;
struct topology;

/*
 * Reads the capture in 'path'; what is odd about it goes to stderr. NULL after an error, said as
 * 'name's: it cannot be read, or shows no fabric. '*ret_gaps' (of char *, the caller's): what it
 * does not say, a line each. '*ret_used': "1234 of 5678 MADs", to be freed with g_free().
 */
struct topology *topology_from_capture(const char *name, const char *path, GPtrArray **ret_gaps,
				       char **ret_used);

/* All that the capture says of its fabric. NULL after an error, as above. */
struct fabric_facts *facts_from_capture(const char *name, const char *path);

/* Appends what the capture does not say, as comments of a topology file. */
void topology_append_gaps(const GPtrArray *gaps, GString *out);

#endif
