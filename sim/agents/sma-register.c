/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Attributes by which tools read the registers of Mellanox devices with SMPs: GeneralInfo,
 * ConfigSpaceAccess, AccessRegister (see sim/agents/register-access.h, config-space.h). Other
 * devices do not have them.
 */
#include <string.h>

#include "sim/agents/config-space.h"
#include "sim/agents/device-register.h"
#include "sim/agents/register-access.h"
#include "sim/agents/sma.h"
#include "sim/fabric/node.h"

enum { KEY_SIZE = 8 };			/* precedes the words of ConfigSpaceAccess */

static bool has_registers(const struct sma_request *request)
{
	return request->port->node->vendor_id == VENDOR_MELLANOX;
}

/* Parts of MGIR by modifier: hardware, firmware, software. */
enum mad_status sma_get_general_info(const struct sma_request *request, uint8_t *data)
{
	static const struct { uint8_t at, size; } parts[] = {
		{ MGIR_HARDWARE, MGIR_FIRMWARE - MGIR_HARDWARE },
		{ MGIR_FIRMWARE, MGIR_SOFTWARE - MGIR_FIRMWARE },
		{ MGIR_SOFTWARE, MGIR_PARTS_END - MGIR_SOFTWARE },
	};
	uint8_t mgir[DEVICE_REGISTER_SIZE_MAX] = { 0 };
	size_t size;

	if (!has_registers(request))
		return MAD_STATUS_BAD_METHOD_ATTR;
	if (request->modifier >= sizeof(parts) / sizeof(parts[0]))
		return MAD_STATUS_BAD_FIELD;
	device_register_get(request->port->node, REGISTER_MGIR, mgir, mgir, &size);
	memcpy(data, mgir + parts[request->modifier].at, parts[request->modifier].size);
	return MAD_STATUS_OK;
}

static enum mad_status access_space(const struct sma_request *request, bool write, uint8_t *data)
{
	if (!has_registers(request))
		return MAD_STATUS_BAD_METHOD_ATTR;
	return config_space_access(request->port->node, request->modifier, write, data + KEY_SIZE,
				   SMP_DATA_SIZE - KEY_SIZE) < 0 ? MAD_STATUS_BAD_FIELD :
								   MAD_STATUS_OK;
}

enum mad_status sma_get_config_space(const struct sma_request *request, uint8_t *data)
{
	return access_space(request, false, data);
}

enum mad_status sma_exchange_config_space(const struct sma_request *request, uint8_t *data)
{
	return access_space(request, true, data);
}

/* Reads come as Sets, too: the method is in the TLV. */
enum mad_status sma_get_register(const struct sma_request *request, uint8_t *data)
{
	(void)request;
	(void)data;
	return MAD_STATUS_BAD_METHOD_ATTR;
}

enum mad_status sma_exchange_register(const struct sma_request *request, uint8_t *data)
{
	if (!has_registers(request))
		return MAD_STATUS_BAD_METHOD_ATTR;
	if (request->modifier ||
	    register_access_answer(request->port->node, data, SMP_DATA_SIZE) < 0)
		return MAD_STATUS_BAD_FIELD;
	return MAD_STATUS_OK;
}
