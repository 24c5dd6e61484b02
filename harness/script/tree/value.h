/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Values: the values of expressions, and names of numbers.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_TREE_VALUE_H
#define UMADRIG_HARNESS_SCRIPT_TREE_VALUE_H

#include "harness/script/tree/script.h"

/* The values of names, for expr_number(). */
struct value_names {
	void *ctx;
	/* The value of a word or $name, and which of its bits are known. False: it is not bound. */
	bool (*find)(void *ctx, const struct expr *name, uint64_t *ret, uint64_t *ret_known);
	bool times_as_ms;	/* a time counts as its milliseconds; else it is not a number */
};

/*
 * The value of 'expr' as a number; names of errors (EPERM) are known without 'names' (may be NULL).
 * '*ret_known': which of its bits are known. False: it has no value, now or ever; '*ret' is then
 * undefined.
 */
bool expr_number(const struct expr *expr, const struct value_names *names, uint64_t *ret,
		 uint64_t *ret_known);

/* The same for constants only. False: '*ret' is unchanged. */
bool expr_constant_number(const struct expr *expr, uint64_t *ret);
bool expr_constant_time(const struct expr *expr, int64_t *ret);

/* Is the expression the word 'word'? NULL is not. */
static inline bool expr_is_word(const struct expr *expr, const char *word)
{
	return expr && expr->kind == EXPR_WORD && g_str_equal(expr->text, word);
}

/*
 * Reports "expected WHAT, found ..." at 'found'; 'what' is what is expected ("a number"). One
 * wording for all values of a wrong kind.
 */
void diagnose_expected(struct diagnostics *diagnostics, const struct expr *found, const char *what);

/* The errno called 'name' ("EPERM"), or 0. And its name, or NULL. */
int errno_by_name(const char *name);
const char *errno_name(int number);
/* Adds all names, which are constants. */
void errno_names(GPtrArray *names);

/* Methods by name ("Get") or number as a mask of 128 bits. False: '*ret_bad' is not a method. */
bool method_mask(const struct expr *set, uint64_t ret_mask[2], const struct expr **ret_bad);

/* "12.5ms": the shortest exact form. Returns 'buf', which has at least 32 bytes. */
const char *time_format(int64_t ns, char *buf, size_t size);

#endif
