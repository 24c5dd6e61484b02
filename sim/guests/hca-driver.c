/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A driver umadrig_hca: see sim/guests/hca-driver.h.
 */
#include "sim/guests/hca-driver.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "sim/agents/sma.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/guests/guest-port.h"
#include "sim/host/kernel.h"

/* ---- of which hosts ---- */

const char *hca_driver_objection(const struct umadrig_host *host)
{
	if (host->node_count > UMADRIG_HCA_HCAS_MAX)
		return "it has more HCAs than such a kernel has room for, which is 64";
	for (unsigned int i = 0; i < host->node_count; i++) {
		const struct node *node = host->nodes[i];

		if (node->planes)
			return "a planarized HCA has no driver there";
		if (node->vport)
			return "a virtual function has no driver there";
		if (node->sw)
			return "a switch has no driver there";
		if (node->port_count > UMADRIG_HCA_PORTS_MAX)
			return "it has an HCA with more than two ports";
	}
	return NULL;
}

void hca_driver_take(struct hca_driver *driver, const struct umadrig_host *host)
{
	for (unsigned int i = 0; i < host->node_count; i++)
		driver->hca[driver->hca_count++].node = host->nodes[i];
}

void hca_driver_show(const struct umadrig_host *host)
{
	for (unsigned int i = 0; i < host->node_count; i++) {
		struct node *node = host->nodes[i];

		for (unsigned int num = 0; num <= node->port_count && !node->removed; num++) {
			if (node->ports[num].end)
				end_port_kmod(node->ports[num].end);
		}
	}
}

/* ---- HCAs that come and go ---- */

static struct umadrig_hca_description describe(const struct hca_slot *hca)
{
	const struct node *node = hca->node;
	struct umadrig_hca_description description = {
		.node_guid = GUINT64_TO_BE(node->node_guid),
		.system_guid = GUINT64_TO_BE(node->sys_image_guid),
		.pkeys = GUINT16_TO_LE(PKEY_COUNT), .gids = GID_COUNT,
		.node_type = 1,
		.vendor_id = GUINT32_TO_LE(node->vendor_id),
		.device_id = GUINT32_TO_LE(node->device_id),
		.hardware_revision = GUINT32_TO_LE(node->revision),
	};

	for (size_t i = 0; i < UMADRIG_HCA_PORTS_MAX; i++) {
		const struct guest_port *port = hca->port[i];

		if (!port)
			continue;
		description.ports++;
		description.port_guids[i] = GUINT64_TO_BE(port->end->guid);
		/* That the fabric's own SA is there makes its kernel no SM's. */
		description.capabilities[i] = GUINT32_TO_LE(port->end->cap_mask & ~CAP_IS_SM);
	}
	if (!hca->is_unnamed)
		g_strlcpy(description.name, node->device_name, sizeof(description.name));
	g_snprintf(description.type_name, sizeof(description.type_name), "MT%u", node->device_id);
	/* 64 bytes, without a NUL if all are used. */
	memcpy(description.node_description, node_description(node),
	       MIN(strlen(node_description(node)), sizeof(description.node_description)));
	return description;
}

static bool has_all_ports(const struct hca_slot *hca)
{
	for (unsigned int num = 0; num < hca->node->port_count && num < UMADRIG_HCA_PORTS_MAX;
	     num++) {
		if (!hca->port[num])
			return false;
	}
	return true;
}

void hca_driver_add(struct hca_driver *driver, uint8_t number)
{
	const struct umadrig_hca_header header = { .type = UMADRIG_HCA_ADD, .hca = number };
	struct hca_slot *hca = &driver->hca[number];
	struct umadrig_hca_description description;

	if (!driver->is_ready || !hca->node || hca->state != HCA_NONE || !has_all_ports(hca))
		return;
	description = describe(hca);
	hca->state = HCA_COMES;
	hca->err = 0;
	driver->send(driver, &header, &description, sizeof(description));
}

void hca_driver_remove(struct hca_driver *driver, uint8_t number)
{
	const struct umadrig_hca_header header = { .type = UMADRIG_HCA_REMOVE, .hca = number };

	driver->hca[number].state = HCA_GOES;
	driver->send(driver, &header, NULL, 0);
}

static unsigned int count_ports(const struct hca_slot *hca)
{
	unsigned int count = 0;

	for (size_t num = 0; num < G_N_ELEMENTS(hca->port); num++)
		count += hca->port[num] != NULL;
	return count;
}

static void tell_all(const struct hca_slot *hca)
{
	for (size_t num = 0; num < G_N_ELEMENTS(hca->port); num++) {
		if (hca->port[num])
			guest_port_tell_all(hca->port[num]);
	}
}

static void begin(struct hca_driver *driver)
{
	/* For each port of an HCA: two of the MAD layer (QP0, QP1), ib_sa's, ib_cm's. */
	enum { AGENTS_OF_PORT = 4 };
	bool has_booted = driver->own_agents == 0;

	driver->is_ready = true;
	for (unsigned int i = 0; i < driver->hca_count; i++) {
		struct hca_slot *hca = &driver->hca[i];

		hca_driver_add(driver, (uint8_t)i);
		if (has_booted && hca->state == HCA_COMES)
			driver->own_agents += AGENTS_OF_PORT * count_ports(hca);
	}
}

void hca_driver_end(struct hca_driver *driver)
{
	driver->is_ready = false;
	for (size_t i = 0; i < G_N_ELEMENTS(driver->hca); i++)
		driver->hca[i].state = HCA_NONE;
}

