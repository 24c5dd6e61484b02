/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The tables of subnet management that are accessed in blocks: P_Keys, SL to VL, VL arbitration,
 * and the forwarding tables of switches (IBA vol 1, 14.2.5.7 to 14.2.5.12). See sim/agents/sma.h.
 *
 * Tables that were never written are not stored: their contents are computed.
 */
#include <glib.h>
#include <string.h>

#include "sim/agents/sma.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/lane.h"
#include "sim/fabric/load-touch.h"
#include "sim/fabric/node.h"
#include "sim/fabric/partition.h"
#include "sim/fabric/port.h"
#include "sim/fabric/route.h"
#include "sim/fabric/switch.h"

enum {
	P_KEYS_PER_BLOCK = 32,
	LIDS_PER_BLOCK = 64,
	NO_PORT = 255,
	SL_COUNT = 16,
	VL_LOW = 1,			/* VLArbitrationTable: lower 32 entries of low priority */
	VL_HIGH = 3,			/* the same of high priority; 2 and 4 are beyond our caps */
	VL_WEIGHT = 64,
	MULTICAST_LIDS_PER_BLOCK = 32,
	MULTICAST_BLOCK_MASK = 0x0fffffff,	/* of 9 bits; the bits above are reserved */
	MULTICAST_POSITION_SHIFT = 28,
	PORTS_PER_POSITION = 16,
};

/* ---- P_KeyTable ---- */

/*
 * IBA vol 1, 14.2.5.7: block in the low half; on a switch the high half is a port. External ports
 * of a switch have tables of their own: they enforce partitions. Returns the requested part, and
 * its number of entries in '*ret_count'; NULL: there is none.
 */
static uint16_t *p_key_block(const struct sma_request *request, size_t *ret_count)
{
	struct node *node = request->port->node;
	struct end_port *end = port_speaker(request->port);
	size_t first = (size_t)(request->modifier & 0xffff) * P_KEYS_PER_BLOCK;
	unsigned int num = node->sw ? request->modifier >> 16 : 0;
	size_t size = num ? PARTITION_KEYS : end->attr.pkey_count;

	if (num > node->port_count || first >= size)
		return NULL;
	*ret_count = MIN(size - first, P_KEYS_PER_BLOCK);
	return (num ? partition_table(&node->ports[num]) : end->pkeys) + first;
}

enum mad_status sma_get_p_key_table(const struct sma_request *request, uint8_t *data)
{
	size_t count;
	const uint16_t *block = p_key_block(request, &count);

	if (!block)
		return MAD_STATUS_BAD_FIELD;
	for (size_t i = 0; i < count; i++)
		put_be16(data + i * 2, block[i]);
	return MAD_STATUS_OK;
}

enum mad_status sma_set_p_key_table(const struct sma_request *request, const uint8_t *data)
{
	size_t count;
	uint16_t *block = p_key_block(request, &count);

	if (!block)
		return MAD_STATUS_BAD_FIELD;
	for (size_t i = 0; i < count; i++)
		block[i] = get_be16(data + i * 2);
	return MAD_STATUS_OK;
}

/* ---- SLtoVLMappingTable ---- */

/*
 * IBA vol 1, 14.2.5.8: on a switch the modifier has the ports of entry and of exit; elsewhere there
 * is one table and the modifier has no meaning. '*ret_port': the port of exit.
 */
static bool has_sl_to_vl(const struct sma_request *request, struct port **ret_port,
			 unsigned int *ret_ingress)
{
	struct node *node = request->port->node;
	unsigned int egress = request->modifier & 0xff, ingress = request->modifier >> 8;

	*ret_port = request->port;
	*ret_ingress = 0;
	if (!node->sw)
		return true;
	if (ingress > node->port_count || egress > node->port_count)
		return false;
	*ret_port = &node->ports[egress];
	*ret_ingress = ingress;
	return true;
}

