/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A packet on an InfiniBand wire: see packet.h.
 */
#include "kmod-stub/packet.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "kmod-stub/wire-crc.h"

/*
 * Packets are made in blocks, which go back to the system as soon as all of their packets have: the
 * heap would keep them between pieces that are still in use.
 */
enum { BLOCK_SIZE = 1 << 20 };	/* and alignment: a packet's address says which block it is of */

struct packet_block {
	struct packet_block *next, **link;	/* those with packets to give, in the pool's list */
	struct packet *free;		/* were given, and have come back */
	unsigned int made;		/* packets that were ever given */
	unsigned int given;		/* those that have not come back */
	struct packet packets[];
};

enum {
	BLOCK_PACKETS = (BLOCK_SIZE - sizeof(struct packet_block)) / sizeof(struct packet),
};

static bool has_any(const struct packet_block *block)
{
	return block->free || block->made < BLOCK_PACKETS;
}

static void list_block(struct packet_pool *pool, struct packet_block *block)
{
	block->next = pool->blocks;
	block->link = &pool->blocks;
	if (block->next)
		block->next->link = &block->next;
	pool->blocks = block;
}

static void unlist_block(struct packet_block *block)
{
	*block->link = block->next;
	if (block->next)
		block->next->link = block->link;
}

/* Zeros, aligned: what is too much on both sides is unmapped. */
static struct packet_block *new_block(void)
{
	uint8_t *at = mmap(NULL, 2 * BLOCK_SIZE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t before;

	if (at == MAP_FAILED)
		abort();
	before = -(uintptr_t)at % BLOCK_SIZE;
	if (before > 0)
		munmap(at, before);
	munmap(at + before + BLOCK_SIZE, BLOCK_SIZE - before);
	return (struct packet_block *)(at + before);
}

struct packet *packet_make(struct packet_pool *pool)
{
	struct packet_block *block;
	struct packet *packet;

	if (!pool->blocks)
		list_block(pool, new_block());
	block = pool->blocks;
	packet = block->free;
	if (packet)
		block->free = packet->next;
	else
		packet = &block->packets[block->made++];
	block->given++;
	if (!has_any(block))
		unlist_block(block);
	pool->made++;
	return packet;
}

/* To its block, from the pool's free packets. */
static void unmake(struct packet_pool *pool, struct packet *packet)
{
	struct packet_block *block = (struct packet_block *)((uintptr_t)packet &
							     ~((uintptr_t)BLOCK_SIZE - 1));

	if (!has_any(block))
		list_block(pool, block);
	packet->next = block->free;
	block->free = packet;
	pool->made--;
	if (--block->given > 0)
		return;
	unlist_block(block);
	munmap(block, BLOCK_SIZE);
}

bool packet_pool_trim(struct packet_pool *pool, size_t most)
{
	while (pool->free && most-- > 0) {
		struct packet *packet = pool->free;

		pool->free = packet->next;
		unmake(pool, packet);
	}
	return pool->free;
}

void packet_pool_clear(struct packet_pool *pool)
{
	assert(pool->used == 0);
	packet_pool_trim(pool, SIZE_MAX);
}

/* ---- long packets ---- */

struct packet *packet_copy(struct packet_pool *pool, const struct packet *packet)
{
	struct packet *copy = packet_new(pool);

	*copy = *packet;
	copy->next = NULL;
	if (packet_is_long(copy))
		copy->rest->users++;
	return copy;
}

void packet_gather(const struct packet *packet, uint8_t *ret_bytes)
{
	size_t end = (size_t)packet->mad_at + packet->mad_size;

	if (!packet_is_long(packet)) {
		memcpy(ret_bytes, packet->bytes, packet_size(packet));
		return;
	}
	memcpy(ret_bytes, packet->bytes, PACKET_HEAD_SIZE);
	memcpy(ret_bytes + PACKET_HEAD_SIZE, packet->rest->bytes, end - PACKET_HEAD_SIZE);
	memcpy(ret_bytes + end, packet->bytes + PACKET_HEAD_SIZE, ICRC_SIZE + VCRC_SIZE);
}

/* The part of a long packet that ends at 'end', from all of its bytes. */
static struct packet_rest *rest_new(const uint8_t *bytes, size_t end)
{
	struct packet_rest *rest = malloc(sizeof(*rest) + end - PACKET_HEAD_SIZE);

