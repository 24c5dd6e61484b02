/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The files of a host's devices: see sim/server/sysfs-view.h. Their contents are the kernel's, to
 * the byte. Ports, umad devices, verbs devices, cards and so on have files of their own beside.
 *
 * When anything of a node has changed (node_changed()), its view compares the present values with
 * those in the files, and writes the files that differ.
 */
#include "config.h"

#include "sim/server/sysfs-view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/fabric/end-port.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/fabric/virtual-function.h"
#include "sim/host/device.h"
#include "sim/host/kernel.h"
#include "sim/server/sysfs-card.h"
#include "sim/server/sysfs-functions.h"
#include "sim/server/sysfs-hfi1.h"
#include "sim/server/sysfs-hw-counters.h"
#include "sim/server/sysfs-kernel.h"
#include "sim/server/sysfs-port.h"
#include "sim/server/sysfs-tree.h"
#include "sim/server/sysfs-udev.h"
#include "sim/server/sysfs-umad.h"
#include "sim/server/sysfs-verbs.h"
#include "sim/time/clock.h"

/* The values of a device that may change. Compared as bytes, too. */
struct device_values {
	uint64_t node_guid, sys_image_guid;
	char description[64 + 1];
};

struct device_view {
	struct node *node;
	unsigned int card;		/* number of the adapter that it is of (sysfs-card.h) */
	struct sysfs_verbs verbs;
	char *path;			/* devices/.../infiniband/H1 */
	bool is_there;			/* it has not been pulled out */
	uint64_t seen;			/* node->changed of what is shown */
	struct device_values values;
	struct function_shown *functions;	/* of an HCA that has virtual ones; else NULL */
};

struct sysfs_view {
	bool is_kept;			/* set by sysfs_view_keep() */
	struct umadrig_host *host;
	struct sysfs_tree tree;
	struct sysfs_kernel kernel;
	uint64_t seen_messages;		/* of the host's */
	bool is_complete;		/* what comes and goes from now on has uevents */
	GArray *devices;		/* of struct device_view */
	GArray *ports;			/* of struct sysfs_port: N of umadN and issmN */
};

/* By the clock of the host's programs. */
static int64_t now_ns(const struct sysfs_view *view)
{
	return view->kernel.boot_ns + view->host->fabric->queue.now_ns;
}

/* ---- ports ---- */

unsigned int sysfs_view_refresh_counters(struct sysfs_view *view)
{
	unsigned int before = view->tree.written;

	for (guint i = 0; i < view->ports->len; i++) {
		struct sysfs_port *at = &g_array_index(view->ports, struct sysfs_port, i);

		if (!at->end->port->node->removed)
			sysfs_port_refresh_counters(&view->tree, at);
	}
	return view->tree.written - before;
}

bool sysfs_view_moves(const struct sysfs_view *view)
{
	for (guint i = 0; i < view->ports->len; i++) {
		const struct sysfs_port *at = &g_array_index(view->ports, struct sysfs_port, i);

		if (!at->end->port->node->removed && sysfs_port_moves(at))
			return true;
	}
	return false;
}

static struct sysfs_umad umad_of(const struct sysfs_view *view, guint number)
{
	const struct sysfs_port *at = &g_array_index(view->ports, struct sysfs_port, number);

	return (struct sysfs_umad){ .end = at->end, .number = number, .card = at->card };
}

static void show_port(struct sysfs_view *view, guint number)
{
	const struct sysfs_umad umad = umad_of(view, number);

	sysfs_port_put(&view->tree, &g_array_index(view->ports, struct sysfs_port, number));
	sysfs_umad_put(&view->tree, view->host, &umad, now_ns(view));
}

static void hide_port(struct sysfs_view *view, guint number)
{
	const struct sysfs_umad umad = umad_of(view, number);

	sysfs_umad_take_away(&view->tree, &umad);
}

/* ---- devices ---- */

