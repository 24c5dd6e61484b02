/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* umad_sa_mcm.h: the SA's MCMemberRecord. */
#ifndef _UMAD_SA_MCM_H
#define _UMAD_SA_MCM_H

#include <infiniband/umad_types.h>
#include <infiniband/umad_sa.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Component mask of an MCMemberRecord, host order (IBA vol 1, 15.2.5.17). */
enum {
	UMAD_SA_MCM_COMP_MASK_MGID = 1 << 0,
	UMAD_SA_MCM_COMP_MASK_PORT_GID = 1 << 1,
	UMAD_SA_MCM_COMP_MASK_QKEY = 1 << 2,
	UMAD_SA_MCM_COMP_MASK_MLID = 1 << 3,
	UMAD_SA_MCM_COMP_MASK_MTU_SEL = 1 << 4,
	UMAD_SA_MCM_COMP_MASK_MTU = 1 << 5,
	UMAD_SA_MCM_COMP_MASK_TCLASS = 1 << 6,
	UMAD_SA_MCM_COMP_MASK_PKEY = 1 << 7,
	UMAD_SA_MCM_COMP_MASK_RATE_SEL = 1 << 8,
	UMAD_SA_MCM_COMP_MASK_RATE = 1 << 9,
	UMAD_SA_MCM_COMP_MASK_LIFE_TIME_SEL = 1 << 10,
	UMAD_SA_MCM_COMP_MASK_LIFE_TIME = 1 << 11,
	UMAD_SA_MCM_COMP_MASK_SL = 1 << 12,
	UMAD_SA_MCM_COMP_MASK_FLOW_LABEL = 1 << 13,
	UMAD_SA_MCM_COMP_MASK_HOP_LIMIT = 1 << 14,
	UMAD_SA_MCM_COMP_MASK_SCOPE = 1 << 15,
	UMAD_SA_MCM_COMP_MASK_JOIN_STATE = 1 << 16,
	UMAD_SA_MCM_COMP_MASK_PROXY_JOIN = 1 << 17,
};

/* Join state. */
enum {
	UMAD_SA_MCM_JOIN_STATE_FULL_MEMBER = 1,
	UMAD_SA_MCM_JOIN_STATE_NON_MEMBER = 2,
	UMAD_SA_MCM_JOIN_STATE_SEND_ONLY_NON_MEMBER = 4,
	UMAD_SA_MCM_JOIN_STATE_SEND_ONLY_FULL_MEMBER = 8,
};

/* Scope of a multicast address. */
enum {
	UMAD_SA_MCM_ADDR_SCOPE_LINK_LOCAL = 2,
	UMAD_SA_MCM_ADDR_SCOPE_SITE_LOCAL = 5,
	UMAD_SA_MCM_ADDR_SCOPE_ORG_LOCAL = 8,
	UMAD_SA_MCM_ADDR_SCOPE_GLOBAL = 0xe,
};

struct umad_sa_mcmember_record {
	uint8_t mgid[16];
	uint8_t portgid[16];
	__be32 qkey;
	__be16 mlid;
	uint8_t mtu;		/* 2-bit selector and 6-bit value: umad_sa_set_rate_mtu_or_life() */
	uint8_t tclass;
	__be16 pkey;
	uint8_t rate;		/* likewise */
	uint8_t pkt_life;	/* likewise */
	__be32 sl_flow_hop;	/* SL 4 bits, FlowLabel 20, HopLimit 8 */
	uint8_t scope_state;	/* Scope 4 bits, JoinState 4 */
	uint8_t proxy_join;	/* ProxyJoin 1 bit, the rest reserved */
	uint8_t reserved[2];
	uint8_t pad[4];		/* records are multiples of 8 bytes */
};

/* Takes sl_flow_hop apart; an output may be NULL. */
static inline void umad_sa_mcm_get_sl_flow_hop(__be32 sl_flow_hop, uint8_t *const sl,
					       uint32_t *const flow_label,
					       uint8_t *const hop_limit)
{
	const uint32_t v = be32toh(sl_flow_hop);

	if (sl)
		*sl = (uint8_t)(v >> 28);
	if (flow_label)
		*flow_label = v >> 8 & 0xfffff;
	if (hop_limit)
		*hop_limit = (uint8_t)(v & 0xff);
}

static inline __be32 umad_sa_mcm_set_sl_flow_hop(uint8_t sl, uint32_t flow_label,
						 uint8_t hop_limit)
{
	return htobe32((uint32_t)sl << 28 | (flow_label & 0xfffff) << 8 | hop_limit);
}

/* Takes scope_state apart; an output may be NULL. */
static inline void umad_sa_mcm_get_scope_state(const uint8_t scope_state, uint8_t *const scope,
					       uint8_t *const state)
{
	if (scope)
		*scope = scope_state >> 4;
	if (state)
		*state = scope_state & 0xf;
}

static inline uint8_t umad_sa_mcm_set_scope_state(const uint8_t scope, const uint8_t state)
{
	return (uint8_t)(scope << 4 | state);
}

static inline void umad_sa_mcm_set_join_state(struct umad_sa_mcmember_record *mc_rec,
					      const uint8_t state)
{
	mc_rec->scope_state = (uint8_t)((mc_rec->scope_state & 0xf0) | (state & 0x0f));
}

static inline int umad_sa_mcm_get_proxy_join(struct umad_sa_mcmember_record *mc_rec)
{
	return mc_rec->proxy_join >> 7;
}

#ifdef __cplusplus
}
#endif
#endif
