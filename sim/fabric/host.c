/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Hosts: the CAs that one kernel drives, and their names for programs. See sim/fabric/host.h.
 */
#include "sim/fabric/host.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "kmod-stub/kmod.h"
#include "lib/words/number.h"
#include "sim/dictionary/mad-dictionary.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/kernel-message.h"
#include "sim/fabric/node.h"
#include "sim/fabric/virtual-function.h"
#include "sim/topology/host-name.h"

enum { DEVICES_FEW = 16 };	/* of a host that needs no table */

static struct umadrig_host *host_new(struct umadrig_fabric *fabric, const char *name)
{
	struct umadrig_host *host = g_new0(struct umadrig_host, 1);

	host->fabric = fabric;
	host->name = g_strdup(name);
	host->kernel = fabric->options.kernel ? fabric->options.kernel : &kmod_stub;
	host->profile = (enum kmod_profile)fabric->options.profile;
	g_ptr_array_add(fabric->hosts, host);
	return host;
}

/* There are many hosts with few devices each: a linear search, unless a host has many. */
static struct node *find_device(const struct umadrig_host *host, const char *name)
{
	if (host->devices)
		return g_hash_table_lookup(host->devices, name);
	for (unsigned int i = 0; i < host->node_count; i++) {
		if (strcmp(host->nodes[i]->device_name, name) == 0)
			return host->nodes[i];
	}
	return NULL;
}

struct node *host_device(const struct umadrig_host *host, const char *name)
{
	struct node *node = host ? find_device(host, name) : NULL;

	return node && !node->removed ? node : NULL;
}

/* "node7 mlx5_0", "node7 hfi1_0": the driver itself puts the device's name there. */
static char *device_in_description(const char *device)
{
	if (!g_str_has_prefix(device, "mlx") && !g_str_has_prefix(device, "hfi"))
		return NULL;
	return g_strndup(device, strcspn(device, " "));
}

/* "sim0": what all hosts with one HCA need is not left to printf(), which takes five times that. */
static char *numbered(const char *prefix, unsigned int number)
{
	size_t size = strlen(prefix);
	char *name;

	if (number > 9)
		return g_strdup_printf("%s%u", prefix, number);
	name = g_malloc(size + 2);
	memcpy(name, prefix, size);
	name[size] = (char)('0' + number);
	name[size + 1] = '\0';
	return name;
}

static void name_device(struct umadrig_host *host, struct node *node, const char *device)
{
	const struct umadrig_options *options = &host->fabric->options;
	const char *prefix = options->device ? options->device : "sim";
	char *name = node->device_name ? node->device_name :
		     device ? device_in_description(device) : NULL;

	node->device_name = NULL;
	if (name && (!*name || host_device(host, name)))
		g_clear_pointer(&name, g_free);
	while (!name) {
		name = numbered(prefix, options->first_device + host->unnamed++);
		if (host_device(host, name))
			g_clear_pointer(&name, g_free);
	}
	node->device_name = name;
}

static void enter_device(struct umadrig_host *host, struct node *node)
{
	/* Room for 1, 2, 4, ... */
	if ((host->node_count & (host->node_count - 1)) == 0)
		host->nodes = g_renew(struct node *, host->nodes, MAX(1, 2 * host->node_count));
	host->nodes[host->node_count++] = node;
	if (host->node_count == DEVICES_FEW + 1) {
		host->devices = g_hash_table_new(g_str_hash, g_str_equal);
		for (unsigned int i = 0; i < DEVICES_FEW; i++)
			g_hash_table_insert(host->devices, host->nodes[i]->device_name,
					    host->nodes[i]);
	}
	if (host->devices)
		g_hash_table_insert(host->devices, node->device_name, node);
}

/* "smi3" beside "mlx5_3". */
static char *smi_name(const struct umadrig_host *host, const char *gsi_name)
{
	const char *digits = gsi_name + strlen(gsi_name);
	uint64_t number;
	char *name;

	while (digits > gsi_name && g_ascii_isdigit(digits[-1]))
		digits--;
	if (number_parse_decimal(digits, 0, UINT32_MAX, &number) < 0)
		number = 0;
	name = g_strdup_printf("smi%" PRIu64, number);
	while (host_device(host, name)) {
		g_free(name);
		name = g_strdup_printf("smi%" PRIu64, ++number);
	}
	return name;
}

void host_split_device(struct node *hca)
{
	struct umadrig_host *host = hca->host;
	struct node *gsi = hca->planes->gsi;

	for (unsigned int i = 0; i < host->node_count; i++) {
		if (host->nodes[i] == hca)
			host->nodes[i] = gsi;
	}
	gsi->host = gsi->ends->host = host;
	gsi->device_name = hca->device_name;
	if (host->devices)
		g_hash_table_insert(host->devices, gsi->device_name, gsi);
	hca->device_name = smi_name(host, gsi->device_name);
	enter_device(host, hca);
}

/* "mlx5_" of "mlx5_0"; NULL: no driver has given it that name. */
static char *driver_prefix(const char *device)
{
	size_t size = strlen(device);

	while (size > 0 && g_ascii_isdigit(device[size - 1]))
		size--;
	return size > 0 && device[size - 1] == '_' ? g_strndup(device, size) : NULL;
}

void host_add_function(struct umadrig_host *host, struct node *function, unsigned int *next)
{
	g_autofree char *prefix = driver_prefix(function->functions->pf->device_name);

	while (prefix && !function->device_name) {
		function->device_name = g_strdup_printf("%s%u", prefix, (*next)++);
		if (find_device(host, function->device_name))
			g_clear_pointer(&function->device_name, g_free);
	}
	if (!prefix)
		name_device(host, function, NULL);
	enter_device(host, function);
	function->host = function->ends->host = host;
}

