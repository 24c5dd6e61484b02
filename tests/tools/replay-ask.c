/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * replay-ask: sends the requests that it is given, one after the other, and prints the responses.
 *
 * 	replay-ask [-t MS] [LID HEX]...	HEX: a MAD as on the wire, 512 digits
 *
 * The transaction id is its own, as in any program; the hop pointer of a directed route is 0, its
 * start. One line for each: "TID HEX" (the id that was sent and the response), or "status N".
 */
#include <infiniband/umad.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	MAD = 256,
	TIMEOUT_MS = 200,
	HOP_POINTER = 6, TID = 8,
	CLASS_SMP_DR = 0x81,
};

static int timeout_ms = TIMEOUT_MS;

static int parse_mad(const char *hex, uint8_t *mad)
{
	for (int i = 0; i < MAD; i++) {
		if (sscanf(hex + 2 * i, "%2hhx", &mad[i]) != 1)
			return -1;
	}
	return 0;
}

static void print_hex(const uint8_t *bytes, int size)
{
	for (int i = 0; i < size; i++)
		printf("%02x", bytes[i]);
}

static int ask(int port, int agent, uint32_t tid, int lid, uint8_t *mad)
{
	uint8_t *umad = umad_alloc(1, umad_size() + MAD);
	uint8_t *body = umad ? umad_get_mad(umad) : NULL;
	int length = MAD;

	if (!umad)
		return -1;
	for (int i = 0; i < 4; i++) {
		mad[TID + i] = 0;
		mad[TID + 4 + i] = (uint8_t)(tid >> (24 - 8 * i));
	}
	if (mad[1] == CLASS_SMP_DR)
		mad[HOP_POINTER] = 0;
	memcpy(body, mad, MAD);
	if (mad[1] == CLASS_SMP_DR)
		umad_set_addr(umad, 0xffff, 0, 0, 0);
	else
		umad_set_addr(umad, lid, 1, 0, (int)0x80010000);
	if (umad_send(port, agent, umad, MAD, timeout_ms, 0) < 0 ||
	    umad_recv(port, umad, &length, 10 * timeout_ms) < 0) {
		umad_free(umad);
		return -1;
	}
	if (umad_status(umad)) {
		printf("status %d\n", umad_status(umad));
	} else {
		printf("%08x ", tid);
		print_hex(body, MAD);
		printf("\n");
	}
	umad_free(umad);
	return 0;
}

int main(int argc, char **argv)
{
	uint8_t mad[MAD];
	int port, agent;

	if (argc > 2 && strcmp(argv[1], "-t") == 0) {
		timeout_ms = atoi(argv[2]);
		argc -= 2;
		argv += 2;
	}
	umad_init();
	port = umad_open_port(NULL, 0);
	if (port < 0)
		return 1;
	for (int i = 1; i + 1 < argc; i += 2) {
		if (strlen(argv[i + 1]) != 2 * MAD || parse_mad(argv[i + 1], mad) < 0)
			return 2;
		agent = umad_register(port, mad[1], mad[2], 0, NULL);
		if (agent < 0 ||
		    ask(port, agent, UINT32_C(0x1234) + (uint32_t)i, atoi(argv[i]), mad) < 0)
			return 1;
		umad_unregister(port, agent);
	}
	return 0;
}
