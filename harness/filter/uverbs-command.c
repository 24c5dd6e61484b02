/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/uverbs-command.h"

#include <errno.h>
#include <glib.h>
#include <rdma/ib_user_verbs.h>
#include <stddef.h>

#include "harness/filter/uverbs-context.h"
#include "harness/filter/uverbs-query.h"

#define END_OF(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))
/* With its answer, without one, and one of both that the driver has a part of. */
#define ASKS(NAME, type, ...) \
	[IB_USER_VERBS_CMD_##NAME] = { \
		.name = #NAME, .in_size = sizeof(struct ib_uverbs_##type), \
		.out_size = sizeof(struct ib_uverbs_##type##_resp), __VA_ARGS__ }
#define TELLS(NAME, type, ...) \
	[IB_USER_VERBS_CMD_##NAME] = { \
		.name = #NAME, .in_size = sizeof(struct ib_uverbs_##type), __VA_ARGS__ }

static const struct uverbs_command_kind commands[] = {
	ASKS(GET_CONTEXT, get_context, .has_driver_part = true, .handle = uverbs_get_context),
	ASKS(QUERY_DEVICE, query_device, .handle = uverbs_query_device),
	ASKS(QUERY_PORT, query_port, .handle = uverbs_query_port),
	ASKS(ALLOC_PD, alloc_pd, .has_driver_part = true, .handle = uverbs_alloc_pd),
	TELLS(DEALLOC_PD, dealloc_pd, .handle = uverbs_dealloc_pd),
	ASKS(CREATE_AH, create_ah, .has_driver_part = true),
	TELLS(DESTROY_AH, destroy_ah),
	ASKS(REG_MR, reg_mr, .has_driver_part = true),
	ASKS(REREG_MR, rereg_mr, .has_driver_part = true),
	TELLS(DEREG_MR, dereg_mr),
	ASKS(ALLOC_MW, alloc_mw, .has_driver_part = true),
	TELLS(DEALLOC_MW, dealloc_mw),
	ASKS(CREATE_COMP_CHANNEL, create_comp_channel),
	ASKS(CREATE_CQ, create_cq, .has_driver_part = true),
	ASKS(RESIZE_CQ, resize_cq, .has_driver_part = true),
	ASKS(DESTROY_CQ, destroy_cq),
	TELLS(REQ_NOTIFY_CQ, req_notify_cq),
	ASKS(CREATE_QP, create_qp, .has_driver_part = true),
	ASKS(QUERY_QP, query_qp),
	TELLS(MODIFY_QP, modify_qp),
	ASKS(DESTROY_QP, destroy_qp),
	TELLS(ATTACH_MCAST, attach_mcast),
	TELLS(DETACH_MCAST, detach_mcast),
	ASKS(CREATE_SRQ, create_srq, .has_driver_part = true),
	TELLS(MODIFY_SRQ, modify_srq),
	ASKS(QUERY_SRQ, query_srq),
	ASKS(DESTROY_SRQ, destroy_srq),
	ASKS(OPEN_XRCD, open_xrcd, .has_driver_part = true),
	TELLS(CLOSE_XRCD, close_xrcd),
	[IB_USER_VERBS_CMD_CREATE_XSRQ] = {
		.name = "CREATE_XSRQ", .in_size = sizeof(struct ib_uverbs_create_xsrq),
		.out_size = sizeof(struct ib_uverbs_create_srq_resp), .has_driver_part = true,
	},
	[IB_USER_VERBS_CMD_OPEN_QP] = {
		.name = "OPEN_QP", .in_size = sizeof(struct ib_uverbs_open_qp),
		.out_size = sizeof(struct ib_uverbs_create_qp_resp), .has_driver_part = true,
	},
};

/* What they need at least of what grew is what there was first. */
static const struct uverbs_command_kind extended[] = {
	[IB_USER_VERBS_EX_CMD_QUERY_DEVICE] = {
		.name = "QUERY_DEVICE_EX",
		.in_size = END_OF(struct ib_uverbs_ex_query_device, reserved),
		.out_size = END_OF(struct ib_uverbs_ex_query_device_resp, response_length),
		.handle = uverbs_query_device_ex,
	},
	[IB_USER_VERBS_EX_CMD_CREATE_CQ] = { .name = "CREATE_CQ_EX" },
	[IB_USER_VERBS_EX_CMD_CREATE_QP] = { .name = "CREATE_QP_EX" },
	[IB_USER_VERBS_EX_CMD_MODIFY_QP] = { .name = "MODIFY_QP_EX" },
	[IB_USER_VERBS_EX_CMD_CREATE_FLOW] = { .name = "CREATE_FLOW" },
	[IB_USER_VERBS_EX_CMD_DESTROY_FLOW] = { .name = "DESTROY_FLOW" },
	[IB_USER_VERBS_EX_CMD_CREATE_WQ] = { .name = "CREATE_WQ" },
	[IB_USER_VERBS_EX_CMD_MODIFY_WQ] = { .name = "MODIFY_WQ" },
	[IB_USER_VERBS_EX_CMD_DESTROY_WQ] = { .name = "DESTROY_WQ" },
	[IB_USER_VERBS_EX_CMD_CREATE_RWQ_IND_TBL] = { .name = "CREATE_RWQ_IND_TBL" },
	[IB_USER_VERBS_EX_CMD_DESTROY_RWQ_IND_TBL] = { .name = "DESTROY_RWQ_IND_TBL" },
	[IB_USER_VERBS_EX_CMD_MODIFY_CQ] = { .name = "MODIFY_CQ" },
};

const struct uverbs_command_kind *uverbs_command_find(uint32_t number, int *ret_err)
{
	const struct uverbs_command_kind *kinds = commands;
	uint32_t at = number & IB_USER_VERBS_CMD_COMMAND_MASK;
	size_t count = G_N_ELEMENTS(commands);

	*ret_err = -EINVAL;
	if (number & ~(IB_USER_VERBS_CMD_FLAG_EXTENDED | (uint32_t)IB_USER_VERBS_CMD_COMMAND_MASK))
		return NULL;
	*ret_err = -EOPNOTSUPP;
	if (number & IB_USER_VERBS_CMD_FLAG_EXTENDED) {
		kinds = extended;
		count = G_N_ELEMENTS(extended);
	}
	return at < count && kinds[at].name ? &kinds[at] : NULL;
}

long uverbs_command_do(const struct uverbs_command *command,
		       const struct uverbs_command_kind *kind)
{
	int shown;

	if (kind->handle)
		return kind->handle(command);
	shown = uverbs_values_of(command->file);
	if (shown < 0)
		return shown;
	uverbs_file_refuse(command->file, (pid_t)command->call->pid, kind->name);
	return -EOPNOTSUPP;
}
