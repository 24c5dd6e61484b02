/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The call about netlink sockets of uevents: see sim/server/event-call.h. What a program could not
 * do with one of the kernel's without rights, its library has refused.
 */
#include "config.h"

#include "sim/server/event-call.h"

#include <errno.h>
#include <glib.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>

#include "sim/server/event-socket.h"

#ifndef NETLINK_GET_STRICT_CHK
#define NETLINK_GET_STRICT_CHK 12
#endif

enum {
	RMEM_MAX = 212992,	/* Linux: net.core.rmem_max */
	GROUPS = 32,
	UDEV_NUMBER = 1,	/* any but 0, which is the kernel's */
};

/* What is asked for, with what the program has sent. */
struct asked {
	struct umad_backend_uevent call;
	const uint8_t *value;		/* of call.size bytes */
};

static struct event_sockets *sockets_of(const struct request *request)
{
	return &request->clients->served->events;
}

/* ---- what a program gets ---- */

static int open_socket(const struct request *request, uint32_t type, struct server_reply *reply)
{
	struct server_account *account = request->client->account;

	if (!server_account_may_open(&request->clients->accounts, account))
		return answer(reply, -EMFILE);
	return answer(reply, event_socket_open(sockets_of(request), request->client->host, account,
					       type, &reply->fd));
}

static int tell_name(const struct request *request, const struct event_socket *socket,
		     struct server_reply *reply)
{
	const struct umad_backend_uevent_name name = {
		.number = socket->number, .groups = socket->groups,
		.peer_number = socket->peer_number, .peer_groups = socket->peer_groups,
	};

	return answer_bytes(request, reply, &name, sizeof(name));
}

static int receive(const struct request *request, struct event_socket *socket, bool stays,
		   struct server_reply *reply)
{
	struct umad_backend_uevent_message head = {
		.has_group_part = socket->options >> NETLINK_PKTINFO & 1,
	};
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	bool is_udev = false;
	int result, ret;

	g_byte_array_set_size(bytes, sizeof(head));
	result = event_socket_receive(socket, stays, bytes, &is_udev);
	head.number = is_udev ? UDEV_NUMBER : 0;
	head.groups = is_udev ? EVENT_GROUP_UDEV : EVENT_GROUP_KERNEL;
	head.is_at_end = event_socket_is_at_end(socket);
	memcpy(bytes->data, &head, sizeof(head));
	ret = answer_bytes(request, reply, bytes->data, bytes->len);
	reply->result = result < 0 ? result : (int64_t)(bytes->len - sizeof(head));
	return ret;
}

/* ---- options ---- */

static int answer_value(const struct request *request, struct server_reply *reply,
			const void *value, size_t size)
{
	int ret = answer_bytes(request, reply, value, size);

	reply->result = (int64_t)size;
	return ret;
}

/* Linux: less than an int is 0 for netlink. */
static uint32_t value_of(const struct asked *asked)
{
	uint32_t ret = 0;

	if (asked->call.size >= sizeof(ret))
		memcpy(&ret, asked->value, sizeof(ret));
	return ret;
}

static int join(struct event_socket *socket, uint32_t group, bool joins)
{
	if (group == 0 || group > GROUPS)
		return -EINVAL;
	socket->has_groups = true;
	if (joins)
		socket->groups |= 1U << (group - 1);
	else
		socket->groups &= ~(1U << (group - 1));
	return 0;
}

static int set_netlink(struct event_socket *socket, const struct asked *asked)
{
	uint32_t value = value_of(asked), option = (uint32_t)asked->call.option;

	switch (option) {
	case NETLINK_ADD_MEMBERSHIP:
	case NETLINK_DROP_MEMBERSHIP:
		return join(socket, value, option == NETLINK_ADD_MEMBERSHIP);
	case NETLINK_NO_ENOBUFS:
		if (value)
			event_socket_forget_losses(socket);
		break;
	case NETLINK_PKTINFO:
	case NETLINK_BROADCAST_ERROR:
	case NETLINK_LISTEN_ALL_NSID:
	case NETLINK_CAP_ACK:
	case NETLINK_EXT_ACK:
	case NETLINK_GET_STRICT_CHK:
		break;
	default:
		return -ENOPROTOOPT;
	}
	socket->options = (socket->options & ~(1U << option)) | (value != 0) << option;
	return 0;
}

