/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The arguments of the register ioctls, as the kernel lays them out. */
#ifndef UMADRIG_LIB_REGISTRATION_REQUEST_H
#define UMADRIG_LIB_REGISTRATION_REQUEST_H

#include <stdint.h>

struct ib_user_mad_reg_req {
	uint32_t id;
	uint32_t method_mask[4];	/* longs in the kernel, aligned to 4 */
	uint8_t qpn;
	uint8_t mgmt_class;
	uint8_t mgmt_class_version;
	uint8_t oui[3];
	uint8_t rmpp_version;
};

struct ib_user_mad_reg_req2 {
	uint32_t id;
	uint32_t qpn;
	uint8_t mgmt_class;
	uint8_t mgmt_class_version;
	uint16_t res;
	uint32_t flags;
	uint64_t method_mask[2];
	uint32_t oui;
	uint8_t rmpp_version;
	uint8_t reserved[3];
};

_Static_assert(sizeof(struct ib_user_mad_reg_req) == 28, "size is part of the ioctl's number");
_Static_assert(sizeof(struct ib_user_mad_reg_req2) == 40, "size is part of the ioctl's number");

#endif
