/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Diagnostics: what is wrong in a text file, where, and how to correct it.
 *
 * 	retry.mad:12:10: error: there is no field PortSelct in PortCounters
 * 	   12 | +0  < PerfGet(PortCounters) { PortSelct=1 }
 * 	      |                               ^~~~~~~~~
 */
#ifndef UMADRIG_HARNESS_SCRIPT_TREE_DIAGNOSTIC_H
#define UMADRIG_HARNESS_SCRIPT_TREE_DIAGNOSTIC_H

#include <glib.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* A text file in memory. */
struct source {
	char *name;		/* as shown in messages */
	char *text;		/* 'size' bytes and a NUL */
	size_t size;
};

/* A stretch of a source. */
struct place {
	const struct source *source;	/* NULL: nowhere in particular */
	size_t offset;			/* offset of its first byte */
	unsigned int line;		/* from 1 */
	unsigned int column;		/* from 1, in characters */
	unsigned int width;		/* in characters, at least 1 */
};

struct diagnostic {
	struct place place;
	bool is_error;		/* else a warning */
	char *message;
};

struct diagnostics {
	GPtrArray *list;	/* of struct diagnostic *, in the order found */
	unsigned int errors;
	bool malformed;		/* the first of them is one of the form: diagnostics_form() */
};

/* A file's errors beyond this number are not reported. */
#define DIAGNOSTICS_MAX 20

/* Takes ownership of 'text' (g_malloc'd, with a NUL after 'size' bytes). */
struct source *source_new(const char *name, char *text, size_t size);
void source_free(struct source *source);

struct diagnostics *diagnostics_new(void);
/* NULL is allowed. */
void diagnostics_free(struct diagnostics *diagnostics);

/* Is the limit of messages reached? Further ones are only counted. */
bool diagnostics_full(const struct diagnostics *diagnostics);

/*
 * The next error is one of the form: doc/scenario-grammar.ebnf does not derive the text. Others are
 * of what is meant.
 */
void diagnostics_form(struct diagnostics *diagnostics);

/* Adds a diagnostic; the same message at the same place is reported once. */
void diagnose_error(struct diagnostics *diagnostics, struct place place, const char *format, ...)
	G_GNUC_PRINTF(3, 4);
void diagnose_warning(struct diagnostics *diagnostics, struct place place, const char *format, ...)
	G_GNUC_PRINTF(3, 4);
void diagnose_va(struct diagnostics *diagnostics, struct place place, bool is_error,
		 const char *format, va_list args);

/* Appends "NAME:LINE:COLUMN: KIND: MESSAGE", the source line and a caret, 'prefix' before each. */
void diagnostic_format(GString *out, const char *prefix, struct place place, const char *kind,
		       const char *message);

/* All diagnostics in the order of their places, ready to print; free with g_free(). */
char *diagnostics_text(const struct diagnostics *diagnostics);

#endif