static void put_guid(struct sysfs_view *view, const char *path, const char *name, uint64_t guid)
{
	sysfs_tree_put(&view->tree, path, name, "%04x:%04x:%04x:%04x\n",
		       (unsigned int)(guid >> 48), (unsigned int)(guid >> 32 & 0xffff),
		       (unsigned int)(guid >> 16 & 0xffff), (unsigned int)(guid & 0xffff));
}

static struct device_values device_values(const struct node *node)
{
	struct device_values values;

	if (node->planes)
		node = node->planes->hca;
	memset(&values, 0, sizeof(values));
	values.node_guid = node->node_guid;
	values.sys_image_guid = node->sys_image_guid;
	g_strlcpy(values.description, node_description(node), sizeof(values.description));
	return values;
}

static void put_values(struct sysfs_view *view, const struct device_view *device)
{
	put_guid(view, device->path, "node_guid", device->values.node_guid);
	put_guid(view, device->path, "sys_image_guid", device->values.sys_image_guid);
	sysfs_tree_put(&view->tree, device->path, "node_desc", "%s\n", device->values.description);
}

/* What mlx5 says of an adapter; its pages of memory are those that firmware has of it. */
static void put_device_files(struct sysfs_tree *tree, const char *path,
			     const struct umad_backend_ca *ca, const struct node *node)
{
	static const char *const types[] = { "<unknown>", "CA", "switch", "router" };

	sysfs_tree_put(tree, path, "node_type", "%u: %s\n", ca->node_type,
		       ca->node_type < G_N_ELEMENTS(types) ? types[ca->node_type] : types[0]);
	sysfs_tree_put(tree, path, "fw_ver", "%s\n", ca->fw_ver);
	sysfs_tree_put(tree, path, "hw_rev", "%s\n", ca->hw_rev);
	if (ca->hca_type[0])
		sysfs_tree_put(tree, path, "hca_type", "%s\n", ca->hca_type);
	/* A PSID: three letters of the vendor's, and ten digits of the board's. */
	sysfs_tree_put(tree, path, "board_id", "SIM%010u\n", node->device_id);
	if (!sysfs_is_hfi1(node)) {
		sysfs_tree_put(tree, path, "fw_pages", "0\n");
		sysfs_tree_put(tree, path, "reg_pages", "0\n");
	}
	sysfs_tree_put(tree, path, "uevent", "NAME=%s\n", node->device_name);
}

static unsigned int find_card(const struct sysfs_view *view, const struct node *node)
{
	guint i = 0;

	while (g_array_index(view->devices, struct device_view, i).node != node)
		i++;
	return g_array_index(view->devices, struct device_view, i).card;
}

/* An HCA's virtual functions, or its HCA's link to one. */
static void put_functions(struct sysfs_view *view, struct device_view *device)
{
	const struct node *node = device->node;
	const struct functions *functions = node->functions;

	g_clear_pointer(&device->functions, g_free);
	if (node->vport)
		sysfs_functions_link(&view->tree, node->vport - 1U, device->card,
				     find_card(view, functions->pf));
	else if (functions)
		device->functions = sysfs_functions_put(&view->tree, node, device->card,
							find_card(view, functions->at[0].node));
}

static void show_device(struct sysfs_view *view, struct device_view *device)
{
	g_autofree char *card = sysfs_card_path(device->card);
	g_autofree char *ports = g_build_filename(device->path, "ports", NULL);
	struct umad_backend_ca ca;

	if (device_describe(device->node, &ca) < 0)
		return;
	free(ca.port_nums);
	sysfs_card_put(&view->tree, device->card, device->node);
	put_device_files(&view->tree, device->path, &ca, device->node);
	sysfs_tree_directory(&view->tree, ports);
	device->values = device_values(device->node);
	put_values(view, device);
	put_functions(view, device);
	sysfs_tree_link(&view->tree, device->path, "device", card);
	sysfs_tree_link(&view->tree, device->path, "subsystem", "class/infiniband");
}

