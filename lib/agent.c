/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* agent.c: registers and unregisters MAD agents. */
#include <errno.h>
#include <string.h>

#include <infiniband/umad.h>

#include "lib/backend-list.h"
#include "lib/debug.h"
#include "lib/fail.h"
#include "lib/handle-table.h"
#include "lib/registration.h"
#include "lib/base/wire.h"

/* The OUI that umad_register() gives to vendor classes: OpenIB's. */
#define OPENIB_OUI 0x001405

int umad_agent_register(int fd, struct umad_backend_reg *reg)
{
	const struct umad_backend *backend = umad_backend_get();
	int r;

	if (umad_fd_is_bad(backend, fd))
		return -EBADF;
	r = backend->register_agent(fd, reg);
	umad_trace("fd %d class 0x%02x version %u: %d id %u", fd, reg->mgmt_class,
		   reg->mgmt_class_version, r, reg->id);
	if (r < 0 || reg->request == UMAD_BACKEND_ENABLE_PKEY)
		return r;
	umad_handle_set_agent(fd, reg->id, true);
	if (reg->request == UMAD_BACKEND_REGISTER_AGENT2)
		umad_handle_set_register2(fd);
	return 0;
}

static int agent_register_by_mask(int fd, struct umad_backend_reg *reg, const long *method_mask)
{
	int r;

	/*
	 * On little-endian machines longs of either size have their bits in the same places as two
	 * 64-bit words.
	 */
	if (method_mask)
		memcpy(reg->method_mask, method_mask, sizeof(reg->method_mask));
	r = umad_agent_register(fd, reg);
	if (r == 0)
		return (int)reg->id;
	errno = -r;
	return r == -EBADF ? -EINVAL : -EPERM;
}

int umad_register(int portid, int mgmt_class, int mgmt_version, uint8_t rmpp_version,
		  long method_mask[16 / sizeof(long)])
{
	struct umad_backend_reg reg = {
		.request = UMAD_BACKEND_REGISTER_AGENT,
		.qpn = mad_class_is_smp((uint8_t)mgmt_class) ? 0 : 1,
		/* Cut to 8 bits: a class in a signed char is negative from 0x81 on. */
		.mgmt_class = (uint8_t)mgmt_class,
		.mgmt_class_version = (uint8_t)mgmt_version,
		.rmpp_version = rmpp_version,
		.oui = OPENIB_OUI,
	};

	return agent_register_by_mask(portid, &reg, method_mask);
}

int umad_register_oui(int portid, int mgmt_class, uint8_t rmpp_version, uint8_t oui[3],
		      long method_mask[16 / sizeof(long)])
{
	struct umad_backend_reg reg = {
		.request = UMAD_BACKEND_REGISTER_AGENT,
		.qpn = 1,
		.mgmt_class = (uint8_t)mgmt_class,
		.mgmt_class_version = 1,
		.rmpp_version = rmpp_version,
	};

	if (mgmt_class < 0 || !mad_class_is_vendor2((unsigned int)mgmt_class) || !oui)
		return umad_fail(-EINVAL);
	reg.oui = get_be24(oui);
	return agent_register_by_mask(portid, &reg, method_mask);
}

int umad_register2(int port_fd, struct umad_reg_attr *attr, uint32_t *agent_id)
{
	struct umad_backend_reg reg;
	int r;

	if (!attr || !agent_id)
		return EINVAL;
	if (mad_class_is_vendor2(attr->mgmt_class) && (attr->oui == 0 || attr->oui > 0xffffff))
		return EINVAL;
	reg = (struct umad_backend_reg){
		.request = UMAD_BACKEND_REGISTER_AGENT2,
		.qpn = mad_class_is_smp(attr->mgmt_class) ? 0 : 1,
		.mgmt_class = attr->mgmt_class,
		.mgmt_class_version = attr->mgmt_class_version,
		.rmpp_version = attr->rmpp_version,
		.flags = attr->flags,
		.oui = attr->oui,
		.method_mask = { attr->method_mask[0], attr->method_mask[1] },
	};
	r = umad_agent_register(port_fd, &reg);
	/*
	 * A kernel before 3.18 answers the request with ENOTTY, umad2sim with EINVAL: without flags
	 * the older request does the same. If the newer one is known to exist, EINVAL means what it
	 * says.
	 */
	if ((r == -ENOTTY || (r == -EINVAL && !umad_handle_has_register2(port_fd))) &&
	    attr->flags == 0) {
		reg.request = UMAD_BACKEND_REGISTER_AGENT;
		r = umad_agent_register(port_fd, &reg);
	} else if (r == -EINVAL) {
		attr->flags = reg.flags;
	} else if (r == -ENOTTY) {
		attr->flags = 0;	/* the older request has no flags at all */
	}
	if (r < 0) {
		errno = -r;
		return r == -EBADF ? EINVAL : -r;
	}
	*agent_id = reg.id;
	return 0;
}

int umad_agent_unregister(int fd, uint32_t id)
{
	const struct umad_backend *backend = umad_backend_get();
	int r;

	if (umad_fd_is_bad(backend, fd))
		return -EBADF;
	r = backend->unregister_agent(fd, id);
	umad_trace("fd %d agent %d: %d", fd, (int)id, r);
	if (r == 0)
		umad_handle_set_agent(fd, id, false);
	return r;
}

int umad_unregister(int portid, int agentid)
{
	int r = umad_agent_unregister(portid, (uint32_t)agentid);

	if (r == 0)
		return 0;
	errno = -r;
	return r == -EBADF ? -EINVAL : r;
}
