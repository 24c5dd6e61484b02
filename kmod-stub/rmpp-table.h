/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The table of a host's receive contexts (rmpp-context.h), by TID.
 */
#ifndef UMADRIG_KMOD_STUB_RMPP_TABLE_H
#define UMADRIG_KMOD_STUB_RMPP_TABLE_H

#include <stdint.h>

struct rmpp_context;

struct rmpp_table {
	struct rmpp_context **chains;	/* a power of two of them */
	uint32_t chain_count;		/* 0 until the first transfer */
	uint32_t count;
	uint64_t made;
	struct rmpp_context *free;	/* memory for the next ones */
};

/* Its invariants, and those of the chains: lib/base/invariant.h. */
const char *rmpp_table_check(const struct rmpp_table *table);

/* Frees the table's own memory; it must be empty. */
void rmpp_table_clear(struct rmpp_table *table);

#endif
