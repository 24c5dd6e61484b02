/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a run has shown, as a set of texts that mean the same in each run:
 *
 *	mad >SubnGet(NodeInfo) <SubnGetResp(NodeInfo)
 *				one behind the other at a port ('>': it leaves the port), with a
 *				status that is not 0, "again" where the same request has left the
 *				port before, and states of SMs and links
 *	line ERR #: ...		a line of the output, or of another text file in the run's
 *				directory, with '#' for each word that has a digit
 *	edge opensm 1a2b	a place in a program that was built with a sanitizer and
 *				-fsanitize-coverage=trace-pc-guard; from the .sancov files that the
 *				sanitizer's runtime writes
 *
 * Which runs are new is judged by these: orders of MADs and captures differ nearly always.
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_TRAITS_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_TRAITS_H

#include <glib.h>

#include "sim/capture/capture.h"

/*
 * Adds what can be read of a run's directory to 'set', whose keys are texts that it owns. At most
 * 4096 lines of at most 160 bytes and 262,144 edges of a run count, in the first 256 files by their
 * names; of each file, 16 MiB.
 */
void explore_traits_of_files(GHashTable *set, const char *directory);

/* What is known of a capture's MADs so far. */
struct explore_traffic {
	GHashTable *set;	/* as above; NULL: nothing is wanted */
	GHashTable *names;	/* of kinds of MADs, and their numbers */
	GHashTable *last;	/* of each port: the kind of its last MAD */
	GHashTable *pairs;	/* of kinds that were seen */
	GHashTable *sent;	/* hashes of requests */
};

void explore_traffic_begin(struct explore_traffic *traffic, GHashTable *set);
/* The next MAD; 'name': as of mad_text_name(). */
void explore_traffic_take(struct explore_traffic *traffic, const struct capture_mad *mad,
			  const char *name);
void explore_traffic_end(struct explore_traffic *traffic);

/* A line without what differs from run to run, to be freed: "# opensm [#]: Entering MASTER". */
char *explore_line_without_numbers(const char *line, gsize size);

#endif
