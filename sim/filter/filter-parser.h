/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The state of the parser of filters, and its parts: sim/filter/filter-scan.c has the words of the
 * text, sim/filter/filter-value.c what a field is compared with, sim/filter/filter-end.c ends.
 */
#ifndef UMADRIG_SIM_FILTER_FILTER_PARSER_H
#define UMADRIG_SIM_FILTER_FILTER_PARSER_H

#include "sim/dictionary/mad-dictionary.h"
#include "sim/filter/filter-test.h"
#include "sim/filter/term.h"

struct filter_parser {
	const char *text;
	size_t at;			/* what has not been taken begins there */
	const struct filter_dialect *dialect;
	struct mad_filter *filter;
	GPtrArray *rule;		/* the alternative at hand */
	/* What the alternative has named so far, for its fields. */
	const struct mad_class_info *class_info;	/* NULL: none */
	int attr_id;			/* -1: none */
	const struct mad_attribute *attribute;		/* NULL: not known by the dictionary */
	unsigned int items;
	struct filter_error *reterr;
};

/* A part of the text. */
struct filter_span {
	size_t at, size;
};

/* A field that is compared: of a header, or of the attribute. */
struct filter_field {
	struct filter_span span;	/* its name */
	const struct term_info *info;	/* NULL: of the attribute */
	const struct mad_field *field;
	bool has_range;
	unsigned int first, last;	/* bytes[first..last] */
};

/* ---- sim/filter/filter-scan.c ---- */

/* Says what is wrong at a part of the text; false. */
bool filter_fail(struct filter_parser *p, struct filter_span span, const char *format, ...)
	G_GNUC_PRINTF(3, 4);
/* "expected WHAT, found ..." at what comes next; false. */
bool filter_expected(struct filter_parser *p, const char *what);
/* The character that comes next, behind blanks; '\0' at the end. */
char filter_peek(struct filter_parser *p);
/* Takes 'mark' if it comes next. */
bool filter_accept(struct filter_parser *p, const char *mark);
/* The name that comes next, of letters, digits, '_' and '.'; size 0: there is none. */
struct filter_span filter_peek_word(struct filter_parser *p);
/* Takes it if it is this one. */
bool filter_accept_word(struct filter_parser *p, const char *word);
/* The text of a part, to be freed. */
char *filter_span_text(const struct filter_parser *p, struct filter_span span);
/* The run of characters that comes next, up to a blank or one of 'stops'. */
struct filter_span filter_peek_run(struct filter_parser *p, const char *stops);
/* The operator that comes next is taken; false: there is none. */
bool filter_take_operator(struct filter_parser *p, enum filter_operator *ret);
/* Does an operator come behind the part? */
bool filter_operator_follows(const struct filter_parser *p, struct filter_span span);
/* The string in quotes that comes next, without escapes, to be freed. NULL: said what is wrong. */
char *filter_take_string(struct filter_parser *p);
/* The name as it is meant to be, or "". */
const char *filter_hint(const char *suggestion, char *buf, size_t size);

/* ---- sim/filter/filter-test.c ---- */

/* A new test of the alternative, which matches any MAD so far. */
struct filter_test *filter_test_new(struct filter_parser *p, enum filter_what what,
				    enum filter_operator operator, bool negated);
/* Frees one: a GDestroyNotify. */
void filter_test_free(void *data);

/* ---- sim/filter/filter-value.c ---- */

/* A number comes next: a constant one. */
bool filter_take_number(struct filter_parser *p, const char *what, uint64_t *ret);
/* Takes the value of a field, and makes its test. */
bool filter_take_value(struct filter_parser *p, const struct filter_field *field,
		       enum filter_operator operator, bool negated);

/* ---- sim/filter/filter-end.c ---- */

/* Takes the value of an end, and makes its test. */
bool filter_take_end(struct filter_parser *p, struct filter_span name, enum filter_what what,
		     enum filter_operator operator, bool negated);
/* The GID, or the IPv4 address, that the text is; false: it is none. */
bool filter_gid_of(const char *text, uint8_t ret[16]);

#endif
