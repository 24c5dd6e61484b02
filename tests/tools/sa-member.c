/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sa-member: registers multicast members and services with the SA, as upper-layer programs do.
 *
 * 	sa-member join|leave MGID [full|sender]
 * 	sa-member register|withdraw SERVICE-ID NAME
 *
 * The member is the port of the host that it runs on; it stays one after the program has ended.
 * Prints "status S", the MAD's status in hexadecimal, and for a join " mlid M"; exit status 0 when
 * S is 0, 2 without a response.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad.h>

#include "lib/base/wire.h"

enum {
	ATTR_SERVICE_RECORD = 0x31,
	ATTR_MCMEMBER_RECORD = 0x38,
	METHOD_DELETE = 0x15,
	TIMEOUT_MS = 2000,
	/* Offsets in the records, and bits of their component masks (IBA vol 1, 15.2.5). */
	MCM_MGID = 0, MCM_PORT_GID = 16, MCM_Q_KEY = 32, MCM_MLID = 36, MCM_P_KEY = 40,
	MCM_SCOPE_STATE = 48,
	MCM_MASK_MEMBER = 1 << 0 | 1 << 1 | 1 << 16,	/* MGID, PortGID, JoinState */
	/* Q_Key, TClass, P_Key, SL and FlowLabel, which the first member must give. */
	MCM_MASK_GROUP = 1 << 2 | 1 << 6 | 1 << 7 | 1 << 12 | 1 << 13,
	JOIN_FULL = 1, JOIN_SENDER = 4,
	SERVICE_ID = 0, SERVICE_GID = 8, SERVICE_P_KEY = 24, SERVICE_LEASE = 28, SERVICE_NAME = 48,
	SERVICE_MASK = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 4 | 1 << 6,
};

static int usage(void)
{
	fprintf(stderr, "usage: sa-member join|leave MGID [full|sender]\n"
		"       sa-member register|withdraw SERVICE-ID NAME\n");
	return 2;
}

static void put_gid(uint8_t *bytes, const umad_port_t *port)
{
	memcpy(bytes, &port->gid_prefix, 8);	/* both as on the wire */
	memcpy(bytes + 8, &port->port_guid, 8);
}

static int fill_member(uint8_t *mad, const umad_port_t *port, const char *mgid, const char *state)
{
	uint8_t *record = mad + SA_DATA;
	bool sender = state && strcmp(state, "sender") == 0;

	if (inet_pton(AF_INET6, mgid, record + MCM_MGID) != 1)
		return -1;
	put_be16(mad + MAD_ATTR_ID, ATTR_MCMEMBER_RECORD);
	put_gid(record + MCM_PORT_GID, port);
	record[MCM_SCOPE_STATE] = (uint8_t)((record[1] & 0xf) << 4 |
					    (sender ? JOIN_SENDER : JOIN_FULL));
	put_be64(mad + SA_COMP_MASK, MCM_MASK_MEMBER);
	if (mad[MAD_METHOD] == METHOD_DELETE || sender)
		return 0;
	put_be32(record + MCM_Q_KEY, 0x0b1b);
	put_be16(record + MCM_P_KEY, PKEY_DEFAULT);
	put_be64(mad + SA_COMP_MASK, MCM_MASK_MEMBER | MCM_MASK_GROUP);
	return 0;
}

static int fill_service(uint8_t *mad, const umad_port_t *port, const char *id, const char *name)
{
	uint8_t *record = mad + SA_DATA;

	if (!name || strlen(name) > 63)
		return -1;
	put_be16(mad + MAD_ATTR_ID, ATTR_SERVICE_RECORD);
	put_be64(record + SERVICE_ID, strtoull(id, NULL, 0));
	put_gid(record + SERVICE_GID, port);
	put_be16(record + SERVICE_P_KEY, PKEY_DEFAULT);
	put_be32(record + SERVICE_LEASE, UINT32_MAX);
	strcpy((char *)record + SERVICE_NAME, name);
	put_be64(mad + SA_COMP_MASK, SERVICE_MASK);
	return 0;
}

static int fill(uint8_t *mad, const umad_port_t *port, char **words)
{
	static const struct {
		const char *verb;
		uint8_t method;
		int (*fill)(uint8_t *mad, const umad_port_t *port, const char *a, const char *b);
	} verbs[] = {
		{ "join", MAD_METHOD_SET, fill_member },
		{ "leave", METHOD_DELETE, fill_member },
		{ "register", MAD_METHOD_SET, fill_service },
		{ "withdraw", METHOD_DELETE, fill_service },
	};

	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = MAD_CLASS_SUBN_ADM;
	mad[MAD_CLASS_VERSION] = 2;
	put_be64(mad + MAD_TID, 1);
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (strcmp(words[0], verbs[i].verb) == 0) {
			mad[MAD_METHOD] = verbs[i].method;
			return verbs[i].fill(mad, port, words[1], words[2]);
		}
	}
	return -1;
}

/* Sends the MAD in 'umad' to the SA and receives the response into it. */
static int ask(const umad_port_t *port, void *umad)
{
	int fd = umad_open_port(port->ca_name, port->portnum);
	int agent = fd < 0 ? -1 : umad_register(fd, MAD_CLASS_SUBN_ADM, 2, 1, NULL);
	int length = MAD_SIZE, ret = -1;

	umad_set_addr(umad, (int)port->sm_lid, 1, (int)port->sm_sl, (int)QKEY_GSI);
	if (agent >= 0 && umad_send(fd, agent, umad, MAD_SIZE, TIMEOUT_MS, 3) == 0 &&
	    umad_recv(fd, umad, &length, -1) >= 0)
		ret = umad_status(umad);
	if (fd >= 0)
		umad_close_port(fd);
	return ret;
}

int main(int argc, char **argv)
{
	umad_port_t port;
	uint8_t *umad, *mad;
	int ret;

	if (argc < 3 || argc > 4)
		return usage();
	umad_init();
	umad = umad_alloc(1, umad_size() + MAD_SIZE);
	if (!umad || umad_get_port(NULL, 0, &port) < 0)
		return 2;
	mad = umad_get_mad(umad);
	ret = fill(mad, &port, argv + 1) < 0 ? usage() : ask(&port, umad);
	if (ret == 0) {
		ret = get_be16(mad + MAD_STATUS) != 0;
		printf("status 0x%04x", get_be16(mad + MAD_STATUS));
		if (!ret && strcmp(argv[1], "join") == 0)
			printf(" mlid 0x%04x", get_be16(mad + SA_DATA + MCM_MLID));
		printf("\n");
	} else {
		fprintf(stderr, "no answer from the SA at LID %u\n", port.sm_lid);
		ret = 2;
	}
	umad_release_port(&port);
	umad_free(umad);
	umad_done();
	return ret;
}
