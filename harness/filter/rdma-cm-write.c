/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/rdma-cm-write.h"

#include <errno.h>
#include <glib.h>
#include <rdma/rdma_user_cm.h>

#include "harness/filter/memory.h"

/* By number; NULL: Linux has given it up. */
static const char *const commands[] = {
#define COMMAND(name) [RDMA_USER_CM_CMD_##name] = #name
	COMMAND(CREATE_ID), COMMAND(DESTROY_ID), COMMAND(BIND_IP), COMMAND(RESOLVE_IP),
	COMMAND(RESOLVE_ROUTE), COMMAND(QUERY_ROUTE), COMMAND(CONNECT), COMMAND(LISTEN),
	COMMAND(ACCEPT), COMMAND(REJECT), COMMAND(DISCONNECT), COMMAND(INIT_QP_ATTR),
	COMMAND(GET_EVENT), COMMAND(SET_OPTION), COMMAND(NOTIFY), COMMAND(JOIN_IP_MCAST),
	COMMAND(LEAVE_MCAST), COMMAND(MIGRATE_ID), COMMAND(QUERY), COMMAND(BIND),
	COMMAND(RESOLVE_ADDR), COMMAND(JOIN_MCAST),
#undef COMMAND
};

long rdma_cm_write(struct uverbs_file *file, const struct seccomp_notif *call, uint64_t at,
		   uint64_t size)
{
	struct rdma_ucm_cmd_hdr header;
	int r;

	if (size < sizeof(header))
		return -EINVAL;
	r = memory_read((pid_t)call->pid, at, &header, sizeof(header));
	if (r < 0)
		return r;
	if (header.cmd >= G_N_ELEMENTS(commands) || header.in + sizeof(header) > size)
		return -EINVAL;
	if (!commands[header.cmd])
		return -ENOSYS;
	uverbs_file_refuse(file, (pid_t)call->pid, commands[header.cmd]);
	return -EOPNOTSUPP;
}
