/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The wire, byte by byte: how to read and write the fields of packets and MADs.
 *
 * Everything on the wire is big-endian. Packet memory is never cast to a struct: fields are read
 * with get_*() and written with put_*() at the offsets named here (IBA vol 1, 7.7 LRH, 8.3 GRH,
 * 9.2 BTH, 9.3.3 DETH, 13.4.2 MAD header, 13.6.2.1 RMPP header, 14.2.1.2 directed-route SMP).
 *
 * Header only and free of state, so that lib, kmod-stub and sim may all use it.
 */
#ifndef UMADRIG_LIB_BASE_WIRE_H
#define UMADRIG_LIB_BASE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t get_be16(const void *p)
{
	const uint8_t *b = p;

	return (uint16_t)(b[0] << 8 | b[1]);
}

static inline uint32_t get_be24(const void *p)
{
	const uint8_t *b = p;

	return (uint32_t)b[0] << 16 | (uint32_t)b[1] << 8 | b[2];
}

static inline uint32_t get_be32(const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return __builtin_bswap32(v);
}

static inline uint64_t get_be64(const void *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return __builtin_bswap64(v);
}

static inline void put_be16(void *p, uint16_t v)
{
	uint8_t *b = p;

	b[0] = (uint8_t)(v >> 8);
	b[1] = (uint8_t)v;
}

static inline void put_be24(void *p, uint32_t v)
{
	uint8_t *b = p;

	b[0] = (uint8_t)(v >> 16);
	b[1] = (uint8_t)(v >> 8);
	b[2] = (uint8_t)v;
}

static inline void put_be32(void *p, uint32_t v)
{
	v = __builtin_bswap32(v);
	memcpy(p, &v, sizeof(v));
}

static inline void put_be64(void *p, uint64_t v)
{
	v = __builtin_bswap64(v);
	memcpy(p, &v, sizeof(v));
}

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "lib/base/wire.h: the byte swaps above are written for little-endian hosts"
#endif

/* Sizes in bytes. */
enum {
	LRH_SIZE = 8,
	GRH_SIZE = 40,
	BTH_SIZE = 12,
	DETH_SIZE = 8,
	MAD_SIZE = 256,
	ICRC_SIZE = 4,
	VCRC_SIZE = 2,
	PACKET_SIZE_MAX = LRH_SIZE + GRH_SIZE + BTH_SIZE + DETH_SIZE + MAD_SIZE + ICRC_SIZE +
			  VCRC_SIZE,
	/* Of other datagrams than MADs: what the largest MTU allows (IBA vol 1, 7.7.8). */
	DATAGRAM_SIZE_MAX = 4096,
	LONG_PACKET_SIZE_MAX = PACKET_SIZE_MAX - MAD_SIZE + DATAGRAM_SIZE_MAX,
};

/* Offsets from the start of the LRH, the GRH, the BTH and the DETH. */
enum {
	LRH_VL = 0,		/* high 4 bits; LVer in the low 4 */
	LRH_SL = 1,		/* high 4 bits; LNH in the low 2 */
	LRH_DLID = 2,
	LRH_PKTLEN = 4,		/* low 11 bits: 4-byte words, LRH through ICRC */
	LRH_SLID = 6,
	LRH_LNH_IBA = 2,	/* LNH: BTH follows */
	LRH_LNH_GRH = 3,	/* LNH: GRH follows */

	GRH_TCLASS_FLOW = 0,	/* IPVer 4 bits, TClass 8, FlowLabel 20 */
	GRH_PAYLEN = 4,
	GRH_NXTHDR = 6,
	GRH_HOPLIMIT = 7,
	GRH_SGID = 8,
	GRH_DGID = 24,
	GRH_NXTHDR_IBA = 0x1b,

	BTH_OPCODE = 0,
	BTH_PADCNT = 1,		/* bits 4 and 5; TVer in the low 4 */
	BTH_PADCNT_SHIFT = 4,
	BTH_PKEY = 2,
	BTH_DESTQP = 5,		/* 3 bytes */
	BTH_PSN = 9,		/* 3 bytes */
	BTH_UD_SEND_ONLY = 100,

	DETH_QKEY = 0,
	DETH_SRCQP = 5,		/* 3 bytes */
};

