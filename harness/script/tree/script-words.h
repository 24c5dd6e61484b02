/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Lines that are words as a shell has them ('run PROGRAM ARGUMENT...', 'do COMMAND...'), and what
 * comes back as text: 'lines=N prints="text"'.
 *
 * A step keeps the words as the arguments of its call, what must be said as the fields behind its
 * result.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_TREE_SCRIPT_WORDS_H
#define UMADRIG_HARNESS_SCRIPT_TREE_SCRIPT_WORDS_H

#include "harness/script/check/script-checker.h"
#include "harness/script/parse/script-parser.h"
#include "harness/script/run/script-run.h"

/* A call without arguments yet, placed at the token at hand. */
struct call_expr *step_new_call(struct parser *parser, const char *name);
/* 'name' may be NULL. */
void step_add_word(struct parser *parser, struct step *step, const char *name,
		   const struct expr *value);
bool parser_at_word_text(struct parser *parser);
/* All words up to the '=' or the end of the line. */
void parse_words(struct parser *parser, struct step *step);

const struct expr *step_word(const struct step *step, guint at);

/* What is filled in is known by then. */
void check_words(struct checker *checker, const struct step *step);
/* lines= and prints=; 'what' ("a program") is known to have no others. */
void check_prints(struct checker *checker, const struct step *step, const char *what);

/* A word with what $NAME stands for, to be freed. */
char *step_word_text(struct run *run, const struct expr *word);
/* Puts into 'why' what of lines= and prints= is not so, each with "; " behind it. */
void step_prints(const struct step *step, const char *output, GString *why);

#endif
