/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * rdma-cm: connections by Linux's RDMA connection manager, over its file alone: no library and no
 * verbs. For programs in guests (tests/kernels/guest-session), which have addresses of IPoIB.
 *
 *	rdma-cm listen tcp|udp
 *	rdma-cm connect tcp|udp ADDRESS
 *
 * tcp: the services of reliable connections (ConnectRequest, ConnectReply, ReadyToUse, and their
 * ends); udp: those of datagrams (ServiceIDResReq and ServiceIDResReqResp). The numbers of the
 * queue pairs are made up: who connects needs none, and driver and fabric have no connections that
 * data could take. Prints a line for each event, with what the other side has sent. Status 1: no
 * connection, which is an event as well; 2: something else, with a message.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rdma/rdma_user_cm.h>

enum {
	PORT = 7471,
	TIMEOUT_MS = 2000,
	UID = 1,		/* of 0 there are no events */
	LISTENER_QP = 0x111,
	CONNECTOR_QP = 0x222,
};

/* Linux's enum rdma_cm_event_type, which its files for programs do not have. */
enum event {
	ADDRESS_RESOLVED, ADDRESS_ERROR, ROUTE_RESOLVED, ROUTE_ERROR, CONNECT_REQUEST,
	CONNECT_RESPONSE, CONNECT_ERROR, UNREACHABLE, REJECTED, ESTABLISHED, DISCONNECTED,
	EVENTS,
};

static int file;

__attribute__((noreturn))
static void die(const char *what)
{
	fprintf(stderr, "rdma-cm: %s: %s\n", what, strerror(errno));
	exit(2);
}

static void call(uint32_t number, const char *what, const void *in, size_t in_size, void *out,
		 size_t out_size)
{
	struct {
		struct rdma_ucm_cmd_hdr header;
		uint8_t payload[sizeof(struct rdma_ucm_accept)];
	} message = { .header = { number, (uint16_t)in_size, (uint16_t)out_size } };

	/* Each command that has an answer begins with where that is to be put, but ACCEPT. */
	memcpy(message.payload, in, in_size);
	if (out) {
		const uint64_t at = (uintptr_t)out;

		memcpy(message.payload, &at, sizeof(at));
	}
	if (write(file, &message, sizeof(message.header) + in_size) < 0)
		die(what);
}

static uint32_t create(uint16_t space)
{
	const struct rdma_ucm_create_id wish = { .uid = UID, .ps = space };
	struct rdma_ucm_create_id_resp made = { 0 };
	struct {
		struct rdma_ucm_cmd_hdr header;
		struct rdma_ucm_create_id wish;
	} message = {
		{ RDMA_USER_CM_CMD_CREATE_ID, sizeof(wish), sizeof(made) }, wish,
	};

	message.wish.response = (uintptr_t)&made;
	if (write(file, &message, sizeof(message)) < 0)
		die("CREATE_ID");
	return made.id;
}

/* ---- events ---- */

static const char *name_of(uint32_t event)
{
	static const char *const names[EVENTS] = {
		"address resolved", "address error", "route resolved", "route error",
		"connect request", "connect response", "connect error", "unreachable", "rejected",
		"established", "disconnected",
	};

	return event < EVENTS ? names[event] : "another event";
}

/* "connect request: queue pair 0x222, 'a word'". */
static void say(const struct rdma_ucm_event_resp *event, int is_datagram)
{
	const struct rdma_ucm_conn_param *conn = &event->param.conn;
	const struct rdma_ucm_ud_param *ud = &event->param.ud;

	printf("%s", name_of(event->event));
	if ((int32_t)event->status != 0)
		printf(", status %d", (int32_t)event->status);
	if (event->event == ESTABLISHED && is_datagram)
		printf(": queue pair 0x%x, Q_Key 0x%x, '%.20s'", ud->qp_num, ud->qkey,
		       ud->private_data);
	else if (event->event == CONNECT_REQUEST && is_datagram)
		printf(": '%.20s'", ud->private_data);
	else if (event->event == CONNECT_REQUEST || event->event == CONNECT_RESPONSE)
		printf(": queue pair 0x%x, '%.20s'", conn->qp_num, conn->private_data);
	printf("\n");
	fflush(stdout);
}

static struct rdma_ucm_event_resp next(int is_datagram)
{
	struct rdma_ucm_event_resp event;
	const struct rdma_ucm_get_event wish = { 0 };

	memset(&event, 0, sizeof(event));
	call(RDMA_USER_CM_CMD_GET_EVENT, "GET_EVENT", &wish, sizeof(wish), &event, sizeof(event));
	say(&event, is_datagram);
	return event;
}

static struct rdma_ucm_event_resp await(enum event wanted, int is_datagram)
{
	struct rdma_ucm_event_resp event = next(is_datagram);

	if (event.event != (uint32_t)wanted)
		exit(1);
	return event;
}

/* ---- both sides ---- */

