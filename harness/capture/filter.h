/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Filters select MADs of a capture, in the words of scenarios:
 *
 * 	SubnGet(PortInfo) dlid=5 status!=0
 * 	1s~2s port=H1[1] or frame>=100 frame<200
 *
 * Items side by side (with an optional 'and' between them) must all match; 'or' separates
 * alternatives, 'not' negates the next item. An item is
 *
 * 	SubnGet(PortInfo) SubnGet		a method, with an attribute or without
 * 	Subn(PortInfo) SA			a class, likewise
 * 	status!=0 slid<=5 bytes[24..27]=0	a field of the headers
 * 	{ LinkState=Down } or LinkState=Down	a field of the attribute, after its method
 * 	1s~2s 1s~ ~2s				a stretch of time: from, up to and not at, to
 * 	frame=7					the number of the frame in the file
 * 	from=H1[1] to=5 port="H 1[1]"		an end: a port's name, a LID, a GID
 * 	from=H1 to=0x2c90300001894		the name of a node, the GUID of one or of a port
 * 	unanswered				a request without an answer
 * 	trip>1ms retry>0			of a conversation: round trip, repetitions
 * 	changed					says something else than was said before
 *
 * with = (or ==), !=, <, <=, > and >=. The headers' fields are those of harness/script/mad/term.c.
 * A field that a MAD does not have (a segment's number in a MAD without RMPP, a LID on RoCE)
 * matches nothing, not even '!='. 'status' is without the direction bit of directed routes;
 * mad.status is with it. An IP address is a GID, too.
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
