/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Bytes on the wire that depend on where programs lie in memory: runs that differ in addresses
 * alone, and what differs in their MADs. Such a byte is of memory that was not set, or of a
 * pointer.
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_LEAKS_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_LEAKS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct explore_leaks {
	GHashTable *mads;	/* of struct leaking_mad *, by frame */
	uint64_t count;		/* MADs that were compared */
};

void explore_leaks_begin(struct explore_leaks *leaks);
void explore_leaks_end(struct explore_leaks *leaks);

/*
 * Compares two captures, MAD by MAD, and adds the bytes that differ. False: they have not the same
 * MADs, in the same order, so that more than addresses is different; '*ret_why' (to be freed) says
 * from where on. Or a capture cannot be read.
 */
bool explore_leaks_compare(struct explore_leaks *leaks, const char *a, const char *b,
			   char **ret_why);

/* A line for each MAD that leaks, in their order, with its fields and bytes; to be freed. */
char *explore_leaks_text(const struct explore_leaks *leaks);
/* How many bytes those are. */
uint64_t explore_leaks_bytes(const struct explore_leaks *leaks);

#endif
