/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Values: see harness/script/tree/value.h.
 */
#include "harness/script/tree/value.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "kmod-stub/event.h"

struct errno_row {
	int number;
	const char *name;
};

/* Errors of the umad calls and of the kernel, and others that a script is likely to name. */
static const struct errno_row errnos[] = {
	{ EPERM, "EPERM" }, { ENOENT, "ENOENT" }, { EINTR, "EINTR" }, { EIO, "EIO" },
	{ ENXIO, "ENXIO" }, { EBADF, "EBADF" }, { EAGAIN, "EAGAIN" }, { ENOMEM, "ENOMEM" },
	{ EACCES, "EACCES" }, { EFAULT, "EFAULT" }, { EBUSY, "EBUSY" }, { EEXIST, "EEXIST" },
	{ ENODEV, "ENODEV" }, { EINVAL, "EINVAL" }, { ENOTTY, "ENOTTY" }, { ENOSPC, "ENOSPC" },
	{ ESPIPE, "ESPIPE" }, { EPIPE, "EPIPE" }, { EDEADLK, "EDEADLK" },
	{ ENAMETOOLONG, "ENAMETOOLONG" }, { ENODATA, "ENODATA" }, { EPROTO, "EPROTO" },
	{ EOPNOTSUPP, "EOPNOTSUPP" }, { EPROTONOSUPPORT, "EPROTONOSUPPORT" },
	{ ETIMEDOUT, "ETIMEDOUT" }, { EHOSTUNREACH, "EHOSTUNREACH" }, { EMSGSIZE, "EMSGSIZE" },
};

int errno_by_name(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(errnos); i++) {
		if (strcmp(errnos[i].name, name) == 0)
			return errnos[i].number;
	}
	return 0;
}

void errno_names(GPtrArray *names)
{
	for (size_t i = 0; i < G_N_ELEMENTS(errnos); i++)
		g_ptr_array_add(names, (void *)errnos[i].name);
}

const char *errno_name(int number)
{
	for (size_t i = 0; i < G_N_ELEMENTS(errnos); i++) {
		if (errnos[i].number == number)
			return errnos[i].name;
	}
	return NULL;
}

/* ---- expressions ---- */

static bool find_name(const struct expr *expr, const struct value_names *names, uint64_t *ret,
		      uint64_t *ret_known)
{
	int number;

	if (names && names->find(names->ctx, expr, ret, ret_known))
		return true;
	if (expr->kind != EXPR_WORD)
		return false;
	number = errno_by_name(expr->text);
	*ret = (uint64_t)number;
	return number != 0;
}

bool expr_number(const struct expr *expr, const struct value_names *names, uint64_t *ret,
		 uint64_t *ret_known)
{
	uint64_t left, right, ignored;

	*ret_known = UINT64_MAX;
	switch (expr->kind) {
	case EXPR_NUMBER:
		*ret = expr->number;
		return true;
	case EXPR_NEGATIVE:
		if (!expr_number(expr->left, names, &left, &ignored))
			return false;
		*ret = -left;
		return true;
	case EXPR_BINARY:
		if (!expr_number(expr->left, names, &left, &ignored) ||
		    !expr_number(expr->right, names, &right, &ignored))
			return false;
		*ret = expr->operation == '+' ? left + right :
		       expr->operation == '-' ? left - right : left * right;
		return true;
	case EXPR_WORD:
	case EXPR_USE:
		return find_name(expr, names, ret, ret_known);
	case EXPR_TIME:
		*ret = (uint64_t)(expr->time_ns / NS_PER_MS);
		return names && names->times_as_ms;
	case EXPR_CAPTURE:
	case EXPR_STRING:
	case EXPR_SET:
	case EXPR_MAD:
	case EXPR_PIECE:
		return false;
	}
	return false;
}

bool expr_constant_number(const struct expr *expr, uint64_t *ret)
{
	uint64_t number, known;

	/* '*ret' is unchanged if there is no number. */
	if (!expr_number(expr, NULL, &number, &known))
		return false;
	*ret = number;
	return true;
}

static bool binary_time(const struct expr *expr, int64_t *ret)
{
	int64_t left, right;
	uint64_t factor;

	if (expr->operation == '*') {
		if (expr_constant_number(expr->left, &factor))
			return expr_constant_time(expr->right, &right) && factor <= INT64_MAX &&
			       !__builtin_mul_overflow((int64_t)factor, right, ret);
		return expr_constant_time(expr->left, &left) &&
		       expr_constant_number(expr->right, &factor) && factor <= INT64_MAX &&
		       !__builtin_mul_overflow(left, (int64_t)factor, ret);
	}
	if (!expr_constant_time(expr->left, &left) || !expr_constant_time(expr->right, &right))
		return false;
	if (expr->operation == '+')
		return !__builtin_add_overflow(left, right, ret);
	return !__builtin_sub_overflow(left, right, ret);
}

