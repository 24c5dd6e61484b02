/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * mad-values CAPTURE: what the dictionary reads from each MAD, as JSON, a line each, for
 * tests/tools/agree-tshark: frame, class, attribute, and values by name: "MAD.Method" of a header,
 * ".Lid" of the attribute, "trap.GIDADDR" of a notice. Numbers are numbers, other values
 * hexadecimal digits.
 */
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>

#include "lib/base/wire.h"
#include "sim/capture/capture.h"
#include "sim/dictionary/mad-dictionary.h"
#include "sim/dictionary/mad-header.h"

enum { ATTR_NOTICE = 0x0002 };

static void print_bytes(const char *owner, const char *name, const uint8_t *bytes, size_t count)
{
	printf(", \"%s.%s\": \"", owner, name);
	for (size_t i = 0; i < count; i++)
		printf("%02x", bytes[i]);
	putchar('"');
}

static void print_number(const char *owner, const char *name, uint64_t value)
{
	printf(", \"%s.%s\": %" PRIu64, owner, name, value);
}

static void print_fields(const char *owner, const struct mad_field *fields, const uint8_t *data)
{
	for (const struct mad_field *f = fields; f && f->name; f++) {
		if (mad_field_is_number(f))
			print_number(owner, f->name, mad_field_get(f, data));
		else
			print_bytes(owner, f->name, data + f->bit / 8, f->width / 8);
	}
}

static void print_packet(const struct capture_mad *mad)
{
	const struct packet_addr *addr = &mad->addr;

	if (mad->transport == CAPTURE_INFINIBAND) {
		print_number("LRH", "VL", addr->vl);
		print_number("LRH", "SL", addr->sl);
		print_number("LRH", "DLID", addr->dlid);
		print_number("LRH", "SLID", addr->slid);
	}
	if (mad->transport != CAPTURE_ROCE_V2 && addr->has_grh) {
		print_number("GRH", "TClass", addr->traffic_class);
		print_number("GRH", "FlowLabel", addr->flow_label);
		print_number("GRH", "HopLmt", addr->hop_limit);
		print_bytes("GRH", "SGID", addr->sgid, sizeof(addr->sgid));
		print_bytes("GRH", "DGID", addr->dgid, sizeof(addr->dgid));
	}
	print_number("BTH", "P_Key", addr->pkey);
	print_number("BTH", "DestQP", addr->dest_qp);
	print_number("BTH", "PSN", addr->psn);
	print_number("DETH", "Q_Key", addr->qkey);
	print_number("DETH", "SrcQP", addr->src_qp);
}

/* As umadrig show: of RMPP, only the first segment has an attribute's beginning. */
static bool has_attribute(const uint8_t *mad)
{
	if (!mad_class_has_rmpp(mad[MAD_CLASS]) || !(mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE))
		return true;
	return mad[RMPP_TYPE] == RMPP_TYPE_DATA && get_be32(mad + RMPP_SEGMENT) <= 1;
}

static void print_attribute(const uint8_t *mad)
{
	const struct mad_class_info *info = mad_class_find(mad[MAD_CLASS]);
	const struct mad_attribute *attribute =
		mad_attribute_find(mad[MAD_CLASS], get_be16(mad + MAD_ATTR_ID));
	const uint8_t *data;

	if (!attribute || !has_attribute(mad))
		return;
	data = mad + info->data_at;
	print_fields("", attribute->fields, data);
	if (attribute->id == ATTR_NOTICE && attribute->fields && data[0] & 0x80)
		print_fields("trap", mad_notice_details(get_be16(data + 4)), data);
}

static void print_mad(const struct capture_mad *mad)
{
	printf("{\"frame\": %u, \"class\": %u, \"attr\": %u", mad->frame, mad->mad[MAD_CLASS],
	       get_be16(mad->mad + MAD_ATTR_ID));
	print_packet(mad);
	for (const struct mad_header *header = mad_headers(); header->name; header++)
		if (header->base == MAD_HEADER_OF_MAD && header->applies(mad->mad[MAD_CLASS]))
			print_fields(header->name, header->fields, mad->mad);
	print_attribute(mad->mad);
	puts("}");
}

int main(int argc, char **argv)
{
	char message[512] = "";
	struct capture *capture;

	if (argc != 2) {
		fprintf(stderr, "usage: mad-values CAPTURE\n");
		return 2;
	}
	capture = capture_read(argv[1], message, sizeof(message));
	if (!capture) {
		fprintf(stderr, "mad-values: %s\n", message);
		return 1;
	}
	for (size_t i = 0; i < capture->mad_count; i++)
		print_mad(&capture->mads[i]);
	capture_free(capture);
	return fflush(stdout) == 0 ? 0 : 1;
}
