/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* dump.c: headers and addresses, printed to stderr in host order. */
#include <stdio.h>

#include "lib/dump.h"

static void dump_address(const ib_mad_addr_t *addr)
{
	fprintf(stderr, "umad: qpn %u qkey 0x%x lid %u sl %u path_bits %u pkey_index 0x%x\n",
		be32toh(addr->qpn), be32toh(addr->qkey), be16toh(addr->lid), addr->sl,
		addr->path_bits, addr->pkey_index);
	fprintf(stderr, "umad: grh_present %u gid_index %u hop_limit %u traffic_class %u "
		"flow_label 0x%x\n", addr->grh_present, addr->gid_index, addr->hop_limit,
		addr->traffic_class, be32toh(addr->flow_label));
	fprintf(stderr, "umad: gid 0x");
	for (size_t i = 0; i < sizeof(addr->gid); i++)
		fprintf(stderr, "%02x", addr->gid[i]);
	fputc('\n', stderr);
}

void umad_dump_header(const struct ib_user_mad *umad)
{
	fprintf(stderr, "umad: agent %d status 0x%x timeout %d ms retries %u length %u\n",
		(int)umad->agent_id, umad->status, (int)umad->timeout_ms, umad->retries,
		umad->length);
	dump_address(&umad->addr);
}

void umad_addr_dump(ib_mad_addr_t *addr)
{
	if (addr)
		dump_address(addr);
	else
		fprintf(stderr, "umad: no address\n");
}

void umad_dump(void *umad)
{
	if (umad)
		umad_dump_header(umad);
	else
		fprintf(stderr, "umad: no buffer\n");
}
