/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a field is compared with in a filter: numbers, which may be computed, words, strings, GIDs
 * and sets of bytes or flags. A test has it as bytes under a mask.
 */
#include "sim/filter/filter-parser.h"

#include <errno.h>
#include <string.h>

#include "lib/words/number.h"

enum { HINT_SIZE = 100, NAMES_MAX = 200, DEPTH_MAX = 32 };

/* What comes where a run of a value ends. */
#define STOPS "(){}[]=<>!,\"+-*"

static const char *field_name(const struct filter_field *field)
{
	return field->info ? field->info->name : field->field->name;
}

static unsigned int field_width(const struct filter_field *field)
{
	if (!field->info)
		return field->field->width;
	return field->has_range ? (field->last - field->first + 1) * 8 : field->info->width;
}

static bool is_gid(const struct filter_field *field)
{
	return field->info ? field->info->format == TERM_GID :
	       field->field->format == MAD_FIELD_GID;
}

static bool is_flags(const struct filter_field *field)
{
	return field->info && field->info->format == TERM_FLAGS;
}

static bool is_string(const struct filter_field *field)
{
	return field->field && field->field->format == MAD_FIELD_STRING;
}

/* ---- words ---- */

static bool word_value(const struct filter_field *field, const char *word, uint64_t *ret)
{
	const struct mad_field_name *name = field->info ? NULL : field->field->names;

	if (field->info)
		return term_info_word(field->info, word, ret);
	if (field->field->format == MAD_FIELD_BOOL &&
	    (strcmp(word, "yes") == 0 || strcmp(word, "no") == 0)) {
		*ret = word[0] == 'y';
		return true;
	}
	for (; name && name->name; name++) {
		if (strcmp(name->name, word) != 0)
			continue;
		*ret = name->value;
		return true;
	}
	return false;
}

static const char *suggest_word(const struct filter_field *field, const char *word)
{
	const char *names[NAMES_MAX];
	size_t count = 0;

	for (const struct term_word *w = field->info ? field->info->words : NULL;
	     w && w->name && count < NAMES_MAX - 1; w++)
		names[count++] = w->name;
	for (const struct mad_field_name *n = field->info ? NULL : field->field->names;
	     n && n->name && count < NAMES_MAX - 1; n++)
		names[count++] = n->name;
	names[count] = NULL;
	return mad_closest(word, names);
}

static bool take_word(struct filter_parser *p, const struct filter_field *field,
		      struct filter_span span, uint64_t *ret)
{
	g_autofree char *word = filter_span_text(p, span);
	char hint[HINT_SIZE];

	p->at = span.at + span.size;
	return word_value(field, word, ret) ||
	       filter_fail(p, span, "%s has no value called '%s'%s", field_name(field), word,
			   filter_hint(suggest_word(field, word), hint, sizeof(hint)));
}

/* ---- numbers ---- */

static bool take_sum(struct filter_parser *p, const char *what, unsigned int depth, uint64_t *ret);

static bool take_plain(struct filter_parser *p, const char *what, uint64_t *ret)
{
	struct filter_span span = filter_peek_run(p, STOPS);
	g_autofree char *text = filter_span_text(p, span);
	int err = number_parse(text, 0, UINT64_MAX, ret);

	if (err == -ERANGE)
		return filter_fail(p, span, "this number does not fit into 64 bits");
	if (err < 0)
		return filter_expected(p, what);
	p->at = span.at + span.size;
	return true;
}

/* A number, one with a sign, or what is in brackets. */
static bool take_factor(struct filter_parser *p, const char *what, unsigned int depth,
			uint64_t *ret)
{
	size_t open;

	filter_peek(p);
	open = p->at;
	if (depth == DEPTH_MAX)
		return filter_fail(p, (struct filter_span){ open, 1 },
				   "this is nested too deeply (%d levels at most)", DEPTH_MAX);
	if (filter_accept(p, "-")) {
		if (!take_factor(p, what, depth + 1, ret))
			return false;
		*ret = -*ret;
		return true;
	}
	if (!filter_accept(p, "("))
		return take_plain(p, what, ret);
	if (!take_sum(p, what, depth + 1, ret))
		return false;
	return filter_accept(p, ")") ||
	       filter_fail(p, (struct filter_span){ open, 1 }, "this '(' is never closed");
}