/* Both devices of a planarized HCA are of one card: is another than 'without' there? */
static bool card_is_there(const struct sysfs_view *view, const struct device_view *without)
{
	for (guint i = 0; i < view->devices->len; i++) {
		const struct device_view *device =
			&g_array_index(view->devices, struct device_view, i);

		if (device != without && device->card == without->card && device->is_there)
			return true;
	}
	return false;
}

static void hide_device(struct sysfs_view *view, const struct device_view *device)
{
	const struct node *node = device->node;

	sysfs_tree_take_away(&view->tree, device->path);
	if (node->vport)
		sysfs_functions_unlink(&view->tree, node->vport - 1U,
				       find_card(view, node->functions->pf));
	if (!card_is_there(view, device))
		sysfs_card_take_away(&view->tree, device->card);
}

static void show_verbs(struct sysfs_view *view, const struct device_view *device)
{
	g_autofree char *card = sysfs_card_path(device->card);

	sysfs_verbs_put(&view->tree, &device->verbs, card, device->node);
	sysfs_udev_put_device(&view->tree, device->node, now_ns(view));
	if (sysfs_verbs_has(device->node))
		sysfs_udev_put_uverbs(&view->tree, UVERBS_MINOR + device->verbs.uverbs,
				      device->node, strrchr(card, '/') + 1, now_ns(view));
}

/* 'link': that of its class, by which it is found. */
static void take_away(struct sysfs_view *view, const struct device_view *device, const char *link)
{
	g_autofree char *card = sysfs_card_path(device->card);

	sysfs_tree_take_away(&view->tree, link);
	sysfs_verbs_take_away(&view->tree, &device->verbs, card, device->node);
	sysfs_udev_take_away_device(&view->tree, device->node);
	if (sysfs_verbs_has(device->node))
		sysfs_udev_take_away(&view->tree, UVERBS_MINOR + device->verbs.uverbs);
}

static void announce(struct sysfs_view *view, const struct device_view *device, bool has_card)
{
	struct sysfs_adapter adapter = {
		.card = device->card, .has_card = has_card, .path = device->path,
		.uverbs = sysfs_verbs_has(device->node) ? (int)device->verbs.uverbs : -1,
	};

	for (guint i = 0; i < view->ports->len; i++) {
		const struct end_port *end = g_array_index(view->ports, struct sysfs_port, i).end;

		if (end->port->node != device->node)
			continue;
		if (adapter.port_count == 0)
			adapter.umad = i;
		adapter.port_count++;
		adapter.has_issm = !end->no_issm;
	}
	if (view->is_complete)
		sysfs_kernel_announce(&view->tree, &view->kernel, &adapter, device->is_there);
}

static void refresh_values(struct sysfs_view *view, struct device_view *device)
{
	struct device_values values = device_values(device->node);

	if (!device->is_there || memcmp(&values, &device->values, sizeof(values)) == 0)
		return;
	device->values = values;
	put_values(view, device);
}

/*
 * A device that is pulled out disappears with its umad devices; one that is put back appears again.
 * Whoever finds one by the link of its class finds all of it.
 */
static void move_device(struct sysfs_view *view, struct device_view *device)
{
	const char *name = device->node->device_name;
	g_autofree char *link = g_build_filename("class/infiniband", name, NULL);
	bool has_card;

	sysfs_tree_add(&view->tree);
	device->is_there = !device->node->removed;
	has_card = !card_is_there(view, device);
	if (device->is_there) {
		show_device(view, device);
	} else {
		announce(view, device, has_card);
		take_away(view, device, link);
	}
	for (guint i = 0; i < view->ports->len; i++) {
		const struct sysfs_port *at = &g_array_index(view->ports, struct sysfs_port, i);

		if (at->end->port->node != device->node)
			continue;
		if (device->is_there)
			show_port(view, i);
		else
			hide_port(view, i);
	}
	if (device->is_there) {
		sysfs_tree_link(&view->tree, "class/infiniband", name, device->path);
		show_verbs(view, device);
		announce(view, device, has_card);
	} else {
		hide_device(view, device);
	}
	sysfs_tree_added(&view->tree);
}

