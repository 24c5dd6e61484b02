/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * address.c: the fields of the header before a MAD.
 *
 * The header is always the 64-byte one here: a program may build its buffers before it opens
 * anything, and some (ibacm, srp_daemon, libibnetdisc) have the 64 compiled in. For a kernel that
 * only knows the 56-byte header, io.c converts.
 */
#include <string.h>

#include <infiniband/umad.h>

size_t umad_size(void)
{
	return sizeof(struct ib_user_mad);
}

void *umad_get_mad(void *umad)
{
	return ((struct ib_user_mad *)umad)->data;
}

int umad_status(void *umad)
{
	return (int)((struct ib_user_mad *)umad)->status;
}

ib_mad_addr_t *umad_get_mad_addr(void *umad)
{
	return &((struct ib_user_mad *)umad)->addr;
}

int umad_set_addr_net(void *umad, __be16 dlid, __be32 dqp, int sl, __be32 qkey)
{
	ib_mad_addr_t *addr = umad_get_mad_addr(umad);

	addr->qpn = dqp;
	addr->lid = dlid;
	addr->qkey = qkey;
	addr->sl = (uint8_t)sl;
	return 0;
}

int umad_set_addr(void *umad, int dlid, int dqp, int sl, int qkey)
{
	return umad_set_addr_net(umad, htobe16((uint16_t)dlid), htobe32((uint32_t)dqp), sl,
				 htobe32((uint32_t)qkey));
}

int umad_set_grh_net(void *umad, void *mad_addr)
{
	ib_mad_addr_t *addr = umad_get_mad_addr(umad);
	const ib_mad_addr_t *from = mad_addr;

	addr->grh_present = from != NULL;
	if (!from)
		return 0;
	/* gid_index stays: it names a GID of our own, which a peer's address does not have. */
	memcpy(addr->gid, from->gid, sizeof(addr->gid));
	addr->flow_label = from->flow_label;
	addr->hop_limit = from->hop_limit;
	addr->traffic_class = from->traffic_class;
	return 0;
}

int umad_set_grh(void *umad, void *mad_addr)
{
	ib_mad_addr_t *addr = umad_get_mad_addr(umad);

	umad_set_grh_net(umad, mad_addr);
	if (mad_addr)
		addr->flow_label = htobe32(addr->flow_label);
	return 0;
}

int umad_set_pkey(void *umad, int pkey_index)
{
	umad_get_mad_addr(umad)->pkey_index = (uint16_t)pkey_index;
	return 0;
}

int umad_get_pkey(void *umad)
{
	return umad_get_mad_addr(umad)->pkey_index;
}