static int set_option(struct event_socket *socket, const struct asked *asked)
{
	struct event_sieve *sieve = &socket->sockets->sieve;
	uint32_t value = value_of(asked);

	if (asked->call.level == SOL_NETLINK)
		return set_netlink(socket, asked);
	switch (asked->call.option) {
	case SO_RCVBUF:
		event_socket_set_room(socket, MIN(value, RMEM_MAX));
		return 0;
	case SO_RCVBUFFORCE:
		event_socket_set_room(socket, (int32_t)value < 0 ? 0 : value);
		return 0;
	case SO_ATTACH_FILTER:
		return event_filter_attach(&socket->filter, sieve, asked->value, asked->call.size);
	case SO_DETACH_FILTER:
		return event_filter_detach(&socket->filter);
	case SO_LOCK_FILTER:
		return event_filter_lock(&socket->filter, value);
	}
	return -ENOPROTOOPT;
}

/* 0 or -ENOPROTOOPT. */
static int get_netlink(const struct event_socket *socket, uint32_t option, uint32_t *ret)
{
	switch (option) {
	case NETLINK_PKTINFO:
	case NETLINK_BROADCAST_ERROR:
	case NETLINK_NO_ENOBUFS:
	case NETLINK_CAP_ACK:
	case NETLINK_EXT_ACK:
	case NETLINK_GET_STRICT_CHK:
		*ret = socket->options >> option & 1;
		return 0;
	}
	return -ENOPROTOOPT;
}

static int get_option(const struct request *request, struct event_socket *socket,
		      const struct asked *asked, struct server_reply *reply)
{
	uint32_t value = 0;
	int ret = 0;

	if (asked->call.level == SOL_NETLINK && asked->call.option == NETLINK_LIST_MEMBERSHIPS)
		return answer_value(request, reply, &socket->groups,
				    socket->has_groups ? sizeof(socket->groups) : 0);
	if (asked->call.level == SOL_NETLINK) {
		ret = get_netlink(socket, (uint32_t)asked->call.option, &value);
		return ret < 0 ? answer(reply, ret) :
				 answer_value(request, reply, &value, sizeof(value));
	}
	switch (asked->call.option) {
	case SO_COOKIE:
		return answer_value(request, reply, &socket->cookie, sizeof(socket->cookie));
	case SO_TYPE:
		value = socket->type;
		break;
	case SO_RCVBUF:
		value = socket->room;
		break;
	case SO_LOCK_FILTER:
		value = socket->filter.is_locked;
		break;
	case SO_ERROR:
		value = (uint32_t)event_socket_take_error(socket);
		break;
	default:
		return answer(reply, -ENOPROTOOPT);
	}
	return answer_value(request, reply, &value, sizeof(value));
}

/* ---- all ---- */

static int call_socket(const struct request *request, struct event_socket *socket,
		       const struct asked *asked, struct server_reply *reply)
{
	const struct umad_backend_uevent *call = &asked->call;

	switch ((enum umad_backend_uevent_action)call->action) {
	case UMAD_BACKEND_UEVENT_BIND:
		return answer(reply, event_socket_bind(socket, call->process, call->number,
						       call->groups));
	case UMAD_BACKEND_UEVENT_CONNECT:
		return answer(reply, event_socket_connect(socket, call->process, call->number,
							  call->groups));
	case UMAD_BACKEND_UEVENT_NAME:
		return tell_name(request, socket, reply);
	case UMAD_BACKEND_UEVENT_RECEIVE:
		return receive(request, socket, call->flags & 1, reply);
	case UMAD_BACKEND_UEVENT_SET:
		return answer(reply, set_option(socket, asked));
	case UMAD_BACKEND_UEVENT_GET:
		return get_option(request, socket, asked, reply);
	case UMAD_BACKEND_UEVENT_OPEN:
		break;
	}
	return -EPROTO;
}

int call_uevent(const struct request *request, struct server_reply *reply)
{
	struct event_socket *socket = event_socket_find(sockets_of(request), request->call.handle);
	struct asked asked;

	if (request->size < sizeof(asked.call))
		return -EPROTO;
	memcpy(&asked.call, request->data, sizeof(asked.call));
	asked.value = request->data + sizeof(asked.call);
	if (asked.call.size != request->size - sizeof(asked.call))
		return -EPROTO;
	if (!request->clients->served->lockstep)
		return answer(reply, -EOPNOTSUPP);
	server_clients_note_use(request->clients, request->client->session);
	if (asked.call.action == UMAD_BACKEND_UEVENT_OPEN)
		return open_socket(request, asked.call.flags, reply);
	if (!socket)
		return answer(reply, -EBADF);
	return call_socket(request, socket, &asked, reply);
}
