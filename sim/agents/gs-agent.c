/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Agents on QP1: see sim/agents/gs-agent.h.
 */
#include "sim/agents/gs-agent.h"

#include <string.h>

#include "sim/dictionary/mad-dictionary.h"

enum { RESP_TIME_VALUE = 16 };	/* 4.096 us * 2^16, as in the SMA */

#define CLASS_PORT_INFO(F) \
	F(BaseVersion) F(ClassVersion) F(CapabilityMask) F(CapabilityMask2) F(RespTimeVal)

#define MEMBER(name) const struct mad_field *name;
static struct { CLASS_PORT_INFO(MEMBER) } class_port_info;

/* Runs before anything else, as in the SMA's parts. All classes have the same fields. */
__attribute__((constructor)) static void look_up_fields(void)
{
#define IN_INFO(name) \
	class_port_info.name = mad_field_must(MAD_CLASS_PERF, ATTR_CLASS_PORT_INFO, #name);
	CLASS_PORT_INFO(IN_INFO)
}

unsigned int gs_answer(uint8_t *out, enum mad_status status)
{
	out[MAD_METHOD] = MAD_METHOD_GET_RESP;
	put_be16(out + MAD_STATUS, (uint16_t)status);
	return KMOD_MAD_SUCCESS | KMOD_MAD_REPLY;
}

bool gs_is_request(const uint8_t *in, uint8_t version, uint8_t *out, unsigned int *ret_result)
{
	*ret_result = KMOD_MAD_SUCCESS;
	if (in[MAD_METHOD] & MAD_METHOD_RESPONSE)
		return false;
	memcpy(out, in, MAD_SIZE);
	if (in[MAD_CLASS_VERSION] != version) {
		*ret_result = gs_answer(out, MAD_STATUS_BAD_VERSION);
		return false;
	}
	switch (in[MAD_METHOD]) {
	case MAD_METHOD_GET:
	case MAD_METHOD_SET:
		return true;
	case MAD_METHOD_TRAP:
		return false;
	default:	/* numbers from the wire, not an enum of ours */
		*ret_result = gs_answer(out, MAD_STATUS_BAD_METHOD);
		return false;
	}
}

unsigned int gs_answer_class_port_info(uint8_t *out, unsigned int data_at, uint64_t capabilities)
{
	uint8_t *data = out + data_at;

	if (out[MAD_METHOD] != MAD_METHOD_GET)
		return gs_answer(out, MAD_STATUS_BAD_METHOD_ATTR);
	if (get_be32(out + MAD_ATTR_MOD) != 0)
		return gs_answer(out, MAD_STATUS_BAD_FIELD);
	memset(data, 0, MAD_SIZE - data_at);
	mad_field_set(class_port_info.BaseVersion, data, 1);
	mad_field_set(class_port_info.ClassVersion, data, out[MAD_CLASS_VERSION]);
	mad_field_set(class_port_info.CapabilityMask, data, capabilities);
	mad_field_set(class_port_info.CapabilityMask2, data, capabilities >> 16);
	mad_field_set(class_port_info.RespTimeVal, data, RESP_TIME_VALUE);
	return gs_answer(out, MAD_STATUS_OK);
}
