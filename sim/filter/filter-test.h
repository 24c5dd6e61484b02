/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The parts of a filter: sim/filter/filter-parse.c makes these tests from its items, and
 * sim/filter/mad-filter.c tries them on a MAD.
 */
#ifndef UMADRIG_SIM_FILTER_FILTER_TEST_H
#define UMADRIG_SIM_FILTER_FILTER_TEST_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/base/wire.h"
#include "sim/filter/mad-filter.h"

enum filter_operator {
	FILTER_EQUAL,
	FILTER_DIFFERENT,
	FILTER_LESS,
	FILTER_AT_MOST,
	FILTER_MORE,
	FILTER_AT_LEAST,
};

enum filter_what {
	FILTER_METHOD,		/* class, method and attribute */
	FILTER_TRAP,		/* the number of a generic notice */
	FILTER_STATUS,		/* without the direction bit */
	FILTER_BITS,		/* at most 64 bits of the MAD, from 'bit' on */
	FILTER_DATA,		/* the same of the attribute */
	FILTER_BYTES,		/* more bits of the MAD: 'bytes' */
	FILTER_DATA_BYTES,	/* and of the attribute */
	FILTER_ADDR,		/* 'bit' is an enum term_addr */
	FILTER_FROM,		/* ends: 'text', and for an address 'lid' or 'bytes' */
	FILTER_TO,
	FILTER_PORT,		/* either of the two */
	/* Of captures alone: */
	FILTER_TIME,		/* since the first frame: 'from_ns' up to 'to_ns' */
	FILTER_FRAME,
	FILTER_DROPPED,		/* the second record of a MAD, where it was lost */
	FILTER_UNANSWERED,	/* these four are of its capture: harness/capture/frame-traits.h */
	FILTER_CHANGED,
	FILTER_RETRY,
	FILTER_TRIP,
};

/* The header that a field is in: MADs without the header do not have the field. */
enum filter_header {
	FILTER_IN_ALL,
	FILTER_IN_RMPP,
	FILTER_IN_RMPP_DATA,	/* PayloadLength */
	FILTER_IN_RMPP_ACK,	/* NewWindowLast */
	FILTER_IN_SMP,
	FILTER_IN_DIRECTED,
	FILTER_IN_SA,
	FILTER_IN_VENDOR,
};

struct filter_test {
	enum filter_what what;
	enum filter_operator operator;
	bool negated;
	enum filter_header header;
	/* FILTER_METHOD: -1 if not named */
	const struct mad_class_info *class_info;
	bool one_class;			/* by its own name, not by its methods' prefix */
	int method, attr_id;
	int64_t from_ns, to_ns;
	uint16_t bit, width;
	uint64_t value;			/* FILTER_TRIP: ns */
	char *text;			/* of an end, as written; or NULL */
	int lid;			/* -1: 'text' is not a LID */
	bool is_gid;			/* 'bytes' is the value of 'text' */
	bool is_guid;			/* 'value' is */
	uint8_t bytes[MAD_SIZE];
	unsigned int size;		/* of 'bytes' */
};

struct mad_filter {
	GPtrArray *rules;		/* of GPtrArray of struct filter_test *: any must match */
};

/* Does a number that was found compare so with the test's? */
bool filter_test_fits(const struct filter_test *test, uint64_t found);
/* Is the end of the test an address that the packet has there, 'source' or destination? */
bool filter_test_is_address(const struct filter_test *test);

#endif
