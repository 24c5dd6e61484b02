/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Two hosts of a fabric server: one sends requests, the other answers.
 */
#ifndef UMADRIG_TESTS_RIG_PAIR_RIG_H
#define UMADRIG_TESTS_RIG_PAIR_RIG_H

#include <string.h>

#include "tests/rig/server-rig.h"

enum {
	CLASS_PING = 0x32,
	METHODS_GET = 1 << MAD_METHOD_GET,
	LID_H1 = 1, LID_H2 = 2,
	WAIT_MS = 20000,	/* for what is certain to come: never reached */
	CAP_IS_SM_BIT = 1 << 1,
};

static const struct rig_get ping = {
	.mgmt_class = CLASS_PING, .attr = 0x10, .dlid = LID_H2, .tid = 7, .timeout_ms = 60000,
};
static const struct rig_get nothing_answers = {
	.mgmt_class = CLASS_PING, .attr = 0x10, .dlid = 77, .tid = 8, .timeout_ms = 30,
};

/* A host that answers, and one that sends requests. */
struct pair {
	struct server_rig server;
	int asks, answers;
	uint32_t asker, answerer;
};

static inline struct pair pair_start(void)
{
	struct pair pair = { .server = server_rig_start("", "H1") };

	pair.asks = server_rig_open_on(&pair.server, "H1");
	pair.answers = server_rig_open_on(&pair.server, "H2");
	pair.asker = rig_register(&pair.server.rig, pair.asks, CLASS_PING, 0);
	pair.answerer = rig_register(&pair.server.rig, pair.answers, CLASS_PING, METHODS_GET);
	return pair;
}

static inline void pair_end(struct pair *pair)
{
	umad_backend_attach.close(pair->asks);
	umad_backend_attach.close(pair->answers);
	server_rig_end(&pair->server);
}

/* Receives a request and answers it; returns its TID. */
static inline uint32_t answer(struct pair *pair)
{
	uint8_t umad[RIG_UMAD];

	g_assert_cmpint(rig_recv(&pair->server.rig, pair->answers, umad, WAIT_MS), ==, RIG_UMAD);
	g_assert_cmpuint(rig_get_u32(umad, RIG_ID), ==, pair->answerer);
	g_assert_cmpuint(get_be16(umad + RIG_LID), ==, LID_H1);
	umad[RIG_HEADER + MAD_METHOD] = MAD_METHOD_GET_RESP;
	rig_put_u32(umad, RIG_TIMEOUT, 0);
	put_be32(umad + RIG_QKEY, QKEY_GSI);
	g_assert_cmpint(umad_backend_attach.send(pair->answers, umad, sizeof(umad)), ==, RIG_UMAD);
	return get_be32(umad + RIG_HEADER + MAD_TID + 4);
}

/* Receives a response; returns its TID. */
static inline uint32_t take(struct pair *pair, int fd)
{
	uint8_t umad[RIG_UMAD];

	g_assert_cmpint(rig_recv(&pair->server.rig, fd, umad, WAIT_MS), ==, RIG_UMAD);
	g_assert_cmpuint(rig_get_u32(umad, RIG_STATUS), ==, 0);
	g_assert_cmpuint(umad[RIG_HEADER + MAD_METHOD], ==, MAD_METHOD_GET_RESP);
	return get_be32(umad + RIG_HEADER + MAD_TID + 4);
}

static inline void ask(struct pair *pair, int fd, uint32_t tid)
{
	struct rig_get get = ping;

	get.tid = tid;
	rig_send(&pair->server.rig, fd, pair->asker, &get);
}

#endif
