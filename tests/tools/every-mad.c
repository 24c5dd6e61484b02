/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * every-mad [--random SEED] FILE: writes a capture with a MAD of every class, method and attribute
 * that the dictionary knows, and of some unknown ones. show-tshark.sh asks Wireshark about it.
 *
 * Headers contain numbers that differ in every byte, so that a field read from the wrong place is
 * noticed; the data is zero, because Wireshark's interpretation of invented data does not matter.
 *
 * With --random, every known attribute is sent with every method of its class, and everything but
 * the common header is random: class headers, data, GRH. RMPP is inactive, so that each MAD is a
 * message; one MAD of each RMPP type is added. Notices are of the traps whose details are known.
 */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "sim/dictionary/mad-dictionary.h"
#include "kmod-stub/packet.h"
#include "sim/api/umadrig.h"

enum {
	ATTR_NOTICE = 0x0002,
	ATTR_UNKNOWN = 0x00ee,
	ATTR_MULTI_PATH_RECORD = 0x003a,
	METHOD_UNKNOWN = 0x1f,
	METHOD_GET_TABLE_RESP = 0x92,
	STEP_NS = 1000,
};


struct rig {
	struct umadrig_fabric *fabric;
	struct umadrig_port *port;
	unsigned int sent;
	GRand *random;		/* NULL: data are zero */
	uint8_t rmpp_type;	/* 0: RMPP is inactive */
	uint16_t trap;		/* of the last notice */
};

/* Text is what every program prints alike: letters. */
static void fill_text(struct rig *rig, const struct mad_field *field, uint8_t *data)
{
	for (unsigned int i = 0; i < field->width / 8; i++)
		data[field->bit / 8 + i] = (uint8_t)('A' + g_rand_int(rig->random) % 26);
}

/* A notice of a trap whose details are known: they take turns, so that each is there. */
static void make_generic(struct rig *rig, uint8_t *data)
{
	do {
		rig->trap = (uint16_t)((rig->trap + 1) % 260);
	} while (!mad_notice_details(rig->trap));
	data[0] |= 0x80;
	put_be16(data + 4, rig->trap);
}

static void fill_attribute(struct rig *rig, uint8_t *mad, uint16_t attr)
{
	const struct mad_attribute *attribute = mad_attribute_find(mad[MAD_CLASS], attr);
	uint8_t *data;

	if (!attribute)
		return;
	data = mad + mad_class_find(mad[MAD_CLASS])->data_at;
	for (const struct mad_field *f = attribute->fields; f && f->name; f++)
		if (f->format == MAD_FIELD_STRING)
			fill_text(rig, f, data);
	if (mad[MAD_CLASS] == MAD_CLASS_SUBN_ADM && attr == ATTR_MULTI_PATH_RECORD) {
		mad_field_set(mad_field_must(mad[MAD_CLASS], attr, "SGIDCount"), data, 5);
		mad_field_set(mad_field_must(mad[MAD_CLASS], attr, "DGIDCount"), data, 4);
	}
	if (attr == ATTR_NOTICE)
		make_generic(rig, data);
}

/* All that comes after the common header. */
static void fill(struct rig *rig, uint8_t *mad, uint16_t attr)
{
	for (unsigned int i = MAD_HDR_SIZE; i < MAD_SIZE; i++)
		mad[i] = (uint8_t)g_rand_int(rig->random);
	if (rig->rmpp_type) {
		mad[RMPP_VERSION] = 1;
		mad[RMPP_TYPE] = rig->rmpp_type;
		mad[RMPP_FLAGS] |= RMPP_FLAG_ACTIVE;
	} else if (mad_class_has_rmpp(mad[MAD_CLASS])) {
		memset(mad + RMPP_VERSION, 0, RMPP_END - RMPP_VERSION);
	}
	fill_attribute(rig, mad, attr);
}

