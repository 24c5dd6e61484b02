/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The capture of a tap (lib/mad-tap.h), made ready at the end of its programs: threads and
 * processes write to it, each for itself.
 */
#ifndef UMADRIG_HARNESS_RECORD_TAPPED_H
#define UMADRIG_HARNESS_RECORD_TAPPED_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Records that are so far out of order, and less, are put in order. */
#define TAPPED_REORDER_NS (INT64_C(10) * 1000000000)

struct tapped_report {
	size_t records;		/* MADs */
	size_t moved;		/* records that came after later ones: they are in order now */
	size_t cut;		/* pieces of records, left out */
	size_t cut_bytes;
	bool has_ended;		/* a program could not write all of its MADs, and said why */
	int64_t set_back_ns;	/* 0, or: the clock was set back by so much, and no order made */
};

/*
 * Brings the records of 'path' into the order of their times and leaves out what was torn. The
 * file is written anew (mode 0600, takes its name when it is whole) only if that changes anything;
 * if only a piece at its end is too much, it is cut short in place. False with an error of
 * COMMAND_ERROR: it is as it was.
 */
bool tapped_finish(const char *path, struct tapped_report *ret, GError **error);

#endif