static bool take_product(struct filter_parser *p, const char *what, unsigned int depth,
			 uint64_t *ret)
{
	uint64_t factor;

	if (!take_factor(p, what, depth, ret))
		return false;
	while (filter_accept(p, "*")) {
		if (!take_factor(p, what, depth, &factor))
			return false;
		*ret *= factor;
	}
	return true;
}

static bool take_sum(struct filter_parser *p, const char *what, unsigned int depth, uint64_t *ret)
{
	uint64_t operand;

	if (!take_product(p, what, depth, ret))
		return false;
	for (;;) {
		bool is_less = filter_peek(p) == '-';

		if (!filter_accept(p, "+") && !filter_accept(p, "-"))
			return true;
		if (!take_product(p, what, depth, &operand))
			return false;
		*ret += is_less ? -operand : operand;
	}
}

bool filter_take_number(struct filter_parser *p, const char *what, uint64_t *ret)
{
	return take_sum(p, what, 0, ret);
}

static bool take_fitting(struct filter_parser *p, const struct filter_field *field, uint64_t *ret)
{
	unsigned int width = field_width(field);
	bool is_negative = filter_peek(p) == '-';
	struct filter_span span = { .at = p->at };
	bool is_plain;

	if (!filter_take_number(p, "a constant number", ret))
		return false;
	span.size = p->at - span.at;
	is_plain = width >= 64 || *ret >> width == 0;
	if (is_negative)
		*ret &= width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
	return is_plain || is_negative ||
	       filter_fail(p, span, "0x%" G_GINT64_MODIFIER "x does not fit into %s, which has %u "
			   "bits", *ret, field_name(field), width);
}

/* ---- sets ---- */

/* {FIRST, LAST}, {1, 7}: of bytes from 'at' on in 'bytes', or of flags in '*ret_flags'. */
static bool take_set(struct filter_parser *p, const struct filter_field *field, uint8_t *bytes,
		     unsigned int at, uint64_t *ret_flags)
{
	unsigned int size = field_width(field) / 8;
	struct filter_span open = { p->at, 1 };

	filter_accept(p, "{");
	while (!filter_accept(p, "}")) {
		struct filter_span word = filter_peek_word(p);
		uint64_t value;

		if (!filter_peek(p))
			return filter_fail(p, open, "this '{' is never closed");
		if (word.size > 0 && is_flags(field)) {
			if (!take_word(p, field, word, &value))
				return false;
		} else if (!filter_take_number(p, is_flags(field) ? "ACTIVE, FIRST or LAST" :
					       "a byte, up to 0xff", &value)) {
			return false;
		}
		if (value > 0xff)
			return filter_fail(p, open, "expected bytes, up to 0xff");
		if (ret_flags)
			*ret_flags |= value;
		else if (at < size)
			bytes[at++] = (uint8_t)value;
		else
			return filter_fail(p, open, "this is more than the field holds");
		filter_accept(p, ",");
	}
	return true;
}

/* ---- fields of more than 64 bits ---- */

static bool set_gid(struct filter_parser *p, struct filter_span span, const char *text,
		    uint8_t bytes[16])
{
	return filter_gid_of(text, bytes) ||
	       filter_fail(p, span, "expected a GID as an IPv6 address, such as \"fe80::1\"");
}

/* Its text, with quotes around it or, as a GID, without. */
static bool take_text(struct filter_parser *p, const struct filter_field *field,
		      struct filter_test *test)
{
	bool is_quoted = filter_peek(p) == '"';
	struct filter_span span = filter_peek_run(p, is_quoted ? "" : ",}");
	g_autofree char *text = is_quoted ? filter_take_string(p) : filter_span_text(p, span);