static void refresh_device(struct sysfs_view *view, struct device_view *device)
{
	refresh_values(view, device);
	if (device->functions && device->is_there)
		sysfs_functions_refresh(&view->tree, device->node, device->card,
					device->functions);
	if (device->is_there == device->node->removed)
		move_device(view, device);
}

struct node *sysfs_view_card(const struct sysfs_view *view, const char *path,
			     const char **ret_rest)
{
	for (guint i = 0; i < view->devices->len; i++) {
		const struct device_view *device =
			&g_array_index(view->devices, struct device_view, i);
		g_autofree char *card = sysfs_card_path(device->card);
		size_t length = strlen(card);

		if (strncmp(path, card, length) != 0 || path[length] != '/')
			continue;
		*ret_rest = path + length + 1;
		return device->node;
	}
	return NULL;
}

int sysfs_view_set_lifespan(struct sysfs_view *view, const char *path, unsigned int lifespan_ms)
{
	for (guint i = 0; i < view->ports->len; i++) {
		struct sysfs_port *at = &g_array_index(view->ports, struct sysfs_port, i);
		g_autofree char *file = g_strdup_printf("%s/hw_counters/" SYSFS_HW_LIFESPAN,
							at->path);

		if (strcmp(path, file) != 0 || at->end->port->node->removed)
			continue;
		sysfs_port_set_lifespan(&view->tree, at, lifespan_ms);
		return 0;
	}
	return -EACCES;
}

/* The number of the node's card: that of the other device, or the next. */
static unsigned int card_of(const struct sysfs_view *view, const struct node *node)
{
	unsigned int next = 0;

	for (guint i = 0; i < view->devices->len; i++) {
		const struct device_view *other =
			&g_array_index(view->devices, struct device_view, i);

		if (node->planes && other->node->planes == node->planes)
			return other->card;
		next = MAX(next, other->card + 1);
	}
	return next;
}

/* The number of the next verbs device. */
static unsigned int next_uverbs(const struct sysfs_view *view)
{
	unsigned int next = 0;

	for (guint i = 0; i < view->devices->len; i++)
		next += sysfs_verbs_has(g_array_index(view->devices, struct device_view, i).node);
	return next;
}

static void add_device(struct sysfs_view *view, struct node *node)
{
	struct device_view device = {
		.node = node, .card = card_of(view, node),
		.verbs = { view->devices->len, next_uverbs(view) },
	};
	g_autofree char *card = sysfs_card_path(device.card);

	device.path = g_build_filename(card, "infiniband", node->device_name, NULL);
	g_array_append_val(view->devices, device);
	for (unsigned int num = 0; num <= node->port_count; num++) {
		struct sysfs_port at = {
			.end = node->ports[num].end, .card = device.card,
			.path = g_strdup_printf("%s/ports/%u", device.path, num),
			.lifespan_ms = SYSFS_HW_LIFESPAN_MS,
		};

		if (at.end)
			g_array_append_val(view->ports, at);
		else
			g_free(at.path);
	}
}

static void refresh_ports(struct sysfs_view *view, const struct node *node)
{
	for (guint i = 0; i < view->ports->len; i++) {
		struct sysfs_port *at = &g_array_index(view->ports, struct sysfs_port, i);

		if (at->end->port->node == node && !node->removed)
			sysfs_port_refresh(&view->tree, at);
	}
}

/* What the kernel has printed since. */
static void refresh_messages(struct sysfs_view *view)
{
	const uint64_t count = kernel_message_count(view->host);
	const struct kernel_message *message;

	for (uint64_t i = view->seen_messages; i < count; i++) {
		message = kernel_message_at(view->host, i);
		/* Their numbers are the host's: who reads sees that some are missing. */
		view->kernel.messages = i;
		if (message)
			sysfs_kernel_put_message(&view->tree, &view->kernel, message,
						 find_card(view, message->node));
	}
	view->seen_messages = count;
}

