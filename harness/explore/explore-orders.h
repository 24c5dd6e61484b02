/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What was seen on the wire in a run, as hashes.
 *
 * The order: the sequence of the capture's MADs, of each the port where it was recorded, its
 * direction there, its LIDs and queue pairs (of a directed route the path as well), class, method,
 * attribute and modifier. No times, transaction IDs, payload. The contents: the same, and times,
 * all other fields of the packets' headers, the comments and every byte of the MADs. Neither has
 * the head of the file, which names the seed.
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_ORDERS_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_ORDERS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct explore_orders {
	uint64_t mads;
	char *order, *contents;	/* explore_hash_text(); NULL: no capture can be read */
	GHashTable *kinds;	/* a set of the names of MADs: "SubnGet(NodeInfo)"; or NULL */
};

/*
 * Reads the capture 'path'. 'traits': what its MADs show is added to it
 * (harness/explore/explore-traits.h); or NULL. To be freed with explore_orders_clear().
 */
void explore_orders_read(struct explore_orders *orders, const char *path, GHashTable *traits);
void explore_orders_clear(struct explore_orders *orders);

/*
 * A hash of all that is in a run's directory: names and contents of the files, in the order of
 * their names. To be freed; NULL: something cannot be read.
 */
char *explore_orders_of_files(const char *directory);

#endif
