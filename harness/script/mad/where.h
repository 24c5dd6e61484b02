/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * where FIELD == VALUE [and FIELD == VALUE ...]: selects MADs of a capture.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_MAD_WHERE_H
#define UMADRIG_HARNESS_SCRIPT_MAD_WHERE_H

#include "harness/script/mad/pattern.h"

struct umadrig_mad;

/* Where no names are bound: numbers are constants, and there are no roles and no data. */
extern const struct mad_env mad_env_constants;

/*
 * Resolves its fields and values, which must be known before anything runs. NULL: diagnosed, or
 * 'where' is NULL.
 */
const struct mad_pattern *where_resolve(struct arena *arena, struct diagnostics *diagnostics,
					const struct mad_expr *where);

/* Does the MAD match? 'where' NULL: every MAD does. 'addr' has at least LIDs. */
bool where_fits(const struct mad_pattern *where, const struct packet_addr *addr,
		const uint8_t mad[MAD_SIZE]);

/* The same as an umadrig_mad_fn, whose 'ctx' is the pattern. */
bool where_keeps(void *ctx, const struct umadrig_mad *mad);

#endif
