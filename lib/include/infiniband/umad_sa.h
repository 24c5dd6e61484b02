/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* umad_sa.h: subnet administration: methods, attributes, status and the SA MAD. */
#ifndef _UMAD_SA_H
#define _UMAD_SA_H

#include <infiniband/umad_types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Class version and the methods beyond those of all classes (IBA vol 1, 15.2.2). */
enum {
	UMAD_SA_CLASS_VERSION = 2,
	UMAD_SA_METHOD_GET_TABLE = 0x12,
	UMAD_SA_METHOD_GET_TABLE_RESP = 0x92,
	UMAD_SA_METHOD_DELETE = 0x15,
	UMAD_SA_METHOD_DELETE_RESP = 0x95,
	UMAD_SA_METHOD_GET_MULTI = 0x14,
	UMAD_SA_METHOD_GET_MULTI_RESP = 0x94,
	UMAD_SA_METHOD_GET_TRACE_TABLE = 0x13,
};

/* Status: the high byte of the MAD status (IBA vol 1, 15.2.1). */
enum {
	UMAD_SA_STATUS_SUCCESS = 0x00,
	UMAD_SA_STATUS_NO_RESOURCES = 0x01,
	UMAD_SA_STATUS_REQ_INVALID = 0x02,
	UMAD_SA_STATUS_NO_RECORDS = 0x03,
	UMAD_SA_STATUS_TOO_MANY_RECORDS = 0x04,
	UMAD_SA_STATUS_INVALID_GID = 0x05,
	UMAD_SA_STATUS_INSUF_COMPS = 0x06,
	UMAD_SA_STATUS_REQ_DENIED = 0x07,
	UMAD_SA_STATUS_PRI_SUGGESTED = 0x08,
};

/* Attributes (IBA vol 1, 15.2.5). */
enum {
	UMAD_SA_ATTR_NODE_REC = 0x0011,
	UMAD_SA_ATTR_PORT_INFO_REC = 0x0012,
	UMAD_SA_ATTR_SLVL_REC = 0x0013,
	UMAD_SA_ATTR_SWITCH_INFO_REC = 0x0014,
	UMAD_SA_ATTR_LINEAR_FT_REC = 0x0015,
	UMAD_SA_ATTR_RANDOM_FT_REC = 0x0016,
	UMAD_SA_ATTR_MCAST_FT_REC = 0x0017,
	UMAD_SA_ATTR_SM_INFO_REC = 0x0018,
	UMAD_SA_ATTR_LINK_SPD_WIDTH_TABLE_REC = 0x0019,
	UMAD_SA_ATTR_INFORM_INFO_REC = 0x00f3,
	UMAD_SA_ATTR_LINK_REC = 0x0020,
	UMAD_SA_ATTR_GUID_INFO_REC = 0x0030,
	UMAD_SA_ATTR_SERVICE_REC = 0x0031,
	UMAD_SA_ATTR_PKEY_TABLE_REC = 0x0033,
	UMAD_SA_ATTR_PATH_REC = 0x0035,
	UMAD_SA_ATTR_VL_ARB_REC = 0x0036,
	UMAD_SA_ATTR_MCMEMBER_REC = 0x0038,
	UMAD_SA_ATTR_TRACE_REC = 0x0039,
	UMAD_SA_ATTR_MULTI_PATH_REC = 0x003a,
	UMAD_SA_ATTR_SERVICE_ASSOC_REC = 0x003b,
	UMAD_SA_ATTR_HIERARCHY_INFO_REC = 0x003c,
	UMAD_SA_ATTR_CABLE_INFO_REC = 0x003d,
	UMAD_SA_ATTR_PORT_INFO_EXT_REC = 0x003e,
};

/* Bytes of data in an SA MAD. */
enum {
	UMAD_LEN_SA_DATA = 200,
};

/* IBA vol 1, 15.2.1.1. */
struct umad_sa_packet {
	struct umad_hdr mad_hdr;
	struct umad_rmpp_hdr rmpp_hdr;
	uint8_t sm_key[8];	/* an 8-byte key, not aligned */
	__be16 attr_offset;	/* 8-byte words from one record to the next */
	__be16 reserved;
	__be64 comp_mask;
	uint8_t data[UMAD_LEN_SA_DATA];
};

