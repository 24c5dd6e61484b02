/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See sim/server/errand-call.h. */
#include "sim/server/errand-call.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "sim/server/errands.h"

/* -errno: this one has none. */
static int check(const struct server_clients *clients, const struct server_client *client)
{
	if (!clients->served->errands)
		return -EOPNOTSUPP;
	return server_client_is_guest(client) ? -EPERM : 0;
}

int errand_call_next(struct server_clients *clients, const struct server_client *client,
		     struct server_reply *ret_reply)
{
	g_autofree char *text = NULL;
	uint32_t argument;
	bool is_asked = false;
	size_t length;

	ret_reply->result = check(clients, client);
	if (ret_reply->result == 0)
		ret_reply->result = errands_take(clients->served->errands,
						 server_client_pid(client), &text, &is_asked);
	if (ret_reply->result < 0)
		return 0;
	/* A line of the console, which has come in a message itself, or on a command line. */
	length = MIN(strlen(text), ATTACH_INLINE_MAX);
	argument = is_asked;
	memcpy(clients->buffer, &argument, sizeof(argument));
	memcpy(clients->buffer + sizeof(argument), text, length);
	ret_reply->bytes = clients->buffer;
	ret_reply->size = sizeof(argument) + length;
	return 0;
}

int errand_call_end(struct server_clients *clients, const struct server_client *client,
		    const uint8_t *data, size_t size, struct server_reply *ret_reply)
{
	struct attach_errand_end end;
	g_autofree char *said = NULL, *valid = NULL;

	if (size < sizeof(end))
		return -EPROTO;
	memcpy(&end, data, sizeof(end));
	said = g_strndup((const char *)data + sizeof(end), size - sizeof(end));
	valid = g_utf8_make_valid(said, -1);
	ret_reply->result = check(clients, client);
	if (ret_reply->result == 0)
		ret_reply->result = end.number > INT64_MAX ? -ENOENT :
				    errands_end(clients->served->errands, (int64_t)end.number,
						end.status, valid);
	return 0;
}
