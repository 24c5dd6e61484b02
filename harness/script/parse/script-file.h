/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Files that a script names.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_PARSE_SCRIPT_FILE_H
#define UMADRIG_HARNESS_SCRIPT_PARSE_SCRIPT_FILE_H

#include "harness/script/parse/parser.h"

/* A file that is being read. */
struct include {
	const struct include *by;	/* what includes it; NULL: nothing */
	const char *shown;		/* its name in messages */
	const char *real;		/* without symbolic links; NULL: it is no file */
};

/* Reads 'source' as a part of what is being read already. */
void parser_take_file(struct parser *parser, const struct source *source);

/* The file that 'name' refers to, relative to the script that names it. */
const char *parser_beside(struct parser *parser, const struct token *name);

/* The same for one that must exist; NULL: diagnosed. */
const char *parser_existing(struct parser *parser, const struct token *name);

/*
 * Reads a file into a source of the script; on failure returns NULL, and the reason in '*reterr'
 * (to be freed).
 */
struct source *script_read(struct script *script, const char *path, const char *name,
			   char **reterr);

/* include "FILE": parses its lines as if they were here. */
bool parse_include(struct parser *parser);

#endif