void sysfs_view_print_message(const struct sysfs_view *view, uint64_t number, GString *record)
{
	const struct kernel_message *message = kernel_message_at(view->host, number);

	if (message)
		sysfs_kernel_print_record(&view->kernel, number, message,
					  find_card(view, message->node), record);
}

void sysfs_view_print_line(const struct sysfs_view *view, uint64_t number, GString *lines)
{
	const struct kernel_message *message = kernel_message_at(view->host, number);

	if (message)
		sysfs_kernel_print_line(&view->kernel, message, find_card(view, message->node),
					lines);
}

void sysfs_view_keep_events(struct sysfs_view *view)
{
	sysfs_kernel_keep_events(&view->kernel);
}

uint64_t sysfs_view_event_count(const struct sysfs_view *view)
{
	return view->kernel.events;
}

GBytes *sysfs_view_event(const struct sysfs_view *view, uint64_t number)
{
	return sysfs_kernel_event(&view->kernel, number);
}

unsigned int sysfs_view_refresh(struct sysfs_view *view, bool all)
{
	unsigned int compared = 0;

	refresh_messages(view);

	for (guint i = 0; i < view->devices->len; i++) {
		struct device_view *device = &g_array_index(view->devices, struct device_view, i);

		if (device->seen == device->node->changed && !all)
			continue;
		/* Looking at an issm path may itself change the node. */
		device->seen = device->node->changed;
		refresh_device(view, device);
		refresh_ports(view, device->node);
		compared++;
	}
	return compared;
}

/* ---- coming and going ---- */

static void clear_device(void *data)
{
	g_free(((struct device_view *)data)->path);
	g_free(((struct device_view *)data)->functions);
}

struct sysfs_view *sysfs_view_new(struct umadrig_host *host, const char *directory,
				  int64_t boot_ns)
{
	struct sysfs_view *view = g_new0(struct sysfs_view, 1);
	int err = -sysfs_tree_make(&view->tree, directory);

	if (err) {
		g_free(view);
		errno = err;
		return NULL;
	}
	view->host = host;
	view->devices = g_array_new(false, false, sizeof(struct device_view));
	g_array_set_clear_func(view->devices, clear_device);
	view->ports = g_array_new(false, false, sizeof(struct sysfs_port));
	g_array_set_clear_func(view->ports, sysfs_port_clear);
	sysfs_tree_directory(&view->tree, "class/infiniband");
	sysfs_umad_put_base(&view->tree, host);
	sysfs_card_put_base(&view->tree);
	sysfs_verbs_put_base(&view->tree);
	sysfs_kernel_put_base(&view->tree);
	sysfs_udev_put_base(&view->tree);
	view->kernel.boot_ns = boot_ns;
	for (guint i = 0; i < host->node_count; i++)
		add_device(view, host->nodes[i]);
	sysfs_view_refresh(view, true);
	sysfs_tree_show(&view->tree);
	view->is_complete = true;
	err = view->tree.err;
	if (!err)
		return view;
	sysfs_view_free(view);
	errno = err;
	return NULL;
}

void sysfs_view_free(struct sysfs_view *view)
{
	if (!view)
		return;
	sysfs_tree_clear(&view->tree);
	sysfs_kernel_clear(&view->kernel);
	g_array_unref(view->ports);
	g_array_unref(view->devices);
	g_free(view);
}

const struct umadrig_host *sysfs_view_host(const struct sysfs_view *view)
{
	return view->host;
}

const char *sysfs_view_path(const struct sysfs_view *view)
{
	return view->tree.root;
}

void sysfs_view_keep(struct sysfs_view *view)
{
	view->is_kept = true;
}

bool sysfs_view_is_kept(const struct sysfs_view *view)
{
	return view->is_kept;
}

uint64_t sysfs_view_last_change(const struct sysfs_view *view)
{
	return view->tree.journal.last;
}

void sysfs_view_put_changes(const struct sysfs_view *view, uint64_t since, GByteArray *bytes)
{
	sysfs_journal_put(&view->tree.journal, since, view->tree.root, bytes);
}
