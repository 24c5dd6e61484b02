/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * file-ioctl.c: ioctl(2) of umad files (linux-mad A.3, A.4).
 */
#include "config.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>

#include "harness/filter/file-call.h"
#include "harness/filter/file-table.h"
#include "harness/filter/memory.h"
#include "lib/base/umad-command.h"
#include "lib/base/wire.h"

/* ---- what was asked for ---- */

static void unpack(const struct ib_user_mad_reg_req *req, struct umad_backend_reg *ret)
{
	memcpy(ret->method_mask, req->method_mask, sizeof(ret->method_mask));
	ret->qpn = req->qpn;
	ret->mgmt_class = req->mgmt_class;
	ret->mgmt_class_version = req->mgmt_class_version;
	ret->oui = get_be24(req->oui);
	ret->rmpp_version = req->rmpp_version;
}

static void unpack2(const struct ib_user_mad_reg_req2 *req, struct umad_backend_reg *ret)
{
	memcpy(ret->method_mask, req->method_mask, sizeof(ret->method_mask));
	ret->qpn = req->qpn;
	ret->mgmt_class = req->mgmt_class;
	ret->mgmt_class_version = req->mgmt_class_version;
	ret->flags = req->flags;
	ret->oui = req->oui;
	ret->rmpp_version = req->rmpp_version;
}

/* ---- the requests ---- */

/* Where the kernel writes. */
enum {
	ID_AT = offsetof(struct ib_user_mad_reg_req, id),	/* of either struct */
	FLAGS_AT = offsetof(struct ib_user_mad_reg_req2, flags),
};

static void add_agent(struct umad_file *file, const struct umad_backend_reg *reg)
{
	uint32_t bit = UINT32_C(1) << reg->id % FILE_AGENTS;

	file->agents |= bit;
	file->rmpp_agents &= ~bit;
	if (reg->rmpp_version && !(reg->request == UMAD_BACKEND_REGISTER_AGENT2 &&
				   reg->flags & IB_USER_MAD_USER_RMPP))
		file->rmpp_agents |= bit;
	if (!file->is_used && reg->request == UMAD_BACKEND_REGISTER_AGENT2)
		file->has_pkey = true;
	file->is_used = true;
}

static int register_agent(struct umad_file *file, pid_t tid, uint64_t at,
			  struct umad_backend_reg *reg)
{
	const struct umad_backend *fabric = file->keeper->fabric;
	uint32_t wanted = reg->flags;
	int r = fabric->register_agent(file->handle, reg);

	if (r == 0 && memory_write(tid, at + ID_AT, &reg->id, sizeof(reg->id)) < 0) {
		fabric->unregister_agent(file->handle, reg->id);
		return -EFAULT;
	}
	if (r == 0)
		add_agent(file, reg);
	/* Linux returns the flags that it knows. */
	if (r == -EINVAL && reg->request == UMAD_BACKEND_REGISTER_AGENT2 && reg->flags != wanted &&
	    memory_write(tid, at + FLAGS_AT, &reg->flags, sizeof(reg->flags)) < 0)
		return -EFAULT;
	return r == -EBADF ? -EPIPE : r;
}

static int on_register(struct supervisor *supervisor, const struct seccomp_notif *call,
		       struct umad_file *file, enum umad_backend_request request)
{
	struct umad_backend_reg reg = { .request = request };
	struct ib_user_mad_reg_req req;
	struct ib_user_mad_reg_req2 req2;
	uint64_t at = call->data.args[2];
	pid_t tid = (pid_t)call->pid;
	int r;

	if (file->is_dead)
		return -EPIPE;
	r = request == UMAD_BACKEND_REGISTER_AGENT ? memory_read(tid, at, &req, sizeof(req)) :
						     memory_read(tid, at, &req2, sizeof(req2));
	if (r < 0)
		return r;
	if (!listener_is_waiting(supervisor->listener, call))
		return FILE_CALL_GOES_ON;
	if (request == UMAD_BACKEND_REGISTER_AGENT)
		unpack(&req, &reg);
	else
		unpack2(&req2, &reg);
	return register_agent(file, tid, at, &reg);
}

static int on_unregister(struct supervisor *supervisor, const struct seccomp_notif *call,
			 struct umad_file *file)
{
	uint32_t id;
	int r = memory_read((pid_t)call->pid, call->data.args[2], &id, sizeof(id));

	if (r < 0)
		return r;
	if (!listener_is_waiting(supervisor->listener, call))
		return FILE_CALL_GOES_ON;
	if (file->is_dead || id >= FILE_AGENTS)
		return -EINVAL;
	r = file->keeper->fabric->unregister_agent(file->handle, id);
	if (r == 0)
		file->agents &= ~(UINT32_C(1) << id);
	return r == -EBADF ? -EINVAL : r;
}

static int on_enable_pkey(struct umad_file *file)
{
	if (file->is_used)
		return -EINVAL;
	file->has_pkey = true;
	return 0;
}

void file_on_ioctl(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	struct umad_file *file = file_of_call(supervisor, call);
	int r;

	if (!file)
		return;
	switch ((uint32_t)call->data.args[1]) {
	case UMAD_COMMAND_REGISTER_AGENT:
		r = on_register(supervisor, call, file, UMAD_BACKEND_REGISTER_AGENT);
		break;
	case UMAD_COMMAND_REGISTER_AGENT2:
		r = on_register(supervisor, call, file, UMAD_BACKEND_REGISTER_AGENT2);
		break;
	case UMAD_COMMAND_UNREGISTER_AGENT:
		r = on_unregister(supervisor, call, file);
		break;
	case UMAD_COMMAND_ENABLE_PKEY:
		r = on_enable_pkey(file);
		break;
	case FIOCLEX:		/* of any descriptor */
	case FIONCLEX:
	case FIONBIO:
		listener_continue(supervisor->listener, call);
		return;
	default:
		r = -ENOTTY;
	}
	file_call_end(supervisor, call, r);
}
