/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Programs' view of a host's devices, and operations on its umad files: see sim/host/device.h.
 */
#include "config.h"

#include "sim/host/device.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/registration-argument.h"
#include "lib/base/umad-command.h"
#include "lib/base/wire.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/link.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/virtual-function.h"
#include "sim/host/issm-path.h"
#include "sim/time/clock.h"

/* ---- devices ---- */

void device_banner(const struct umadrig_host *host, char *text, size_t size)
{
	const struct umadrig_fabric *fabric = host->fabric;
	bool other = host->kernel != &kmod_stub;
	bool usual = other || host->profile == KMOD_LINUX_6_1;

	snprintf(text, size, "simulated fabric: %s (%u nodes, %s clock%s%s%s%s%s), host %s",
		 fabric->name, fabric->nodes->len,
		 clock_is_virtual(fabric->clock) ? "virtual" : "real",
		 fabric->options.cold ? ", cold" : "", usual ? "" : ", profile ",
		 usual ? "" : kmod_profile_name(host->profile), other ? ", kernel " : "",
		 other ? host->kernel->name : "", host->name);
	host_one_line(text);
}

int device_list(const struct umadrig_host *host, char (**ret_names)[UMAD_BACKEND_NAME_SIZE],
		size_t *ret_count)
{
	char (*names)[UMAD_BACKEND_NAME_SIZE] = calloc(host->node_count + 1U, sizeof(*names));
	size_t count = 0;

	if (!names)
		return -ENOMEM;
	for (unsigned int i = 0; i < host->node_count; i++) {
		const struct node *node = host->nodes[i];

		if (!node->removed)
			g_strlcpy(names[count++], node->device_name, UMAD_BACKEND_NAME_SIZE);
	}
	if (count == 0) {
		free(names);
		names = NULL;
	}
	*ret_names = names;
	*ret_count = count;
	return 0;
}

struct end_port *device_port(const struct umadrig_host *host, const char *ca_name,
			     unsigned int portnum)
{
	struct node *node = host_device(host, ca_name);

	return node ? node_end_port(node, portnum) : NULL;
}

/* sysfs numbers node types as NodeInfo does. */
int device_describe(const struct node *node, struct umad_backend_ca *ret)
{
	struct umad_backend_ca ca = { .node_type = (unsigned int)node->kind };

	ca.port_nums = malloc((node->port_count + 1U) * sizeof(*ca.port_nums));
	if (!ca.port_nums)
		return -ENOMEM;
	for (unsigned int num = 0; num <= node->port_count; num++) {
		if (node->ports[num].end)
			ca.port_nums[ca.port_count++] = num;
	}
	g_strlcpy(ca.name, node->device_name, sizeof(ca.name));
	/* The firmware of a simulated adapter is this program. */
	g_strlcpy(ca.fw_ver, PACKAGE_VERSION, sizeof(ca.fw_ver));
	snprintf(ca.hw_rev, sizeof(ca.hw_rev), "%x", node->revision);
	/* The mlx drivers call their adapters MT and the PCI device number. */
	if (node->vendor_id == VENDOR_MELLANOX && node->device_id)
		snprintf(ca.hca_type, sizeof(ca.hca_type), "MT%u", node->device_id);
	if (node->planes)
		node = node->planes->hca;
	ca.node_guid = node->node_guid;
	ca.sys_image_guid = node->sys_image_guid;
	*ret = ca;
	return 0;
}

/* The rate of a lane in tenths of Gb/s, and what the kernel calls it. */
struct lane {
	unsigned int tenths;
	const char *name;
	unsigned int code;		/* enum ib_port_speed */
};

static const struct lane *active_lane(const struct port *from)
{
	static const struct lane speeds[] = {
		{ 25, "SDR", 1 }, { 50, "DDR", 2 }, { 100, "QDR", 4 },
	};
	static const struct lane ext_speeds[] = {
		{ 140, "FDR", 16 }, { 250, "EDR", 32 }, { 500, "HDR", 64 }, { 1000, "NDR", 128 },
		{ 0, NULL, 0 }, { 2000, "XDR", 256 },
	};
	static const struct lane fdr10 = { 100, "FDR10", 8 };
	const struct lane *lane = &speeds[0];

	for (unsigned int i = 0; i < G_N_ELEMENTS(speeds); i++)
		if (from->speed_active & (1U << i))
			lane = from->fdr10_active ? &fdr10 : &speeds[i];
	for (unsigned int i = 0; i < G_N_ELEMENTS(ext_speeds); i++)
		if (from->speed_ext_active & (1U << i))
			lane = &ext_speeds[i];
	return lane;
}

/*
 * Linux (mlx5): a link that is not up has no width and no speed. The kernel then counts four lanes,
 * of SDR, whose name "invalid" speeds have as well; at a port of Ethernet of QDR.
 */
