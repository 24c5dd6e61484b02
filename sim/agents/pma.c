/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The performance management agent: the answers of a node's firmware to class 0x04 on QP1. See
 * sim/agents/pma.h.
 */
#include "sim/agents/pma.h"

#include "sim/agents/gs-agent.h"
#include "sim/fabric/node.h"

enum {
	/* ClassPortInfo.CapabilityMask (IBA vol 1, 16.1.3.1) */
	CAP_ALL_PORT_SELECT = 1 << 8,
	CAP_EXTENDED_WIDTH = 1 << 9,
	CAP_XMIT_WAIT = 1 << 12,
	CAP_RSFEC_COUNTERS = 1 << 14,
	CAP_QP1_DROPPED = 1 << 15,
	/* CapabilityMask2 */
	CAP2_EXTENDED_ERRORS = 1 << 1,
};

static const uint64_t CAPABILITIES = CAP_ALL_PORT_SELECT | CAP_EXTENDED_WIDTH | CAP_XMIT_WAIT |
				     CAP_RSFEC_COUNTERS | CAP_QP1_DROPPED;
static const uint64_t CAPABILITIES2 = CAP2_EXTENDED_ERRORS;

/* ---- fields, looked up once ---- */

static const struct mad_field *port_select;

__attribute__((constructor)) static void look_up_fields(void)
{
	/* PortSelect is in the same place in all attributes. */
	port_select = mad_field_must(MAD_CLASS_PERF, 0x0012, "PortSelect");
}

/* ---- answers ---- */

/* Fields that are no counters are returned as they came: PortSelect, CounterSelect, OpCode. */
static unsigned int answer_counters(struct node *node, const struct pma_counters *counters,
				    uint8_t *out)
{
	uint8_t *data = out + PMA_DATA;
	unsigned int num = (unsigned int)mad_field_get(port_select, data);

	if (get_be32(out + MAD_ATTR_MOD) != 0 || !pma_has_port(node, num))
		return gs_answer(out, MAD_STATUS_BAD_FIELD);
	if (out[MAD_METHOD] == MAD_METHOD_SET)
		pma_counters_set(counters, node, num, data);
	pma_counters_get(counters, node, num, data);
	return gs_answer(out, MAD_STATUS_OK);
}

/* AttributeModifier selects a sampling mechanism; there is only one. */
static unsigned int answer_samples_control(struct node *node, uint8_t *out)
{
	uint8_t *data = out + PMA_DATA;
	unsigned int num = (unsigned int)mad_field_get(port_select, data);
	enum mad_status status = MAD_STATUS_OK;

	if (get_be32(out + MAD_ATTR_MOD) != 0 || !pma_has_port(node, num))
		return gs_answer(out, MAD_STATUS_BAD_FIELD);
	if (out[MAD_METHOD] == MAD_METHOD_SET)
		status = pma_samples_set(node, num, data);
	pma_samples_get(node, num, data);
	return gs_answer(out, status);
}

static unsigned int answer_samples_result(struct node *node, bool is_extended, uint8_t *out)
{
	if (out[MAD_METHOD] != MAD_METHOD_GET)
		return gs_answer(out, MAD_STATUS_BAD_METHOD_ATTR);
	if (get_be32(out + MAD_ATTR_MOD) != 0)
		return gs_answer(out, MAD_STATUS_BAD_FIELD);
	pma_samples_result(node, is_extended, out + PMA_DATA);
	return gs_answer(out, MAD_STATUS_OK);
}

static unsigned int answer_attribute(struct node *node, uint8_t *out)
{
	uint16_t attr_id = get_be16(out + MAD_ATTR_ID);
	const struct pma_counters *counters = pma_counters_find(node, attr_id);

	if (attr_id == ATTR_CLASS_PORT_INFO)
		return gs_answer_class_port_info(out, PMA_DATA, CAPABILITIES | CAPABILITIES2 << 16);
	if (attr_id == ATTR_PORT_SAMPLES_CONTROL)
		return answer_samples_control(node, out);
	if (attr_id == ATTR_PORT_SAMPLES_RESULT || attr_id == ATTR_PORT_SAMPLES_RESULT_EXTENDED)
		return answer_samples_result(node, attr_id == ATTR_PORT_SAMPLES_RESULT_EXTENDED,
					     out);
	if (counters)
		return answer_counters(node, counters, out);
	return gs_answer(out, MAD_STATUS_BAD_METHOD_ATTR);
}

unsigned int pma_process(struct node *node, const uint8_t *in, uint8_t *out)
{
	unsigned int result;

	return gs_is_request(in, 1, out, &result) ? answer_attribute(node, out) : result;
}
