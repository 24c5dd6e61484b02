/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Invalid scripts: what the files of one suite share.
 *
 * A row is a script (given) and every message that it gets (then), as "LINE:COLUMN: message" in the
 * order of their places. There must be exactly these messages.
 */
#ifndef UMADRIG_TESTS_HARNESS_SCRIPT_CHECK_H
#define UMADRIG_TESTS_HARNESS_SCRIPT_CHECK_H

#include "harness/script/tree/diagnostic.h"

#define SAYS_MAX 6

/* The first line of most scripts. */
#define S "scenario \"s\"\n"

struct row {
	const char *name;	/* NULL: there are no more */
	const char *given;
	const char *says[SAYS_MAX];
};

/* Directives, and lines about data, captures, programs and links. */
extern const struct row script_check_directives[];
/* Times, MADs and calls. */
extern const struct row script_check_mads[];

/* "LINE:COLUMN: message", to be freed. */
char *script_check_said(const struct diagnostic *diagnostic);

/* Adds the tests of scripts that are too large. */
void script_check_sizes(void);

#endif
