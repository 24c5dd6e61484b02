/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Mellanox's vendor class: see sim/agents/mlnx-agent.h.
 *
 * Of the requests that its firmware answers, only general information makes sense in a simulation.
 * The class is not documented; vendstat shows where the fields are.
 */
#include "config.h"

#include "sim/agents/mlnx-agent.h"

#include <glib.h>
#include <string.h>

#include "lib/words/number.h"
#include "sim/agents/gs-agent.h"
#include "sim/fabric/node.h"

enum {
	ATTR_GENERAL_INFO = 0x0017,
	DATA = 24,

	/* In general information, from DATA on. */
	HW_REVISION = 8,		/* 16 bits, as the next one */
	HW_DEVICE_ID = 10,
	HW_UPTIME = 36,			/* seconds */
	FW_MAJOR = 41,			/* a byte each; and minor, and sub-minor */
	FW_PSID = 56,
	FW_PSID_SIZE = 16,
	FW_EXTENDED_MAJOR = 76,		/* the same in 32 bits each, on all but the oldest */
};

/* A simulated device's firmware is the simulator. */
static void put_versions(uint8_t *data)
{
	const char *version = PACKAGE_VERSION;

	for (unsigned int i = 0; i < 3; i++) {
		uint64_t part = 0;

		number_take(&version, 10, UINT32_MAX, &part);
		version += *version == '.';
		data[FW_MAJOR + i] = (uint8_t)part;
		put_be32(data + FW_EXTENDED_MAJOR + 4 * i, (uint32_t)part);
	}
	memcpy(data + FW_PSID, PACKAGE_NAME, MIN(strlen(PACKAGE_NAME), FW_PSID_SIZE - 1));
}

static unsigned int answer_general_info(const struct node *node, uint8_t *out)
{
	uint8_t *data = out + DATA;

	memset(data, 0, MAD_SIZE - DATA);
	put_be16(data + HW_REVISION, (uint16_t)node->revision);
	put_be16(data + HW_DEVICE_ID, node->device_id);
	put_be32(data + HW_UPTIME, (uint32_t)(node->fabric->queue.now_ns / NS_PER_S));
	put_versions(data);
	return gs_answer(out, MAD_STATUS_OK);
}

unsigned int mlnx_agent_process(const struct node *node, const uint8_t *in, uint8_t *out)
{
	unsigned int result;

	/* These are passed to the firmware by Linux's mlx5; other methods are for programs. */
	if (node->vendor_id != VENDOR_MELLANOX ||
	    (in[MAD_METHOD] != MAD_METHOD_GET && in[MAD_METHOD] != MAD_METHOD_SET))
		return KMOD_MAD_SUCCESS;
	if (!gs_is_request(in, 1, out, &result))
		return result;
	switch (get_be16(in + MAD_ATTR_ID)) {
	case ATTR_CLASS_PORT_INFO:
		return gs_answer_class_port_info(out, DATA, 0);
	case ATTR_GENERAL_INFO:
		if (in[MAD_METHOD] == MAD_METHOD_GET)
			return answer_general_info(node, out);
		return gs_answer(out, MAD_STATUS_BAD_METHOD_ATTR);
	default:	/* numbers from the wire */
		return gs_answer(out, MAD_STATUS_BAD_METHOD_ATTR);
	}
}
