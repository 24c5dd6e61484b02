/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * where FIELD == VALUE [and FIELD == VALUE ...]: which MADs of a capture are meant.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_MAD_SCRIPT_WHERE_H
#define UMADRIG_HARNESS_SCRIPT_MAD_SCRIPT_WHERE_H

#include "harness/script/check/script-checker.h"
#include "harness/script/parse/script-parser.h"

struct umadrig_mad;

/* What stands behind 'where'; NULL: diagnosed. */
struct mad_expr *parse_where(struct parser *parser);

/* Its fields and values, known before anything runs. NULL: diagnosed, or there is none. */
const struct mad_pattern *check_where(struct checker *checker, const struct mad_expr *where);

/* Does the MAD fit? 'where' NULL: every one does. 'addr' has LIDs at least. */
bool where_fits(const struct mad_pattern *where, const struct packet_addr *addr,
		const uint8_t mad[MAD_SIZE]);

/* The same as an umadrig_mad_fn, whose 'ctx' is the pattern. */
bool where_keeps(void *ctx, const struct umadrig_mad *mad);

#endif
