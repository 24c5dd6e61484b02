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

enum server_limit {
	SERVER_LIMIT_CONNECTIONS,	/* threads; one more is disconnected */
	SERVER_LIMIT_HANDLES,		/* open ones; one more is -EMFILE */
	SERVER_LIMIT_RINGS,		/* one more is -EMFILE: then sends are calls */
	SERVER_LIMIT_RETURNED,		/* MADs put back into a handle; one more is -ENOBUFS */
	SERVER_LIMIT_SEND,		/* bytes of one message to send; more is -ENOMEM */
	SERVER_LIMIT_SENDING,		/* bytes of outstanding sends; one more is -ENOMEM */
	SERVER_LIMIT_RECEIVED,		/* bytes received and not read; more is dropped */
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
