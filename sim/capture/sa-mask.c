/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The components of SA attributes as their masks number them: see sim/capture/sa-mask.h.
 */
#include "sim/capture/sa-mask.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * Widths in bits, component 0 first (IBA vol 1, 15.2.5). They follow each other without gaps:
 * reserved fields are components too.
 */
struct sa_components {
	uint16_t attr_id;
	uint16_t widths[48];		/* ended by 0 */
};

static const struct sa_components tables[] = {
	/* NodeRecord: LID, then NodeInfo and NodeDescription */
	{ 0x0011, { 16, 16, 8, 8, 8, 8, 64, 64, 64, 16, 16, 32, 8, 24, 512 } },
	/* PortInfoRecord: EndportLID, PortNum, Options, then PortInfo as far as VLs */
	{ 0x0012, { 16, 8, 8, 64, 64, 16, 16, 32, 16, 16, 8, 8, 8, 8, 4, 4, 4, 4, 2, 3, 3, 4, 4,
		    4, 4, 4, 4, 8, 8, 8, 4, 4, 3, 5, 4 } },
	/* LinearForwardingTableRecord: LID, BlockNum */
	{ 0x0015, { 16, 16 } },
	/* SMInfoRecord */
	{ 0x0018, { 16, 16, 64, 64, 32, 4, 4 } },
	/* LinkRecord: FromLID, FromPort, ToPort, ToLID */
	{ 0x0020, { 16, 8, 8, 16 } },
	/* GUIDInfoRecord: LID, BlockNum, reserved, reserved, eight GUIDs */
	{ 0x0030, { 16, 8, 8, 32, 64, 64, 64, 64, 64, 64, 64, 64 } },
	/* ServiceRecord: ID, GID, P_Key, reserved, lease, key, name, data in four sizes */
	{ 0x0031, { 64, 128, 16, 16, 32, 128, 512, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
		    16, 16, 16, 16, 16, 16, 16, 16, 32, 32, 32, 32, 64, 64 } },
	/* P_KeyTableRecord: LID, BlockNum, PortNum */
	{ 0x0033, { 16, 16, 8 } },
	/* PathRecord: ServiceID (two bits), DGID, SGID, DLID, SLID, RawTraffic, reserved,
	 * FlowLabel, HopLimit, TClass, Reversible, NumbPath, P_Key, QoSClass, SL, MTU, Rate,
	 * PacketLifeTime (selector and value each), Preference */
	{ 0x0035, { 32, 32, 128, 128, 16, 16, 1, 3, 20, 8, 8, 1, 7, 16, 12, 4, 2, 6, 2, 6, 2, 6,
		    8 } },
	/* MCMemberRecord: MGID, PortGID, Q_Key, MLID, MTU, TClass, P_Key, Rate, PacketLifeTime, SL,
	 * FlowLabel, HopLimit, Scope, JoinState, ProxyJoin */
	{ 0x0038, { 128, 128, 32, 16, 2, 6, 8, 16, 2, 6, 2, 6, 4, 20, 8, 4, 4, 1 } },
};

static const uint16_t *find_widths(uint16_t attr_id)
{
	static const uint16_t none[] = { 0 };

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		if (tables[i].attr_id == attr_id)
			return tables[i].widths;
	}
	return none;
}

static void copy_bits(const uint8_t *from, uint8_t *to, unsigned int bit, unsigned int width)
{
	for (; width; bit++, width--)
		to[bit / 8] |= (uint8_t)(from[bit / 8] & (0x80 >> bit % 8));
}

void sa_mask_data(uint16_t attr_id, uint64_t mask, const uint8_t *data, uint8_t *ret_data)
{
	const uint16_t *width = find_widths(attr_id);
	unsigned int bit = 0;

	memset(ret_data, 0, SA_DATA_SIZE);
	for (; *width; width++, mask >>= 1) {
		if (mask & 1)
			copy_bits(data, ret_data, bit, *width);
		bit += *width;
	}
	if (mask)
		copy_bits(data, ret_data, bit, SA_DATA_SIZE * 8 - bit);
}
