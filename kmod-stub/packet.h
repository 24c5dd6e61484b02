/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A packet on an InfiniBand wire: LRH, optional GRH, BTH, DETH, MAD, ICRC, VCRC.
 *
 * The bytes are as on the wire. The two CRCs are not computed while a packet is merely carried:
 * code that needs them (a capture, a fault that damages a packet) calls packet_seal().
 * A packet has one owner at a time; passing it down or up passes the ownership. It comes from a
 * pool and returns there, so carrying a MAD does not allocate once the pool is warm.
 */
#ifndef UMADRIG_KMOD_STUB_PACKET_H
#define UMADRIG_KMOD_STUB_PACKET_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/wire.h"

/* What does not fit into a packet: the bytes from PACKET_HEAD_SIZE to the CRCs. */
struct packet_rest {
	unsigned int users;	/* packets that have it */
	uint8_t bytes[];
};

enum { PACKET_HEAD_SIZE = PACKET_SIZE_MAX - ICRC_SIZE - VCRC_SIZE };

/*
 * A datagram that is no MAD, of a host that is a guest, may be longer than bytes[] (is_long):
 * bytes[] has its first PACKET_HEAD_SIZE bytes and, behind them, its CRCs. It is always raw.
 */
struct packet {
	struct packet *next;	/* the owner's: a queue, or the pool's free list */
	uint16_t mad_at;	/* offset of the MAD in bytes[]: 28, with a GRH 68 */
	uint16_t mad_size;	/* 256; of a datagram: with its padding */
	uint8_t hops;		/* for the wire: cables that it has crossed */
	bool sealed;		/* ICRC and VCRC follow the MAD */
	/* For the wire: made by hand and malformed, for ports to reject, or no MAD. */
	bool raw;
	uint8_t bytes[PACKET_SIZE_MAX];
	struct packet_rest *rest;	/* of a long packet; of others it is undefined */
};

struct packet_pool {
	struct packet *free;
	struct packet_block *blocks;	/* of memory, with room for more packets */
	size_t made;		/* packets in existence: used or free */
	size_t used;		/* packets handed out and not yet back */
};

/* What addresses a MAD packet: the fields of LRH, GRH, BTH and DETH that are not constant. */
struct packet_addr {
	uint16_t slid;
	uint16_t dlid;
	uint8_t sl;
	uint8_t vl;
	uint16_t pkey;
	uint32_t src_qp;
	uint32_t dest_qp;
	uint32_t qkey;
	uint32_t psn;
	bool has_grh;
	uint8_t traffic_class;
	uint8_t hop_limit;
	uint32_t flow_label;
	uint8_t sgid[16];
	uint8_t dgid[16];
};

static inline bool packet_is_long(const struct packet *packet)
{
	return packet->mad_at + packet->mad_size > PACKET_HEAD_SIZE;
}

/*
 * A packet that may be a long one needs its rest no more. It is here, not in packet.c, for the MAD
 * layer in process, which has nothing else of kmod-stub.
 */
static inline void packet_drop_rest(struct packet *packet)
{
	if (packet_is_long(packet) && --packet->rest->users == 0)
		free(packet->rest);
	packet->mad_size = 0;
}

/* Makes one more packet for the pool. Never NULL: out of memory ends the process. */
struct packet *packet_make(struct packet_pool *pool);

/* A packet from the pool, its contents undefined. Never NULL: out of memory ends the process. */
static inline struct packet *packet_new(struct packet_pool *pool)
{
	struct packet *packet = pool->free;

	if (packet)
		pool->free = packet->next;
	else
		packet = packet_make(pool);
	pool->used++;
	packet->next = NULL;
	packet->sealed = false;
	packet->raw = false;
	return packet;
}

/* Returns a packet to the pool. NULL is allowed. */
static inline void packet_free(struct packet_pool *pool, struct packet *packet)
{
	if (!packet)
		return;
	assert(pool->used > 0);
	pool->used--;
	/* No long packet has less: usual ones cost one look. */
	if (packet->mad_size > MAD_SIZE)
		packet_drop_rest(packet);
	packet->next = pool->free;
	pool->free = packet;
}

