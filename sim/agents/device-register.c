/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The table of registers: see sim/agents/device-register.h.
 */
#include "sim/agents/device-register.h"

#include <glib.h>
#include <string.h>

#include "sim/agents/register-parts.h"
#include "sim/fabric/node.h"

static const struct device_register {
	uint16_t id, size;
	register_get_fn *get;
	bool of_switches;
} registers[] = {
	{ 0x5002, 0x40, register_get_pmlp, false },
	{ 0x5003, 0x10, register_get_pmtu, false },
	{ 0x5004, 0x44, register_get_ptys, false },
	{ 0x5006, 0x10, register_get_paos, false },
	{ 0x5008, 0x100, register_get_ppcnt, false },
	{ 0x500a, 0x10, register_get_plib, true },
	{ 0x5012, 0x10, register_get_pmaos, false },
	{ 0x5023, 0x78, register_get_pplm, false },
	{ 0x5027, 0x4c, register_get_sltp, false },
	{ 0x5031, 0x100, register_get_pddr, false },
	{ 0x507f, 0x50, register_get_pcam, false },
	{ 0x6002, 0x70, register_get_spzr, false },
	{ 0x9001, 0x08, register_get_mfcr, true },
	{ 0x9003, 0x08, register_get_mfsm, true },
	{ 0x9007, 0x0c, register_get_fore, true },
	{ 0x9009, 0x10, register_get_mtcap, false },
	{ 0x900a, 0x20, register_get_mtmp, false },
	{ 0x900c, 0x18, register_get_mvcr, true },
	{ 0x900d, 0xa0, register_get_msps, true },
	{ 0x9014, 0x94, register_get_mcia, false },
	{ 0x9020, 0xa0, register_get_mgir, false },
	{ 0x9021, 0x80, register_get_msgi, false },
	{ 0x902a, 0x0c, register_get_msci, true },
	{ 0x9060, 0x10, register_get_mcqs, false },
	{ 0x9061, 0x94, register_get_mcqi, false },
	{ 0x9062, 0x20, register_get_mcc, false },
	{ 0x9063, 0x90, register_get_mcda, false },
	{ 0x9064, 0x18, register_get_mqis, false },
	{ 0x907f, 0x48, register_get_mcam, false },
	{ 0x9100, 0xa0, register_get_mgpir, true },
};

static const struct device_register *find_register(const struct node *node, unsigned int id)
{
	for (size_t i = 0; i < G_N_ELEMENTS(registers); i++) {
		if (registers[i].id == id && (node->sw || !registers[i].of_switches))
			return &registers[i];
	}
	return NULL;
}

static bool has_register(const struct node *node, unsigned int id)
{
	return find_register(node, id) != NULL;
}

enum register_status device_register_get(struct node *node, unsigned int id, const uint8_t *asked,
					 uint8_t *data, size_t *ret_size)
{
	const struct device_register *found = find_register(node, id);
	struct register_query query = { .node = node, .has = has_register, .asked = asked };
	uint8_t contents[DEVICE_REGISTER_SIZE_MAX] = { 0 };
	enum register_status status;

	if (!found)
		return REGISTER_UNKNOWN;
	/* What firmware has is of the device, not of the two that Linux makes of it. */
	if (node_is_gsi(node))
		query.node = node->planes->hca;
	status = found->get(&query, contents);
	if (status != REGISTER_OK)
		return status;
	memcpy(data, contents, sizeof(contents));
	*ret_size = found->size;
	return REGISTER_OK;
}
