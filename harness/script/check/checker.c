/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The checker's toolkit: see harness/script/check/checker.h.
 */
#include "harness/script/check/checker.h"

void check_error(struct checker *checker, struct place place, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	diagnose_va(checker->diagnostics, place, true, format, args);
	va_end(args);
}

void check_expected(struct checker *checker, const struct expr *found, const char *what)
{
	diagnose_expected(checker->diagnostics, found, what);
}

void *check_resolved(struct checker *checker, size_t size)
{
	checker->step->resolved = arena_alloc(checker->arena, size);
	return checker->step->resolved;
}