/*
 * Bits that every sender sets alike. PktLen stays, with which Wireshark would take the packet for
 * damaged; so does PadCnt, which it subtracts from the MAD.
 */
static void fill_headers(struct rig *rig, struct packet *packet)
{
	uint8_t *lrh = packet->bytes, *bth = lrh + packet_bth_at(packet);

	lrh[LRH_VL] ^= g_rand_int(rig->random) & 0x0f;
	lrh[LRH_SL] ^= g_rand_int(rig->random) & 0x0c;
	lrh[LRH_PKTLEN] ^= g_rand_int(rig->random) & 0xf8;
	if (packet_has_grh(packet)) {
		lrh[LRH_SIZE] ^= g_rand_int(rig->random) & 0xf0;
		put_be16(lrh + LRH_SIZE + GRH_PAYLEN, (uint16_t)g_rand_int(rig->random));
	}
	bth[BTH_OPCODE + 1] = g_rand_int(rig->random) & 0xcf;
	bth[BTH_DESTQP - 1] = (uint8_t)g_rand_int(rig->random);
	bth[BTH_PSN - 1] = (uint8_t)g_rand_int(rig->random);
	bth[BTH_SIZE + DETH_SRCQP - 1] = (uint8_t)g_rand_int(rig->random);
}

static void send_mad(struct rig *rig, uint8_t mgmt_class, uint8_t version, uint8_t method,
		     uint16_t attr)
{
	bool smp = mad_class_is_smp(mgmt_class);
	unsigned int n = rig->sent++;
	struct packet_addr addr = {
		.slid = 1, .dlid = 2, .sl = n % 16, .vl = smp ? 15 : 0, .pkey = PKEY_DEFAULT,
		.src_qp = smp ? 0 : 1, .dest_qp = smp ? 0 : 1, .qkey = smp ? 0 : QKEY_GSI,
		.psn = n, .has_grh = !smp && n % 3 == 0, .hop_limit = 64,
		.sgid = { 0xfe, 0x80, [15] = 1 }, .dgid = { 0xfe, 0x80, [15] = 2 },
	};
	struct packet packet = { 0 };
	uint8_t *mad;

	if (rig->random) {
		addr.traffic_class = (uint8_t)g_rand_int(rig->random);
		addr.flow_label = g_rand_int(rig->random) & 0xfffff;
		addr.hop_limit = (uint8_t)g_rand_int(rig->random);
		addr.sgid[9] = (uint8_t)g_rand_int(rig->random);
	}
	if (mgmt_class == MAD_CLASS_SUBN_DR)
		addr.slid = addr.dlid = LID_PERMISSIVE;
	packet_build(&packet, &addr);
	/* What is odd gets no answer, and answers are wanted as well. */
	if (rig->random && n % 2)
		fill_headers(rig, &packet);
	mad = packet_mad(&packet);
	memset(mad, 0, MAD_SIZE);
	mad[MAD_CLASS] = mgmt_class;
	if (rig->random)
		fill(rig, mad, attr);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS_VERSION] = version;
	mad[MAD_METHOD] = method;
	put_be64(mad + MAD_TID, UINT64_C(0x0123456789000000) + n);
	put_be16(mad + MAD_ATTR_ID, attr);
	put_be32(mad + MAD_ATTR_MOD, method & MAD_METHOD_RESPONSE ? UINT32_C(0x01020304) : 1);
	if (method & MAD_METHOD_RESPONSE)
		put_be16(mad + MAD_STATUS, 0x001c);
	if (mgmt_class == MAD_CLASS_SUBN_DR) {
		put_be16(mad + SMP_DR_SLID, LID_PERMISSIVE);
		put_be16(mad + SMP_DR_DLID, LID_PERMISSIVE);
		mad[SMP_HOP_PTR] = mad[SMP_HOP_CNT] = 1;
		mad[SMP_INITIAL_PATH + 1] = 1;
	}
	if (umadrig_inject(rig->port, packet.bytes, packet_size(&packet)) != 0)
		g_error("class 0x%02x method 0x%02x attribute 0x%04x cannot be injected",
			mgmt_class, method, attr);
	umadrig_step(rig->fabric, umadrig_now(rig->fabric) + STEP_NS);
}

