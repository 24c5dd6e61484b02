/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A call of a client, taken apart, and how it is answered: what the files with calls share. Nothing
 * in it is trusted: sizes were checked (server_call()), texts and the rest are not.
 */
#ifndef UMADRIG_SIM_SERVER_CALL_REQUEST_H
#define UMADRIG_SIM_SERVER_CALL_REQUEST_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "sim/server/client.h"
#include "sim/server/reply.h"

/* A message, taken apart. */
struct request {
	struct server_clients *clients;
	struct server_client *client;
	struct attach_call call;
	const uint8_t *data;
	size_t size;
	int fd;				/* that came along, and stays the caller's; -1: none */
};

/*
 * Carries out a call: 0 and the reply; 1: there will be one later; or -EPROTO: it is malformed.
 * Lock held.
 */
typedef int call_fn(const struct request *request, struct server_reply *reply);

static inline uint64_t request_most(const struct request *request, enum server_limit limit)
{
	return request->clients->accounts.limits.most[limit];
}

static inline int answer(struct server_reply *reply, int64_t result)
{
	reply->result = result;
	return 0;
}

/* The reply's bytes are in the server's buffer, and overwrite the message there. */
static inline int answer_bytes(const struct request *request, struct server_reply *reply,
			       const void *bytes, size_t size)
{
	if (size > ATTACH_REPLY_MAX - sizeof(struct attach_reply))
		return answer(reply, -EOVERFLOW);
	memmove(request->clients->buffer, bytes, size);
	reply->bytes = request->clients->buffer;
	reply->size = size;
	return answer(reply, 0);
}

static inline bool is_terminated(const char *text, size_t room)
{
	return memchr(text, '\0', room) != NULL;
}

/* Takes the name of a port apart: -EPROTO if its text is not terminated. */
static inline int request_port_name(const struct request *request,
				    struct attach_port_name *ret_name)
{
	memcpy(ret_name, request->data, sizeof(*ret_name));
	return is_terminated(ret_name->ca_name, sizeof(ret_name->ca_name)) ? 0 : -EPROTO;
}

#endif
