/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Datagrams of a guest without a kernel that are no MADs: see tests/tools/fake-guest.h. */
#include <endian.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/tools/fake-guest.h"

enum { PIECE = 1000, QP = 70 };

void fake_send_wrong_datagram(const struct umadrig_hca_header *mad)
{
	struct umadrig_hca_header header = *mad;
	const uint8_t bytes[100] = { 0 };
	const bool has_grh = fake_wrong == DATAGRAM_GRH;

	header.type = UMADRIG_HCA_DATAGRAM;
	header.source_qp = htole32(fake_wrong == DATAGRAM_QP ? 1 : QP);
	header.destination_qp = htole32(QP);
	header.flags = has_grh ? UMADRIG_HCA_FLAG_GRH : 0;
	header.value = htole32(has_grh ? 39 : fake_wrong == DATAGRAM_LONG ? 4097 : 100);
	header.offset = htole32(fake_wrong == DATAGRAM_FAR ? 0xffffffc0 : 0);
	fake_up(&header, bytes, has_grh ? 39 : sizeof(bytes));
}

static uint8_t pattern(size_t at)
{
	return (uint8_t)(at * 7 + at / 256);
}

void fake_send_datagram(uint16_t dlid, uint32_t qp, size_t size)
{
	static uint32_t sequence;
	struct umadrig_hca_header header = {
		.type = UMADRIG_HCA_DATAGRAM, .port = 1, .source_qp = htole32(QP),
		.destination_qp = htole32(qp), .qkey = htole32(0x1234), .slid = fake_port.lid,
		.dlid = htole16(dlid), .pkey = htole16(0xffff), .psn = htole32(9),
		.sequence = htole32(++sequence), .value = htole32((uint32_t)size),
	};
	uint8_t bytes[UMADRIG_HCA_DATAGRAM_MAX] = { 0 };
	size_t at = 0;

	for (size_t i = 0; i < size; i++)
		bytes[i] = pattern(i);
	do {
		size_t count = size - at < PIECE ? size - at : PIECE;

		header.offset = htole32((uint32_t)at);
		fake_up(&header, bytes + at, count);
		at += count;
	} while (at < size);
}

void fake_take_datagram(const struct umadrig_hca_header *header, const uint8_t *payload,
			size_t size)
{
	static uint8_t bytes[UMADRIG_HCA_GRH_SIZE + UMADRIG_HCA_DATAGRAM_MAX];
	static size_t filled;
	size_t whole = le32toh(header->value), wrong_bytes = 0;
	char text[200];

	if (le32toh(header->offset) == 0)
		filled = 0;
	if (le32toh(header->offset) != filled || filled + size > sizeof(bytes))
		_exit(13);
	memcpy(bytes + filled, payload, size);
	filled += size;
	if (filled < whole)
		return;
	for (size_t i = 0; i < whole; i++)
		wrong_bytes += bytes[i] != pattern(i);
	snprintf(text, sizeof(text), "%zu bytes, %zu wrong, from %d QP%d to QP%d, qkey 0x%x, "
		 "pkey 0x%x, psn %d\n", whole, wrong_bytes, le16toh(header->slid),
		 le32toh(header->source_qp), le32toh(header->destination_qp), le32toh(header->qkey),
		 le16toh(header->pkey), le32toh(header->psn));
	fake_give_heard(text);
}
