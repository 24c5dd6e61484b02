/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ioctl(2) of a umad file: registers and unregisters agents, and chooses the header size (linux-mad
 * A.3, A.4).
 */
#include <errno.h>
#include <string.h>

#include "kmod-stub/trace.h"
#include "kmod-stub/umad-file.h"
#include "lib/base/umad-command.h"

#include "kmod-stub/stub.h"

enum { FLAGS_KNOWN = IB_USER_MAD_USER_RMPP };

_Static_assert(sizeof(((struct ib_user_mad_reg_req *)NULL)->method_mask) ==
	       sizeof(((struct agent_request *)NULL)->methods), "bit m % 8 of byte m / 8");
_Static_assert(sizeof(((struct ib_user_mad_reg_req2 *)NULL)->method_mask) ==
	       sizeof(((struct agent_request *)NULL)->methods), "bit m % 8 of byte m / 8");

/* The lowest free slot, or FILE_AGENT_COUNT. */
static unsigned int free_slot(const struct kmod_file *file)
{
	unsigned int id = 0;

	while (id < FILE_AGENT_COUNT && file->agents[id])
		id++;
	return id;
}

static int add_agent(struct kmod_file *file, unsigned int id, struct agent_request *request)
{
	int err;

	if (request->mgmt_class == 0) {
		/* No unsolicited MADs: the rest of the request is ignored. */
		request->class_version = 0;
		memset(request->oui, 0, sizeof(request->oui));
		memset(request->methods, 0, sizeof(request->methods));
	}
	err = agent_register(file->port, file, (uint8_t)id, request, &file->agents[id]);
	if (err)
		TRACE(file->port, "agent %u refused class=0x%02x version=%u qp=%u: error %d", id,
		      request->mgmt_class, request->class_version, request->qpn, -err);
	return err;
}

static int register_agent(struct kmod_file *file, uint8_t *arg)
{
	struct agent_request request = { 0 };
	struct ib_user_mad_reg_req req;
	unsigned int id;
	int err;

	if (file->dead)
		return -EPIPE;
	if (!arg)
		return -EFAULT;
	memcpy(&req, arg, sizeof(req));
	if (req.qpn > 1)
		return -EINVAL;
	id = free_slot(file);
	if (id == FILE_AGENT_COUNT)
		return -ENOMEM;
	request.qpn = req.qpn;
	request.mgmt_class = req.mgmt_class;
	request.class_version = req.mgmt_class_version;
	memcpy(request.oui, req.oui, sizeof(request.oui));
	request.rmpp_version = req.rmpp_version;
	memcpy(request.methods, req.method_mask, sizeof(request.methods));
	err = add_agent(file, id, &request);
	if (err)
		return err;
	user_header_set(arg, offsetof(struct ib_user_mad_reg_req, id), id);
	if (!file->already_used) {
		file->already_used = true;
		if (file->header_size != USER_HEADER_SIZE)
			TRACE(file->port, "file stays on headers without P_Key index");
	}
	return 0;
}

static int register_agent2(struct kmod_file *file, uint8_t *arg)
{
	struct agent_request request = { 0 };
	struct ib_user_mad_reg_req2 req;
	unsigned int id;
	int err;

	if (file->dead)
		return -EPIPE;
	if (!arg)
		return -EFAULT;
	memcpy(&req, arg, sizeof(req));
	if (req.qpn > 1)
		return -EINVAL;
	if (req.flags & ~(uint32_t)FLAGS_KNOWN) {
		/* Linux: returns the flags that it supports. */
		user_header_set(arg, offsetof(struct ib_user_mad_reg_req2, flags), FLAGS_KNOWN);
		return -EINVAL;
	}
	id = free_slot(file);
	if (id == FILE_AGENT_COUNT)
		return -ENOMEM;
	request.qpn = (uint8_t)req.qpn;
	request.mgmt_class = req.mgmt_class;
	request.class_version = req.mgmt_class_version;
	if (request.mgmt_class && req.oui >> 24)
		return -EINVAL;
	put_be24(request.oui, req.oui);
	request.rmpp_version = req.rmpp_version;
	request.user_rmpp = req.flags & IB_USER_MAD_USER_RMPP;
	memcpy(request.methods, req.method_mask, sizeof(request.methods));
	err = add_agent(file, id, &request);
	if (err)
		return err;
	user_header_set(arg, offsetof(struct ib_user_mad_reg_req2, id), id);
	if (!file->already_used) {
		file->already_used = true;
		file->header_size = USER_HEADER_SIZE;
	}
	return 0;
}

static int unregister_agent(struct kmod_file *file, const void *arg)
{
	struct agent *agent;
	uint32_t id;

	if (!arg)
		return -EFAULT;
	memcpy(&id, arg, sizeof(id));
	if (id >= FILE_AGENT_COUNT || file->dead || !file->agents[id])
		return -EINVAL;
	agent = file->agents[id];
	file->agents[id] = NULL;
	agent_unregister(agent);
	return 0;
}

static int enable_pkey(struct kmod_file *file)
{
	if (file->already_used)
		return -EINVAL;
	file->header_size = USER_HEADER_SIZE;
	return 0;
}

int stub_file_ioctl(struct kmod_file *file, unsigned long request, void *arg)
{
	switch (request) {
	case UMAD_COMMAND_REGISTER_AGENT:
		return register_agent(file, arg);
	case UMAD_COMMAND_REGISTER_AGENT2:
		return register_agent2(file, arg);
	case UMAD_COMMAND_UNREGISTER_AGENT:
		return unregister_agent(file, arg);
	case UMAD_COMMAND_ENABLE_PKEY:
		return enable_pkey(file);
	default:
		return -ENOTTY;
	}
}
