/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What `umadrig show` prints of a capture.
 */
#ifndef UMADRIG_HARNESS_SHOW_SHOW_H
#define UMADRIG_HARNESS_SHOW_SHOW_H

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

#include "sim/capture/capture.h"

/* Prints one line per MAD; with 'verbose', its fields below it. */
void show_lines(const struct capture *capture, bool verbose, FILE *stream);

/*
 * For programs: a line of column names, then a line per MAD. The columns are separated by tabs:
 * frame, slid, dlid, sqp, dqp, class, method, attr, tid, status, modifier. Numbers are written as
 * tshark writes them; RoCE has no LIDs.
 */
void show_fields(const struct capture *capture, FILE *stream);

/*
 * Where a MAD comes from or goes to: "LID 4", on RoCE "fe80::1" or "192.168.37.174", "DR" if it is
 * on a directed route. To be freed with g_free().
 */
char *show_source(const struct capture_mad *mad);
char *show_destination(const struct capture_mad *mad);

#endif