bool host_has_issm_without_qp0(const struct umadrig_host *host)
{
	return host->profile == KMOD_LINUX_6_1 || host->profile == KMOD_LINUX_5_10;
}

static void host_add(struct umadrig_host *host, struct node *node, const char *device)
{
	name_device(host, node, device);
	enter_device(host, node);
	node->host = host;
	for (unsigned int num = 0; num <= node->port_count; num++) {
		if (node->ports[num].end)
			node->ports[num].end->host = host;
	}
}

void fabric_make_hosts(struct umadrig_fabric *fabric)
{
	g_autoptr(GHashTable) named = g_hash_table_new(g_str_hash, g_str_equal);

	for (unsigned int i = 0; i < fabric->nodes->len; i++) {
		struct node *node = g_ptr_array_index(fabric->nodes, i);
		size_t length = host_name_length(node->description);
		g_autofree char *name = g_strndup(node->description, length);
		struct umadrig_host *host;

		/* A switch is no host's device until a program is to run on it (fabric_host). */
		if (node->sw)
			continue;
		host = length ? g_hash_table_lookup(named, name) : NULL;
		if (!host)
			host = host_new(fabric, length ? name : node->id);
		if (length)
			g_hash_table_insert(named, host->name, host);
		host_add(host, node, length ? node->description + length + 1 : NULL);
	}
}

struct umadrig_host *node_host(struct node *node)
{
	if (!node->host)
		host_add(host_new(node->fabric, node->id), node, NULL);
	return node->host;
}

static struct umadrig_host *find_host(const struct umadrig_fabric *fabric, const char *name)
{
	for (unsigned int i = 0; i < fabric->hosts->len; i++) {
		struct umadrig_host *host = g_ptr_array_index(fabric->hosts, i);

		if (strcmp(host->name, name) == 0)
			return host;
	}
	return NULL;
}

struct umadrig_host *fabric_host(struct umadrig_fabric *fabric, const char *name)
{
	struct umadrig_host *host = find_host(fabric, name);
	struct node *node = host ? NULL : fabric_find(fabric, name);

	return node ? node_host(node) : host;
}

void host_one_line(char *text)
{
	for (; *text; text++)
		if (g_ascii_iscntrl(*text))
			*text = '?';
}

void fabric_no_host(const struct umadrig_fabric *fabric, const char *name, char *buf, size_t size)
{
	g_autofree const char **names = g_new0(const char *, fabric->hosts->len + 1);
	const char *closest;

	for (unsigned int i = 0; i < fabric->hosts->len; i++)
		names[i] = ((const struct umadrig_host *)g_ptr_array_index(fabric->hosts, i))->name;
	closest = mad_closest(name, names);
	g_snprintf(buf, size, "%s: there is no host '%.100s' (the first one is '%.60s')%s%s%s",
		   fabric->name, name, fabric->hosts->len ? names[0] : "",
		   closest ? ": did you mean '" : "", closest ? closest : "", closest ? "'?" : "");
	host_one_line(buf);
}

static void append_hosts(GString *text, const GPtrArray *hosts, guint first)
{
	const struct umadrig_host *one = g_ptr_array_index(hosts, first);
	unsigned int more = 0;

	for (guint i = first + 1; i < hosts->len; i++)
		more += ((const struct umadrig_host *)g_ptr_array_index(hosts, i))->kernel ==
			one->kernel;
	g_string_append_printf(text, "%s%s at %s", text->len ? ", " : "kernels ",
			       one->kernel->name, one->name);
	if (more)
		g_string_append_printf(text, " and %u more", more);
}

char *fabric_kernels_text(const struct umadrig_fabric *fabric)
{
	g_autoptr(GPtrArray) seen = g_ptr_array_new();
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < fabric->hosts->len; i++) {
		const struct umadrig_host *host = g_ptr_array_index(fabric->hosts, i);

		if (g_ptr_array_find(seen, host->kernel, NULL))
			continue;
		g_ptr_array_add(seen, (void *)(uintptr_t)host->kernel);
		append_hosts(text, fabric->hosts, i);
	}
	if (seen->len == 1) {
		const struct kmod_kernel *only = g_ptr_array_index(seen, 0);

		g_string_printf(text, "kernel %s", only->name);
		if (only == &kmod_stub)
			g_string_truncate(text, 0);
	}
	return g_string_free(text, text->len == 0);
}

void fabric_free_hosts(struct umadrig_fabric *fabric)
{
	for (unsigned int i = 0; i < fabric->hosts->len; i++) {
		struct umadrig_host *host = g_ptr_array_index(fabric->hosts, i);

		g_clear_pointer(&host->devices, g_hash_table_unref);
		kernel_log_free(host->log);
		g_free(host->nodes);
		g_free(host->name);
		g_free(host);
	}
	g_ptr_array_unref(fabric->hosts);
}

/* NULL: the host has several. A planarized HCA is one, and so is one with virtual functions. */
static struct node *only_node(const struct umadrig_host *host)
{
	const struct functions *functions = host->nodes[0]->functions;
	struct node *node = host->nodes[host->node_count - 1];

	if (functions && host->node_count == functions->count + 1)
		return functions->pf;
	return host->node_count == 1 ||
	       (host->node_count == 2 && host->nodes[0]->planes &&
		host->nodes[0]->planes == node->planes) ? node : NULL;
}

struct node *fabric_node(struct umadrig_fabric *fabric, const char *name)
{
	struct node *node = fabric_find(fabric, name);
	const struct umadrig_host *host;

	if (!node)
		node = host_device(fabric->default_host, name);
	if (node)
		return node;
	host = find_host(fabric, name);
	return host ? only_node(host) : NULL;
}
