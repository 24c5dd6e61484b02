/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Lines of words as in a shell ('run PROGRAM ARGUMENT...', 'do COMMAND...'), and the text that is
 * expected in reply: 'lines=N prints="text"'.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_VERB_WORDS_H
#define UMADRIG_HARNESS_SCRIPT_VERB_WORDS_H

#include "harness/script/check/checker.h"
#include "harness/script/parse/parser.h"
#include "harness/script/run/run.h"

/* Is a word the next token? */
bool parser_at_word_text(struct parser *parser);
/* Parses all words up to the '=', lines=, prints= or the end of the line: of struct expr *. */
GPtrArray *parse_words(struct parser *parser);
/* [= VALUE] [lines=N] [prints="text"|{"text", ...}] [fabric=no] */
bool parse_reply(struct parser *parser, struct result_expr *result);

/*
 * Checks that the names in the words are bound. A word that is nearly lines= or prints= is one of
 * them misspelt, and gets a warning.
 */
void check_words(struct checker *checker, const GPtrArray *words);
/* Checks lines= and prints=, if any; 'what' ("a command") has no other fields. */
void check_prints(struct checker *checker, const struct mad_expr *prints, const char *what);
/* The same with fabric=, which programs have. */
void check_reply(struct checker *checker, const struct mad_expr *reply, const char *what);
/* Is anything expected of the text? NULL: nothing is. */
bool reply_has_text(const struct mad_expr *reply);
/* Has the program to open the fabric? It has, unless the line says fabric=no. */
bool reply_needs_fabric(const struct mad_expr *reply);

/* A word that uses no name, as text; to be freed. */
char *run_word_text(const struct expr *word);
/* A word with $NAME replaced by its value, to be freed. */
char *run_word(struct run *run, const struct expr *word);
/* Appends to 'why' which of lines= and prints= (may be NULL) do not hold, each followed by "; ". */
void expect_prints(const struct mad_expr *prints, const char *output, GString *why);
/*
 * The line differs: its result has 'status' and 'output'. True if it is amended; 'words' are those
 * of the line, NULL where it always has a value.
 */
bool amend_result(struct run *run, const struct result_expr *result, const GPtrArray *words,
		  int status, const char *output);

#endif
