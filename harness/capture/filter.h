/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Filters of captures (sim/filter/mad-filter.h): which of its MADs are meant. Here their words may
 * also be about the capture: times, frames, names of ports, and what became of a request.
 */
#ifndef UMADRIG_HARNESS_CAPTURE_FILTER_H
#define UMADRIG_HARNESS_CAPTURE_FILTER_H

#include <stdbool.h>

#include "harness/capture/frame-traits.h"
#include "harness/capture/mad-ends.h"
#include "sim/capture/capture.h"

struct filter;

/*
 * Parses a filter. NULL: it is invalid, and '*ret_message' says where and what to write instead, in
 * complete lines, to be freed with g_free(). An empty text matches every MAD.
 */
struct filter *filter_parse(const char *text, char **ret_message);
/* NULL is allowed. */
void filter_free(struct filter *filter);

/*
 * Does 'text' look like a filter rather than the name of a file? A filter has a character that no
 * usual name has, or begins with a method or class.
 */
bool filter_is_likely(const char *text);

/* Does the filter contain the name of a port at an end? Then filter_keeps() needs 'ends'. */
bool filter_names_ports(const struct filter *filter);

/*
 * The word of the filter that is about more than the MAD alone, and so needs the traits of the
 * capture's frames; NULL: there is none.
 */
const char *filter_looks_ahead(const struct filter *filter);
/* The traits of the capture from now on, which stay the caller's; NULL: none. */
void filter_set_traits(struct filter *filter, const struct frame_traits *traits);

/*
 * Does the MAD match? 'filter' NULL: every MAD does. 'ends' (NULL: nothing is known) knows the
 * addresses of ports; it is not changed. Does not allocate.
 */
bool filter_keeps(const struct filter *filter, const struct mad_ends *ends,
		  const struct capture_mad *mad);

#endif
