/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a verbs device (/dev/infiniband/uverbsN), and netlink, say of an adapter and its ports.
 *
 * A fabric server writes it beside the files of /sys that it shows (sim/server/sysfs-verbs.h), as
 * lines "name=0x1f" of VERBS_VALUES/DEVICE/device and VERBS_VALUES/DEVICE/PORT, which no program
 * sees; whoever answers the device's commands reads it there (harness/filter/verbs-values-read.h).
 * A name that a server does not know yet is 0.
 */
#ifndef UMADRIG_LIB_BASE_VERBS_VALUES_H
#define UMADRIG_LIB_BASE_VERBS_VALUES_H

#include <stdint.h>

/* Beside "class" and "devices", in what stands for /sys. */
#define VERBS_VALUES "verbs"
#define VERBS_VALUES_DEVICE "device"

/* Linux: the class, and the minor number of uverbs0. */
#define VERBS_CLASS "class/infiniband_verbs"
enum { UVERBS_MINOR = 192, UVERBS_MAX = 32 };

/* Linux: misc devices, and the one that their list of devices has for this. */
enum { RDMA_CM_MAJOR = 10, RDMA_CM_MINOR = 58 };

/*
 * mtu_max to vl_max, widths and speeds: the codes that <infiniband/verbs.h> and PortInfo have.
 * gid_changes, pkey_changes, reregistrations: how often that has happened.
 */
#define VERBS_PORT_VALUES(VALUE) \
	VALUE(state) VALUE(phys_state) VALUE(cap_mask) VALUE(cap_mask2) VALUE(is_ethernet) \
	VALUE(lid) VALUE(lmc) VALUE(sm_lid) VALUE(sm_sl) VALUE(subnet_timeout) \
	VALUE(mtu_max) VALUE(mtu_active) VALUE(vl_max) VALUE(width) VALUE(speed) \
	VALUE(gid_prefix) VALUE(gid_count) VALUE(pkey_count) \
	VALUE(pkey_violations) VALUE(qkey_violations) \
	VALUE(gid_changes) VALUE(pkey_changes) VALUE(reregistrations)

/*
 * index: among the host's devices, for netlink; node_type: as sysfs numbers them; fw_ver: as mlx5
 * has it, major << 32 | minor << 16 | subminor; uverbs: N + 1 of its uverbsN, 0: it has none.
 */
#define VERBS_DEVICE_VALUES(VALUE) \
	VALUE(index) VALUE(node_type) VALUE(uverbs) \
	VALUE(node_guid) VALUE(sys_image_guid) VALUE(fw_ver) \
	VALUE(vendor_id) VALUE(vendor_part_id) VALUE(hw_ver) VALUE(port_count)

#define VERBS_MEMBER(name) uint64_t name;
/* In host byte order. */
struct verbs_port {
	VERBS_PORT_VALUES(VERBS_MEMBER)
};

struct verbs_device {
	VERBS_DEVICE_VALUES(VERBS_MEMBER)
};
#undef VERBS_MEMBER

#endif
