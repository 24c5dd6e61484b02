/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: whatever requests for registers and configuration space a Mellanox device gets, by
 * SMPs and in class 0x0a, each is answered with the requester's TID, or not at all, and changes
 * nothing outside of the answer.
 *
 * The input is a number of requests. Of each, byte 0 says which node (bit 0) and which attribute
 * (1 to 3) in which class (4), with which method (5); byte 1 has the size of the data, 2 to 5 the
 * AttributeModifier; then come the data.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/wire.h"
#include "sim/api/umadrig.h"
#include "sim/fabric/entry.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/host/kernel.h"
#include "sim/run/open.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition) do { if (!(condition)) abort(); } while (0)

enum {
	REQUESTS_MAX = 64,
	HEAD = 6,
	SMP_AT = 64, VENDOR_AT = 32,
	VENDOR_CLASS = 0x0a,
	GUARD = 16,			/* bytes around an answer */
};

static const char text[] =
	"vendid=0x2c9\ndevid=0x1021\nHca 2 \"H\"\n[1] \"S\"[1] # 4xNDR\n\n"
	"vendid=0x2c9\ndevid=0xd2f2\nSwitch 4 \"S\"\n[1] \"H\"[1] # 4xNDR\n";

/* One request, made of 'data', which has at least HEAD bytes. Returns how many it has used. */
static size_t fill(uint8_t *mad, const uint8_t *data, size_t size)
{
	static const uint16_t attributes[8] = {
		0xff52, 0xff50, 0xff17, 0x51, 0x50, 0x17, 0xff52, 0x01,
	};
	bool is_vendor = data[0] & 0x10;
	unsigned int at = is_vendor ? VENDOR_AT : SMP_AT;
	size_t room = is_vendor ? MAD_SIZE - VENDOR_AT : SMP_DATA_SIZE;
	size_t left = size - HEAD, used = left < data[1] ? left : data[1];

	memset(mad, 0, MAD_SIZE);
	used = used < room ? used : room;
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = is_vendor ? VENDOR_CLASS : MAD_CLASS_SUBN_LID;
	mad[MAD_CLASS_VERSION] = 1;
	mad[MAD_METHOD] = data[0] & 0x20 ? MAD_METHOD_SET : MAD_METHOD_GET;
	mad[MAD_TID + 7] = data[0];
	put_be16(mad + MAD_ATTR_ID, attributes[data[0] >> 1 & 7]);
	memcpy(mad + MAD_ATTR_MOD, data + 2, 4);
	memcpy(mad + at, data + HEAD, used);
	return HEAD + used;
}

static void ask(struct umadrig_fabric *fabric, const uint8_t *mad, uint8_t who)
{
	struct node *node = fabric_node(fabric, who & 1 ? "S" : "H");
	uint8_t out[GUARD + MAD_SIZE + GUARD];
	unsigned int result;

	CHECK(node);
	memset(out, 0xa5, sizeof(out));
	result = port_process_mad(&node->ports[node->sw ? 0 : 1], &(struct kmod_source) { 0 }, mad,
				  out + GUARD);
	for (unsigned int i = 0; i < GUARD; i++)
		CHECK(out[i] == 0xa5 && out[GUARD + MAD_SIZE + i] == 0xa5);
	if (!(result & KMOD_MAD_REPLY))
		return;
	CHECK(out[GUARD + MAD_METHOD] == MAD_METHOD_GET_RESP);
	CHECK(out[GUARD + MAD_TID + 7] == mad[MAD_TID + 7]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char message[512];
	struct umadrig_fabric *fabric = fabric_parse(text, "clock=virtual", message,
						     sizeof(message));

	CHECK(fabric);
	for (unsigned int i = 0; i < REQUESTS_MAX && size >= HEAD; i++) {
		uint8_t mad[MAD_SIZE], who = data[0];
		size_t used = fill(mad, data, size);

		data += used;
		size -= used;
		CHECK(fabric_enter(fabric) == 0);
		ask(fabric, mad, who);
		fabric_leave(fabric);
	}
	umadrig_fabric_close(fabric);
	return 0;
}