/* Offsets in a MAD. */
enum {
	MAD_BASE_VERSION = 0,
	MAD_CLASS = 1,
	MAD_CLASS_VERSION = 2,
	MAD_METHOD = 3,
	MAD_STATUS = 4,
	MAD_CLASS_SPECIFIC = 6,
	MAD_TID = 8,
	MAD_ATTR_ID = 16,
	MAD_ATTR_MOD = 20,
	MAD_HDR_SIZE = 24,

	RMPP_VERSION = 24,
	RMPP_TYPE = 25,
	RMPP_FLAGS = 26,	/* RRespTime in the high 5 bits, flags in the low 3 */
	RMPP_STATUS = 27,
	RMPP_SEGMENT = 28,
	RMPP_PAYLEN_NEWWIN = 32,
	RMPP_END = 36,
	RMPP_FLAG_ACTIVE = 1,
	RMPP_FLAG_FIRST = 2,
	RMPP_FLAG_LAST = 4,
	RMPP_FLAGS_MASK = 7,
	RMPP_PAYLOAD_SIZE = MAD_SIZE - RMPP_END,	/* of a segment: the class header counts */

	SMP_HOP_PTR = 6,
	SMP_HOP_CNT = 7,
	SMP_MKEY = 24,
	SMP_DR_SLID = 32,
	SMP_DR_DLID = 34,
	SMP_DATA = 64,
	SMP_DATA_SIZE = 64,
	SMP_INITIAL_PATH = 128,
	SMP_RETURN_PATH = 192,
	SMP_PATH_SIZE = 64,
	SMP_DIRECTION = 0x8000,	/* D, the top bit of the status of a directed-route SMP */

	SA_SM_KEY = 36,
	SA_ATTR_OFFSET = 44,
	SA_COMP_MASK = 48,
	SA_DATA = 56,

	VENDOR2_OUI = 37,	/* 3 bytes */
	VENDOR2_DATA = 40,
};

enum mad_class {
	MAD_CLASS_SUBN_LID = 0x01,
	MAD_CLASS_SUBN_ADM = 0x03,
	MAD_CLASS_PERF = 0x04,
	MAD_CLASS_BM = 0x05,
	MAD_CLASS_DEV_MGT = 0x06,
	MAD_CLASS_CM = 0x07,
	MAD_CLASS_SNMP = 0x08,
	MAD_CLASS_DEV_ADM = 0x10,
	MAD_CLASS_BIS = 0x12,
	MAD_CLASS_CONG_MGT = 0x21,
	MAD_CLASS_VENDOR2_FIRST = 0x30,
	MAD_CLASS_VENDOR2_LAST = 0x4f,
	MAD_CLASS_SUBN_DR = 0x81,
};

enum mad_method {
	MAD_METHOD_GET = 0x01,
	MAD_METHOD_SET = 0x02,
	MAD_METHOD_SEND = 0x03,
	MAD_METHOD_TRAP = 0x05,
	MAD_METHOD_REPORT = 0x06,
	MAD_METHOD_TRAP_REPRESS = 0x07,
	MAD_METHOD_GET_TABLE = 0x12,
	MAD_METHOD_RESPONSE = 0x80,	/* the response bit */
	MAD_METHOD_GET_RESP = 0x81,
};

enum mad_status {
	MAD_STATUS_OK = 0,
	MAD_STATUS_BUSY = 0x0001,
	MAD_STATUS_REDIRECT = 0x0002,
	MAD_STATUS_BAD_VERSION = 0x0004,
	MAD_STATUS_BAD_METHOD = 0x0008,
	MAD_STATUS_BAD_METHOD_ATTR = 0x000c,
	MAD_STATUS_NO_REGISTER = 0x0014,	/* reserved; Mellanox's AccessRegisterGMP has it */
	MAD_STATUS_BAD_FIELD = 0x001c,
};

/* IBA vol 1, 13.6.2.1. */
enum rmpp_type {
	RMPP_TYPE_DATA = 1,
	RMPP_TYPE_ACK = 2,
	RMPP_TYPE_STOP = 3,
	RMPP_TYPE_ABORT = 4,
};

