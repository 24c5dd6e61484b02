/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A directory in which an exploration is kept, to be gone on with or merged with others: what runs
 * have shown, the corpus, and the failures.
 *
 *	state		a key file (GKeyFile): of which test, how far it is, entries, ways to fail,
 *			traits ("COUNT FIRST TEXT")
 *	failure-N	of each way in which runs fail, what is kept (harness/explore/explore-way.h)
 *	lock		held (flock) by the process that uses it
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_STORE_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_STORE_H

#include "harness/explore/explore-guide.h"
#include "harness/explore/explore-report.h"

struct explore_store {
	char *path;		/* absolute; NULL: nothing is kept */
	int lock;
};

/* What is kept of an exploration, besides what its directory has. */
struct explore_state {
	char **words;			/* of its test: explore_words_of_test() */
	unsigned int part, parts;	/* --shard */
	unsigned int next;		/* the next run, from 0 */
	uint64_t points, instants;	/* that the first run had */
};

void explore_state_clear(struct explore_state *state);

/*
 * Takes the directory 'path', which is made if it is not there; what a call that was killed has
 * left of its runs is removed. False: an error of COMMAND_ERROR. To be ended in any case.
 */
bool explore_store_begin(struct explore_store *store, const char *path, GError **error);
void explore_store_end(struct explore_store *store);

/*
 * Reads what is kept in 'path' into what has just begun. '*state' is to be cleared in any case; its
 * words are NULL if nothing has been kept there yet. False: an error of COMMAND_ERROR.
 */
bool explore_store_read(const char *path, struct explore_state *state,
			struct explore_guide *guide, struct explore_report *report, GError **error);

/* Writes it, whole or not at all. False: an error. */
bool explore_store_write(const char *path, const struct explore_state *state,
			 const struct explore_guide *guide, const struct explore_report *report,
			 GError **error);

#endif
