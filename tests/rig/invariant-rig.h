/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Tests of checks of invariants (lib/base/invariant.h): a struct in which all hold is broken in one
 * place, the check names the rule, and the struct is as it was.
 */
#ifndef UMADRIG_TESTS_RIG_INVARIANT_RIG_H
#define UMADRIG_TESTS_RIG_INVARIANT_RIG_H

#include <glib.h>

/* While 'place' has 'value', 'check' (an expression) says 'rule'; before and after, NULL. */
#define BREAKS(check, place, value, rule) \
	do { \
		/* (A bit-field has no type of its own; its value has.) */ \
		__typeof__(((void)0, (place))) kept = (place); \
		\
		g_assert_cmpstr((check), ==, NULL); \
		(place) = (value); \
		g_assert_cmpstr((check), ==, (rule)); \
		(place) = kept; \
		g_assert_cmpstr((check), ==, NULL); \
	} while (0)

#endif
