/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The subnet management agent's attributes of a port other than PortInfo: PortInfoExtended,
 * VendorDiag, LedInfo and HierarchyInfo (IBA vol 1, 14.2.5.14 and on), and the attribute in which
 * Mellanox devices show FDR10. See sim/agents/sma.h.
 */
#include <glib.h>
#include <string.h>

#include "sim/agents/sma.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/link.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"

enum {
	MLNX_SPEED_FDR10 = 1,
	FEC_SUPPORTED = 1,		/* PortInfoExtended.CapabilityMask */
	NO_CHANGE = 0,
	MULTI_PLANE_HCA = 2,		/* ExtendedNodeInfo.NodeTypeExtended */
	HIERARCHY_LEVELS = 13,
	HIERARCHY_INDEX = 8,		/* where it is in the modifier */
	HIERARCHY_LEVEL_0 = 12,		/* where its four bytes are */
};

/* ---- fields, looked up once ---- */

#define MLNX_EXT_PORT_INFO(F) \
	F(StateChangeEnable) F(LinkSpeedSupported) F(LinkSpeedEnabled) F(LinkSpeedActive)
#define PORT_INFO_EXTENDED(F) F(CapMask) F(FECModeActive)

#define MEMBER(name) const struct mad_field *name;
static struct { MLNX_EXT_PORT_INFO(MEMBER) } mlnx_ext_port_info;
static struct { PORT_INFO_EXTENDED(MEMBER) } port_info_extended;
static struct { const struct mad_field *supported, *enabled; } fec[LINK_FEC_SPEEDS];
static const struct mad_field *next_index, *led_mask, *active_levels, *node_type_extended;
static const struct mad_field *asic_max_planes;

