/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The parser: from text to tree.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_PARSE_PARSE_H
#define UMADRIG_HARNESS_SCRIPT_PARSE_PARSE_H

#include "harness/script/tree/script.h"

/*
 * Reads and parses 'path', which the names of its points call 'label' (NULL: by its base name),
 * with the events of 'verbs' (ended by NULL; must outlive the script). Never NULL: all errors are
 * in script->diagnostics, also that a file cannot be read. Free with script_free().
 */
struct script *script_load(const char *path, const char *label,
			   const struct script_verb *const *verbs);

/* The same from memory; included files are relative to 'name'. */
struct script *script_parse(const char *text, size_t size, const char *name,
			    const struct script_verb *const *verbs);

/* The words that directives begin with, ended by NULL. */
const char *const *script_directives(void);

/*
 * What 'needs' may name, for tables: "ports", and what follows it: " N" (or ""). NULL after the
 * last.
 */
const char *script_need(unsigned int at, const char **ret_takes);

/* What 'data' may be made with, for tables: "pattern". NULL after the last. */
const char *script_data_word(unsigned int at);

/* NULL is allowed. */
void script_free(struct script *script);

#endif
