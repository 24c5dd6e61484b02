/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What lists the records of each kind. Records are made when they are asked for; there are no
 * copies of what the fabric has.
 */
#ifndef UMADRIG_SIM_SA_SA_LIST_H
#define UMADRIG_SIM_SA_SA_LIST_H

#include "sim/sa/sa-request.h"
#include "sim/sa/sa-table.h"

/* Offers the kind's records to 'table', in the order of the subnet's nodes. */
typedef enum sa_status sa_list_fn(const struct sa_request *request, struct sa_table *table);

/* Carries out a Set or Delete; 'answer' (SA_RECORD_MAX bytes, all 0) is the record to return. */
typedef enum sa_status sa_change_fn(const struct sa_request *request, uint8_t *answer);

/* sim/sa/sa-node.c */
sa_list_fn sa_list_nodes;
/* sim/sa/sa-guid.c */
sa_list_fn sa_list_guids;
sa_change_fn sa_set_guids, sa_remove_guids;
/* sim/sa/sa-port.c */
sa_list_fn sa_list_ports, sa_list_p_keys, sa_list_sl_to_vl, sa_list_vl_arbitration;
/* sim/sa/sa-link.c */
sa_list_fn sa_list_links;
/* sim/sa/sa-switch.c */
sa_list_fn sa_list_switches, sa_list_linear, sa_list_multicast;
/* sim/sa/sa-manager.c */
sa_list_fn sa_list_class_port_info, sa_list_managers;
/* sim/sa/sa-path.c */
sa_list_fn sa_list_paths, sa_list_multi_paths;
/* sim/sa/sa-service.c */
sa_list_fn sa_list_services;
sa_change_fn sa_set_service, sa_remove_service;
/* sim/sa/sa-group.c */
sa_list_fn sa_list_members;
sa_change_fn sa_set_member, sa_remove_member;
/* sim/sa/sa-inform.c */
sa_list_fn sa_list_subscriptions;
sa_change_fn sa_set_inform_info;

/*
 * The MCMemberRecord of the group with this MGID (16 bytes), if the requester may join it, and the
 * ports that the PathRecord of the request names as the path's source are members; NULL: there is
 * none.
 */
const uint8_t *sa_group_by_mgid(const struct sa_request *request, const uint8_t *mgid,
				const uint8_t *sgid, const struct end_port *source);

/* Is a port a member of a group by this GUID? */
bool sa_is_member(const struct subnet *subnet, uint64_t guid);

#endif
