/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Invariants: what must be, and what must never be, of a struct that nobody is about to change.
 *
 * A struct that has some has one function, NAME_check(), which looks at all of it, changes nothing,
 * and returns the first rule that is broken, with the struct's name in front; NULL: all hold. It is
 * there in every build. With configure --enable-checks these functions are called at the end of
 * each event and of each call into a fabric; a rule that is broken then ends the process.
 */
#ifndef UMADRIG_LIB_BASE_INVARIANT_H
#define UMADRIG_LIB_BASE_INVARIANT_H

#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef ENABLE_CHECKS
enum { INVARIANTS_ARE_CHECKED = 1 };
#else
enum { INVARIANTS_ARE_CHECKED = 0 };
#endif

/* For functions that return the rule that is broken, or NULL. */
#define MUST(condition, rule) do { if (!(condition)) return (rule); } while (0)
#define NEVER(condition, rule) MUST(!(condition), rule)
/* The same where another such function has looked. */
#define MUST_HOLD(check) \
	do { \
		const char *broken_rule = (check); \
		\
		if (broken_rule) \
			return broken_rule; \
	} while (0)

/* Ends the process if a rule is broken; 'of' says of which one it was, as far as that is known. */
static inline void invariant_hold(const char *broken, const char *of)
{
	if (!broken)
		return;
	fprintf(stderr, "umadrig: an invariant is broken (%s): %s\n", of, broken);
	abort();
}

#endif
