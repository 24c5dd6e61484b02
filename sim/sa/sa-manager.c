/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the SA says of itself: ClassPortInfo, and SMInfoRecord (IBA vol 1, 15.2.5.1 and 15.2.5.10).
 */
#include <string.h>

#include "sim/agents/sma.h"
#include "sim/fabric/fabric-sa.h"
#include "sim/sa/sa-list.h"

enum {
	/* ClassPortInfo.CapabilityMask */
	CAP_UD_MULTICAST = 1 << 9,
	CAP_MULTI_PATH = 1 << 10,
	CAP_MATCH_BITS = 1 << 13,	/* of PortInfo's CapabilityMask */
	/* CapabilityMask2 */
	CAP2_MULTICAST_TOP = 1 << 3,	/* of SwitchInfo */
	CAP2_ALIAS_GUIDS = 1 << 5,	/* GUIDInfoRecord can be set */
	CAP2_FULL_PORT_INFO = 1 << 6,
	CAP2_EXTENDED_SPEEDS = 1 << 7,
	CAP2_MULTICAST_SERVICES = 1 << 8,	/* ServiceGID may be an MGID */
	CAP2_MATCH_BITS_2 = 1 << 10,	/* of PortInfo's CapabilityMask2 */
	CAP2_SEND_ONLY_FULL = 1 << 12,	/* JoinState SendOnlyFullMember */
	CAP2_WIDTH_2X = 1 << 13,
	CAP2_HDR = 1 << 15,
	CAP2_NDR = 1 << 17,
	CAPABILITIES_2 = CAP2_MULTICAST_TOP | CAP2_ALIAS_GUIDS | CAP2_FULL_PORT_INFO |
			 CAP2_EXTENDED_SPEEDS | CAP2_MULTICAST_SERVICES | CAP2_MATCH_BITS_2 |
			 CAP2_SEND_ONLY_FULL | CAP2_WIDTH_2X | CAP2_HDR | CAP2_NDR,

	RESP_TIME_VALUE = 16,		/* 4.096 us * 2^16, as of the other agents */

	/* SMInfoRecord */
	LID_COMPONENT = 0,
	SM_INFO = 4,
	SM_INFO_SIZE = 24,
};

#define CLASS_PORT_INFO(F)                                                             \
	F(BaseVersion) F(ClassVersion) F(CapabilityMask) F(CapabilityMask2) F(RespTimeVal) \
	F(RedirectQP) F(RedirectQKey) F(TrapQKey)

#define MEMBER(name) const struct mad_field *name;
static struct { CLASS_PORT_INFO(MEMBER) } class_port_info;

__attribute__((constructor)) static void look_up_fields(void)
{
#define IN_INFO(name) \
	class_port_info.name = mad_field_must(MAD_CLASS_SUBN_ADM, SA_CLASS_PORT_INFO, #name);
	CLASS_PORT_INFO(IN_INFO)
}

/* It is no record: there is one, and it has no components. */
enum sa_status sa_list_class_port_info(const struct sa_request *request, struct sa_table *table)
{
	uint8_t data[SA_RECORD_MAX] = { 0 };

	(void)request;
	sa_table_skip(table, UINT64_MAX);
	mad_field_set(class_port_info.BaseVersion, data, 1);
	mad_field_set(class_port_info.ClassVersion, data, 2);
	mad_field_set(class_port_info.CapabilityMask, data,
		      CAP_UD_MULTICAST | CAP_MULTI_PATH | CAP_MATCH_BITS);
	mad_field_set(class_port_info.CapabilityMask2, data, CAPABILITIES_2);
	mad_field_set(class_port_info.RespTimeVal, data, RESP_TIME_VALUE);
	mad_field_set(class_port_info.RedirectQP, data, 1);
	mad_field_set(class_port_info.RedirectQKey, data, QKEY_GSI);
	mad_field_set(class_port_info.TrapQKey, data, QKEY_GSI);
	sa_table_offer(table, data);
	return SA_OK;
}

/* As long as it is there, it is the only subnet manager, and the master. */
enum sa_status sa_list_managers(const struct sa_request *request, struct sa_table *table)
{
	const struct end_port *end = request->subnet->sa->end;
	uint8_t record[SA_RECORD_MAX] = { 0 }, data[SMP_DATA_SIZE] = { 0 };

	sa_table_skip(table, SA_COMPONENT(LID_COMPONENT));
	if (sa_other_lid(request, LID_COMPONENT, 0, end))
		return SA_OK;
	put_be16(record, end->attr.lid);
	sma_fill_sm_info(end, data);
	memcpy(record + SM_INFO, data, SM_INFO_SIZE);
	sa_table_offer(table, record);
	return SA_OK;
}