/* Why a transfer ends (IBA vol 1, 13.6.2.2): STOP carries the first, ABORT the others. */
enum rmpp_status {
	RMPP_STATUS_RESX = 1,		/* resources exhausted */
	RMPP_STATUS_T2L = 118,		/* total time too long */
	RMPP_STATUS_BAD_LENGTH = 119,
	RMPP_STATUS_BAD_SEGMENT = 120,	/* number and flags contradict each other */
	RMPP_STATUS_BAD_TYPE = 121,
	RMPP_STATUS_W2S = 122,		/* window too small: it ends before the segment */
	RMPP_STATUS_S2B = 123,		/* segment too big: never sent */
	RMPP_STATUS_BAD_STATUS = 124,
	RMPP_STATUS_BAD_VERSION = 125,
	RMPP_STATUS_TMR = 126,		/* too many retries */
	RMPP_STATUS_UNSPECIFIED = 127,
};

enum {
	LID_PERMISSIVE = 0xffff,
	LID_UNICAST_MAX = 0xbfff,
	QKEY_GSI = 0x80010000,	/* the well-known Q_Key of QP1, IBA vol 1, 3.5.3 */
	PKEY_DEFAULT = 0xffff,
};

/*
 * memcpy for the paths that every MAD takes. The size is hidden from the compiler: if GCC knows it,
 * or its bounds, it emits "rep movs", which takes several times as long for a MAD as the C
 * library's copy.
 */
static inline void copy_bytes(void *to, const void *from, size_t size)
{
	__asm__("" : "+r"(size));
	memcpy(to, from, size);
}

/* memset to zero, likewise. */
static inline void clear_bytes(void *bytes, size_t size)
{
	__asm__("" : "+r"(size));
	memset(bytes, 0, size);
}

/* Copies a MAD's 256 bytes. */
static inline void mad_copy(void *to, const void *from)
{
	copy_bytes(to, from, MAD_SIZE);
}

/* Does 'mgmt_class' belong to vendor range 2, whose MADs carry an OUI (IBA vol 1, 16.5)? */
static inline bool mad_class_is_vendor2(unsigned int mgmt_class)
{
	return mgmt_class >= MAD_CLASS_VENDOR2_FIRST && mgmt_class <= MAD_CLASS_VENDOR2_LAST;
}

/* Is 'mgmt_class' one of the two classes of subnet management, which use QP0? */
static inline bool mad_class_is_smp(unsigned int mgmt_class)
{
	return mgmt_class == MAD_CLASS_SUBN_LID || mgmt_class == MAD_CLASS_SUBN_DR;
}

/* Linux: the classes whose MADs have an RMPP header (drivers/infiniband/core/mad_rmpp). */
static inline bool mad_class_has_rmpp(unsigned int mgmt_class)
{
	return mgmt_class == MAD_CLASS_SUBN_ADM || mgmt_class == MAD_CLASS_DEV_MGT ||
	       mgmt_class == MAD_CLASS_DEV_ADM || mgmt_class == MAD_CLASS_BIS ||
	       mad_class_is_vendor2(mgmt_class);
}

/*
 * Is the MAD a response as Linux understands it: response bit set, or TrapRepress, or a BM class
 * MAD whose AttributeModifier has bit 0 set? Everything else is a request. 'mad' has at least
 * MAD_HDR_SIZE bytes.
 */
static inline bool mad_is_response(const uint8_t *mad)
{
	return (mad[MAD_METHOD] & MAD_METHOD_RESPONSE) ||
	       mad[MAD_METHOD] == MAD_METHOD_TRAP_REPRESS ||
	       (mad[MAD_CLASS] == MAD_CLASS_BM && (get_be32(mad + MAD_ATTR_MOD) & 1));
}

/* Linux: bytes before the data of a class, 24 if the class has no further header. */
static inline unsigned int mad_class_header_size(unsigned int mgmt_class)
{
	if (mgmt_class == MAD_CLASS_SUBN_ADM)
		return SA_DATA;
	if (mgmt_class == MAD_CLASS_DEV_MGT || mgmt_class == MAD_CLASS_DEV_ADM ||
	    mgmt_class == MAD_CLASS_BIS)
		return 64;
	if (mad_class_is_vendor2(mgmt_class))
		return VENDOR2_DATA;
	return MAD_HDR_SIZE;
}

#endif
