/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Kinds of aliases: see sim/scrub/alias-kind.h.
 */
#include "sim/scrub/alias-kind.h"

#include <glib.h>
#include <string.h>

#include "lib/base/wire.h"

const struct alias_range alias_ranges[ALIAS_KINDS] = {
	/* A locally administered EUI-64, which no vendor gives out. */
	[ALIAS_GUID] = { UINT64_C(0x025c52b000000000), 32, 8 },
	/* IPv6's prefix for documentation. */
	[ALIAS_PREFIX] = { UINT64_C(0x20010db800000000), 32, 8 },
	[ALIAS_GROUP] = { UINT64_C(0x5c52b10000000000), 32, 8 },
	[ALIAS_KEY] = { UINT64_C(0x5c52b00000000000), 40, 8 },
	[ALIAS_Q_KEY] = { 0x5c000000, 24, 4 },
	[ALIAS_P_KEY] = { 0, 15, 0 },
	/* Class E, of which no address is in use. */
	[ALIAS_IPV4] = { 0xf0000000, 28, 0 },
	[ALIAS_MAC] = { UINT64_C(0x025c52000000), 24, 6 },
	[ALIAS_LID_GROUP] = { 0, 9, 0 },
};

static bool mac_is_well_known(uint64_t mac)
{
	return !mac || mac == UINT64_C(0xffffffffffff) || mac >> 24 == 0x01005e ||
	       mac >> 24 == 0x0180c2 || mac >> 8 == UINT64_C(0x3333000000);
}

bool alias_is_well_known(enum alias_kind kind, uint64_t v)
{
	switch (kind) {
	case ALIAS_GUID:
		return !v || v == UINT64_MAX;
	case ALIAS_PREFIX:
		return !v || v == UINT64_MAX || v == UINT64_C(0xfe80) << 48;
	case ALIAS_GROUP:
		/* All nodes, all routers, 224.0.0.0/24, IPoIB's broadcast group. */
		return v <= 0xffff || v == 0x0fffffff || v == 0xffffffff;
	case ALIAS_KEY:
		/* 1 is OpenSM's SM_Key, also in the wrong byte order that old releases sent. */
		return v <= 1 || v == UINT64_C(1) << 56 || v == UINT64_MAX;
	case ALIAS_Q_KEY:
		/* QP1's, IPoIB's, RDMA CM's for datagrams. */
		return !v || v == QKEY_GSI || v == 0x0b1b || v == 0x01234567 || v == 0xffffffff;
	case ALIAS_P_KEY:
		return !v || v == (PKEY_DEFAULT & 0x7fff);
	case ALIAS_IPV4:
		return !v || v == 0xffffffff || v >> 28 == 0xe || v >> 24 == 127;
	case ALIAS_MAC:
		return mac_is_well_known(v);
	case ALIAS_LID_GROUP:
	case ALIAS_KINDS:
		return false;
	}
	return false;
}

uint64_t alias_digest(const char *key, const char *what, const void *bytes, size_t size,
		      uint32_t attempt)
{
	GHmac *hmac = g_hmac_new(G_CHECKSUM_SHA256, (const guchar *)key, strlen(key));
	guint8 digest[32];
	gsize digest_size = sizeof(digest);

	g_hmac_update(hmac, (const guchar *)what, (gssize)strlen(what) + 1);
	g_hmac_update(hmac, bytes, (gssize)size);
	g_hmac_update(hmac, (const guchar *)&attempt, sizeof(attempt));
	g_hmac_get_digest(hmac, digest, &digest_size);
	g_hmac_unref(hmac);
	return get_be64(digest);
}

uint64_t alias_turn(uint64_t v, unsigned int size, unsigned int order)
{
	unsigned int half = size * 4, whole = size * 8;
	uint64_t low = (UINT64_C(1) << half) - 1;
	uint64_t turned = __builtin_bswap64(v) >> (64 - whole);

	switch (order) {
	case 1:
		return turned;
	case 2:
		return (v & low) << half | v >> half;
	case 3:
		return (turned & low) << half | turned >> half;
	default:	/* orders, not an enum of ours */
		return v;
	}
}