bool hca_driver_has_to_come(const struct hca_driver *driver)
{
	for (unsigned int i = 0; i < driver->hca_count; i++) {
		const struct hca_slot *hca = &driver->hca[i];

		if (hca->state == HCA_COMES || (hca->state == HCA_GOES && has_all_ports(hca)))
			return true;
	}
	return false;
}

/* ---- what comes up ---- */

/* The same one? Its name is the kernel's, and its description may be another by now. */
static bool is_same(const struct hca_slot *hca, const struct umadrig_hca_description *there)
{
	struct umadrig_hca_description wanted = describe(hca), found = *there;

	memcpy(found.name, wanted.name, sizeof(found.name));
	memcpy(found.node_description, wanted.node_description, sizeof(found.node_description));
	memcpy(found.capabilities, wanted.capabilities, sizeof(found.capabilities));
	return memcmp(&wanted, &found, sizeof(wanted)) == 0;
}

/* What its kernel and programs have made of it meanwhile: IsSM, a description in sysfs. */
static void take_over(const struct hca_slot *hca, const struct umadrig_hca_description *there)
{
	char text[UMADRIG_HCA_DESCRIPTION_SIZE + 1] = "";

	memcpy(text, there->node_description, UMADRIG_HCA_DESCRIPTION_SIZE);
	node_set_description(hca->node, text);
	for (size_t num = 0; num < G_N_ELEMENTS(hca->port); num++) {
		const struct umadrig_hca_header header = {
			.type = UMADRIG_HCA_CAPABILITY, .value = there->capabilities[num],
		};

		if (hca->port[num])
			guest_port_up(hca->port[num], &header, NULL, 0);
	}
}

/* An HCA of the session before this one: programs that use it go on, if it is what is wanted. */
static void find(struct hca_driver *driver, uint8_t number,
		 const struct umadrig_hca_description *there)
{
	struct hca_slot *hca = &driver->hca[number];

	if (!hca->node || !has_all_ports(hca) || !is_same(hca, there)) {
		hca_driver_remove(driver, number);
		return;
	}
	hca->state = HCA_THERE;
	take_over(hca, there);
	tell_all(hca);
}

static void fail(struct hca_driver *driver, uint8_t number, int err)
{
	struct hca_slot *hca = &driver->hca[number];

	hca->state = HCA_NONE;
	/* A name that the kernel has already. */
	if ((err == ENFILE || err == EEXIST) && !hca->is_unnamed) {
		hca->is_unnamed = true;
		hca_driver_add(driver, number);
		return;
	}
	hca->err = err;
	fprintf(stderr, "umadrig: the kernel of %s has no HCA %s: %s\n",
		node_host(hca->node)->name, hca->node->device_name, g_strerror(err));
}

static int take_hello(struct hca_driver *driver, const struct umadrig_hca_header *header,
		      const uint8_t *payload, size_t size)
{
	struct hca_slot *hca = &driver->hca[header->hca];
	struct umadrig_hca_description there;

	if (size != sizeof(there))
		return -EPROTO;
	memcpy(&there, payload, sizeof(there));
	there.name[sizeof(there.name) - 1] = '\0';
	if (header->value != 0) {
		if (hca->state == HCA_COMES)
			fail(driver, header->hca, (int)GUINT32_FROM_LE(header->value));
		return 0;
	}
	g_strlcpy(hca->name, there.name, sizeof(hca->name));
	if (hca->state == HCA_NONE && driver->keeps_hcas && !driver->is_ready) {
		find(driver, header->hca, &there);
	} else if (hca->state == HCA_COMES) {
		hca->state = HCA_THERE;
		tell_all(hca);
	}
	return 0;
}

static void take_gone(struct hca_driver *driver, uint8_t number)
{
	if (driver->hca[number].state != HCA_GOES)
		return;
	driver->hca[number].state = HCA_NONE;
	hca_driver_add(driver, number);
}

static int take_description(const struct hca_slot *hca, const uint8_t *payload, size_t size)
{
	char text[UMADRIG_HCA_DESCRIPTION_SIZE + 1] = "";

	if (size != UMADRIG_HCA_DESCRIPTION_SIZE)
		return -EPROTO;
	memcpy(text, payload, size);
	if (hca->port[0])
		node_set_description(hca->node, text);
	return 0;
}

static bool is_of_port(uint8_t type)
{
	return type == UMADRIG_HCA_MAD || type == UMADRIG_HCA_DATAGRAM ||
	       type == UMADRIG_HCA_QUERY ||
	       type == UMADRIG_HCA_CAPABILITY || type == UMADRIG_HCA_VIOLATION ||
	       type == UMADRIG_HCA_COUNTERS;
}

int hca_driver_up(struct hca_driver *driver, const struct umadrig_hca_header *header,
		  const uint8_t *payload, size_t size)
{
	const unsigned int last = driver->keeps_hcas ? UMADRIG_HCA_HCAS_MAX : driver->hca_count;
	unsigned int index = header->port ? header->port - 1U : 0;
	const struct hca_slot *hca;

	if (header->type == UMADRIG_HCA_READY) {
		begin(driver);
		return 0;
	}
	if (header->hca >= last)
		return -EPROTO;
	hca = &driver->hca[header->hca];
	/* It has just been pulled out: what was on its way ends here. */
	if (is_of_port(header->type))
		return index < UMADRIG_HCA_PORTS_MAX && hca->port[index] ?
		       guest_port_up(hca->port[index], header, payload, size) : 0;
	if (header->type == UMADRIG_HCA_HELLO)
		return take_hello(driver, header, payload, size);
	if (header->type == UMADRIG_HCA_GONE)
		take_gone(driver, header->hca);
	else if (header->type == UMADRIG_HCA_NODE_DESCRIPTION)
		return take_description(hca, payload, size);
	else
		return -EPROTO;
	return 0;
}
