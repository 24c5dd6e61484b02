/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * every-mad FILE: writes a capture with a MAD of every class, method and attribute that the
 * dictionary knows, and of some unknown ones. show-tshark.sh asks Wireshark about it.
 *
 * Headers contain numbers that differ in every byte, so that a field read from the wrong place is
 * noticed; the data is zero, because Wireshark's interpretation of invented data does not matter.
 */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "sim/dictionary/mad-dictionary.h"
#include "kmod-stub/packet.h"
#include "sim/api/umadrig.h"

enum { ATTR_UNKNOWN = 0x00ee, METHOD_UNKNOWN = 0x1f, STEP_NS = 1000 };

struct rig {
	struct umadrig_fabric *fabric;
	struct umadrig_port *port;
	unsigned int sent;
};

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

	if (mgmt_class == MAD_CLASS_SUBN_DR)
		addr.slid = addr.dlid = LID_PERMISSIVE;
	packet_build(&packet, &addr);
	mad = packet_mad(&packet);
	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = mgmt_class;
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

int main(int argc, char **argv)
{
	static const uint8_t reserved[] = { 0x00, 0x02, 0x50, 0x80, 0x82, 0xff };
	char message[512] = "";
	struct rig rig = { 0 };

	if (argc != 2) {
		fprintf(stderr, "usage: every-mad FILE\n");
		return 2;
	}
	rig.fabric = umadrig_fabric_open(",clock=virtual", message, sizeof(message));
	if (!rig.fabric ||
	    umadrig_capture_start(rig.fabric, argv[1], "every MAD", message,
				  sizeof(message)) != 0) {
		fprintf(stderr, "every-mad: %s\n", message);
		return 1;
	}
	rig.port = umadrig_port(rig.fabric, "H1", 1);
	for (const struct mad_class_info *info = mad_dictionary(); info->prefix; info++) {
		send_class(&rig, info, info->mgmt_class);
		if (info->last != info->mgmt_class)
			send_class(&rig, info, info->last);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(reserved); i++)
		send_mad(&rig, reserved[i], 1, MAD_METHOD_GET, 0x0001);
	if (umadrig_capture_stop(rig.fabric) != 0) {
		fprintf(stderr, "every-mad: %s could not be written\n", argv[1]);
		return 1;
	}
	umadrig_fabric_close(rig.fabric);
	printf("%u\n", rig.sent);
	return 0;
}
