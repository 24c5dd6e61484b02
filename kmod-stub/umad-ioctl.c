/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * ioctl(2) of a umad file: registers and unregisters agents, and chooses the header size (linux-mad
 * A.3, A.4).
 */
#include <errno.h>
#include <string.h>

#include "kmod-stub/trace.h"
#include "kmod-stub/umad-file.h"

#define IOCTL_REGISTER_AGENT 0xC01C1B01ul
#define IOCTL_UNREGISTER_AGENT 0x40041B02ul
#define IOCTL_ENABLE_PKEY 0x00001B03ul
#define IOCTL_REGISTER_AGENT2 0xC0281B04ul

/* Offsets in struct ib_user_mad_reg_req. */
enum {
	REG_ID = 0,
	REG_METHOD_MASK = 4,	/* 128 bits in the machine's words: bit m % 8 of byte m / 8 */
	REG_QPN = 20,
	REG_CLASS = 21,
	REG_CLASS_VERSION = 22,
	REG_OUI = 23,
	REG_RMPP_VERSION = 26,
};

/* Offsets in struct ib_user_mad_reg_req2. */
enum {
	REG2_ID = 0,
	REG2_QPN = 4,
	REG2_CLASS = 8,
	REG2_CLASS_VERSION = 9,
	REG2_FLAGS = 12,
	REG2_METHOD_MASK = 16,
	REG2_OUI = 32,		/* u32, 24 bits used */
	REG2_RMPP_VERSION = 36,
	REG2_FLAG_USER_RMPP = 1,
	REG2_FLAGS_KNOWN = REG2_FLAG_USER_RMPP,
};

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
	unsigned int id;
	int err;

	if (file->dead)
		return -EPIPE;
	if (!arg)
		return -EFAULT;
	request.qpn = arg[REG_QPN];
	if (request.qpn > 1)
		return -EINVAL;
	id = free_slot(file);
	if (id == FILE_AGENT_COUNT)
		return -ENOMEM;
	request.mgmt_class = arg[REG_CLASS];
	request.class_version = arg[REG_CLASS_VERSION];
	memcpy(request.oui, arg + REG_OUI, 3);
	request.rmpp_version = arg[REG_RMPP_VERSION];
	memcpy(request.methods, arg + REG_METHOD_MASK, sizeof(request.methods));
	err = add_agent(file, id, &request);
	if (err)
		return err;
	user_header_set(arg, REG_ID, id);
	if (!file->already_used) {
		file->already_used = true;
		if (!file->use_pkey_index)
			TRACE(file->port, "file stays on headers without P_Key index");
	}
	return 0;
}

static int register_agent2(struct kmod_file *file, uint8_t *arg)
{
	struct agent_request request = { 0 };
	uint32_t qpn, flags, oui;
	unsigned int id;
	int err;

	if (file->dead)
		return -EPIPE;
	if (!arg)
		return -EFAULT;
	qpn = user_header_get(arg, REG2_QPN);
	if (qpn > 1)
		return -EINVAL;
	flags = user_header_get(arg, REG2_FLAGS);
	if (flags & ~(uint32_t)REG2_FLAGS_KNOWN) {
		/* Linux: returns the flags that it supports. */
		user_header_set(arg, REG2_FLAGS, REG2_FLAGS_KNOWN);
		return -EINVAL;
	}
	id = free_slot(file);
	if (id == FILE_AGENT_COUNT)
		return -ENOMEM;
	request.qpn = (uint8_t)qpn;
	request.mgmt_class = arg[REG2_CLASS];
	request.class_version = arg[REG2_CLASS_VERSION];
	oui = user_header_get(arg, REG2_OUI);
	if (request.mgmt_class && oui >> 24)
		return -EINVAL;
	put_be24(request.oui, oui);
	request.rmpp_version = arg[REG2_RMPP_VERSION];
	request.user_rmpp = flags & REG2_FLAG_USER_RMPP;
	memcpy(request.methods, arg + REG2_METHOD_MASK, sizeof(request.methods));
	err = add_agent(file, id, &request);
	if (err)
		return err;
	user_header_set(arg, REG2_ID, id);
	if (!file->already_used) {
		file->already_used = true;
		file->use_pkey_index = true;
	}
	return 0;
}

static int unregister_agent(struct kmod_file *file, const uint8_t *arg)
{
	struct agent *agent;
	uint32_t id;

	if (!arg)
		return -EFAULT;
	id = user_header_get(arg, 0);
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
	file->use_pkey_index = true;
	return 0;
}

int kmod_file_ioctl(struct kmod_file *file, unsigned long request, void *arg)
{
	switch (request) {
	case IOCTL_REGISTER_AGENT:
		return register_agent(file, arg);
	case IOCTL_REGISTER_AGENT2:
		return register_agent2(file, arg);
	case IOCTL_UNREGISTER_AGENT:
		return unregister_agent(file, arg);
	case IOCTL_ENABLE_PKEY:
		return enable_pkey(file);
	default:
		return -ENOTTY;
	}
}
