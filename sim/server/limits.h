/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * How much of a server one process may use.
 *
 * The defaults are far above what programs need; they keep a broken one from using up memory and
 * descriptors that the others need.
 */
#ifndef UMADRIG_SIM_SERVER_LIMITS_H
#define UMADRIG_SIM_SERVER_LIMITS_H

#include <stddef.h>
#include <stdint.h>

/*
 * ROW(enumerator, name, the most that a process may have). The largest messages are an SA's: all
 * paths between 1,164 nodes are 87 MB, between 2,800 nodes 500 MB.
 */
#define SERVER_LIMITS(ROW) \
	ROW(CONNECTIONS, "connections", 8192)	/* threads; one more is disconnected */ \
	ROW(HANDLES, "handles", 8192)		/* open ones; one more is -EMFILE */ \
	ROW(RINGS, "rings", 64)			/* one more is -EMFILE: then sends are calls */ \
	ROW(RETURNED, "returned", 1024)		/* MADs put back into a handle; then -ENOBUFS */ \
	ROW(SEND, "send", UINT64_C(512) << 20)	/* bytes of one to send; more is -ENOMEM */ \
	ROW(SENDING, "sending", UINT64_C(1) << 30)	/* bytes of outstanding sends; -ENOMEM */ \
	ROW(RECEIVED, "received", UINT64_C(1) << 30)	/* bytes not read; more is dropped */

enum server_limit {
#define ROW(limit, ...) SERVER_LIMIT_##limit,
	SERVER_LIMITS(ROW)
#undef ROW
	SERVER_LIMIT_COUNT,
};

struct server_limits {
	uint64_t most[SERVER_LIMIT_COUNT];
};

/* "handles"; 'limit' is below SERVER_LIMIT_COUNT. */
const char *server_limit_name(enum server_limit limit);

void server_limits_init(struct server_limits *limits);
/*
 * Changes the limits that 'text' names: "handles=100,sending=64M". 0, or -EINVAL with a message and
 * nothing changed.
 */
int server_limits_parse(struct server_limits *limits, const char *text, char *reterr,
			size_t reterr_size);

#endif
