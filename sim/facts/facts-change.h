/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What two fabrics differ in: a list of changes, each of a kind, somewhere, from what to what.
 *
 * Compared is what is known of both. What is known of one alone is no change: it is said in words
 * that it was not compared.
 */
#ifndef UMADRIG_SIM_FACTS_FACTS_CHANGE_H
#define UMADRIG_SIM_FACTS_FACTS_CHANGE_H

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

enum facts_kind {
	FACTS_NODE_GONE,
	FACTS_NODE_NEW,
	FACTS_NODE_RENAMED,
	FACTS_NODE_DEVICE,		/* vendor, device, revision */
	FACTS_CABLE_MOVED,
	FACTS_CABLE_GONE,
	FACTS_CABLE_NEW,
	FACTS_WIDTH,
	FACTS_SPEED,
	FACTS_LID,
	FACTS_FIRMWARE,
	FACTS_PKEYS,
	FACTS_SM,
	FACTS_ROUTE,
	FACTS_KINDS,
};

/* "cable moved", "LID". */
const char *facts_kind_name(enum facts_kind kind);
/* "cable-moved", "lid", for programs. */
const char *facts_kind_word(enum facts_kind kind);

struct facts_change {
	enum facts_kind kind;
	char *at;			/* "leaf-0[4]", or the name of a node */
	char *a, *b;			/* what was there; NULL: nothing */
	uint64_t guid;			/* of the node; 0: of none in particular */
};

struct facts_changes {
	GPtrArray *list;		/* of struct facts_change * */
	GPtrArray *gaps;		/* of char *: what is not compared: "routes (not in B)" */
	uint64_t counts[FACTS_KINDS];	/* of each kind, with routes that are not in the list */
	uint64_t nodes_a, nodes_b, cables_a, cables_b;
	uint64_t pairs;			/* of end ports, whose routes are known in both */
	size_t routes_max;		/* so many of them are listed */
};

/* None so far. Never NULL. */
struct facts_changes *facts_changes_new(size_t routes_max);
void facts_changes_free(struct facts_changes *changes);	/* NULL is allowed */
uint64_t facts_changes_count(const struct facts_changes *changes);

/* Adds one. Takes the strings. */
void facts_changes_add(struct facts_changes *changes, enum facts_kind kind, uint64_t guid, char *at,
		       char *a, char *b);
/* The same without one in the list. */
static inline void facts_changes_count_one(struct facts_changes *changes, enum facts_kind kind)
{
	changes->counts[kind]++;
}

#endif
