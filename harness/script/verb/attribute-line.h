/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * check port(PORT, FIELD) and check node(NODE, FIELD): fields of the attributes that subnet
 * management reads. See harness/script/verb/check.c, whose lines these are.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_VERB_ATTRIBUTE_LINE_H
#define UMADRIG_HARNESS_SCRIPT_VERB_ATTRIBUTE_LINE_H

#include "harness/script/check/checker.h"
#include "harness/script/check/needs.h"
#include "harness/script/run/run.h"

/* What a line asks for, resolved. */
struct attribute_line {
	bool of_node;
	const struct mad_attribute *attribute;
	const struct mad_field *field;
	uint64_t number;	/* what it is compared with; of a text, nothing */
};

/*
 * Resolves FIELD ("LinkState", "PortInfo.LinkState") and the value that it is compared with, and
 * checks that the port or node is there. 'ordered': the comparison is not '=='. False: diagnosed.
 */
bool attribute_check(struct checker *checker, const struct expr *whose, const struct expr *field,
		     const struct expr *value, bool ordered, struct attribute_line *ret);

/* Why it is not known on this rig, to be freed; NULL: it is. */
char *attribute_unmet(const struct attribute_line *line, const struct expr *whose,
		      const struct rig *rig);

/* Reads the attribute into 'ret' (64 bytes). False: run_fail() was called. */
bool attribute_read(struct run *run, const struct attribute_line *line, const struct expr *whose,
		    uint8_t ret[64]);

/* Is it a text, such as NodeDesc? And is it 'text' in an attribute? */
static inline bool attribute_is_text(const struct attribute_line *line)
{
	return line->field->format == MAD_FIELD_STRING;
}

bool attribute_is(const struct attribute_line *line, const uint8_t data[64], const char *text);

/*
 * The field's value in an attribute as messages say it ("Init (2)") and as scripts write it
 * ("Init"); and the value that the line wants, as a number or a word. To be freed.
 */
char *attribute_said(const struct attribute_line *line, const uint8_t data[64]);
char *attribute_written(const struct attribute_line *line, const uint8_t data[64]);
char *attribute_wanted(const struct attribute_line *line);

#endif
