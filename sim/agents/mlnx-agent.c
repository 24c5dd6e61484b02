/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Mellanox's vendor class: see sim/agents/mlnx-agent.h.
 *
 * Of the requests that its firmware answers, general information and what reads registers make
 * sense in a simulation. The class is not documented; vendstat and mstflint show where the fields
 * are.
 */
#include "sim/agents/mlnx-agent.h"

#include <string.h>

#include "sim/agents/config-space.h"
#include "sim/agents/device-register.h"
#include "sim/agents/gs-agent.h"
#include "sim/agents/register-access.h"
#include "sim/fabric/node.h"

enum {
	ATTR_GENERAL_INFO = 0x0017,
	ATTR_CONFIG_SPACE = 0x0050,
	ATTR_ACCESS_REGISTER_GMP = 0x0051,
	ATTR_ACCESS_REGISTER = 0xff52,

	DATA = 24,
	DATA_AFTER_KEY = 32,

	/* In general information, after the key: three parts of MGIR, then capabilities. */
	CAPABILITIES = MGIR_PARTS_END,
	CAPABILITY_ACCESS_REGISTER_BIT = 20,
};

static unsigned int answer_general_info(struct node *node, uint8_t *out)
{
	uint8_t *data = out + DATA_AFTER_KEY, mgir[DEVICE_REGISTER_SIZE_MAX] = { 0 };
	size_t size;

	memset(out + DATA, 0, MAD_SIZE - DATA);
	device_register_get(node, REGISTER_MGIR, mgir, mgir, &size);
	memcpy(data, mgir, MGIR_PARTS_END);
	register_put(data, CAPABILITIES, CAPABILITY_ACCESS_REGISTER_BIT, 1, 1);
	return gs_answer(out, MAD_STATUS_OK);
}

static unsigned int answer_config_space(struct node *node, uint8_t *out, bool write)
{
	int ret = config_space_access(node, get_be32(out + MAD_ATTR_MOD), write,
				      out + DATA_AFTER_KEY, MAD_SIZE - DATA_AFTER_KEY);

	return gs_answer(out, ret < 0 ? MAD_STATUS_BAD_FIELD : MAD_STATUS_OK);
}

static unsigned int answer_get(struct node *node, uint8_t *out)
{
	switch (get_be16(out + MAD_ATTR_ID)) {
	case ATTR_CLASS_PORT_INFO:
		return gs_answer_class_port_info(out, DATA, 0);
	case ATTR_GENERAL_INFO:
		return answer_general_info(node, out);
	case ATTR_CONFIG_SPACE:
		return answer_config_space(node, out, false);
	case ATTR_ACCESS_REGISTER_GMP:
		return gs_answer(out, register_access_gmp(node, get_be32(out + MAD_ATTR_MOD),
							  out + DATA_AFTER_KEY));
	default:	/* numbers from the wire */
		return gs_answer(out, MAD_STATUS_BAD_METHOD_ATTR);
	}
}

/* What has TLVs has its method there, and comes as a Set. */
static unsigned int answer_set(struct node *node, uint8_t *out)
{
	switch (get_be16(out + MAD_ATTR_ID)) {
	case ATTR_CLASS_PORT_INFO:
		return gs_answer_class_port_info(out, DATA, 0);
	case ATTR_CONFIG_SPACE:
		return answer_config_space(node, out, true);
	case ATTR_ACCESS_REGISTER:
		return gs_answer(out, register_access_answer(node, out + DATA_AFTER_KEY,
							     MAD_SIZE - DATA_AFTER_KEY) < 0 ?
				      MAD_STATUS_BAD_FIELD : MAD_STATUS_OK);
	default:	/* numbers from the wire */
		return gs_answer(out, MAD_STATUS_BAD_METHOD_ATTR);
	}
}

unsigned int mlnx_agent_process(struct node *node, const uint8_t *in, uint8_t *out)
{
	unsigned int result;

	/* These are passed to the firmware by Linux's mlx5; other methods are for programs. */
	if (node->vendor_id != VENDOR_MELLANOX ||
	    (in[MAD_METHOD] != MAD_METHOD_GET && in[MAD_METHOD] != MAD_METHOD_SET))
		return KMOD_MAD_SUCCESS;
	if (!gs_is_request(in, 1, out, &result))
		return result;
	return in[MAD_METHOD] == MAD_METHOD_GET ? answer_get(node, out) : answer_set(node, out);
}
