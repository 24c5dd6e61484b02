/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The words of a command line: of a test, by which it is known again, and of one of its runs, which
 * repeat it.
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_WORDS_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_WORDS_H

#include "harness/explore/explore-run.h"

/* What decides how runs are and what becomes of them; NULL-terminated, to be freed. */
char **explore_words_of_test(const struct explore_test *test);
/* The same for a run alone. */
char **explore_words_of_run(const struct explore_test *test, const struct explore_point *point);
/* "umadrig explore --runs=1 ...": as a line for a shell, to be freed. */
char *explore_words_line(char *const *words);

#endif
