/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Ends in filters: ports, LIDs, GIDs and GUIDs, each a word up to the next blank, of any
 * characters, or a string in quotes.
 */
#include "sim/filter/filter-parser.h"

#include <arpa/inet.h>
#include <string.h>

#include "lib/words/number.h"

/* RoCE's addresses on IPv4 are GIDs that end in the IPv4 address. */
bool filter_gid_of(const char *text, uint8_t ret[16])
{
	uint8_t ipv4[4];

	if (inet_pton(AF_INET, text, ipv4) != 1)
		return inet_pton(AF_INET6, text, ret) == 1;
	memset(ret, 0, 10);
	memset(ret + 10, 0xff, 2);
	memcpy(ret + 12, ipv4, sizeof(ipv4));
	return true;
}

/* Fills in the LID, GID or GUID that test->text is, if it is none of a name. */
static void set_address(struct filter_test *test)
{
	uint64_t lid;

	if (number_parse(test->text, 0, 0xffff, &lid) == 0)
		test->lid = (int)lid;
	else if (number_parse(test->text, 0x10000, UINT64_MAX, &test->value) == 0)
		test->is_guid = true;
	else
		test->is_gid = filter_gid_of(test->text, test->bytes);
}

bool filter_take_end(struct filter_parser *p, struct filter_span name, enum filter_what what,
		     enum filter_operator operator, bool negated)
{
	g_autofree char *word = filter_span_text(p, name);
	struct filter_test *test;
	struct filter_span span;
	char *text;

	if (operator != FILTER_EQUAL && operator != FILTER_DIFFERENT)
		return filter_fail(p, name, "%s takes = or !=", word);
	span = filter_peek_run(p, "");
	if (span.size == 0)
		return filter_fail(p, span, "expected a port here, such as H1[1], a LID or a GID");
	if (p->text[span.at] == '"') {
		text = filter_take_string(p);
	} else {
		text = filter_span_text(p, span);
		p->at = span.at + span.size;
	}
	if (!text)
		return false;
	test = filter_test_new(p, what, operator, negated);
	test->text = text;
	set_address(test);
	return true;
}
