/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the files of tests/sim/sa-store share: a fabric with an SA of its own, and one who asks it.
 */
#ifndef UMADRIG_TESTS_SIM_SA_ASKER_H
#define UMADRIG_TESTS_SIM_SA_ASKER_H

#include <glib.h>
#include <string.h>

#include "sim/fabric/fabric-sa.h"
#include "sim/sa/sa-answer.h"
#include "tests/rig/fabric-text.h"
#include "tests/rig/rig.h"

/* H1 (LID 1: the SM's), H2 (2) and H3 (3) on S1 (4); H3 on S2 (5), behind it. */
extern const char sa_asker_net[];

struct asked {
	uint16_t lid;			/* who asks */
	uint8_t method;
	uint16_t attr_id;
	uint64_t mask;
	bool has_key;			/* the SM_Key */
};

extern GByteArray *last;		/* answer */

struct umadrig_fabric *make(void);
struct end_port *end_at(const struct umadrig_fabric *fabric, uint16_t lid);

/* The record of the next request, which is filled in first. */
uint8_t *record(void);
/* Asks, and returns the status of the answer. */
uint16_t ask(struct umadrig_fabric *fabric, struct asked asked);
void put_gid(uint8_t *gid, const struct umadrig_fabric *fabric, uint16_t lid);

#define C(number) SA_COMPONENT(number)

/* A member of a group: its record, and the bits of its STATE. */
enum { PORT_GID = 16, Q_KEY = 32, MLID = 36, MTU = 38, P_KEY = 40, STATE = 48 };
enum { FULL = 1, SENDER = 4 };

#define MEMBER (C(0) | C(1) | C(16))
#define GROUP (C(2) | C(6) | C(7) | C(12) | C(13))

/* Fills in the record. 'mgid': the end of it; 0: none. */
void member(const struct umadrig_fabric *fabric, uint32_t mgid, uint16_t lid, uint8_t state);
/* The port joins the group, or leaves it; returns the status of the answer. */
uint16_t join(struct umadrig_fabric *fabric, uint32_t mgid, uint16_t lid, uint8_t state);
uint16_t leave(struct umadrig_fabric *fabric, uint32_t mgid, uint16_t lid, uint8_t state);

/* ---- the tests ---- */

/* tests/sim/sa-store-groups.c */
void test_groups(void);
void test_joins_refused(void);
void test_group_limit(void);
void test_group_path(void);
/* tests/sim/sa-store-reports.c */
void test_reports(void);
void test_reports_answered(void);
void test_reports_of_traps(void);
void test_traps_to_program(void);
void test_reports_back(void);
void test_subscriptions(void);
/* tests/sim/sa-store-aliases.c */
void test_aliases(void);
void test_alias_in_group(void);

#endif