static void send_class(struct rig *rig, const struct mad_class_info *info, uint8_t mgmt_class)
{
	uint8_t version = info->class_version;

	for (const struct mad_method_info *m = info->methods; m->name; m++)
		send_mad(rig, mgmt_class, version, m->method, info->attributes->id);
	send_mad(rig, mgmt_class, version, METHOD_UNKNOWN, info->attributes->id);
	for (const struct mad_attribute *a = info->attributes; a->name; a++) {
		send_mad(rig, mgmt_class, version, MAD_METHOD_GET, a->id);
		send_mad(rig, mgmt_class, version, MAD_METHOD_GET_RESP, a->id);
	}
	send_mad(rig, mgmt_class, version, MAD_METHOD_GET, ATTR_UNKNOWN);
}

/* Segments, ACKs, STOPs and ABORTs, whose fields are as odd as the rest. */
static void send_rmpp(struct rig *rig, const struct mad_class_info *info)
{
	static const uint8_t types[] = { RMPP_TYPE_DATA, RMPP_TYPE_ACK, RMPP_TYPE_STOP,
					 RMPP_TYPE_ABORT };

	for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
		rig->rmpp_type = types[i];
		send_mad(rig, info->mgmt_class, info->class_version, METHOD_GET_TABLE_RESP,
			 info->attributes->id);
	}
	rig->rmpp_type = 0;
}

static void send_random(struct rig *rig, const struct mad_class_info *info)
{
	if (mad_class_has_rmpp(info->mgmt_class))
		send_rmpp(rig, info);
	for (const struct mad_attribute *a = info->attributes; a->name; a++)
		for (const struct mad_method_info *m = info->methods; m->name; m++)
			send_mad(rig, info->mgmt_class, info->class_version, m->method, a->id);
}

static void send_zeros(struct rig *rig)
{
	static const uint8_t reserved[] = { 0x00, 0x02, 0x50, 0x80, 0x82, 0xff };

	for (const struct mad_class_info *info = mad_dictionary(); info->prefix; info++) {
		send_class(rig, info, info->mgmt_class);
		if (info->last != info->mgmt_class)
			send_class(rig, info, info->last);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(reserved); i++)
		send_mad(rig, reserved[i], 1, MAD_METHOD_GET, 0x0001);
}

int main(int argc, char **argv)
{
	bool random = argc == 4 && strcmp(argv[1], "--random") == 0;
	char message[512] = "";
	struct rig rig = { 0 };

	if (argc != 2 && !random) {
		fprintf(stderr, "usage: every-mad [--random SEED] FILE\n");
		return 2;
	}
	if (random)
		rig.random = g_rand_new_with_seed((guint32)g_ascii_strtoull(argv[2], NULL, 10));
	rig.fabric = umadrig_fabric_open(",clock=virtual", message, sizeof(message));
	if (!rig.fabric ||
	    umadrig_capture_start(rig.fabric, argv[argc - 1], "every MAD", message,
				  sizeof(message)) != 0) {
		fprintf(stderr, "every-mad: %s\n", message);
		return 1;
	}
	rig.port = umadrig_port(rig.fabric, "H1", 1);
	if (random)
		for (const struct mad_class_info *info = mad_dictionary(); info->prefix; info++)
			send_random(&rig, info);
	else
		send_zeros(&rig);
	if (umadrig_capture_stop(rig.fabric) != 0) {
		fprintf(stderr, "every-mad: %s could not be written\n", argv[argc - 1]);
		return 1;
	}
	umadrig_fabric_close(rig.fabric);
	if (rig.random)
		g_rand_free(rig.random);
	printf("%u\n", rig.sent);
	return 0;
}
