/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * where FIELD == VALUE and ...: see harness/script/mad/where.h.
 */
#include "harness/script/mad/where.h"

#include <string.h>

#include "sim/api/umadrig.h"

static bool is_constant(const struct mad_term *term)
{
	uint64_t number;

	if (term->value->kind == EXPR_WORD && term_word(term, term->value->text, &number))
		return true;
	return expr_constant_number(term->value, &number);
}

/* For captures the whole packet around the MAD is known, for replays only its LIDs. */
static bool is_seen(const struct mad_term *term)
{
	if (term->info->where == TERM_ADDR)
		return term->info->bit == TERM_ADDR_SLID || term->info->bit == TERM_ADDR_DLID;
	return term->info->where == TERM_MAD && term->info->width <= 64;
}

const struct mad_pattern *where_resolve(struct arena *arena, struct diagnostics *diagnostics,
					const struct mad_expr *where)
{
	const struct mad_pattern *pattern;
	bool ok = true;

	if (!where)
		return NULL;
	pattern = mad_resolve(arena, diagnostics, where, MAD_LEAVES);
	for (guint i = 0; pattern && i < pattern->terms->len; i++) {
		const struct mad_term *term = pattern->terms->pdata[i];

		if (!is_seen(term)) {
			diagnose_error(diagnostics, term->place,
				    "'where' takes fields of the MAD, slid and dlid only");
			ok = false;
		} else if (!is_constant(term)) {
			diagnose_expected(diagnostics, term->value, "a constant number");
			ok = false;
		}
	}
	return ok ? pattern : NULL;
}

/* ---- at run time: no names are bound ---- */

static bool constant_number(void *ctx, const struct expr *expr, uint64_t *ret, uint64_t *ret_known)
{
	(void)ctx;
	*ret_known = UINT64_MAX;
	return expr_constant_number(expr, ret);
}

static bool no_address(void *ctx, const char *name, struct world_address *ret)
{
	(void)ctx;
	(void)name;
	(void)ret;
	return false;
}

static void no_capture(void *ctx, const char *name, uint64_t value)
{
	(void)ctx;
	(void)name;
	(void)value;
}

static const uint8_t *no_data(void *ctx, const char *name, size_t *ret_size)
{
	(void)ctx;
	(void)name;
	(void)ret_size;
	return NULL;
}

const struct mad_env mad_env_constants = {
	.number = constant_number, .address = no_address, .capture = no_capture, .data = no_data,
};

bool where_fits(const struct mad_pattern *where, const struct packet_addr *addr,
		const uint8_t mad[MAD_SIZE])
{
	struct mad_instance instance = { .has_addr = true, .addr = *addr };

	if (!where)
		return true;
	memcpy(instance.mad, mad, MAD_SIZE);
	return mad_compare(where, &mad_env_constants, &instance, NULL);
}

bool where_keeps(void *ctx, const struct umadrig_mad *mad)
{
	const struct packet_addr addr = { .slid = mad->slid, .dlid = mad->dlid };

	return where_fits(ctx, &addr, mad->mad);
}
