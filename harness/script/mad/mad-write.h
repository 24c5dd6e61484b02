/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * MADs in the words of scenarios: the way back from harness/script/mad/build.c. All that writes
 * scenarios writes its MADs with these functions.
 *
 * Any thread.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_MAD_MAD_WRITE_H
#define UMADRIG_HARNESS_SCRIPT_MAD_MAD_WRITE_H

#include "harness/script/mad/pattern.h"

/* How a MAD is to be written. */
struct mad_writing {
	/*
	 * What follows "tid=", such as "?t" or "$t", instead of its number; "": the TID is left
	 * out. NULL: the number.
	 */
	const char *tid;
	/* What follows "data=": the name of the bytes after its class's header; NULL: none. */
	const char *data;
	/* Text between the method with its attribute and the fields, such as " to=peer"; or NULL */
	const char *address;
	const char *indent;	/* of the lines that braces continue on; NULL: one line */
};

/*
 * Appends METHOD(ATTRIBUTE), followed by each field that is not what mad_build() makes it without
 * being told, and so that the line is the same MAD again, byte for byte: what has no name is
 * written as bytes[]. With "exact" behind it the text describes no other MAD, except for the class
 * version and the OUI that an agent of its own brings along.
 */
void mad_write(GString *out, const uint8_t mad[MAD_SIZE], const struct mad_writing *writing);

/*
 * Appends the value that the term has in 'instance', as a script has it: a word, a number, a set, a
 * text in quotes. False: it has no value that a script could name (a role, data), and nothing was
 * appended.
 */
bool term_write(GString *out, const struct mad_pattern *pattern, const struct mad_term *term,
		const struct mad_instance *instance);

/* Appends 'text' in quotes, with what must be escaped. It has 'size' bytes, none of them zero. */
void quoted_write(GString *out, const char *text, size_t size);

#endif
