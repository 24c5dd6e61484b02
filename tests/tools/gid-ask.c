/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * gid-ask: questions to a GID and their answers, as on RoCE, where there are no LIDs.
 *
 *	gid-ask answer CA		answers each request of a vendor's class, until it is killed
 *	gid-ask ask CA GID		asks for one MAD and for a message of three segments
 *
 * CA "": the first one. Prints a line for each answer. Exit status 0: both have come, whole.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include <infiniband/umad.h>

#include "lib/base/wire.h"

enum {
	MGMT_CLASS = 0x32,
	OUI_SIZE = 3,
	PATTERN = 0x5a,
	MESSAGE_SIZE = VENDOR2_DATA + 500,
	ATTR_SHORT = 0x10,
	ATTR_LONG = 0x20,
	TIMEOUT_MS = 2000,
};

struct message {
	struct ib_user_mad umad;
	uint8_t mad[1024];
};

static const uint8_t oui[OUI_SIZE] = { 0, 0x14, 5 };

static int open_agent(const char *ca, int *ret_agent, bool answers)
{
	long methods[16 / sizeof(long)] = { answers ? 1L << MAD_METHOD_GET : 0 };
	uint8_t bytes[OUI_SIZE];
	int fd = umad_open_port(*ca ? ca : NULL, 1);

	memcpy(bytes, oui, OUI_SIZE);
	*ret_agent = fd < 0 ? fd : umad_register_oui(fd, MGMT_CLASS, 1, bytes, methods);
	if (fd < 0 || *ret_agent < 0)
		fprintf(stderr, "gid-ask: %s: open %d, register %d\n", ca, fd, *ret_agent);
	return *ret_agent < 0 ? -1 : fd;
}

static void begin(struct message *message, uint8_t method, uint16_t attr)
{
	message->mad[MAD_BASE_VERSION] = 1;
	message->mad[MAD_CLASS] = MGMT_CLASS;
	message->mad[MAD_CLASS_VERSION] = 1;
	message->mad[MAD_METHOD] = method;
	put_be16(message->mad + MAD_ATTR_ID, attr);
	memcpy(message->mad + VENDOR2_OUI, oui, OUI_SIZE);
}

/* ---- answering ---- */

/* To the GID that the request is from. */
static int answer(int fd, int agent, struct message *message)
{
	uint16_t attr = get_be16(message->mad + MAD_ATTR_ID);
	int size = MAD_SIZE;

	begin(message, MAD_METHOD_GET_RESP, attr);
	memset(message->mad + VENDOR2_DATA, PATTERN, sizeof(message->mad) - VENDOR2_DATA);
	if (attr == ATTR_LONG) {
		message->mad[RMPP_VERSION] = 1;
		message->mad[RMPP_TYPE] = RMPP_TYPE_DATA;
		message->mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE;
		size = MESSAGE_SIZE;
	}
	message->umad.addr.qkey = htonl(QKEY_GSI);
	message->umad.addr.gid_index = 0;
	return umad_send(fd, agent, message, size, attr == ATTR_LONG ? TIMEOUT_MS : 0, 1);
}

static int answer_all(const char *ca)
{
	struct message message;
	int agent, fd = open_agent(ca, &agent, true);

	if (fd < 0)
		return 1;
	puts("ready");
	fflush(stdout);
	for (;;) {
		int size = sizeof(message.mad);

		if (umad_recv(fd, &message, &size, -1) != agent || umad_status(&message))
			continue;
		if (answer(fd, agent, &message) < 0)
			return 1;
	}
}

/* ---- asking ---- */

static bool ask(int fd, int agent, const uint8_t *gid, uint16_t attr, int expected)
{
	struct message message;
	int size = sizeof(message.mad), sent, got, good = 0;

	memset(&message, 0, sizeof(message));
	begin(&message, MAD_METHOD_GET, attr);
	put_be64(message.mad + MAD_TID, attr);
	umad_set_addr(&message, 0, 1, 0, (int)QKEY_GSI);
	message.umad.addr.grh_present = 1;
	message.umad.addr.hop_limit = 64;
	memcpy(message.umad.addr.gid, gid, 16);
	sent = umad_send(fd, agent, &message, MAD_SIZE, TIMEOUT_MS, 1);
	got = umad_recv(fd, &message, &size, 2 * TIMEOUT_MS + 1000);
	if (sent < 0 || got != agent || umad_status(&message)) {
		printf("attribute %#x: send %d, recv %d, status %d\n", attr, sent, got,
		       umad_status(&message));
		return false;
	}
	for (int i = VENDOR2_DATA; i < size; i++)
		good += message.mad[i] == PATTERN;
	printf("attribute %#x: %d bytes, %d of them good\n", attr, size, good);
	return size >= expected && good >= expected - VENDOR2_DATA;
}

int main(int argc, char **argv)
{
	uint8_t gid[16];
	int agent, fd;
	bool ok;

	if (argc == 3 && strcmp(argv[1], "answer") == 0)
		return answer_all(argv[2]);
	if (argc != 4 || strcmp(argv[1], "ask") != 0 || inet_pton(AF_INET6, argv[3], gid) != 1) {
		fputs("usage: gid-ask answer CA | gid-ask ask CA GID\n", stderr);
		return 2;
	}
	fd = open_agent(argv[2], &agent, false);
	if (fd < 0)
		return 1;
	ok = ask(fd, agent, gid, ATTR_SHORT, MAD_SIZE);
	ok &= ask(fd, agent, gid, ATTR_LONG, MESSAGE_SIZE);
	umad_close_port(fd);
	return !ok;
}