/* ClassPortInfo's CapabilityMask, host order. */
enum {
	UMAD_SA_CAP_MASK_IS_SUBNET_OPT_REC_SUP = 0x0100,
	UMAD_SA_CAP_MASK_IS_UD_MCAST_SUP = 0x0200,
	UMAD_SA_CAP_MASK_IS_MULTIPATH_SUP = 0x0400,
	UMAD_SA_CAP_MASK_IS_REINIT_SUP = 0x0800,
	UMAD_SA_CAP_MASK_IS_GID_SCOPED_MULTIPATH_SUP = 0x1000,
	UMAD_SA_CAP_MASK_IS_PORTINFO_CAP_MASK_MATCH_SUP = 0x2000,
	UMAD_SA_CAP_MASK_IS_LINK_SPEED_WIDTH_PAIRS_REC_SUP = 0x4000,
	UMAD_SA_CAP_MASK_IS_PA_SERVICES_SUP = 0x8000,
};

/* ClassPortInfo's CapabilityMask2, host order. */
enum {
	UMAD_SA_CAP_MASK2_IS_UNPATH_REPATH_SUP = 0x0001,
	UMAD_SA_CAP_MASK2_IS_QOS_SUP = 0x0002,
	UMAD_SA_CAP_MASK2_IS_REV_PATH_PKEY_MEM_BIT_SUP = 0x0004,
	UMAD_SA_CAP_MASK2_IS_MCAST_TOP_SUP = 0x0008,
	UMAD_SA_CAP_MASK2_IS_HIERARCHY_INFO_SUP = 0x0010,
	UMAD_SA_CAP_MASK2_IS_ADDITIONAL_GUID_SUP = 0x0020,
	UMAD_SA_CAP_MASK2_IS_FULL_PORTINFO_REC_SUP = 0x0040,
	UMAD_SA_CAP_MASK2_IS_EXT_SPEEDS_SUP = 0x0080,
	UMAD_SA_CAP_MASK2_IS_MCAST_SERVICE_REC_SUP = 0x0100,
	UMAD_SA_CAP_MASK2_IS_CABLE_INFO_REC_SUP = 0x0200,
	UMAD_SA_CAP_MASK2_IS_PORT_INFO_CAPMASK2_MATCH_SUP = 0x0400,
	UMAD_SA_CAP_MASK2_IS_PORT_INFO_EXT_REC_SUP = 0x0800,
};

/* Selectors; the largest and the smallest available share a code. */
enum {
	UMAD_SA_SELECTOR_GREATER_THAN = 0,
	UMAD_SA_SELECTOR_LESS_THAN = 1,
	UMAD_SA_SELECTOR_EXACTLY = 2,
	UMAD_SA_SELECTOR_LARGEST_AVAIL = 3,
	UMAD_SA_SELECTOR_SMALLEST_AVAIL = 3,
};

/* A rate, an MTU or a packet life time: selector in the top two bits, value below. */
#define UMAD_SA_SELECTOR_SHIFT 6
#define UMAD_SA_RATE_MTU_PKT_LIFE_MASK 0x3f
#define UMAD_SA_SELECTOR_MASK 0x3

static inline uint8_t umad_sa_get_rate_mtu_or_life(uint8_t rate_mtu_or_life)
{
	return rate_mtu_or_life & UMAD_SA_RATE_MTU_PKT_LIFE_MASK;
}

static inline uint8_t umad_sa_set_rate_mtu_or_life(uint8_t selector, uint8_t rate_mtu_or_life)
{
	return (uint8_t)((selector & UMAD_SA_SELECTOR_MASK) << UMAD_SA_SELECTOR_SHIFT |
			 (rate_mtu_or_life & UMAD_SA_RATE_MTU_PKT_LIFE_MASK));
}

#ifdef __cplusplus
}
#endif
#endif
