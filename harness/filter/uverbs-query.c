/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/uverbs-query.h"

#include <endian.h>
#include <errno.h>
#include <glib.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <string.h>

#include "harness/filter/verbs-values-read.h"

enum {
	LINK_INFINIBAND = 1, LINK_ETHERNET = 2,
	SPEED_MAX = 128,	/* NDR: what is faster has no number in a byte */
	MESSAGE_MAX = 1 << 30,
};

/* ---- devices ---- */

/*
 * The limits are those that ConnectX-6 shows, for programs that look whether they have enough; none
 * of what they limit can be made.
 */
static int describe_device(const struct uverbs_file *file, struct ib_uverbs_query_device_resp *ret)
{
	int shown = uverbs_values_of(file);
	struct verbs_device device;
	int r = shown < 0 ? shown : verbs_values_read_device(shown, file->device, &device);

	if (r < 0)
		return r;
	*ret = (struct ib_uverbs_query_device_resp){
		.fw_ver = device.fw_ver,
		.node_guid = htobe64(device.node_guid),
		.sys_image_guid = htobe64(device.sys_image_guid),
		.max_mr_size = UINT64_MAX, .page_size_cap = ~UINT64_C(0xfff),
		.vendor_id = (uint32_t)device.vendor_id,
		.vendor_part_id = (uint32_t)device.vendor_part_id,
		.hw_ver = (uint32_t)device.hw_ver,
		.max_qp = 1 << 18, .max_qp_wr = 1 << 15, .max_sge = 30, .max_sge_rd = 30,
		.max_cq = 1 << 24, .max_cqe = (1 << 22) - 1, .max_mr = 1 << 24, .max_pd = 1 << 23,
		.max_qp_rd_atom = 16, .max_res_rd_atom = 1 << 22, .max_qp_init_rd_atom = 16,
		.atomic_cap = 1, .max_mw = 1 << 24,
		.max_mcast_grp = 1 << 21, .max_mcast_qp_attach = 240,
		.max_total_mcast_qp_attach = 240 << 21, .max_ah = INT32_MAX,
		.max_srq = 1 << 23, .max_srq_wr = (1 << 15) - 1, .max_srq_sge = 31,
		.max_pkeys = 128, .local_ca_ack_delay = 16,
		.phys_port_cnt = (uint8_t)MIN(device.port_count, UINT8_MAX),
	};
	return 0;
}

long uverbs_query_device(const struct uverbs_command *command)
{
	struct ib_uverbs_query_device asked;
	struct ib_uverbs_query_device_resp told;
	int r = uverbs_take(command, &asked, sizeof(asked));

	if (r == 0)
		r = describe_device(command->file, &told);
	return r < 0 ? r : uverbs_give(command, &told, sizeof(told));
}

/* mlx5's part: nothing but how long it is. */
static int give_driver_device(const struct uverbs_command *command)
{
	const struct {
		uint32_t comp_mask, response_length;
	} told = { 0, sizeof(told) };
	struct uverbs_part room = command->driver_out;

	if (room.size == 0)
		return 0;
	if (room.size < sizeof(told))
		return -EINVAL;
	room.size = sizeof(told);
	return uverbs_give_to(command, &room, &told, sizeof(told));
}

long uverbs_query_device_ex(const struct uverbs_command *command)
{
	struct ib_uverbs_ex_query_device asked;
	struct ib_uverbs_ex_query_device_resp told;
	int r = uverbs_take(command, &asked, sizeof(asked));

	if (r == 0 && (asked.comp_mask || asked.reserved))
		r = -EINVAL;
	memset(&told, 0, sizeof(told));
	if (r == 0)
		r = describe_device(command->file, &told.base);
	if (r == 0)
		r = give_driver_device(command);
	if (r < 0)
		return r;
	told.response_length = (uint32_t)MIN(command->out.size, sizeof(told));
	return uverbs_give(command, &told, sizeof(told));
}

/* ---- ports ---- */

int uverbs_describe_port(const struct uverbs_file *file, unsigned int portnum,
			 struct verbs_port *ret_port, struct ib_uverbs_query_port_resp *ret)
{
	int shown = uverbs_values_of(file);
	struct verbs_port port;
	int r = shown < 0 ? shown : -EINVAL;

	if (shown >= 0 && portnum > 0)
		r = verbs_values_read_port(shown, file->device, portnum, &port);
	if (r < 0)
		return r;
	*ret = (struct ib_uverbs_query_port_resp){
		.port_cap_flags = (uint32_t)port.cap_mask,
		.max_msg_sz = MESSAGE_MAX,
		.bad_pkey_cntr = (uint32_t)port.pkey_violations,
		.qkey_viol_cntr = (uint32_t)port.qkey_violations,
		.gid_tbl_len = (uint32_t)port.gid_count,
		.pkey_tbl_len = (uint16_t)port.pkey_count,
		.lid = (uint16_t)port.lid, .sm_lid = (uint16_t)port.sm_lid,
		.state = (uint8_t)port.state,
		.max_mtu = (uint8_t)port.mtu_max, .active_mtu = (uint8_t)port.mtu_active,
		.lmc = (uint8_t)port.lmc, .max_vl_num = (uint8_t)port.vl_max,
		.sm_sl = (uint8_t)port.sm_sl, .subnet_timeout = (uint8_t)port.subnet_timeout,
		.active_width = (uint8_t)port.width,
		.active_speed = (uint8_t)MIN(port.speed, SPEED_MAX),
		.phys_state = (uint8_t)port.phys_state,
		.link_layer = port.is_ethernet ? LINK_ETHERNET : LINK_INFINIBAND,
		.flags = port.is_ethernet ? IB_UVERBS_QPF_GRH_REQUIRED : 0,
	};
	*ret_port = port;
	return 0;
}

long uverbs_query_port(const struct uverbs_command *command)
{
	struct ib_uverbs_query_port asked;
	struct ib_uverbs_query_port_resp told;
	struct verbs_port port;
	int r = uverbs_take(command, &asked, sizeof(asked));

	if (r == 0)
		r = uverbs_describe_port(command->file, asked.port_num, &port, &told);
	return r < 0 ? r : uverbs_give(command, &told, sizeof(told));
}
