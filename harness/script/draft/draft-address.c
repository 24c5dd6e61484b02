/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The addresses of captured MADs, as scenarios say them: see harness/script/draft/draft-address.h.
 */
#include "harness/script/draft/draft-address.h"

#include <arpa/inet.h>
#include <string.h>

/* The role of an address of the capture, at which RoCE has a GID only; NULL: it has none. */
static const struct draft_role *role_of(const struct draft *draft, uint16_t lid,
					const uint8_t *gid)
{
	for (size_t i = 0; i < draft->role_count; i++) {
		const struct draft_role *role = &draft->roles[i];

		if (gid ? role->has_gid && memcmp(role->gid, gid, 16) == 0 :
			  lid != 0 && role->lid == lid)
			return role;
	}
	return NULL;
}

/* " to=peer", or " dlid=0x0007". */
static void append_lid(GString *out, const struct draft *draft, const char *role_field,
		       const char *lid_field, const struct capture_mad *mad, bool to)
{
	const uint8_t *gid = to ? mad->addr.dgid : mad->addr.sgid;
	uint16_t lid = to ? mad->addr.dlid : mad->addr.slid;
	bool is_roce = mad->transport != CAPTURE_INFINIBAND;
	const struct draft_role *role = role_of(draft, lid, is_roce ? gid : NULL);

	if (role)
		g_string_append_printf(out, " %s=%s", role_field, role->name);
	else if (!is_roce)
		g_string_append_printf(out, " %s=0x%04x", lid_field, lid);
}

/* A GID of the capture, as the fabric's port has it. */
static void append_gid(GString *out, const struct draft *draft, const char *field,
		       const uint8_t *gid)
{
	const struct draft_role *role = role_of(draft, 0, gid);
	char text[INET6_ADDRSTRLEN];

	g_string_append_printf(out, " %s=\"%s\"", field,
			       inet_ntop(AF_INET6, role ? role->gid_here : gid, text,
					 sizeof(text)));
}

static void append_grh(GString *out, const struct draft *draft, const struct packet_addr *addr,
		       bool has_source)
{
	if (!addr->has_grh)
		return;
	g_string_append(out, " grh=yes");
	if (has_source)
		append_gid(out, draft, "sgid", addr->sgid);
	append_gid(out, draft, "dgid", addr->dgid);
	g_string_append_printf(out, " hop_limit=%u", addr->hop_limit);
	if (addr->traffic_class != 0)
		g_string_append_printf(out, " traffic_class=%u", addr->traffic_class);
	if (addr->flow_label != 0)
		g_string_append_printf(out, " flow_label=0x%05x", addr->flow_label);
}

char *draft_sent_address(const struct draft *draft, const struct capture_mad *mad, bool leaves)
{
	const struct packet_addr *addr = &mad->addr;
	bool smp = mad_class_is_smp(mad->mad[MAD_CLASS]);
	GString *out = g_string_new(NULL);

	if (mad->mad[MAD_CLASS] != MAD_CLASS_SUBN_DR)
		append_lid(out, draft, "to", "dlid", mad, true);
	if (addr->sl != 0)
		g_string_append_printf(out, " sl=%u", addr->sl);
	if (addr->dest_qp != (smp ? 0 : 1))
		g_string_append_printf(out, " dqp=%u", addr->dest_qp);
	if (!smp && addr->qkey != QKEY_GSI)
		g_string_append_printf(out, " qkey=0x%08x", addr->qkey);
	if (leaves && addr->pkey != PKEY_DEFAULT)
		g_string_append_printf(out, " pkey=0x%04x", addr->pkey);
	append_grh(out, draft, addr, leaves);
	return g_string_free(out, false);
}

char *draft_got_address(const struct draft *draft, const struct capture_mad *mad)
{
	const struct packet_addr *addr = &mad->addr;
	bool smp = mad_class_is_smp(mad->mad[MAD_CLASS]);
	GString *out = g_string_new(NULL);

	if (mad->mad[MAD_CLASS] != MAD_CLASS_SUBN_DR)
		append_lid(out, draft, "from", "slid", mad, false);
	if (addr->sl != 0)
		g_string_append_printf(out, " sl=%u", addr->sl);
	if (addr->src_qp != (smp ? 0 : 1))
		g_string_append_printf(out, " sqp=%u", addr->src_qp);
	if (addr->dest_qp != (smp ? 0 : 1))
		g_string_append_printf(out, " dqp=%u", addr->dest_qp);
	if (!smp && addr->qkey != QKEY_GSI)
		g_string_append_printf(out, " qkey=0x%08x", addr->qkey);
	if (addr->pkey != PKEY_DEFAULT)
		g_string_append_printf(out, " pkey=0x%04x", addr->pkey);
	append_grh(out, draft, addr, true);
	return g_string_free(out, false);
}