static unsigned int down_width(const struct port *port, const struct lane **ret_lane)
{
	static const struct lane infiniband = { 25, "SDR", 0 }, ethernet = { 100, "QDR", 4 };

	*ret_lane = port->end->attr.link_is_ethernet ? &ethernet : &infiniband;
	return 4;
}

/* The lanes of the port, and '*ret_lane'. */
static unsigned int active_width(struct port *port, const struct lane **ret_lane)
{
	const struct node *hca = node_is_gsi(port->node) ? port->node->planes->hca : NULL;
	const struct port *from = hca ? planes_first_up(hca->planes) : port_physical(port);

	if (from->phys_state != PORT_PHYS_LINK_UP)
		return down_width(port, ret_lane);
	*ret_lane = active_lane(from);
	return hca ? planes_lanes(hca->planes) : link_lanes(from->width_active);
}

struct device_rate device_port_rate(struct port *port)
{
	/* enum ib_port_width */
	static const uint8_t codes[] = { [1] = 1, [2] = 16, [4] = 2, [8] = 4, [12] = 8 };
	const struct lane *lane;
	unsigned int width = active_width(port, &lane);

	return (struct device_rate){
		.width = width < G_N_ELEMENTS(codes) ? codes[width] : 0, .speed = lane->code,
	};
}

/* As the kernel computes and writes it, from width and speed: "100 Gb/sec (4X EDR)". */
static void print_rate(struct port *port, char *text, size_t size)
{
	const struct lane *lane;
	unsigned int width = active_width(port, &lane), tenths = lane->tenths * width;

	snprintf(text, size, "%u%s Gb/sec (%uX %s)", tenths / 10, tenths % 10 ? ".5" : "", width,
		 lane->name);
}

/*
 * Linux (mlx5): of a planarized HCA, the port of the GSI device is closed to SMs, and the SMI
 * device has no CM.
 */
static uint32_t cap_mask_of(const struct end_port *end)
{
	uint32_t cap_mask = port_speaker(end->port)->cap_mask;

	if (node_is_gsi(end->port->node))
		return (cap_mask | CAP_SM_DISABLED) & ~CAP_IS_SM;
	return end->attr.no_gsi ? cap_mask & ~CAP_COMMUNICATION_MANAGEMENT : cap_mask;
}

void device_port_attr(struct end_port *end, struct port_attr *ret)
{
	struct port *port = end->port;
	const struct end_port *vport = port_speaker(port);
	const struct planes *planes = port->node->planes;

	issm_path_look(end);
	memset(ret, 0, sizeof(*ret));
	ret->gid_prefix = get_be64(end->attr.gids[0]);
	ret->port_guid = get_be64(end->attr.gids[0] + 8);
	ret->portnum = port->num;
	ret->state = planes ? planes_state(planes) : port->state;
	ret->phys_state = planes ? planes_first_up(planes)->phys_state :
				   port_physical(port)->phys_state;
	if (port->node->vport)
		ret->state = function_state(node_function(port->node));
	ret->cap_mask = cap_mask_of(end);
	strcpy(ret->link_layer, end->attr.link_is_ethernet ? "Ethernet" : "InfiniBand");
	ret->lid = end->attr.lid;
	ret->lmc = end->attr.lmc;
	ret->sm_lid = vport->sm_lid;
	ret->sm_sl = vport->sm_sl;
	if (!end->no_rate)
		print_rate(port, ret->rate, sizeof(ret->rate));
}

int device_describe_port(struct end_port *end, unsigned int parts, struct umad_backend_port *ret)
{
	struct umad_backend_port described = { .pkeys = NULL };

	device_port_attr(end, &described.attr);
	if (parts & UMAD_BACKEND_PORT_PKEYS) {
		described.pkeys = malloc(end->attr.pkey_count * sizeof(*described.pkeys));
		if (!described.pkeys)
			return -ENOMEM;
		memcpy(described.pkeys, end->attr.pkeys,
		       end->attr.pkey_count * sizeof(*described.pkeys));
		described.pkey_count = end->attr.pkey_count;
	}
	*ret = described;
	return 0;
}

/* ---- files ---- */

void device_file_enable_pkey(struct kmod_file *file)
{
	kmod_file_ioctl(file, UMAD_COMMAND_ENABLE_PKEY, NULL);
}

int device_file_register(struct kmod_file *file, struct umad_backend_reg *reg)
{
	union registration_argument argument;
	unsigned long command = registration_argument_pack(reg, &argument);
	int ret = kmod_file_ioctl(file, command, &argument);

	registration_argument_answered(&argument, ret, reg);
	return ret;
}

int device_file_unregister(struct kmod_file *file, uint32_t id)
{
	return kmod_file_ioctl(file, UMAD_COMMAND_UNREGISTER_AGENT, &id);
}
