/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * tests/lib/umad-abi.c: uses every type and call of the public headers, for tests/lib/umad-abi.sh
 * to compare with the usual ones. Compiled with -DNEW_CALLS it also uses what the usual headers got
 * later.
 */
#include <infiniband/umad.h>
#include <infiniband/umad_cm.h>
#include <infiniband/umad_sa.h>
#include <infiniband/umad_sa_mcm.h>
#include <infiniband/umad_sm.h>
#include <infiniband/umad_str.h>
#include <infiniband/umad_types.h>

#define CALL(name) extern __typeof__(name) *abi_##name; __typeof__(name) *abi_##name
#define TYPE(name) extern struct name *abi_##name; struct name *abi_##name

TYPE(ib_mad_addr);
TYPE(ib_user_mad);
TYPE(umad_ca);
TYPE(umad_class_port_info);
TYPE(umad_device_node);
TYPE(umad_dm_packet);
TYPE(umad_hdr);
TYPE(umad_packet);
TYPE(umad_port);
TYPE(umad_reg_attr);
TYPE(umad_rmpp_hdr);
TYPE(umad_rmpp_packet);
TYPE(umad_sa_mcmember_record);
TYPE(umad_sa_packet);
TYPE(umad_smp);
TYPE(umad_vendor_packet);
extern union umad_gid *abi_umad_gid;
union umad_gid *abi_umad_gid;
extern ib_mad_addr_t *abi_ib_mad_addr_t;
ib_mad_addr_t *abi_ib_mad_addr_t;
extern ib_user_mad_t *abi_ib_user_mad_t;
ib_user_mad_t *abi_ib_user_mad_t;
extern umad_port_t *abi_umad_port_t;
umad_port_t *abi_umad_port_t;
extern umad_ca_t *abi_umad_ca_t;
umad_ca_t *abi_umad_ca_t;

CALL(umad_addr_dump);
CALL(umad_alloc);
CALL(umad_attribute_str);
CALL(umad_class_str);
CALL(umad_close_port);
CALL(umad_common_mad_status_str);
CALL(umad_debug);
CALL(umad_done);
CALL(umad_dump);
CALL(umad_free);
CALL(umad_free_ca_device_list);
CALL(umad_get_ca);
CALL(umad_get_ca_device_list);
CALL(umad_get_ca_portguids);
CALL(umad_get_cas_names);
CALL(umad_get_fd);
CALL(umad_get_issm_path);
CALL(umad_get_mad);
CALL(umad_get_mad_addr);
CALL(umad_get_pkey);
CALL(umad_get_port);
CALL(umad_init);
CALL(umad_method_str);
CALL(umad_open_port);
CALL(umad_poll);
CALL(umad_recv);
CALL(umad_register);
CALL(umad_register2);
CALL(umad_register_oui);
CALL(umad_release_ca);
CALL(umad_release_port);
CALL(umad_sa_mad_status_str);
CALL(umad_send);
CALL(umad_set_addr);
CALL(umad_set_addr_net);
CALL(umad_set_grh);
CALL(umad_set_grh_net);
CALL(umad_set_pkey);
CALL(umad_size);
CALL(umad_sort_ca_device_list);
CALL(umad_status);
CALL(umad_unregister);

#ifdef NEW_CALLS
TYPE(umad_ca_pair);
CALL(umad_get_smi_gsi_pair_by_ca_name);
CALL(umad_get_smi_gsi_pairs);
CALL(umad_host_enter);
CALL(umad_mad_status_str);
CALL(umad_open_smi_port);
#endif