/* Runs before anything else, so that it takes no fabric's lock and costs no request anything. */
__attribute__((constructor)) static void look_up_fields(void)
{
	static const char *const speeds[] = { "FDR", "EDR", "HDR", "NDR" };

#define IN_MLNX(name) \
	mlnx_ext_port_info.name = mad_field_must(0x01, ATTR_MLNX_EXT_PORT_INFO, #name);
#define IN_EXTENDED(name) \
	port_info_extended.name = mad_field_must(0x01, ATTR_PORT_INFO_EXTENDED, #name);
	MLNX_EXT_PORT_INFO(IN_MLNX)
	PORT_INFO_EXTENDED(IN_EXTENDED)
	for (size_t i = 0; i < LINK_FEC_SPEEDS; i++) {
		char name[32];

		g_snprintf(name, sizeof(name), "%sFECModeSupported", speeds[i]);
		fec[i].supported = mad_field_must(0x01, ATTR_PORT_INFO_EXTENDED, name);
		g_snprintf(name, sizeof(name), "%sFECModeEnabled", speeds[i]);
		fec[i].enabled = mad_field_must(0x01, ATTR_PORT_INFO_EXTENDED, name);
	}
	next_index = mad_field_must(0x01, ATTR_VENDOR_DIAG, "NextIndex");
	led_mask = mad_field_must(0x01, ATTR_LED_INFO, "LedMask");
	active_levels = mad_field_must(0x01, ATTR_HIERARCHY_INFO, "ActiveLevels");
	node_type_extended = mad_field_must(0x01, ATTR_MLNX_EXTENDED_NODE_INFO, "NodeTypeExtended");
	asic_max_planes = mad_field_must(0x01, ATTR_MLNX_EXTENDED_NODE_INFO, "AsicMaxPlanes");
}

/* ---- PortInfoExtended ---- */

/* Devices older than the extended speeds do not have it, as their CapabilityMask2 shows. */
static bool has_extended(const struct port *port)
{
	return port_speaker(port)->cap_mask2 & CAP2_PORT_INFO_EXTENDED;
}

enum mad_status sma_get_port_info_extended(const struct sma_request *request, uint8_t *data)
{
	const struct port *port = sma_selected_port(request);

	if (!port)
		return MAD_STATUS_BAD_FIELD;
	if (!has_extended(port))
		return MAD_STATUS_BAD_METHOD_ATTR;
	mad_field_set(port_info_extended.CapMask, data, FEC_SUPPORTED);
	mad_field_set(port_info_extended.FECModeActive, data, port->fec_active);
	for (unsigned int i = 0; i < LINK_FEC_SPEEDS; i++) {
		mad_field_set(fec[i].supported, data, link_fec_supported(port, i));
		mad_field_set(fec[i].enabled, data, port->fec_enabled[i]);
	}
	return MAD_STATUS_OK;
}

/* What is enabled takes effect when the link trains next. */
enum mad_status sma_set_port_info_extended(const struct sma_request *request, const uint8_t *data)
{
	struct port *port = sma_selected_port(request);

	if (!port)
		return MAD_STATUS_BAD_FIELD;
	if (!has_extended(port))
		return MAD_STATUS_BAD_METHOD_ATTR;
	for (unsigned int i = 0; i < LINK_FEC_SPEEDS; i++) {
		if (mad_field_get(fec[i].enabled, data) & ~(uint64_t)link_fec_supported(port, i))
			return MAD_STATUS_BAD_FIELD;
	}
	for (unsigned int i = 0; i < LINK_FEC_SPEEDS; i++) {
		uint64_t enabled = mad_field_get(fec[i].enabled, data);

		if (enabled != NO_CHANGE)
			port->fec_enabled[i] = (uint8_t)enabled;
	}
	return MAD_STATUS_OK;
}

/* ---- VendorDiag, LedInfo ---- */

/* A simulated device has no faults: there is one page, which says so. */
enum mad_status sma_get_vendor_diag(const struct sma_request *request, uint8_t *data)
{
	if (request->modifier)
		return MAD_STATUS_BAD_FIELD;
	mad_field_set(next_index, data, 0);
	return MAD_STATUS_OK;
}

enum mad_status sma_get_led_info(const struct sma_request *request, uint8_t *data)
{
	const struct port *port = sma_selected_port(request);

	if (!port)
		return MAD_STATUS_BAD_FIELD;
	mad_field_set(led_mask, data, port->led);
	return MAD_STATUS_OK;
}

enum mad_status sma_set_led_info(const struct sma_request *request, const uint8_t *data)
{
	struct port *port = sma_selected_port(request);

	if (!port)
		return MAD_STATUS_BAD_FIELD;
	port->led = mad_field_get(led_mask, data);
	return MAD_STATUS_OK;
}

/* ---- HierarchyInfo ---- */

/*
 * The location of a port, according to a template: an SM writes it, and we store it. There is room
 * for one hierarchy, so MaxSupportedIndex and MaxActiveIndex are 0, and so is the index next to the
 * port in the modifier. No active level: it has not been set. Of a CA the modifier selects no port
 * (so NVIDIA's headers of opensm): it is the port that the request came in by.
 */
static struct port *hierarchy_port(const struct sma_request *request)
{
	bool is_first = request->modifier >> HIERARCHY_INDEX == 0;

	if (!request->port->node->sw && is_first)
		return request->port;
	return sma_selected_port(request);
}

enum mad_status sma_get_hierarchy_info(const struct sma_request *request, uint8_t *data)
{
	const struct port *port = hierarchy_port(request);

	if (!port)
		return MAD_STATUS_BAD_FIELD;
	if (port->hierarchy)
		memcpy(data, port->hierarchy, SMP_DATA_SIZE);
	return MAD_STATUS_OK;
}

enum mad_status sma_set_hierarchy_info(const struct sma_request *request, const uint8_t *data)
{
	enum { TEMPLATE_SIZE = 8 };
	struct port *port = hierarchy_port(request);
	uint64_t levels = mad_field_get(active_levels, data);

	if (!port || levels > HIERARCHY_LEVELS)
		return MAD_STATUS_BAD_FIELD;
	g_clear_pointer(&port->hierarchy, g_free);
	if (levels == 0)
		return MAD_STATUS_OK;
	port->hierarchy = g_malloc0(SMP_DATA_SIZE);
	memcpy(port->hierarchy, data, TEMPLATE_SIZE);
	mad_field_set(active_levels, port->hierarchy, levels);
	memcpy(port->hierarchy + HIERARCHY_LEVEL_0, data + HIERARCHY_LEVEL_0, levels * 4);
	return MAD_STATUS_OK;
}

/* ---- Mellanox ---- */

/* A port that runs at FDR10 supports it. */
static bool has_mlnx_ext(const struct port *port)
{
	return port->fdr10 || port->node->vendor_id == VENDOR_MELLANOX;
}

/* Mellanox devices show here that a link runs at FDR10, which is QDR in PortInfo. */
enum mad_status sma_get_mlnx_ext_port_info(const struct sma_request *request, uint8_t *data)
{
	const struct port *port = sma_selected_port(request);

	if (!port)
		return MAD_STATUS_BAD_FIELD;
	if (!has_mlnx_ext(port))
		return MAD_STATUS_BAD_METHOD_ATTR;
	mad_field_set(mlnx_ext_port_info.LinkSpeedSupported, data,
		      port->fdr10 ? MLNX_SPEED_FDR10 : 0);
	mad_field_set(mlnx_ext_port_info.LinkSpeedEnabled, data,
		      port->fdr10_enabled ? MLNX_SPEED_FDR10 : 0);
	mad_field_set(mlnx_ext_port_info.LinkSpeedActive, data,
		      port->fdr10_active ? MLNX_SPEED_FDR10 : 0);
	return MAD_STATUS_OK;
}

/*
 * StateChangeEnable selects the speeds that LinkSpeedEnabled changes; the others stay as they are.
 */
enum mad_status sma_set_mlnx_ext_port_info(const struct sma_request *request, const uint8_t *data)
{
	struct port *port = sma_selected_port(request);
	uint64_t change = mad_field_get(mlnx_ext_port_info.StateChangeEnable, data);
	uint64_t enabled = mad_field_get(mlnx_ext_port_info.LinkSpeedEnabled, data);

	if (!port)
		return MAD_STATUS_BAD_FIELD;
	if (!has_mlnx_ext(port))
		return MAD_STATUS_BAD_METHOD_ATTR;
	if (enabled & change & ~(uint64_t)(port->fdr10 ? MLNX_SPEED_FDR10 : 0))
		return MAD_STATUS_BAD_FIELD;
	if (change & MLNX_SPEED_FDR10)
		port->fdr10_enabled = enabled & MLNX_SPEED_FDR10;
	return MAD_STATUS_OK;
}

/* By which an SM of NVIDIA's knows a planarized HCA. Other nodes here do not have it. */
enum mad_status sma_get_mlnx_extended_node_info(const struct sma_request *request, uint8_t *data)
{
	const struct node *node = request->port->node;

	if (!node->planes || node->vendor_id != VENDOR_MELLANOX)
		return MAD_STATUS_BAD_METHOD_ATTR;
	if (request->modifier)
		return MAD_STATUS_BAD_FIELD;
	mad_field_set(node_type_extended, data, MULTI_PLANE_HCA);
	mad_field_set(asic_max_planes, data, node->port_count);
	return MAD_STATUS_OK;
}