static void fill_sl_to_vl(const struct port *port, uint8_t *table)
{
	for (unsigned int sl = 0; sl < SL_COUNT; sl++)
		table[sl / 2] |= (uint8_t)(lane_default(port, sl) << (sl % 2 ? 0 : 4));
}

enum mad_status sma_get_sl_to_vl(const struct sma_request *request, uint8_t *data)
{
	struct port *port;
	unsigned int ingress;

	if (!has_sl_to_vl(request, &port, &ingress))
		return MAD_STATUS_BAD_FIELD;
	if (port->sl_to_vl)
		memcpy(data, port->sl_to_vl[ingress], sizeof(port->sl_to_vl[ingress]));
	else
		fill_sl_to_vl(port, data);
	return MAD_STATUS_OK;
}

enum mad_status sma_set_sl_to_vl(const struct sma_request *request, const uint8_t *data)
{
	struct port *port;
	unsigned int ingress, count;

	if (!has_sl_to_vl(request, &port, &ingress))
		return MAD_STATUS_BAD_FIELD;
	count = port->node->sw ? port->node->port_count + 1U : 1;
	if (!port->sl_to_vl) {
		port->sl_to_vl = g_malloc0(count * sizeof(*port->sl_to_vl));
		for (unsigned int i = 0; i < count; i++)
			fill_sl_to_vl(port, port->sl_to_vl[i]);
	}
	memcpy(port->sl_to_vl[ingress], data, sizeof(port->sl_to_vl[ingress]));
	return MAD_STATUS_OK;
}

/* ---- VLArbitrationTable ---- */

/* IBA vol 1, 14.2.5.9: the part in the high half; on a switch the port in the low half. */
static bool has_vl_arbitration(const struct sma_request *request, struct port **ret_port,
			       unsigned int *ret_high)
{
	struct node *node = request->port->node;
	unsigned int part = request->modifier >> 16, num = request->modifier & 0xffff;

	*ret_high = part == VL_HIGH;
	*ret_port = request->port;
	if (node->sw && num > node->port_count)
		return false;
	if (node->sw)
		*ret_port = &node->ports[num];
	return part == VL_LOW || part == VL_HIGH;
}

/* As after power-up: no VL is preferred, all have the same weight. */
static void fill_vl_arbitration(uint8_t table[2][2 * VL_ARBITRATION_CAP])
{
	for (unsigned int i = 0; i < VL_ARBITRATION_CAP; i++) {
		table[0][2 * i] = (uint8_t)i;
		table[0][2 * i + 1] = VL_WEIGHT;
		table[1][2 * i] = (uint8_t)i;
	}
}

enum mad_status sma_get_vl_arbitration(const struct sma_request *request, uint8_t *data)
{
	uint8_t unwritten[2][2 * VL_ARBITRATION_CAP] = { 0 };
	struct port *port;
	unsigned int high;

	if (!has_vl_arbitration(request, &port, &high))
		return MAD_STATUS_BAD_FIELD;
	if (!port->vl_arbitration)
		fill_vl_arbitration(unwritten);
	memcpy(data, port->vl_arbitration ? port->vl_arbitration[high] : unwritten[high],
	       sizeof(unwritten[high]));
	return MAD_STATUS_OK;
}

/* Entries beyond the port's cap do not exist: writes to them are ignored. */
enum mad_status sma_set_vl_arbitration(const struct sma_request *request, const uint8_t *data)
{
	struct port *port;
	unsigned int high;

	if (!has_vl_arbitration(request, &port, &high))
		return MAD_STATUS_BAD_FIELD;
	if (!port->vl_arbitration) {
		port->vl_arbitration = g_malloc0(2 * sizeof(*port->vl_arbitration));
		fill_vl_arbitration(port->vl_arbitration);
	}
	memcpy(port->vl_arbitration[high], data, sizeof(port->vl_arbitration[high]));
	return MAD_STATUS_OK;
}

/* ---- LinearForwardingTable ---- */