static struct rdma_ucm_conn_param parameters(uint32_t qp, const char *word)
{
	struct rdma_ucm_conn_param ret;

	memset(&ret, 0, sizeof(ret));
	ret.qp_num = qp;
	ret.private_data_len = (uint8_t)strlen(word) + 1;
	memcpy(ret.private_data, word, ret.private_data_len);
	ret.retry_count = ret.rnr_retry_count = 7;
	ret.valid = 1;
	return ret;
}

/* Without parameters: the side that connects has the answer, and is ready. */
static void accept_it(uint32_t id, const struct rdma_ucm_conn_param *with)
{
	struct rdma_ucm_accept wish;

	memset(&wish, 0, sizeof(wish));
	wish.uid = UID;
	wish.id = id;
	if (with)
		wish.conn_param = *with;
	call(RDMA_USER_CM_CMD_ACCEPT, "ACCEPT", &wish, sizeof(wish), NULL, 0);
}

static struct sockaddr_in address_of(const char *text)
{
	struct sockaddr_in ret = { .sin_family = AF_INET, .sin_port = htons(PORT) };

	if (text && inet_pton(AF_INET, text, &ret.sin_addr) != 1) {
		fprintf(stderr, "rdma-cm: '%s' is no address\n", text);
		exit(2);
	}
	return ret;
}

static int listen_for_one(uint16_t space)
{
	const int is_datagram = space == RDMA_PS_UDP;
	const struct rdma_ucm_conn_param answer = parameters(LISTENER_QP, "the answer");
	const struct sockaddr_in address = address_of(NULL);
	struct rdma_ucm_bind bind = { .id = create(space), .addr_size = sizeof(address) };
	const struct rdma_ucm_listen listen = { .id = bind.id, .backlog = 1 };
	struct rdma_ucm_event_resp event;

	memcpy(&bind.addr, &address, sizeof(address));
	call(RDMA_USER_CM_CMD_BIND, "BIND", &bind, sizeof(bind), NULL, 0);
	call(RDMA_USER_CM_CMD_LISTEN, "LISTEN", &listen, sizeof(listen), NULL, 0);
	event = await(CONNECT_REQUEST, is_datagram);
	accept_it(event.id, &answer);
	if (is_datagram)
		return 0;
	await(ESTABLISHED, 0);
	await(DISCONNECTED, 0);
	return 0;
}

static int connect_to(uint16_t space, const char *to)
{
	const int is_datagram = space == RDMA_PS_UDP;
	const struct sockaddr_in address = address_of(to);
	struct rdma_ucm_resolve_addr resolve = {
		.id = create(space), .timeout_ms = TIMEOUT_MS, .dst_size = sizeof(address),
	};
	const struct rdma_ucm_resolve_route route = { resolve.id, TIMEOUT_MS };
	const struct rdma_ucm_disconnect end = { resolve.id };
	struct rdma_ucm_connect wish;

	memcpy(&resolve.dst_addr, &address, sizeof(address));
	call(RDMA_USER_CM_CMD_RESOLVE_ADDR, "RESOLVE_ADDR", &resolve, sizeof(resolve), NULL, 0);
	await(ADDRESS_RESOLVED, is_datagram);
	call(RDMA_USER_CM_CMD_RESOLVE_ROUTE, "RESOLVE_ROUTE", &route, sizeof(route), NULL, 0);
	await(ROUTE_RESOLVED, is_datagram);
	memset(&wish, 0, sizeof(wish));
	wish.id = resolve.id;
	wish.conn_param = parameters(CONNECTOR_QP, "a question");
	call(RDMA_USER_CM_CMD_CONNECT, "CONNECT", &wish, sizeof(wish), NULL, 0);
	if (is_datagram) {
		await(ESTABLISHED, 1);
		return 0;
	}
	await(CONNECT_RESPONSE, 0);
	accept_it(resolve.id, NULL);
	call(RDMA_USER_CM_CMD_DISCONNECT, "DISCONNECT", &end, sizeof(end), NULL, 0);
	await(DISCONNECTED, 0);
	return 0;
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "", *kind = argc > 2 ? argv[2] : "";
	uint16_t space = strcmp(kind, "udp") == 0 ? RDMA_PS_UDP : RDMA_PS_TCP;

	if ((strcmp(kind, "udp") != 0 && strcmp(kind, "tcp") != 0) ||
	    !((argc == 3 && strcmp(verb, "listen") == 0) ||
	      (argc == 4 && strcmp(verb, "connect") == 0))) {
		fputs("usage: rdma-cm listen tcp|udp | connect tcp|udp ADDRESS\n", stderr);
		return 2;
	}
	file = open("/dev/infiniband/rdma_cm", O_RDWR | O_CLOEXEC);
	if (file < 0)
		die("/dev/infiniband/rdma_cm");
	return argc == 3 ? listen_for_one(space) : connect_to(space, argv[3]);
}
