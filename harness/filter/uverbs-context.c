/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/uverbs-context.h"

#include <errno.h>
#include <glib.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <string.h>
#include <unistd.h>

#include "harness/filter/memory.h"
#include "harness/filter/numbers.h"
#include "harness/filter/verbs-values-read.h"

enum { COMPLETION_VECTORS = 1 };

/* ---- mlx5 ---- */

static int check_driver_context(const struct uverbs_command *command)
{
	const struct uverbs_part *in = &command->driver_in;
	struct mlx5_ib_alloc_ucontext_req_v2 asked = { .comp_mask = 0 };
	size_t least = offsetof(struct mlx5_ib_alloc_ucontext_req_v2, max_cqe_version);
	int r;

	if (in->size != sizeof(struct mlx5_ib_alloc_ucontext_req) && in->size < least)
		return -EINVAL;
	r = memory_read((pid_t)command->call->pid, in->at, &asked, MIN(in->size, sizeof(asked)));
	if (r < 0)
		return r;
	if (asked.flags & ~(uint32_t)MLX5_IB_ALLOC_UCTX_DEVX)
		return -EOPNOTSUPP;
	if (asked.comp_mask || asked.reserved0 || asked.reserved1 || asked.reserved2)
		return -EOPNOTSUPP;
	if (asked.total_num_bfregs == 0 ||
	    asked.num_low_latency_bfregs > asked.total_num_bfregs - 1)
		return -EINVAL;
	if (asked.flags & MLX5_IB_ALLOC_UCTX_DEVX)
		return -EINVAL;
	/* What would have to be mapped. */
	return asked.lib_caps & MLX5_LIB_CAP_DYN_UAR ? 0 : -EOPNOTSUPP;
}

/* The sizes are those of any adapter of the last ten years. */
int uverbs_give_driver_context(const struct uverbs_command *command)
{
	struct mlx5_ib_alloc_ucontext_resp told = {
		.qp_tab_size = 1 << 18,
		.bf_reg_size = 512,
		.cache_line_size = 64,
		.max_sq_desc_sz = 1024, .max_rq_desc_sz = 512,
		.max_send_wqebb = 1 << 15, .max_recv_wr = 1 << 15, .max_srq_recv_wr = 1 << 15,
		.cqe_version = 1,
		.cmds_supp_uhw = MLX5_USER_CMDS_SUPP_UHW_QUERY_DEVICE |
				 MLX5_USER_CMDS_SUPP_UHW_CREATE_AH,
		.log_uar_size = 12, .num_uars_per_page = 1,
	};
	struct uverbs_part room = command->driver_out;
	struct verbs_device device;
	int shown = uverbs_values_of(command->file);

	if (shown >= 0 && verbs_values_read_device(shown, command->file->device, &device) == 0)
		told.num_ports = (uint16_t)device.port_count;
	room.size = MIN(room.size, sizeof(told));
	told.response_length = (uint32_t)room.size;
	return uverbs_give_to(command, &room, &told, sizeof(told));
}

/* ---- the core ---- */

/* 'number' in the program becomes 'end'. */
static long place(const struct uverbs_command *command, int end, int number)
{
	struct listener *listener = command->file->common.files->supervisor->listener;
	int r = listener_place(listener, command->call, end, number, true);

	if (r == -ENOENT)
		return CALL_GOES_ON;
	return r == -EBADF ? -EMFILE : MIN(r, 0);
}

long uverbs_place_events(const struct uverbs_command *command, uint64_t at)
{
	struct supervisor *supervisor = command->file->common.files->supervisor;
	pid_t tid = (pid_t)command->call->pid;
	int number = number_free(supervisor, tid), end;
	struct uverbs_file *events;
	long r;

	if (number < 0)
		return -EMFILE;
	if (!listener_is_waiting(supervisor->listener, command->call))
		return CALL_GOES_ON;
	events = uverbs_file_new_events(command->file, &end);
	if (!events)
		return -errno;
	/* While memory is written the device may go. */
	view_file_hold(&events->common);
	r = memory_write(tid, at, &number, sizeof(number));
	if (r == 0)
		r = place(command, end, number);
	close(end);
	if (r != 0)
		view_file_drop(&events->common);
	view_file_release(&events->common);
	return r;
}

int uverbs_begin_context(const struct uverbs_command *command)
{
	if (command->file->is_dead)
		return -EIO;
	return command->file->has_context ? -EINVAL : check_driver_context(command);
}

int uverbs_end_context(const struct uverbs_command *command)
{
	int r;

	/* While memory was read another thread may have made one. */
	if (command->file->has_context)
		return -EINVAL;
	command->file->has_context = true;
	r = uverbs_give_driver_context(command);
	if (r < 0)
		command->file->has_context = false;
	return r;
}

long uverbs_get_context(const struct uverbs_command *command)
{
	const struct ib_uverbs_get_context_resp told = { .num_comp_vectors = COMPLETION_VECTORS };
	long r = uverbs_begin_context(command);

	if (r == 0)
		r = uverbs_give(command, &told, sizeof(told));
	if (r == 0)
		r = uverbs_end_context(command);
	if (r < 0)
		return r;
	r = uverbs_place_events(command, command->out.at +
				offsetof(struct ib_uverbs_get_context_resp, async_fd));
	if (r != 0)
		command->file->has_context = false;
	return r;
}

/* ---- protection domains ---- */

static int free_domain(const struct uverbs_file *file)
{
	for (int i = 0; i < UVERBS_DOMAINS; i++)
		if (!(file->domains & UINT64_C(1) << i))
			return i;
	return -ENOMEM;
}

long uverbs_alloc_pd(const struct uverbs_command *command)
{
	struct uverbs_file *file = command->file;
	int shown = uverbs_values_of(file), domain = free_domain(file);
	const struct ib_uverbs_alloc_pd_resp told = { .pd_handle = (uint32_t)domain };
	const struct mlx5_ib_alloc_pd_resp driver_told = { .pdn = (uint32_t)domain };
	struct uverbs_part room = command->driver_out;
	int r;

	if (shown < 0)
		return shown;
	if (domain < 0)
		return domain;
	if (room.size < sizeof(driver_told))
		return -EINVAL;
	room.size = sizeof(driver_told);
	/* It is taken before memory is written, for then another thread may have its turn. */
	file->domains |= UINT64_C(1) << domain;
	r = uverbs_give(command, &told, sizeof(told));
	if (r == 0)
		r = uverbs_give_to(command, &room, &driver_told, sizeof(driver_told));
	if (r < 0)
		file->domains &= ~(UINT64_C(1) << domain);
	return r;
}

long uverbs_dealloc_pd(const struct uverbs_command *command)
{
	struct uverbs_file *file = command->file;
	struct ib_uverbs_dealloc_pd asked;
	int r = uverbs_take(command, &asked, sizeof(asked));

	if (r < 0)
		return r;
	if (asked.pd_handle >= UVERBS_DOMAINS ||
	    !(file->domains & UINT64_C(1) << asked.pd_handle))
		return -ENOENT;
	file->domains &= ~(UINT64_C(1) << asked.pd_handle);
	return 0;
}
