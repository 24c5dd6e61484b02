/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * file-ioctl.c: ioctl(2) of umad files (linux-mad A.3, A.4).
 */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "harness/filter/file-call.h"
#include "harness/filter/file-table.h"
#include "harness/filter/memory.h"
#include "lib/base/descriptor-ioctl.h"
#include "lib/registration-argument.h"
#include "lib/base/umad-command.h"

static void add_agent(struct umad_file *file, const struct umad_backend_reg *reg)
{
	uint32_t bit = UINT32_C(1) << reg->id % FILE_AGENTS;

	file->agents |= bit;
	file->rmpp_agents &= ~bit;
	if (registration_has_kernel_rmpp(reg))
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

	if (r == 0 && memory_write(tid, at + REGISTRATION_ID_AT, &reg->id, sizeof(reg->id)) < 0) {
		fabric->unregister_agent(file->handle, reg->id);
		return -EFAULT;
	}
	if (r == 0)
		add_agent(file, reg);
	/* Linux returns the flags that it knows. */
	if (r == -EINVAL && reg->request == UMAD_BACKEND_REGISTER_AGENT2 && reg->flags != wanted &&
	    memory_write(tid, at + REGISTRATION_FLAGS_AT, &reg->flags, sizeof(reg->flags)) < 0)
		return -EFAULT;
	return r == -EBADF ? -EPIPE : r;
}

static int on_register(struct supervisor *supervisor, const struct seccomp_notif *call,
		       struct umad_file *file, enum umad_backend_request request)
{
	union registration_argument asked;
	struct umad_backend_reg reg;
	uint64_t at = call->data.args[2];
	pid_t tid = (pid_t)call->pid;
	int r;

	if (file->is_dead)
		return -EPIPE;
	r = memory_read(tid, at, &asked, registration_argument_size(request));
	if (r < 0)
		return r;
	if (!listener_begin_once(supervisor->listener, call))
		return CALL_GOES_ON;
	reg = registration_argument_unpack(request, &asked);
	return register_agent(file, tid, at, &reg);
}

static int on_unregister(struct supervisor *supervisor, const struct seccomp_notif *call,
			 struct umad_file *file)
{
	uint32_t id;
	int r = memory_read((pid_t)call->pid, call->data.args[2], &id, sizeof(id));

	if (r < 0)
		return r;
	if (!listener_begin_once(supervisor->listener, call))
		return CALL_GOES_ON;
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

long file_on_ioctl(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	struct umad_file *file;

	file_table_settle(supervisor->files);
	file = file_of_call(supervisor, call);
	if (!file)
		return file_on_other(supervisor, call);
	switch ((uint32_t)call->data.args[1]) {
	case UMAD_COMMAND_REGISTER_AGENT:
		return on_register(supervisor, call, file, UMAD_BACKEND_REGISTER_AGENT);
	case UMAD_COMMAND_REGISTER_AGENT2:
		return on_register(supervisor, call, file, UMAD_BACKEND_REGISTER_AGENT2);
	case UMAD_COMMAND_UNREGISTER_AGENT:
		return on_unregister(supervisor, call, file);
	case UMAD_COMMAND_ENABLE_PKEY:
		return on_enable_pkey(file);
	}
	return descriptor_ioctl_is((uint32_t)call->data.args[1]) ? CALL_GOES_ON : -ENOTTY;
}