	if (!rest)
		abort();
	rest->users = 1;
	memcpy(rest->bytes, bytes + PACKET_HEAD_SIZE, end - PACKET_HEAD_SIZE);
	return rest;
}

void packet_scatter(struct packet *packet, const uint8_t *bytes)
{
	size_t end = (size_t)packet->mad_at + packet->mad_size;
	struct packet_rest *rest;

	if (!packet_is_long(packet)) {
		memcpy(packet->bytes, bytes, packet_size(packet));
		return;
	}
	rest = rest_new(bytes, end);
	if (--packet->rest->users == 0)
		free(packet->rest);
	packet->rest = rest;
	memcpy(packet->bytes, bytes, PACKET_HEAD_SIZE);
	memcpy(packet->bytes + PACKET_HEAD_SIZE, bytes + end, ICRC_SIZE + VCRC_SIZE);
}

/* ---- headers ---- */

/* PktLen counts 4-byte words from the LRH through the ICRC (IBA vol 1, 7.7.6). */
static uint16_t pktlen_words(const struct packet *packet)
{
	return (uint16_t)((packet->mad_at + packet->mad_size + ICRC_SIZE) / 4);
}

static void build_grh(uint8_t *grh, const struct packet_addr *addr)
{
	put_be32(grh + GRH_TCLASS_FLOW, UINT32_C(6) << 28 | (uint32_t)addr->traffic_class << 20 |
		 (addr->flow_label & 0xfffff));
	put_be16(grh + GRH_PAYLEN, BTH_SIZE + DETH_SIZE + MAD_SIZE + ICRC_SIZE);
	grh[GRH_NXTHDR] = GRH_NXTHDR_IBA;
	grh[GRH_HOPLIMIT] = addr->hop_limit;
	memcpy(grh + GRH_SGID, addr->sgid, 16);
	memcpy(grh + GRH_DGID, addr->dgid, 16);
}

/* Writes four bytes at a time: the bytes between the fields are reserved, and zero. */
void packet_build(struct packet *packet, const struct packet_addr *addr)
{
	uint32_t lnh = addr->has_grh ? LRH_LNH_GRH : LRH_LNH_IBA;
	uint8_t *b = packet->bytes;
	uint8_t *bth, *deth;

	packet->mad_at = LRH_SIZE + (addr->has_grh ? GRH_SIZE : 0) + BTH_SIZE + DETH_SIZE;
	packet->mad_size = MAD_SIZE;
	packet->sealed = packet->raw = false;

	put_be32(b + LRH_VL, (uint32_t)(addr->vl & 0xf) << 28 | (addr->sl & 0xfu) << 20 |
		 lnh << 16 | addr->dlid);
	put_be32(b + LRH_PKTLEN, (uint32_t)pktlen_words(packet) << 16 | addr->slid);
	if (addr->has_grh)
		build_grh(b + LRH_SIZE, addr);

	bth = b + packet->mad_at - DETH_SIZE - BTH_SIZE;
	put_be32(bth + BTH_OPCODE, (uint32_t)BTH_UD_SEND_ONLY << 24 | addr->pkey);
	put_be32(bth + BTH_DESTQP - 1, addr->dest_qp & 0xffffff);
	put_be32(bth + BTH_PSN - 1, addr->psn & 0xffffff);
	deth = bth + BTH_SIZE;
	put_be32(deth + DETH_QKEY, addr->qkey);
	put_be32(deth + DETH_SRCQP - 1, addr->src_qp & 0xffffff);
}

void packet_build_datagram(struct packet *packet, const struct packet_addr *addr,
			   const uint8_t *datagram, size_t size)
{
	uint8_t whole[LONG_PACKET_SIZE_MAX] = { 0 };
	size_t padding = -size & 3, end;
	uint32_t icrc;
	uint16_t vcrc;

	assert(size <= DATAGRAM_SIZE_MAX);
	packet_build(packet, addr);
	packet->mad_size = (uint16_t)(size + padding);
	packet->sealed = packet->raw = true;
	end = (size_t)packet->mad_at + packet->mad_size;
	put_be16(packet->bytes + LRH_PKTLEN, pktlen_words(packet));
	if (addr->has_grh)
		put_be16(packet->bytes + LRH_SIZE + GRH_PAYLEN,
			 (uint16_t)(end + ICRC_SIZE - LRH_SIZE - GRH_SIZE));
	packet->bytes[packet_bth_at(packet) + BTH_PADCNT] = (uint8_t)(padding << BTH_PADCNT_SHIFT);
	memcpy(whole, packet->bytes, packet->mad_at);
	memcpy(whole + packet->mad_at, datagram, size);
	icrc = wire_icrc(whole, end);
	for (unsigned int i = 0; i < ICRC_SIZE; i++)
		whole[end + i] = (uint8_t)(icrc >> (8 * i));
	vcrc = wire_crc16(whole, end + ICRC_SIZE);
	whole[end + ICRC_SIZE] = (uint8_t)vcrc;
	whole[end + ICRC_SIZE + 1] = (uint8_t)(vcrc >> 8);
	/* All of bytes[] is defined: who looks for a MAD's fields there finds zeros. */
	memcpy(packet->bytes, whole, PACKET_HEAD_SIZE);
	if (packet_is_long(packet)) {
		packet->rest = rest_new(whole, end);
		memcpy(packet->bytes + PACKET_HEAD_SIZE, whole + end, ICRC_SIZE + VCRC_SIZE);
	} else {
		memcpy(packet->bytes, whole, end + ICRC_SIZE + VCRC_SIZE);
	}
}

static void parse_grh(const uint8_t *grh, struct packet_addr *addr)
{
	uint32_t word = get_be32(grh + GRH_TCLASS_FLOW);

	addr->has_grh = true;
	addr->traffic_class = (uint8_t)(word >> 20);
	addr->flow_label = word & 0xfffff;
	addr->hop_limit = grh[GRH_HOPLIMIT];
	memcpy(addr->sgid, grh + GRH_SGID, 16);
	memcpy(addr->dgid, grh + GRH_DGID, 16);
}

bool packet_parse(struct packet *packet, size_t size, struct packet_addr *ret_addr)
{
	struct packet_addr addr = { 0 };
	const uint8_t *b = packet->bytes;
	const uint8_t *bth, *deth;
	size_t bth_at = LRH_SIZE, mad_end;
	unsigned int lnh;

	if (size < LRH_SIZE + BTH_SIZE + DETH_SIZE + MAD_SIZE)
		return false;
	lnh = b[LRH_SL] & 3;
	if (lnh != LRH_LNH_IBA && lnh != LRH_LNH_GRH)
		return false;
	if (lnh == LRH_LNH_GRH) {
		if (b[LRH_SIZE + GRH_NXTHDR] != GRH_NXTHDR_IBA)
			return false;
		parse_grh(b + LRH_SIZE, &addr);
		bth_at += GRH_SIZE;
	}
	mad_end = bth_at + BTH_SIZE + DETH_SIZE + MAD_SIZE;
	bth = b + bth_at;
	if (size < mad_end || bth[BTH_OPCODE] != BTH_UD_SEND_ONLY)
		return false;
	deth = bth + BTH_SIZE;
	addr.vl = b[LRH_VL] >> 4;
	addr.sl = b[LRH_SL] >> 4;
	addr.dlid = get_be16(b + LRH_DLID);
	addr.slid = get_be16(b + LRH_SLID);
	addr.pkey = get_be16(bth + BTH_PKEY);
	addr.dest_qp = get_be24(bth + BTH_DESTQP);
	addr.psn = get_be24(bth + BTH_PSN);
	addr.qkey = get_be32(deth + DETH_QKEY);
	addr.src_qp = get_be24(deth + DETH_SRCQP);

	packet->mad_at = (uint16_t)(mad_end - MAD_SIZE);
	packet->mad_size = MAD_SIZE;
	packet->sealed = size >= mad_end + ICRC_SIZE + VCRC_SIZE;
	*ret_addr = addr;
	return true;
}

/* Both CRCs are stored least significant byte first, unlike all else on the wire. */
static void crcs(const struct packet *packet, uint8_t out[ICRC_SIZE + VCRC_SIZE])
{
	uint8_t whole[PACKET_SIZE_MAX];
	size_t end = (size_t)packet->mad_at + packet->mad_size;
	uint32_t icrc = wire_icrc(packet->bytes, end);
	uint16_t vcrc;

	for (unsigned int i = 0; i < ICRC_SIZE; i++)
		out[i] = (uint8_t)(icrc >> (8 * i));
	memcpy(whole, packet->bytes, end);
	/*
	 * A packet that was damaged after sealing keeps its ICRC: the VCRC covers the damaged
	 * bytes.
	 */
	memcpy(whole + end, packet->sealed ? packet->bytes + end : out, ICRC_SIZE);
	vcrc = wire_crc16(whole, end + ICRC_SIZE);
	out[ICRC_SIZE] = (uint8_t)vcrc;
	out[ICRC_SIZE + 1] = (uint8_t)(vcrc >> 8);
}

void packet_seal(struct packet *packet)
{
	uint8_t out[ICRC_SIZE + VCRC_SIZE];

	if (packet->sealed)
		return;
	crcs(packet, out);
	memcpy(packet->bytes + packet->mad_at + packet->mad_size, out, sizeof(out));
	packet->sealed = true;
}

bool packet_crc_ok(const struct packet *packet)
{
	uint8_t out[ICRC_SIZE + VCRC_SIZE];

	if (!packet->sealed)
		return true;
	crcs(packet, out);
	return memcmp(packet->bytes + packet->mad_at + packet->mad_size, out, sizeof(out)) == 0;
}

size_t packet_size(const struct packet *packet)
{
	return (size_t)packet->mad_at + packet->mad_size +
	       (packet->sealed ? ICRC_SIZE + VCRC_SIZE : 0);
}
