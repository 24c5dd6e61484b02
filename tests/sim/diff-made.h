/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Captures that are made by hand, and what is reported of two: for tests/sim/diff.c.
 */
#ifndef UMADRIG_TESTS_SIM_DIFF_MADE_H
#define UMADRIG_TESTS_SIM_DIFF_MADE_H

#include <glib.h>

#include "sim/diff/diff.h"

enum { MADS_MAX = 8000 };

struct mads {
	struct capture_mad list[MADS_MAX];
	size_t count, at;
};

struct seen {
	GPtrArray *names;	/* of char *: all fields of all events */
	GString *kinds;		/* "c" changed, "m" missing, "e" extra */
	unsigned int a_frame, b_frame;	/* of the last event; 0: none */
};

/* Appends a MAD, whose bytes depend on where they are; returns its MAD_SIZE bytes. */
uint8_t *mads_add(struct mads *mads, bool answer, uint8_t mgmt_class, uint8_t method,
		  uint16_t attr, uint64_t tid);
/* Appends a segment of an RMPP message. */
void mads_add_segment(struct mads *mads, uint32_t number, uint8_t flags, uint32_t paylen);
/* One conversation of each kind. */
void mads_make(struct mads *mads);

/* What is reported. */
struct seen seen_new(void);
void seen_free(struct seen *seen);
/* Compares, and adds what is reported to 'seen'. */
struct diff_counts seen_run(struct diff_options *options, struct mads *a, struct mads *b,
			    struct seen *seen);
/* The same: is there a difference? */
bool seen_differs(struct diff_options *options, struct mads *a, struct mads *b,
		  struct seen *seen);

#endif