bool expr_constant_time(const struct expr *expr, int64_t *ret)
{
	switch (expr->kind) {
	case EXPR_TIME:
		*ret = expr->time_ns;
		return true;
	case EXPR_NUMBER:
		if (expr->number != 0)
			return false;
		*ret = 0;
		return true;
	case EXPR_BINARY:
		return binary_time(expr, ret);
	case EXPR_NEGATIVE:
	case EXPR_WORD:
	case EXPR_USE:
	case EXPR_CAPTURE:
	case EXPR_STRING:
	case EXPR_SET:
	case EXPR_MAD:
	case EXPR_PIECE:
		return false;
	}
	return false;
}

/* What the value is, for messages; may return 'buf'. */
static const char *expr_text(const struct expr *expr, char *buf, size_t size)
{
	switch (expr->kind) {
	case EXPR_NUMBER: return "a number";
	case EXPR_TIME: return "a time";
	case EXPR_STRING: return "a string";
	case EXPR_SET: return "a set";
	case EXPR_NEGATIVE: return "a negative number";
	case EXPR_BINARY: return "a computed value";
	case EXPR_MAD: return "a MAD";
	case EXPR_PIECE: return "a piece of data";
	case EXPR_WORD:
	case EXPR_USE:
	case EXPR_CAPTURE:
		break;
	}
	g_snprintf(buf, (gulong)size, "'%s%s'", expr->kind == EXPR_USE ? "$" :
		   expr->kind == EXPR_CAPTURE ? "?" : "", expr->text);
	return buf;
}

void diagnose_expected(struct diagnostics *diagnostics, const struct expr *found, const char *what)
{
	char buf[100];

	diagnose_error(diagnostics, found->place, "expected %s, found %s", what,
		       expr_text(found, buf, sizeof(buf)));
}

struct method_row {
	const char *name;
	uint8_t method;
};

static const struct method_row methods[] = {
	{ "Get", 0x01 }, { "Set", 0x02 }, { "Send", 0x03 }, { "Trap", 0x05 }, { "Report", 0x06 },
	{ "TrapRepress", 0x07 }, { "GetTable", 0x12 }, { "GetTraceTable", 0x13 },
	{ "GetMulti", 0x14 }, { "Delete", 0x15 }, { "GetResp", 0x81 }, { "ReportResp", 0x86 },
	{ "GetTableResp", 0x92 }, { "GetMultiResp", 0x94 }, { "DeleteResp", 0x95 },
};

static bool method_number(const struct expr *expr, uint64_t *ret)
{
	if (expr->kind == EXPR_WORD) {
		for (size_t i = 0; i < G_N_ELEMENTS(methods); i++) {
			if (strcmp(methods[i].name, expr->text) == 0) {
				*ret = methods[i].method;
				return true;
			}
		}
		return false;
	}
	return expr_constant_number(expr, ret);
}

bool method_mask(const struct expr *set, uint64_t ret_mask[2], const struct expr **ret_bad)
{
	uint64_t mask[2] = { 0, 0 };

	*ret_bad = set;
	if (set->kind != EXPR_SET)
		return false;
	for (guint i = 0; i < set->items->len; i++) {
		uint64_t method;

		*ret_bad = set->items->pdata[i];
		if (!method_number(*ret_bad, &method) || method > 127)
			return false;
		mask[method / 64] |= UINT64_C(1) << method % 64;
	}
	ret_mask[0] = mask[0];
	ret_mask[1] = mask[1];
	return true;
}

struct time_unit {
	int64_t ns;
	const char *name;
};

static const struct time_unit time_units[] = {
	{ NS_PER_S, "s" }, { NS_PER_MS, "ms" }, { NS_PER_US, "us" }, { 1, "ns" },
};

const char *time_format(int64_t ns, char *buf, size_t size)
{
	uint64_t magnitude = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	const struct time_unit *unit = time_units;
	char fraction[16] = "";

	if (ns == 0) {
		g_strlcpy(buf, "0", size);
		return buf;
	}
	while (magnitude < (uint64_t)unit->ns)
		unit++;
	/*
	 * Up to ten seconds 1500ms reads better than 1.5s, since timeouts are given in
	 * milliseconds.
	 */
	if (unit->ns == NS_PER_S && magnitude < 10 * (uint64_t)NS_PER_S &&
	    magnitude % NS_PER_S != 0)
		unit++;
	if (magnitude % (uint64_t)unit->ns != 0) {
		int digits = unit->ns == NS_PER_S ? 9 : unit->ns == NS_PER_MS ? 6 : 3;
		size_t end;

		snprintf(fraction, sizeof(fraction), ".%0*u", digits,
			 (unsigned int)(magnitude % (uint64_t)unit->ns));
		for (end = strlen(fraction); fraction[end - 1] == '0'; end--)
			fraction[end - 1] = '\0';
	}
	snprintf(buf, size, "%s%" G_GUINT64_FORMAT "%s%s", ns < 0 ? "-" : "",
		 magnitude / (uint64_t)unit->ns, fraction, unit->name);
	return buf;
}
