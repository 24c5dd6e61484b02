/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Filters select MADs: those of a capture, and those that the rules of faults act on.
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
 * 	trap=128				the number of a generic notice
 * 	from=H1[1] to=5 port="H 1[1]"		an end: a port's name, a LID, a GID
 * 	from=H1 to=0x2c90300001894		the name of a node, the GUID of one or of a port
 *
 * and where MADs are those of a capture (harness/capture/filter.h)
 *
 * 	1s~2s 1s~ ~2s				a stretch of time: from, up to and not at, to
 * 	frame=7					the number of the frame in the file
 * 	dropped					it did not arrive
 * 	unanswered				a request without an answer
 * 	trip>1ms retry>0			of a conversation: round trip, repetitions
 * 	changed					says something else than was said before
 *
 * with = (or ==), !=, <, <=, > and >=. The headers' fields are those of sim/filter/term.c. A field
 * that a MAD does not have (a segment's number in a MAD without RMPP, a LID on RoCE) matches
 * nothing, not even '!='. 'status' is without the direction bit of directed routes; mad.status is
 * with it. An IP address is a GID, too.
 */
#ifndef UMADRIG_SIM_FILTER_MAD_FILTER_H
#define UMADRIG_SIM_FILTER_MAD_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct filter_test;
struct mad_class_info;
struct mad_filter;
struct packet_addr;

/* Where a filter stands, which decides what its words may be about. */
struct filter_dialect {
	/*
	 * Why the word has no place there, and what has; NULL: it has. 'word' is one of those that
	 * are about more than one MAD, or "~" for a stretch of time. The pointer may be NULL: all
	 * words have.
	 */
	const char *(*refuse)(const char *word);
	/* Fields of these may be named without a method before them. NULL, and -1: none. */
	const struct mad_class_info *class_info;
	int attr_id;
};

/* What is wrong, and where in the text. */
struct filter_error {
	char *message;		/* to be freed with g_free() */
	size_t at, size;	/* bytes */
};

/*
 * Parses a filter. 'dialect' NULL: that of captures. NULL: it is invalid, and '*reterr' says why.
 * An empty text matches every MAD.
 */
struct mad_filter *mad_filter_parse(const char *text, const struct filter_dialect *dialect,
				    struct filter_error *reterr);
/* NULL is allowed. */
void mad_filter_free(struct mad_filter *filter);

/* Is it a word of filters that stands alone, such as "dropped"? */
bool mad_filter_is_word(const char *word);

/* The MAD that a filter is tried on, and the headers around it. */
struct filter_subject {
	const uint8_t *mad;		/* 256 bytes */
	const struct packet_addr *addr;
	bool has_lrh;			/* LIDs, SL and VL are known */
	bool has_grh;			/* ... GIDs, and what else a GRH has */
};

/* Does a test fit that is about more than the MAD alone: an end by its name, a frame ...? */
typedef bool filter_more_fn(const struct filter_test *test, void *ctx);

/* Does the MAD match? 'more' is asked with 'ctx'. Does not allocate. */
bool mad_filter_keeps(const struct mad_filter *filter, const struct filter_subject *subject,
		      filter_more_fn *more, void *ctx);

/* Calls 'each' for all tests, in their order, until it returns false. */
typedef bool filter_test_fn(const struct filter_test *test, void *ctx);
void mad_filter_each(const struct mad_filter *filter, filter_test_fn *each, void *ctx);

#endif
