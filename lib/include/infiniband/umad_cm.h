/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* umad_cm.h: communication management: attributes. */
#ifndef _UMAD_CM_H
#define _UMAD_CM_H

#include <infiniband/umad_types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Attributes: the messages (IBA vol 1, 12.6). */
enum {
	UMAD_CM_ATTR_REQ = 0x0010,
	UMAD_CM_ATTR_MRA = 0x0011,
	UMAD_CM_ATTR_REJ = 0x0012,
	UMAD_CM_ATTR_REP = 0x0013,
	UMAD_CM_ATTR_RTU = 0x0014,
	UMAD_CM_ATTR_DREQ = 0x0015,
	UMAD_CM_ATTR_DREP = 0x0016,
	UMAD_CM_ATTR_SIDR_REQ = 0x0017,
	UMAD_CM_ATTR_SIDR_REP = 0x0018,
	UMAD_CM_ATTR_LAP = 0x0019,
	UMAD_CM_ATTR_APR = 0x001a,
	UMAD_CM_ATTR_SAP = 0x001b,
	UMAD_CM_ATTR_SPR = 0x001c,
};

#ifdef __cplusplus
}
#endif
#endif
