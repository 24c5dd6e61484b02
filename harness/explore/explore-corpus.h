/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What runs have shown so far (harness/explore/explore-traits.h), and those that have shown
 * something first: the corpus, of which others are made.
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_CORPUS_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_CORPUS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "harness/explore/explore-plan.h"
#include "sim/time/chance.h"

/* More are not noted: a program that prints random words has no end of them. */
#define EXPLORE_TRAITS_MAX (1u << 20)

struct explore_trait {
	char *text;
	unsigned int first;	/* the run that has shown it first, from 1 */
	unsigned int count;	/* in how many runs it was */
};

/* A run that has shown something first. */
struct explore_entry {
	unsigned int run;	/* from 1 */
	struct explore_point point;
	unsigned int picked;	/* how many runs were made of it */
	GPtrArray *traits;	/* of struct explore_trait: what it has shown first; not owned */
};

struct explore_corpus {
	GHashTable *traits;	/* text: struct explore_trait, which has it */
	GPtrArray *entries;	/* of struct explore_entry, in the order of their runs */
	unsigned int picks;	/* by explore_corpus_pick() */
	unsigned int last;	/* the last run that has shown something new, from 1; 0: none */
};

void explore_corpus_begin(struct explore_corpus *corpus);
void explore_corpus_end(struct explore_corpus *corpus);

/*
 * Counts what run number 'run', from 1, has shown: a set of texts. If something of it is new, and
 * 'is_kept', the run becomes an entry. How much is new.
 */
unsigned int explore_corpus_take(struct explore_corpus *corpus, unsigned int run,
				 const struct explore_point *point, GHashTable *shown,
				 bool is_kept);

/* A trait that is known, or is made; NULL: there are too many. To count. */
struct explore_trait *explore_corpus_trait(struct explore_corpus *corpus, const char *text,
					   unsigned int first);
/* Adds an entry, whose point is taken over. */
struct explore_entry *explore_corpus_add(struct explore_corpus *corpus, unsigned int run,
					 struct explore_point *point);
/* Gives each entry the traits that it has shown first. */
void explore_corpus_bind(struct explore_corpus *corpus);

/*
 * One of the entries, by chance: the rarer what it shows is, and the less often it was picked, the
 * more likely. NULL: there are none.
 */
struct explore_entry *explore_corpus_pick(struct explore_corpus *corpus, struct chance *chance);

#endif