enum mad_status sma_get_linear_table(const struct sma_request *request, uint8_t *data)
{
	struct node *node = request->port->node;
	uint64_t first = (uint64_t)request->modifier * LIDS_PER_BLOCK;
	const uint8_t *table;

	if (!node->sw)
		return MAD_STATUS_BAD_METHOD_ATTR;
	if (first >= node->sw->lft_cap)
		return MAD_STATUS_BAD_FIELD;
	/* Reading does not extend the table: beyond its end no LID has a port. */
	table = switch_lft(node, 0);
	if (first < node->sw->lft_size)
		memcpy(data, table + first, LIDS_PER_BLOCK);
	else
		memset(data, NO_PORT, LIDS_PER_BLOCK);
	return MAD_STATUS_OK;
}

/* The table may name a port that the switch does not have: such packets are dropped. */
enum mad_status sma_set_linear_table(const struct sma_request *request, const uint8_t *data)
{
	struct node *node = request->port->node;
	uint64_t first = (uint64_t)request->modifier * LIDS_PER_BLOCK;
	uint32_t entries = (uint32_t)first + LIDS_PER_BLOCK;
	uint8_t *block;

	if (!node->sw)
		return MAD_STATUS_BAD_METHOD_ATTR;
	if (first >= node->sw->lft_cap)
		return MAD_STATUS_BAD_FIELD;
	/* SMs first set the size of a table: it need not be reallocated for each block. */
	block = switch_lft(node, MAX(entries, node->sw->lft_top + 1U)) + first;
	if (memcmp(block, data, LIDS_PER_BLOCK) != 0)
		load_touch(node->fabric);
	memcpy(block, data, LIDS_PER_BLOCK);
	node->sw->lft_computed = false;
	return MAD_STATUS_OK;
}

/* ---- MulticastForwardingTable ---- */

/*
 * IBA vol 1, 14.2.5.12: a block of LIDs, and a group of 16 ports. Our table consists of one group
 * after the other, each with all LIDs.
 */
static enum mad_status multicast_part(const struct sma_request *request, size_t *ret_first)
{
	const struct node *node = request->port->node;
	size_t position = request->modifier >> MULTICAST_POSITION_SHIFT;
	size_t lid = (size_t)(request->modifier & MULTICAST_BLOCK_MASK) * MULTICAST_LIDS_PER_BLOCK;

	if (!node->sw)
		return MAD_STATUS_BAD_METHOD_ATTR;
	if (position > node->port_count / PORTS_PER_POSITION || lid >= node->sw->mft_cap)
		return MAD_STATUS_BAD_FIELD;
	*ret_first = position * node->sw->mft_cap + lid;
	return MAD_STATUS_OK;
}

enum mad_status sma_get_multicast_table(const struct sma_request *request, uint8_t *data)
{
	const struct switch_part *sw = request->port->node->sw;
	size_t first;
	enum mad_status status = multicast_part(request, &first);

	if (status != MAD_STATUS_OK || !sw->mft)
		return status;
	for (size_t i = 0; i < MULTICAST_LIDS_PER_BLOCK; i++)
		put_be16(data + 2 * i, sw->mft[first + i]);
	return MAD_STATUS_OK;
}

enum mad_status sma_set_multicast_table(const struct sma_request *request, const uint8_t *data)
{
	const struct node *node = request->port->node;
	struct switch_part *sw = node->sw;
	size_t first;
	enum mad_status status = multicast_part(request, &first);

	if (status != MAD_STATUS_OK)
		return status;
	if (!sw->mft)
		sw->mft = g_new0(uint16_t, (node->port_count / PORTS_PER_POSITION + 1U) *
					   (size_t)sw->mft_cap);
	for (size_t i = 0; i < MULTICAST_LIDS_PER_BLOCK; i++)
		sw->mft[first + i] = get_be16(data + 2 * i);
	return MAD_STATUS_OK;
}
