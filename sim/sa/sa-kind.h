/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The kinds of records that the SA has: a row of the table in sa-kind.c for each.
 */
#ifndef UMADRIG_SIM_SA_SA_KIND_H
#define UMADRIG_SIM_SA_SA_KIND_H

#include "sim/sa/sa-list.h"

struct sa_kind {
	uint16_t attr_id;
	uint8_t size;			/* bytes of a record */
	bool for_trusted;		/* others get ERR_REQ_INVALID (IBA vol 1, 15.2.5.18) */
	sa_list_fn *list;		/* NULL: it cannot be read */
	sa_change_fn *set, *remove;	/* NULL: no program may */
};

/* NULL: the SA has no records of this attribute. */
const struct sa_kind *sa_kind_find(uint16_t attr_id);

#endif
