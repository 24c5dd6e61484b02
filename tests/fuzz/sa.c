/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: whatever requests the fabric's own SA gets, each is answered by a response that
 * repeats its TID, or not at all, and the fabric survives: it becomes idle.
 *
 * The input is a number of requests. Of each, byte 0 says who asks (bits 0 and 1), whether over
 * the wire (2), with the SM_Key (6) and with bit 31 of the AttributeModifier (7); byte 1 has the
 * size of the record, bytes 2 and 3 method and attribute, 4 to 11 the ComponentMask; then comes
 * the record.
 */
#include "config.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/user-header.h"
#include "sim/api/umadrig.h"
#include "sim/fabric/entry.h"
#include "sim/fabric/fabric-sa.h"
#include "sim/fabric/forward.h"
#include "sim/run/open.h"
#include "sim/sa/sa-answer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition) do { if (!(condition)) abort(); } while (0)

enum { REQUESTS_MAX = 64, HEAD = 12, RECORD = MAD_SIZE - SA_DATA };

static const char text[] =
	"Hca 2 \"H1\"\n[1] \"S1\"[1]\n[2] \"S2\"[1]\n\nHca 1 \"H2\"\n[1] \"S1\"[2]\n\n"
	"Switch 4 \"S1\"\n[1] \"H1\"[1]\n[2] \"H2\"[1]\n[3] \"S2\"[2]\n\n"
	"Switch 4 \"S2\"\n[1] \"H1\"[2]\n[2] \"S1\"[3]\n";

/* One request, made of 'data', which has at least HEAD bytes. Returns how many it has used. */
static size_t fill(uint8_t *mad, const uint8_t *data, size_t size)
{
	size_t left = size - HEAD, used = left < data[1] ? left : data[1];

	memset(mad, 0, MAD_SIZE);
	used = used < RECORD ? used : RECORD;
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = MAD_CLASS_SUBN_ADM;
	mad[MAD_CLASS_VERSION] = 2;
	mad[MAD_METHOD] = data[2] & 0x7f;
	mad[MAD_TID + 7] = data[0];
	mad[MAD_ATTR_ID + 1] = data[3];
	memcpy(mad + SA_COMP_MASK, data + 4, 8);
	mad[MAD_ATTR_MOD] = data[0] & 0x80;
	mad[SA_SM_KEY + 7] = data[0] >> 6 & 1;
	memcpy(mad + SA_DATA, data + HEAD, used);
	return HEAD + used;
}

static void ask(struct umadrig_fabric *fabric, const uint8_t *mad, uint8_t who)
{
	uint8_t header[USER_HEADER_SIZE] = { 0 };
	struct subnet *subnet = fabric_subnet(fabric, 0);
	struct end_port *from = subnet_end_by_lid(subnet, (uint16_t)(1 + who % 4));
	struct sa_request request = { .subnet = subnet, .header = header, .from = from };
	GByteArray *answer;

	CHECK(from);
	put_be16(header + USER_LID_BE, from->attr.lid);
	put_be32(header + USER_QPN_BE, 1);
	answer = sa_answer(&request, mad, MAD_SIZE);
	if (!answer)
		return;
	CHECK(answer->len >= SA_DATA);
	CHECK(answer->data[MAD_METHOD] & MAD_METHOD_RESPONSE);
	CHECK(answer->data[MAD_TID + 7] == mad[MAD_TID + 7]);
	g_byte_array_unref(answer);
}

/* The same over the wire, with whatever RMPP header the record begins with. */
static void send(struct umadrig_fabric *fabric, const uint8_t *mad, uint8_t who)
{
	const struct subnet *subnet = fabric_subnet(fabric, 0);
	struct packet_addr addr = {
		.slid = (uint16_t)(1 + who % 4), .dlid = subnet->sa->end->attr.lid, .pkey = 0xffff,
		.src_qp = 1, .dest_qp = 1, .qkey = QKEY_GSI,
	};
	struct packet *packet = packet_new(&fabric->pool);

	packet_build(packet, &addr);
	mad_copy(packet_mad(packet), mad);
	memcpy(packet_mad(packet) + RMPP_VERSION, mad + SA_DATA, RMPP_END - RMPP_VERSION);
	fabric_transmit(subnet_end_by_lid(subnet, addr.slid)->port, packet);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char message[512];
	struct umadrig_fabric *fabric = fabric_parse(text, "clock=virtual,sa=builtin", message,
						     sizeof(message));

	CHECK(fabric);
	for (unsigned int i = 0; i < REQUESTS_MAX && size >= HEAD; i++) {
		uint8_t mad[MAD_SIZE], who = data[0];
		size_t used = fill(mad, data, size);

		data += used;
		size -= used;
		CHECK(fabric_enter(fabric) == 0);
		if (who & 4)
			send(fabric, mad, who);
		else
			ask(fabric, mad, who);
		fabric_leave(fabric);
		umadrig_step(fabric, umadrig_now(fabric) + NS_PER_S);
	}
	umadrig_step(fabric, umadrig_now(fabric) + 600 * NS_PER_S);
	CHECK(fabric->pool.used == 0);
	umadrig_fabric_close(fabric);
	return 0;
}
