/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The kinds of records: see sim/sa/sa-kind.h.
 */
#include "sim/sa/sa-kind.h"

/* Sizes are those of IBA vol 1, 15.2.5. */
static const struct sa_kind kinds[] = {
	{ SA_CLASS_PORT_INFO, 72, false, sa_list_class_port_info, NULL, NULL },
	{ SA_INFORM_INFO, 36, false, NULL, sa_set_inform_info, NULL },
	{ SA_NODE_RECORD, 108, false, sa_list_nodes, NULL, NULL },
	{ SA_PORT_INFO_RECORD, 68, false, sa_list_ports, NULL, NULL },
	{ SA_SL_TO_VL_RECORD, 16, false, sa_list_sl_to_vl, NULL, NULL },
	{ SA_SWITCH_INFO_RECORD, 24, false, sa_list_switches, NULL, NULL },
	{ SA_LINEAR_RECORD, 72, false, sa_list_linear, NULL, NULL },
	{ SA_MULTICAST_RECORD, 72, false, sa_list_multicast, NULL, NULL },
	{ SA_SM_INFO_RECORD, 28, false, sa_list_managers, NULL, NULL },
	{ SA_LINK_RECORD, 8, false, sa_list_links, NULL, NULL },
	{ SA_GUID_INFO_RECORD, 72, false, sa_list_guids, sa_set_guids, sa_remove_guids },
	{ SA_SERVICE_RECORD, 176, false, sa_list_services, sa_set_service, sa_remove_service },
	{ SA_P_KEY_RECORD, 72, true, sa_list_p_keys, NULL, NULL },
	{ SA_PATH_RECORD, 64, false, sa_list_paths, NULL, NULL },
	{ SA_VL_ARBITRATION_RECORD, 72, false, sa_list_vl_arbitration, NULL, NULL },
	{ SA_MEMBER_RECORD, 52, false, sa_list_members, sa_set_member, sa_remove_member },
	{ SA_MULTI_PATH_RECORD, 64, false, sa_list_multi_paths, NULL, NULL },
	{ SA_INFORM_INFO_RECORD, 60, false, sa_list_subscriptions, NULL, NULL },
};

const struct sa_kind *sa_kind_find(uint16_t attr_id)
{
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (kinds[i].attr_id == attr_id)
			return &kinds[i];
	}
	return NULL;
}
