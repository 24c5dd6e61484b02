/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A registration as a backend has it (struct umad_backend_reg), and as the argument of its ioctl:
 * one becomes the other here. Nothing here allocates or fails.
 */
#ifndef UMADRIG_LIB_REGISTRATION_ARGUMENT_H
#define UMADRIG_LIB_REGISTRATION_ARGUMENT_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "lib/backend.h"
#include "lib/base/umad-command.h"
#include "lib/base/wire.h"

/* The argument: which of the two is known by the registration's 'request'. */
union registration_argument {
	struct ib_user_mad_reg_req first;
	struct ib_user_mad_reg_req2 second;
};

/* Where in the argument the ioctl leaves what it says: REGISTER_AGENT has no flags. */
enum {
	REGISTRATION_ID_AT = offsetof(union registration_argument, first.id),
	REGISTRATION_FLAGS_AT = offsetof(union registration_argument, second.flags),
};

/*
 * On little-endian machines longs of either size have their bits in the same places as two 64-bit
 * words.
 */
_Static_assert(sizeof(((struct umad_backend_reg *)NULL)->method_mask) ==
	       sizeof(((struct ib_user_mad_reg_req *)NULL)->method_mask), "128 methods");

/* Bytes of the argument. */
static inline size_t registration_argument_size(enum umad_backend_request request)
{
	switch (request) {
	case UMAD_BACKEND_REGISTER_AGENT:
		return sizeof(struct ib_user_mad_reg_req);
	case UMAD_BACKEND_REGISTER_AGENT2:
		return sizeof(struct ib_user_mad_reg_req2);
	case UMAD_BACKEND_ENABLE_PKEY:
		break;
	}
	return 0;
}

/* Makes the argument for 'reg'; returns the command. What is no request becomes no command: 0. */
static inline unsigned long registration_argument_pack(const struct umad_backend_reg *reg,
						       union registration_argument *ret)
{
	memset(ret, 0, sizeof(*ret));
	switch (reg->request) {
	case UMAD_BACKEND_REGISTER_AGENT:
		ret->first.qpn = (uint8_t)reg->qpn;
		ret->first.mgmt_class = reg->mgmt_class;
		ret->first.mgmt_class_version = reg->mgmt_class_version;
		ret->first.rmpp_version = reg->rmpp_version;
		put_be24(ret->first.oui, reg->oui);
		memcpy(ret->first.method_mask, reg->method_mask, sizeof(reg->method_mask));
		return UMAD_COMMAND_REGISTER_AGENT;
	case UMAD_BACKEND_REGISTER_AGENT2:
		ret->second.qpn = reg->qpn;
		ret->second.mgmt_class = reg->mgmt_class;
		ret->second.mgmt_class_version = reg->mgmt_class_version;
		ret->second.rmpp_version = reg->rmpp_version;
		ret->second.flags = reg->flags;
		ret->second.oui = reg->oui;
		memcpy(ret->second.method_mask, reg->method_mask, sizeof(reg->method_mask));
		return UMAD_COMMAND_REGISTER_AGENT2;
	case UMAD_BACKEND_ENABLE_PKEY:
		return UMAD_COMMAND_ENABLE_PKEY;
	}
	return 0;
}

/* What a program asks for by 'request', with the argument 'from'. */
static inline struct umad_backend_reg
registration_argument_unpack(enum umad_backend_request request,
			     const union registration_argument *from)
{
	struct umad_backend_reg reg = { .request = request };

	switch (request) {
	case UMAD_BACKEND_REGISTER_AGENT:
		reg.qpn = from->first.qpn;
		reg.mgmt_class = from->first.mgmt_class;
		reg.mgmt_class_version = from->first.mgmt_class_version;
		reg.rmpp_version = from->first.rmpp_version;
		reg.oui = get_be24(from->first.oui);
		memcpy(reg.method_mask, from->first.method_mask, sizeof(reg.method_mask));
		break;
	case UMAD_BACKEND_REGISTER_AGENT2:
		reg.qpn = from->second.qpn;
		reg.mgmt_class = from->second.mgmt_class;
		reg.mgmt_class_version = from->second.mgmt_class_version;
		reg.rmpp_version = from->second.rmpp_version;
		reg.flags = from->second.flags;
		reg.oui = from->second.oui;
		memcpy(reg.method_mask, from->second.method_mask, sizeof(reg.method_mask));
		break;
	case UMAD_BACKEND_ENABLE_PKEY:
		break;
	}
	return reg;
}

/*
 * What the ioctl that returned 'result' (0 or -errno) has left in its argument: the id, or, if the
 * flags were at fault, those that the kernel supports.
 */
static inline void registration_argument_answered(const union registration_argument *from,
						  int result, struct umad_backend_reg *reg)
{
	if (result == 0 && reg->request != UMAD_BACKEND_ENABLE_PKEY)
		reg->id = from->first.id;
	else if (result == -EINVAL && reg->request == UMAD_BACKEND_REGISTER_AGENT2)
		reg->flags = from->second.flags;
}

/* Does the kernel speak RMPP for the agent (linux-mad: kernel RMPP)? */
static inline bool registration_has_kernel_rmpp(const struct umad_backend_reg *reg)
{
	return reg->rmpp_version && !(reg->request == UMAD_BACKEND_REGISTER_AGENT2 &&
				      reg->flags & IB_USER_MAD_USER_RMPP);
}

#endif
