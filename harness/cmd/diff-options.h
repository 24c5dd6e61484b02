/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What commands that compare captures have in common on their command lines.
 */
#ifndef UMADRIG_HARNESS_CMD_DIFF_OPTIONS_H
#define UMADRIG_HARNESS_CMD_DIFF_OPTIONS_H

#include <stdbool.h>

#include "sim/diff/diff.h"

/* --ignoring FIELD,...: adds the fields of all 'lists' (may be NULL). False: it was said why. */
bool diff_options_ignoring(const char *name, char *const *lists, struct ignored_fields *ignored);

/* --where FILTER (may be NULL), to be freed with filter_free(). False: it was said why. */
struct filter;
bool diff_options_where(const char *name, const char *where, struct filter **ret_filter);

/* Does the MAD fit 'filter'? For struct diff_options. */
bool diff_options_keep(void *filter, const struct capture_mad *mad);

#endif
