/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Lines that are words as a shell has them ('run PROGRAM ARGUMENT...', 'do COMMAND...'), and what
 * comes back as text: 'lines=N prints="text"'.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_VERB_WORDS_H
#define UMADRIG_HARNESS_SCRIPT_VERB_WORDS_H

#include "harness/script/check/checker.h"
#include "harness/script/parse/parser.h"
#include "harness/script/run/run.h"

/* Is a word the next token? */
bool parser_at_word_text(struct parser *parser);
/* All words up to the '=' or the end of the line: of const struct expr *. */
GPtrArray *parse_words(struct parser *parser);

/* What is filled in is known by then. */
void check_words(struct checker *checker, const GPtrArray *words);
/* lines= and prints=, if any; 'what' ("a program") is known to have no others. */
void check_prints(struct checker *checker, const struct mad_expr *prints, const char *what);

/* A word, with $NAME replaced by its value; to be freed. */
char *run_word(struct run *run, const struct expr *word);
/* Puts into 'why' what of lines= and prints= (may be NULL) does not hold, each followed by "; ". */
void expect_prints(const struct mad_expr *prints, const char *output, GString *why);

#endif
