/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * tests/lib/umad-layout.c: the binary interface of the public headers, as compiled into programs.
 *
 * Sizes and offsets were measured on x86-64 with the usual library's headers. If a struct, constant
 * or ioctl number changes, this file does not compile; the inline functions are run.
 */
#include <glib.h>
#include <stddef.h>
#include <sys/ioctl.h>

#include <infiniband/umad.h>
#include <infiniband/umad_cm.h>
#include <infiniband/umad_sa.h>
#include <infiniband/umad_sa_mcm.h>
#include <infiniband/umad_sm.h>
#include <infiniband/umad_str.h>
#include <infiniband/umad_types.h>

#include "lib/base/umad-command.h"
#include "lib/base/user-header.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define TYPE(type, size, align) \
	_Static_assert(sizeof(type) == (size) && _Alignof(type) == (align), "layout of " #type)
#define MEMBER(type, member, offset, size) \
	_Static_assert(offsetof(type, member) == (offset) && \
		       sizeof(((type *)NULL)->member) == (size), #type "." #member)
#define VALUE(name, value) _Static_assert((name) == (value), #name)

TYPE(struct ib_user_mad, 64, 4);
MEMBER(struct ib_user_mad, agent_id, 0, 4);
MEMBER(struct ib_user_mad, status, 4, 4);
MEMBER(struct ib_user_mad, timeout_ms, 8, 4);
MEMBER(struct ib_user_mad, retries, 12, 4);
MEMBER(struct ib_user_mad, length, 16, 4);
MEMBER(struct ib_user_mad, addr, 20, 44);
MEMBER(struct ib_user_mad, addr.qpn, 20, 4);
MEMBER(struct ib_user_mad, addr.qkey, 24, 4);
MEMBER(struct ib_user_mad, addr.lid, 28, 2);
MEMBER(struct ib_user_mad, addr.sl, 30, 1);
MEMBER(struct ib_user_mad, addr.path_bits, 31, 1);
MEMBER(struct ib_user_mad, addr.grh_present, 32, 1);
MEMBER(struct ib_user_mad, addr.gid_index, 33, 1);
MEMBER(struct ib_user_mad, addr.hop_limit, 34, 1);
MEMBER(struct ib_user_mad, addr.traffic_class, 35, 1);
MEMBER(struct ib_user_mad, addr.gid, 36, 16);
MEMBER(struct ib_user_mad, addr.ib_gid, 36, 16);
MEMBER(struct ib_user_mad, addr.flow_label, 52, 4);
MEMBER(struct ib_user_mad, addr.pkey_index, 56, 2);
MEMBER(struct ib_user_mad, addr.reserved, 58, 6);
_Static_assert(offsetof(struct ib_user_mad, data) == 64, "struct ib_user_mad.data");

/* The same in lib/base/user-header.h. */
VALUE(USER_HEADER_SIZE_OLD, 56);
VALUE(USER_HEADER_SIZE, 64);
VALUE(USER_ID, 0);
VALUE(USER_STATUS, 4);
VALUE(USER_TIMEOUT_MS, 8);
VALUE(USER_RETRIES, 12);
VALUE(USER_LENGTH, 16);
VALUE(USER_QPN_BE, 20);
VALUE(USER_QKEY_BE, 24);
VALUE(USER_LID_BE, 28);
VALUE(USER_SL, 30);
VALUE(USER_PATH_BITS, 31);
VALUE(USER_GRH_PRESENT, 32);
VALUE(USER_GID_INDEX, 33);
VALUE(USER_HOP_LIMIT, 34);
VALUE(USER_TRAFFIC_CLASS, 35);
VALUE(USER_GID, 36);
VALUE(USER_FLOW_LABEL_BE, 52);
VALUE(USER_PKEY_INDEX, 56);

TYPE(struct ib_mad_addr, 44, 4);
MEMBER(struct ib_mad_addr, qpn, 0, 4);
MEMBER(struct ib_mad_addr, qkey, 4, 4);
MEMBER(struct ib_mad_addr, lid, 8, 2);
MEMBER(struct ib_mad_addr, sl, 10, 1);
MEMBER(struct ib_mad_addr, path_bits, 11, 1);
MEMBER(struct ib_mad_addr, grh_present, 12, 1);
MEMBER(struct ib_mad_addr, gid_index, 13, 1);
MEMBER(struct ib_mad_addr, hop_limit, 14, 1);
MEMBER(struct ib_mad_addr, traffic_class, 15, 1);
MEMBER(struct ib_mad_addr, gid, 16, 16);
MEMBER(struct ib_mad_addr, ib_gid, 16, 16);
MEMBER(struct ib_mad_addr, flow_label, 32, 4);
MEMBER(struct ib_mad_addr, pkey_index, 36, 2);
MEMBER(struct ib_mad_addr, reserved, 38, 6);

TYPE(union umad_gid, 16, 4);
MEMBER(union umad_gid, raw, 0, 16);
MEMBER(union umad_gid, raw_be16, 0, 16);
MEMBER(union umad_gid, global, 0, 16);
MEMBER(union umad_gid, global.subnet_prefix, 0, 8);
MEMBER(union umad_gid, global.interface_id, 8, 8);

TYPE(struct umad_port, 112, 8);
MEMBER(struct umad_port, ca_name, 0, 20);
MEMBER(struct umad_port, portnum, 20, 4);
MEMBER(struct umad_port, base_lid, 24, 4);
MEMBER(struct umad_port, lmc, 28, 4);
MEMBER(struct umad_port, sm_lid, 32, 4);
MEMBER(struct umad_port, sm_sl, 36, 4);
MEMBER(struct umad_port, state, 40, 4);
MEMBER(struct umad_port, phys_state, 44, 4);
MEMBER(struct umad_port, rate, 48, 4);
MEMBER(struct umad_port, capmask, 52, 4);
MEMBER(struct umad_port, gid_prefix, 56, 8);
MEMBER(struct umad_port, port_guid, 64, 8);
MEMBER(struct umad_port, pkeys_size, 72, 4);
MEMBER(struct umad_port, pkeys, 80, 8);
MEMBER(struct umad_port, link_layer, 88, 20);

TYPE(struct umad_ca, 208, 8);
MEMBER(struct umad_ca, ca_name, 0, 20);
MEMBER(struct umad_ca, node_type, 20, 4);
MEMBER(struct umad_ca, numports, 24, 4);
MEMBER(struct umad_ca, fw_ver, 28, 20);
MEMBER(struct umad_ca, ca_type, 48, 40);
MEMBER(struct umad_ca, hw_ver, 88, 20);
MEMBER(struct umad_ca, node_guid, 112, 8);
MEMBER(struct umad_ca, system_guid, 120, 8);
MEMBER(struct umad_ca, ports, 128, 80);

TYPE(struct umad_ca_pair, 48, 4);
MEMBER(struct umad_ca_pair, smi_name, 0, 20);
MEMBER(struct umad_ca_pair, smi_preferred_port, 20, 4);
MEMBER(struct umad_ca_pair, gsi_name, 24, 20);
MEMBER(struct umad_ca_pair, gsi_preferred_port, 44, 4);

TYPE(struct umad_device_node, 16, 8);
MEMBER(struct umad_device_node, next, 0, 8);
MEMBER(struct umad_device_node, ca_name, 8, 8);

TYPE(struct umad_reg_attr, 32, 8);
MEMBER(struct umad_reg_attr, mgmt_class, 0, 1);
MEMBER(struct umad_reg_attr, mgmt_class_version, 1, 1);
MEMBER(struct umad_reg_attr, flags, 4, 4);
MEMBER(struct umad_reg_attr, method_mask, 8, 16);
MEMBER(struct umad_reg_attr, oui, 24, 4);
MEMBER(struct umad_reg_attr, rmpp_version, 28, 1);

TYPE(struct umad_hdr, 24, 8);
MEMBER(struct umad_hdr, base_version, 0, 1);
MEMBER(struct umad_hdr, mgmt_class, 1, 1);
MEMBER(struct umad_hdr, class_version, 2, 1);
MEMBER(struct umad_hdr, method, 3, 1);
MEMBER(struct umad_hdr, status, 4, 2);
MEMBER(struct umad_hdr, class_specific, 6, 2);
MEMBER(struct umad_hdr, tid, 8, 8);
MEMBER(struct umad_hdr, attr_id, 16, 2);
MEMBER(struct umad_hdr, resv, 18, 2);
MEMBER(struct umad_hdr, attr_mod, 20, 4);

TYPE(struct umad_rmpp_hdr, 12, 4);
MEMBER(struct umad_rmpp_hdr, rmpp_version, 0, 1);
MEMBER(struct umad_rmpp_hdr, rmpp_type, 1, 1);
MEMBER(struct umad_rmpp_hdr, rmpp_rtime_flags, 2, 1);
MEMBER(struct umad_rmpp_hdr, rmpp_status, 3, 1);
MEMBER(struct umad_rmpp_hdr, seg_num, 4, 4);
MEMBER(struct umad_rmpp_hdr, paylen_newwin, 8, 4);

TYPE(struct umad_packet, 256, 8);
MEMBER(struct umad_packet, mad_hdr, 0, 24);
MEMBER(struct umad_packet, data, 24, 232);

TYPE(struct umad_rmpp_packet, 256, 8);
MEMBER(struct umad_rmpp_packet, mad_hdr, 0, 24);
MEMBER(struct umad_rmpp_packet, rmpp_hdr, 24, 12);
MEMBER(struct umad_rmpp_packet, data, 36, 220);

TYPE(struct umad_dm_packet, 256, 8);
MEMBER(struct umad_dm_packet, mad_hdr, 0, 24);
MEMBER(struct umad_dm_packet, reserved, 24, 40);
MEMBER(struct umad_dm_packet, data, 64, 192);

TYPE(struct umad_vendor_packet, 256, 8);
MEMBER(struct umad_vendor_packet, mad_hdr, 0, 24);
MEMBER(struct umad_vendor_packet, rmpp_hdr, 24, 12);
MEMBER(struct umad_vendor_packet, reserved, 36, 1);
MEMBER(struct umad_vendor_packet, oui, 37, 3);
MEMBER(struct umad_vendor_packet, data, 40, 216);

TYPE(struct umad_class_port_info, 72, 4);
MEMBER(struct umad_class_port_info, base_ver, 0, 1);
MEMBER(struct umad_class_port_info, class_ver, 1, 1);
MEMBER(struct umad_class_port_info, cap_mask, 2, 2);
MEMBER(struct umad_class_port_info, cap_mask2_resp_time, 4, 4);
MEMBER(struct umad_class_port_info, redir_gid, 8, 16);
MEMBER(struct umad_class_port_info, redirgid, 8, 16);
MEMBER(struct umad_class_port_info, redir_tc_sl_fl, 24, 4);
MEMBER(struct umad_class_port_info, redir_lid, 28, 2);
MEMBER(struct umad_class_port_info, redir_pkey, 30, 2);
MEMBER(struct umad_class_port_info, redir_qp, 32, 4);
MEMBER(struct umad_class_port_info, redir_qkey, 36, 4);
MEMBER(struct umad_class_port_info, trap_gid, 40, 16);
MEMBER(struct umad_class_port_info, trapgid, 40, 16);
MEMBER(struct umad_class_port_info, trap_tc_sl_fl, 56, 4);
MEMBER(struct umad_class_port_info, trap_lid, 60, 2);
MEMBER(struct umad_class_port_info, trap_pkey, 62, 2);
MEMBER(struct umad_class_port_info, trap_hl_qp, 64, 4);
MEMBER(struct umad_class_port_info, trap_qkey, 68, 4);

TYPE(struct umad_smp, 256, 8);
MEMBER(struct umad_smp, base_version, 0, 1);
MEMBER(struct umad_smp, mgmt_class, 1, 1);
MEMBER(struct umad_smp, class_version, 2, 1);
MEMBER(struct umad_smp, method, 3, 1);
MEMBER(struct umad_smp, status, 4, 2);
MEMBER(struct umad_smp, hop_ptr, 6, 1);
MEMBER(struct umad_smp, hop_cnt, 7, 1);
MEMBER(struct umad_smp, tid, 8, 8);
MEMBER(struct umad_smp, attr_id, 16, 2);
MEMBER(struct umad_smp, resv, 18, 2);
MEMBER(struct umad_smp, attr_mod, 20, 4);
MEMBER(struct umad_smp, mkey, 24, 8);
MEMBER(struct umad_smp, dr_slid, 32, 2);
MEMBER(struct umad_smp, dr_dlid, 34, 2);
MEMBER(struct umad_smp, reserved, 36, 28);
MEMBER(struct umad_smp, data, 64, 64);
MEMBER(struct umad_smp, initial_path, 128, 64);
MEMBER(struct umad_smp, return_path, 192, 64);

TYPE(struct umad_sa_packet, 256, 8);
MEMBER(struct umad_sa_packet, mad_hdr, 0, 24);
MEMBER(struct umad_sa_packet, rmpp_hdr, 24, 12);
MEMBER(struct umad_sa_packet, sm_key, 36, 8);
MEMBER(struct umad_sa_packet, attr_offset, 44, 2);
MEMBER(struct umad_sa_packet, reserved, 46, 2);
MEMBER(struct umad_sa_packet, comp_mask, 48, 8);
MEMBER(struct umad_sa_packet, data, 56, 200);

TYPE(struct umad_sa_mcmember_record, 56, 4);
MEMBER(struct umad_sa_mcmember_record, mgid, 0, 16);
MEMBER(struct umad_sa_mcmember_record, portgid, 16, 16);
MEMBER(struct umad_sa_mcmember_record, qkey, 32, 4);
MEMBER(struct umad_sa_mcmember_record, mlid, 36, 2);
MEMBER(struct umad_sa_mcmember_record, mtu, 38, 1);
MEMBER(struct umad_sa_mcmember_record, tclass, 39, 1);
MEMBER(struct umad_sa_mcmember_record, pkey, 40, 2);
MEMBER(struct umad_sa_mcmember_record, rate, 42, 1);
MEMBER(struct umad_sa_mcmember_record, pkt_life, 43, 1);
MEMBER(struct umad_sa_mcmember_record, sl_flow_hop, 44, 4);
MEMBER(struct umad_sa_mcmember_record, scope_state, 48, 1);
MEMBER(struct umad_sa_mcmember_record, proxy_join, 49, 1);
MEMBER(struct umad_sa_mcmember_record, reserved, 50, 2);
MEMBER(struct umad_sa_mcmember_record, pad, 52, 4);

VALUE(UMAD_USER_RMPP, 1);

VALUE(UMAD_CLASS_SUBN_LID_ROUTED, 1);
VALUE(UMAD_CLASS_SUBN_DIRECTED_ROUTE, 0x81);
VALUE(UMAD_CLASS_SUBN_ADM, 3);
VALUE(UMAD_CLASS_PERF_MGMT, 4);
VALUE(UMAD_CLASS_BM, 5);
VALUE(UMAD_CLASS_DEVICE_MGMT, 6);
VALUE(UMAD_CLASS_CM, 7);
VALUE(UMAD_CLASS_SNMP, 8);
VALUE(UMAD_CLASS_VENDOR_RANGE1_START, 9);
VALUE(UMAD_CLASS_VENDOR_RANGE1_END, 0xf);
VALUE(UMAD_CLASS_APPLICATION_START, 0x10);
VALUE(UMAD_CLASS_DEVICE_ADM, 0x10);
VALUE(UMAD_CLASS_BOOT_MGMT, 0x11);
VALUE(UMAD_CLASS_BIS, 0x12);
VALUE(UMAD_CLASS_CONG_MGMT, 0x21);
VALUE(UMAD_CLASS_APPLICATION_END, 0x2f);
VALUE(UMAD_CLASS_VENDOR_RANGE2_START, 0x30);
VALUE(UMAD_CLASS_VENDOR_RANGE2_END, 0x4f);
VALUE(UMAD_METHOD_GET, 1);
VALUE(UMAD_METHOD_SET, 2);
VALUE(UMAD_METHOD_GET_RESP, 0x81);
VALUE(UMAD_METHOD_SEND, 3);
VALUE(UMAD_METHOD_TRAP, 5);
VALUE(UMAD_METHOD_REPORT, 6);
VALUE(UMAD_METHOD_REPORT_RESP, 0x86);
VALUE(UMAD_METHOD_TRAP_REPRESS, 7);
VALUE(UMAD_METHOD_RESP_MASK, 0x80);
VALUE(UMAD_STATUS_SUCCESS, 0);
VALUE(UMAD_STATUS_BUSY, 1);
VALUE(UMAD_STATUS_REDIRECT, 2);
VALUE(UMAD_STATUS_BAD_VERSION, 4);
VALUE(UMAD_STATUS_METHOD_NOT_SUPPORTED, 8);
VALUE(UMAD_STATUS_ATTR_NOT_SUPPORTED, 0xc);
VALUE(UMAD_STATUS_INVALID_ATTR_VALUE, 0x1c);
VALUE(UMAD_STATUS_INVALID_FIELD_MASK, 0x1c);
VALUE(UMAD_STATUS_CLASS_MASK, 0xff00);
VALUE(UMAD_ATTR_CLASS_PORT_INFO, 1);
VALUE(UMAD_ATTR_NOTICE, 2);
VALUE(UMAD_ATTR_INFORM_INFO, 3);
VALUE(UMAD_RMPP_FLAG_ACTIVE, 1);
VALUE(UMAD_LEN_DATA, 0xe8);
VALUE(UMAD_LEN_RMPP_DATA, 0xdc);
VALUE(UMAD_LEN_DM_DATA, 0xc0);
VALUE(UMAD_LEN_VENDOR_DATA, 0xd8);
VALUE(UMAD_OPENIB_OUI, 0x1405);
VALUE(UMAD_CLASS_RESP_TIME_MASK, 0x1f);

VALUE(UMAD_SMP_DIRECTION, 0x8000);
VALUE(UMAD_SM_ATTR_NODE_DESC, 0x10);
VALUE(UMAD_SM_ATTR_NODE_INFO, 0x11);
VALUE(UMAD_SM_ATTR_SWITCH_INFO, 0x12);
VALUE(UMAD_SM_ATTR_GUID_INFO, 0x14);
VALUE(UMAD_SM_ATTR_PORT_INFO, 0x15);
VALUE(UMAD_SM_ATTR_PKEY_TABLE, 0x16);
VALUE(UMAD_SM_ATTR_SLVL_TABLE, 0x17);
VALUE(UMAD_SM_ATTR_VL_ARB_TABLE, 0x18);
VALUE(UMAD_SM_ATTR_LINEAR_FT, 0x19);
VALUE(UMAD_SM_ATTR_RANDOM_FT, 0x1a);
VALUE(UMAD_SM_ATTR_MCAST_FT, 0x1b);
VALUE(UMAD_SM_ATTR_LINK_SPD_WIDTH_TABLE, 0x1c);
VALUE(UMAD_SM_ATTR_VENDOR_MADS_TABLE, 0x1d);
VALUE(UMAD_SM_ATTR_HIERARCHY_INFO, 0x1e);
VALUE(UMAD_SM_ATTR_SM_INFO, 0x20);
VALUE(UMAD_SM_ATTR_VENDOR_DIAG, 0x30);
VALUE(UMAD_SM_ATTR_LED_INFO, 0x31);
VALUE(UMAD_SM_ATTR_CABLE_INFO, 0x32);
VALUE(UMAD_SM_ATTR_PORT_INFO_EXT, 0x33);
VALUE(UMAD_SM_ATTR_VENDOR_MASK, 0xff00);
VALUE(UMAD_SM_ATTR_MLNX_EXT_PORT_INFO, 0xff90);
VALUE(UMAD_SM_GID_IN_SERVICE_TRAP, 0x40);
VALUE(UMAD_SM_GID_OUT_OF_SERVICE_TRAP, 0x41);
VALUE(UMAD_SM_MGID_CREATED_TRAP, 0x42);
VALUE(UMAD_SM_MGID_DESTROYED_TRAP, 0x43);
VALUE(UMAD_SM_UNPATH_TRAP, 0x44);
VALUE(UMAD_SM_REPATH_TRAP, 0x45);
VALUE(UMAD_SM_LINK_STATE_CHANGED_TRAP, 0x80);
VALUE(UMAD_SM_LINK_INTEGRITY_THRESHOLD_TRAP, 0x81);
VALUE(UMAD_SM_BUFFER_OVERRUN_THRESHOLD_TRAP, 0x82);
VALUE(UMAD_SM_WATCHDOG_TIMER_EXPIRED_TRAP, 0x83);
VALUE(UMAD_SM_LOCAL_CHANGES_TRAP, 0x90);
VALUE(UMAD_SM_SYS_IMG_GUID_CHANGED_TRAP, 0x91);
VALUE(UMAD_SM_BAD_MKEY_TRAP, 0x100);
VALUE(UMAD_SM_BAD_PKEY_TRAP, 0x101);
VALUE(UMAD_SM_BAD_QKEY_TRAP, 0x102);
VALUE(UMAD_SM_BAD_SWITCH_PKEY_TRAP, 0x103);
VALUE(UMAD_LEN_SMP_DATA, 0x40);
VALUE(UMAD_SMP_MAX_HOPS, 0x40);

VALUE(UMAD_SA_CLASS_VERSION, 2);
VALUE(UMAD_SA_METHOD_GET_TABLE, 0x12);
VALUE(UMAD_SA_METHOD_GET_TABLE_RESP, 0x92);
VALUE(UMAD_SA_METHOD_DELETE, 0x15);
VALUE(UMAD_SA_METHOD_DELETE_RESP, 0x95);
VALUE(UMAD_SA_METHOD_GET_MULTI, 0x14);
VALUE(UMAD_SA_METHOD_GET_MULTI_RESP, 0x94);
VALUE(UMAD_SA_METHOD_GET_TRACE_TABLE, 0x13);
VALUE(UMAD_SA_STATUS_SUCCESS, 0);
VALUE(UMAD_SA_STATUS_NO_RESOURCES, 1);
VALUE(UMAD_SA_STATUS_REQ_INVALID, 2);
VALUE(UMAD_SA_STATUS_NO_RECORDS, 3);
VALUE(UMAD_SA_STATUS_TOO_MANY_RECORDS, 4);
VALUE(UMAD_SA_STATUS_INVALID_GID, 5);
VALUE(UMAD_SA_STATUS_INSUF_COMPS, 6);
VALUE(UMAD_SA_STATUS_REQ_DENIED, 7);
VALUE(UMAD_SA_STATUS_PRI_SUGGESTED, 8);
VALUE(UMAD_SA_ATTR_NODE_REC, 0x11);
VALUE(UMAD_SA_ATTR_PORT_INFO_REC, 0x12);
VALUE(UMAD_SA_ATTR_SLVL_REC, 0x13);
VALUE(UMAD_SA_ATTR_SWITCH_INFO_REC, 0x14);
VALUE(UMAD_SA_ATTR_LINEAR_FT_REC, 0x15);
VALUE(UMAD_SA_ATTR_RANDOM_FT_REC, 0x16);
VALUE(UMAD_SA_ATTR_MCAST_FT_REC, 0x17);
VALUE(UMAD_SA_ATTR_SM_INFO_REC, 0x18);
VALUE(UMAD_SA_ATTR_LINK_SPD_WIDTH_TABLE_REC, 0x19);
VALUE(UMAD_SA_ATTR_INFORM_INFO_REC, 0xf3);
VALUE(UMAD_SA_ATTR_LINK_REC, 0x20);
VALUE(UMAD_SA_ATTR_GUID_INFO_REC, 0x30);
VALUE(UMAD_SA_ATTR_SERVICE_REC, 0x31);
VALUE(UMAD_SA_ATTR_PKEY_TABLE_REC, 0x33);
VALUE(UMAD_SA_ATTR_PATH_REC, 0x35);
VALUE(UMAD_SA_ATTR_VL_ARB_REC, 0x36);
VALUE(UMAD_SA_ATTR_MCMEMBER_REC, 0x38);
VALUE(UMAD_SA_ATTR_TRACE_REC, 0x39);
VALUE(UMAD_SA_ATTR_MULTI_PATH_REC, 0x3a);
VALUE(UMAD_SA_ATTR_SERVICE_ASSOC_REC, 0x3b);
VALUE(UMAD_SA_ATTR_HIERARCHY_INFO_REC, 0x3c);
VALUE(UMAD_SA_ATTR_CABLE_INFO_REC, 0x3d);
VALUE(UMAD_SA_ATTR_PORT_INFO_EXT_REC, 0x3e);
VALUE(UMAD_LEN_SA_DATA, 0xc8);
VALUE(UMAD_SA_CAP_MASK_IS_SUBNET_OPT_REC_SUP, 0x100);
VALUE(UMAD_SA_CAP_MASK_IS_UD_MCAST_SUP, 0x200);
VALUE(UMAD_SA_CAP_MASK_IS_MULTIPATH_SUP, 0x400);
VALUE(UMAD_SA_CAP_MASK_IS_REINIT_SUP, 0x800);
VALUE(UMAD_SA_CAP_MASK_IS_GID_SCOPED_MULTIPATH_SUP, 0x1000);
VALUE(UMAD_SA_CAP_MASK_IS_PORTINFO_CAP_MASK_MATCH_SUP, 0x2000);
VALUE(UMAD_SA_CAP_MASK_IS_LINK_SPEED_WIDTH_PAIRS_REC_SUP, 0x4000);
VALUE(UMAD_SA_CAP_MASK_IS_PA_SERVICES_SUP, 0x8000);
VALUE(UMAD_SA_CAP_MASK2_IS_UNPATH_REPATH_SUP, 1);
VALUE(UMAD_SA_CAP_MASK2_IS_QOS_SUP, 2);
VALUE(UMAD_SA_CAP_MASK2_IS_REV_PATH_PKEY_MEM_BIT_SUP, 4);
VALUE(UMAD_SA_CAP_MASK2_IS_MCAST_TOP_SUP, 8);
VALUE(UMAD_SA_CAP_MASK2_IS_HIERARCHY_INFO_SUP, 0x10);
VALUE(UMAD_SA_CAP_MASK2_IS_ADDITIONAL_GUID_SUP, 0x20);
VALUE(UMAD_SA_CAP_MASK2_IS_FULL_PORTINFO_REC_SUP, 0x40);
VALUE(UMAD_SA_CAP_MASK2_IS_EXT_SPEEDS_SUP, 0x80);
VALUE(UMAD_SA_CAP_MASK2_IS_MCAST_SERVICE_REC_SUP, 0x100);
VALUE(UMAD_SA_CAP_MASK2_IS_CABLE_INFO_REC_SUP, 0x200);
VALUE(UMAD_SA_CAP_MASK2_IS_PORT_INFO_CAPMASK2_MATCH_SUP, 0x400);
VALUE(UMAD_SA_CAP_MASK2_IS_PORT_INFO_EXT_REC_SUP, 0x800);
VALUE(UMAD_SA_SELECTOR_GREATER_THAN, 0);
VALUE(UMAD_SA_SELECTOR_LESS_THAN, 1);
VALUE(UMAD_SA_SELECTOR_EXACTLY, 2);
VALUE(UMAD_SA_SELECTOR_LARGEST_AVAIL, 3);
VALUE(UMAD_SA_SELECTOR_SMALLEST_AVAIL, 3);

VALUE(UMAD_SA_MCM_COMP_MASK_MGID, 1);
VALUE(UMAD_SA_MCM_COMP_MASK_PORT_GID, 2);
VALUE(UMAD_SA_MCM_COMP_MASK_QKEY, 4);
VALUE(UMAD_SA_MCM_COMP_MASK_MLID, 8);
VALUE(UMAD_SA_MCM_COMP_MASK_MTU_SEL, 0x10);
VALUE(UMAD_SA_MCM_COMP_MASK_MTU, 0x20);
VALUE(UMAD_SA_MCM_COMP_MASK_TCLASS, 0x40);
VALUE(UMAD_SA_MCM_COMP_MASK_PKEY, 0x80);
VALUE(UMAD_SA_MCM_COMP_MASK_RATE_SEL, 0x100);
VALUE(UMAD_SA_MCM_COMP_MASK_RATE, 0x200);
VALUE(UMAD_SA_MCM_COMP_MASK_LIFE_TIME_SEL, 0x400);
VALUE(UMAD_SA_MCM_COMP_MASK_LIFE_TIME, 0x800);
VALUE(UMAD_SA_MCM_COMP_MASK_SL, 0x1000);
VALUE(UMAD_SA_MCM_COMP_MASK_FLOW_LABEL, 0x2000);
VALUE(UMAD_SA_MCM_COMP_MASK_HOP_LIMIT, 0x4000);
VALUE(UMAD_SA_MCM_COMP_MASK_SCOPE, 0x8000);
VALUE(UMAD_SA_MCM_COMP_MASK_JOIN_STATE, 0x10000);
VALUE(UMAD_SA_MCM_COMP_MASK_PROXY_JOIN, 0x20000);
VALUE(UMAD_SA_MCM_JOIN_STATE_FULL_MEMBER, 1);
VALUE(UMAD_SA_MCM_JOIN_STATE_NON_MEMBER, 2);
VALUE(UMAD_SA_MCM_JOIN_STATE_SEND_ONLY_NON_MEMBER, 4);
VALUE(UMAD_SA_MCM_JOIN_STATE_SEND_ONLY_FULL_MEMBER, 8);
VALUE(UMAD_SA_MCM_ADDR_SCOPE_LINK_LOCAL, 2);
VALUE(UMAD_SA_MCM_ADDR_SCOPE_SITE_LOCAL, 5);
VALUE(UMAD_SA_MCM_ADDR_SCOPE_ORG_LOCAL, 8);
VALUE(UMAD_SA_MCM_ADDR_SCOPE_GLOBAL, 0xe);

VALUE(UMAD_CM_ATTR_REQ, 0x10);
VALUE(UMAD_CM_ATTR_MRA, 0x11);
VALUE(UMAD_CM_ATTR_REJ, 0x12);
VALUE(UMAD_CM_ATTR_REP, 0x13);
VALUE(UMAD_CM_ATTR_RTU, 0x14);
VALUE(UMAD_CM_ATTR_DREQ, 0x15);
VALUE(UMAD_CM_ATTR_DREP, 0x16);
VALUE(UMAD_CM_ATTR_SIDR_REQ, 0x17);
VALUE(UMAD_CM_ATTR_SIDR_REP, 0x18);
VALUE(UMAD_CM_ATTR_LAP, 0x19);
VALUE(UMAD_CM_ATTR_APR, 0x1a);
VALUE(UMAD_CM_ATTR_SAP, 0x1b);
VALUE(UMAD_CM_ATTR_SPR, 0x1c);

VALUE(UMAD_MAX_DEVICES, 128);
VALUE(UMAD_ANY_PORT, 0);
VALUE(IB_UMAD_ABI_VERSION, 5);
VALUE(IB_IOCTL_MAGIC, 0x1b);
VALUE(UMAD_CA_NAME_LEN, 20);
VALUE(UMAD_CA_MAX_PORTS, 10);
VALUE(UMAD_CA_MAX_AGENTS, 32);
VALUE(UMAD_MAX_PORTS, 192);
VALUE(UMAD_BASE_VERSION, 1);
VALUE(UMAD_QKEY, 0x80010000);
VALUE(UMAD_RMPP_VERSION, 1);
VALUE(UMAD_SA_SELECTOR_SHIFT, 6);
VALUE(UMAD_SA_RATE_MTU_PKT_LIFE_MASK, 0x3f);
VALUE(UMAD_SA_SELECTOR_MASK, 3);

/* What a program that makes the ioctls itself defines, and lib/base/umad-command.h. */
TYPE(struct ib_user_mad_reg_req, 28, 4);
MEMBER(struct ib_user_mad_reg_req, id, 0, 4);
MEMBER(struct ib_user_mad_reg_req, method_mask, 4, 16);
MEMBER(struct ib_user_mad_reg_req, qpn, 20, 1);
MEMBER(struct ib_user_mad_reg_req, mgmt_class, 21, 1);
MEMBER(struct ib_user_mad_reg_req, mgmt_class_version, 22, 1);
MEMBER(struct ib_user_mad_reg_req, oui, 23, 3);
MEMBER(struct ib_user_mad_reg_req, rmpp_version, 26, 1);

TYPE(struct ib_user_mad_reg_req2, 40, 8);
MEMBER(struct ib_user_mad_reg_req2, id, 0, 4);
MEMBER(struct ib_user_mad_reg_req2, qpn, 4, 4);
MEMBER(struct ib_user_mad_reg_req2, mgmt_class, 8, 1);
MEMBER(struct ib_user_mad_reg_req2, mgmt_class_version, 9, 1);
MEMBER(struct ib_user_mad_reg_req2, res, 10, 2);
MEMBER(struct ib_user_mad_reg_req2, flags, 12, 4);
MEMBER(struct ib_user_mad_reg_req2, method_mask, 16, 16);
MEMBER(struct ib_user_mad_reg_req2, oui, 32, 4);
MEMBER(struct ib_user_mad_reg_req2, rmpp_version, 36, 1);
MEMBER(struct ib_user_mad_reg_req2, reserved, 37, 3);

VALUE(IB_USER_MAD_USER_RMPP, 1);
VALUE(UMAD_COMMAND_REGISTER_AGENT, 0xC01C1B01);
VALUE(UMAD_COMMAND_UNREGISTER_AGENT, 0x40041B02);
VALUE(UMAD_COMMAND_ENABLE_PKEY, 0x00001B03);
VALUE(UMAD_COMMAND_REGISTER_AGENT2, 0xC0281B04);
VALUE(IB_USER_MAD_REGISTER_AGENT, 0xC01C1B01);
VALUE(IB_USER_MAD_UNREGISTER_AGENT, 0x40041B02);
VALUE(IB_USER_MAD_ENABLE_PKEY, 0x00001B03);
VALUE(IB_USER_MAD_REGISTER_AGENT2, 0xC0281B04);

static void test_strings(void)
{
	static const struct {
		const char *macro, *value;
	} rows[] = {
		{ IB_UMAD_ABI_DIR, "/sys/class/infiniband_mad" },
		{ IB_UMAD_ABI_FILE, "abi_version" },
		{ SYS_INFINIBAND, "/sys/class/infiniband" },
		{ SYS_INFINIBAND_MAD, "/sys/class/infiniband_mad" },
		{ SYS_IB_MAD_PORT, "port" },
		{ SYS_IB_MAD_DEV, "ibdev" },
		{ SYS_CA_PORTS_DIR, "ports" },
		{ SYS_NODE_TYPE, "node_type" },
		{ SYS_CA_FW_VERS, "fw_ver" },
		{ SYS_CA_HW_VERS, "hw_rev" },
		{ SYS_CA_TYPE, "hca_type" },
		{ SYS_CA_NODE_GUID, "node_guid" },
		{ SYS_CA_SYS_GUID, "sys_image_guid" },
		{ SYS_PORT_LMC, "lid_mask_count" },
		{ SYS_PORT_SMLID, "sm_lid" },
		{ SYS_PORT_SMSL, "sm_sl" },
		{ SYS_PORT_LID, "lid" },
		{ SYS_PORT_STATE, "state" },
		{ SYS_PORT_PHY_STATE, "phys_state" },
		{ SYS_PORT_CAPMASK, "cap_mask" },
		{ SYS_PORT_RATE, "rate" },
		{ SYS_PORT_GUID, "port_guid" },
		{ SYS_PORT_GID, "gids/0" },
		{ SYS_PORT_LINK_LAYER, "link_layer" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		g_assert_cmpstr(rows[i].macro, ==, rows[i].value);
}

static void test_alloc(void)
{
	uint8_t *bytes = umad_alloc(3, 320);

	for (size_t i = 0; i < 3 * 320; i++)
		g_assert_cmpuint(bytes[i], ==, 0);
	umad_free(bytes);
	umad_free(NULL);
	g_assert_cmphex(ntohll(UINT64_C(0x0102030405060708)), ==, UINT64_C(0x0807060504030201));
	g_assert_cmphex(htonll(UINT64_C(0x0102030405060708)), ==, UINT64_C(0x0807060504030201));
}

static void test_class_port_info(void)
{
	struct umad_class_port_info cpi = { .cap_mask2_resp_time = htobe32(0xabcdef12) };

	g_assert_cmphex(umad_class_cap_mask2(&cpi), ==, 0xabcdef12 >> 5);
	g_assert_cmphex(umad_class_resp_time(&cpi), ==, 0x12);
}

static void test_selectors(void)
{
	g_assert_cmphex(umad_sa_get_rate_mtu_or_life(0xc4), ==, 0x04);
	g_assert_cmphex(umad_sa_set_rate_mtu_or_life(UMAD_SA_SELECTOR_EXACTLY, 0x04), ==, 0x84);
	/* Neither part may spill into the other. */
	g_assert_cmphex(umad_sa_set_rate_mtu_or_life(0xff, 0x00), ==, 0xc0);
	g_assert_cmphex(umad_sa_set_rate_mtu_or_life(0x00, 0xff), ==, 0x3f);
}

static void test_mcmember(void)
{
	struct umad_sa_mcmember_record record = { .scope_state = 0x21, .proxy_join = 0x80 };
	uint8_t sl = 0, hop = 0, scope = 0, state = 0;
	uint32_t flow = 0;

	g_assert_cmphex(be32toh(umad_sa_mcm_set_sl_flow_hop(0x5, 0x12345, 0x67)), ==, 0x51234567);
	umad_sa_mcm_get_sl_flow_hop(htobe32(0x51234567), &sl, &flow, &hop);
	g_assert_cmphex(sl, ==, 0x5);
	g_assert_cmphex(flow, ==, 0x12345);
	g_assert_cmphex(hop, ==, 0x67);
	umad_sa_mcm_get_sl_flow_hop(0, NULL, NULL, NULL);

	umad_sa_mcm_get_scope_state(0xe1, &scope, &state);
	g_assert_cmphex(scope, ==, 0xe);
	g_assert_cmphex(state, ==, 0x1);
	umad_sa_mcm_get_scope_state(0, NULL, NULL);
	g_assert_cmphex(umad_sa_mcm_set_scope_state(0xe, 0x1), ==, 0xe1);

	umad_sa_mcm_set_join_state(&record, 0x4);
	g_assert_cmphex(record.scope_state, ==, 0x24);
	g_assert_cmpint(umad_sa_mcm_get_proxy_join(&record), ==, 1);
	record.proxy_join = 0x7f;
	g_assert_cmpint(umad_sa_mcm_get_proxy_join(&record), ==, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/umad-layout/strings", test_strings);
	g_test_add_func("/umad-layout/alloc", test_alloc);
	g_test_add_func("/umad-layout/class-port-info", test_class_port_info);
	g_test_add_func("/umad-layout/selectors", test_selectors);
	g_test_add_func("/umad-layout/mcmember", test_mcmember);
	return g_test_run();
}