	if (!text)
		return false;
	if (!is_quoted)
		p->at = span.at + span.size;
	if (is_gid(field))
		return set_gid(p, span, text, test->bytes);
	if (strlen(text) > test->size)
		return filter_fail(p, span, "this is longer than the field");
	memcpy(test->bytes, text, strlen(text));
	return true;
}

static bool take_wide(struct filter_parser *p, const struct filter_field *field,
		      struct filter_test *test)
{
	unsigned int at = field->info && field->info->format == TERM_PATH ? 1 : 0;
	char next = filter_peek(p);

	if (test->operator != FILTER_EQUAL && test->operator != FILTER_DIFFERENT)
		return filter_fail(p, field->span, "%s is no number: it can be compared with = and "
				   "!= only", field_name(field));
	test->size = field_width(field) / 8;
	if (next == '{')
		return take_set(p, field, test->bytes, at, NULL);
	if (is_gid(field) || (next == '"' && is_string(field)))
		return take_text(p, field, test);
	return filter_expected(p, is_string(field) ? "a string in quotes" :
			       "a set of bytes, such as {1, 7}");
}

/* ---- tests ---- */

static enum filter_header header_of(const struct term_info *info)
{
	static const struct {
		const char *prefix;
		enum filter_header header;
	} headers[] = {
		{ "infiniband.rmpp.payloadlength", FILTER_IN_RMPP_DATA },
		{ "infiniband.rmpp.newwindowlast", FILTER_IN_RMPP_ACK },
		{ "infiniband.rmpp.", FILTER_IN_RMPP },
		{ "infiniband.smpdirected.mkey", FILTER_IN_SMP },
		{ "infiniband.smpdirected.", FILTER_IN_DIRECTED },
		{ "infiniband.sa.", FILTER_IN_SA },
		{ "infiniband.vendor.", FILTER_IN_VENDOR },
	};

	if (!info)
		return FILTER_IN_ALL;
	if (info->format == TERM_FLAGS)
		return FILTER_IN_RMPP;
	for (size_t i = 0; info->alias && i < G_N_ELEMENTS(headers); i++) {
		if (g_str_has_prefix(info->alias, headers[i].prefix))
			return headers[i].header;
	}
	return FILTER_IN_ALL;
}

static enum filter_what what_of(const struct filter_field *field)
{
	bool wide = field_width(field) > 64;

	if (!field->info)
		return wide ? FILTER_DATA_BYTES : FILTER_DATA;
	if (field->info->where == TERM_ADDR)
		return FILTER_ADDR;
	if (strcmp(field->info->name, "status") == 0)
		return FILTER_STATUS;
	return wide ? FILTER_BYTES : FILTER_BITS;
}

static bool take_narrow(struct filter_parser *p, const struct filter_field *field,
			struct filter_test *test)
{
	struct filter_span word = filter_peek_word(p);

	if (word.size > 0)
		return take_word(p, field, word, &test->value);
	if (filter_peek(p) == '{' && is_flags(field))
		return take_set(p, field, NULL, 0, &test->value);
	return take_fitting(p, field, &test->value);
}

bool filter_take_value(struct filter_parser *p, const struct filter_field *field,
		       enum filter_operator operator, bool negated)
{
	struct filter_test *test = filter_test_new(p, what_of(field), operator, negated);
	bool ok;

	if (!filter_peek(p))
		return filter_fail(p, (struct filter_span){ p->at, 1 }, "a value is missing here");
	test->header = header_of(field->info);
	test->bit = (uint16_t)(!field->info ? field->field->bit :
			       field->has_range ? field->first * 8 : field->info->bit);
	test->width = (uint16_t)field_width(field);
	ok = test->width > 64 ? take_wide(p, field, test) : take_narrow(p, field, test);
	if (ok && is_flags(field))
		test->value |= RMPP_FLAG_ACTIVE;
	return ok;
}