/* A packet like that one, from the pool. */
struct packet *packet_copy(struct packet_pool *pool, const struct packet *packet);

/* Frees the memory of all packets in the pool; all must have been returned (used == 0). */
void packet_pool_clear(struct packet_pool *pool);
/* Frees packets that are not in use, at most so many. True: there are more. */
bool packet_pool_trim(struct packet_pool *pool, size_t most);

/* Writes all headers from 'addr' in front of a 256-byte MAD, whose bytes the caller then fills. */
void packet_build(struct packet *packet, const struct packet_addr *addr);

/*
 * Writes all headers from 'addr' in front of a datagram of 'size' bytes, at most DATAGRAM_SIZE_MAX,
 * which is padded, and both CRCs behind it. The packet is raw: nobody takes it for a MAD.
 */
void packet_build_datagram(struct packet *packet, const struct packet_addr *addr,
			   const uint8_t *datagram, size_t size);

/* How many bytes of a packet's datagram are padding. */
static inline unsigned int packet_padding(const struct packet *packet)
{
	return packet->bytes[packet->mad_at - DETH_SIZE - BTH_SIZE + BTH_PADCNT] >>
	       BTH_PADCNT_SHIFT & 3;
}

/* All bytes of a packet, packet_size() of them: at most LONG_PACKET_SIZE_MAX. */
void packet_gather(const struct packet *packet, uint8_t *ret_bytes);
/* Puts them back into the same packet, changed. */
void packet_scatter(struct packet *packet, const uint8_t *bytes);

/* Takes the headers apart. Returns false if they do not carry a MAD (LNH, opcode, lengths). */
bool packet_parse(struct packet *packet, size_t size, struct packet_addr *ret_addr);

/* Appends the correct ICRC and VCRC (IBA vol 1, 7.8). Does nothing if they are there already. */
void packet_seal(struct packet *packet);

/* Are both CRCs right (an unsealed packet's are, by definition)? */
bool packet_crc_ok(const struct packet *packet);

/* Bytes from the LRH through the MAD, plus the CRCs of a sealed packet. */
size_t packet_size(const struct packet *packet);

static inline uint8_t *packet_mad(struct packet *packet)
{
	return packet->bytes + packet->mad_at;
}

/* Where the CRCs of a sealed packet are. */
static inline uint8_t *packet_crcs(struct packet *packet)
{
	return packet->bytes + (packet_is_long(packet) ? PACKET_HEAD_SIZE :
							 packet->mad_at + packet->mad_size);
}

static inline const uint8_t *packet_mad_const(const struct packet *packet)
{
	return packet->bytes + packet->mad_at;
}

static inline bool packet_has_grh(const struct packet *packet)
{
	return (packet->bytes[LRH_SL] & 3) == LRH_LNH_GRH;
}

/* The offset of the BTH: after the LRH, or after the GRH. */
static inline unsigned int packet_bth_at(const struct packet *packet)
{
	return packet->mad_at - DETH_SIZE - BTH_SIZE;
}

static inline uint16_t packet_slid(const struct packet *packet)
{
	return get_be16(packet->bytes + LRH_SLID);
}

static inline uint16_t packet_dlid(const struct packet *packet)
{
	return get_be16(packet->bytes + LRH_DLID);
}

static inline uint32_t packet_dest_qp(const struct packet *packet)
{
	/* With the reserved byte before it: one move of four. */
	return get_be32(packet->bytes + packet_bth_at(packet) + BTH_DESTQP - 1) & 0xffffff;
}

static inline uint32_t packet_src_qp(const struct packet *packet)
{
	return get_be32(packet->bytes + packet->mad_at - DETH_SIZE + DETH_SRCQP - 1) & 0xffffff;
}

#endif
