/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The fabric that a scenario runs on: see harness/script/check/script-fabric.h.
 */
#include "harness/script/check/script-fabric.h"

#include <string.h>

#include "sim/capture/capture.h"
#include "sim/topology/load.h"

/* More nodes than this are not listed in a message. */
#define LISTED_MAX 12

struct script_fabric {
	char *name;			/* of its topology, or NULL: the default fabric */
	struct topology *topology;	/* NULL: it is not known */
	char *objection;		/* why it cannot be loaded, or NULL */
};

/* As fabric_new_default() makes it (sim/run/assembly.h). */
static const char default_text[] = "Hca 1 \"H1\"\n[1] \"H2\"[1]\n\nHca 1 \"H2\"\n[1] \"H1\"[1]\n";

static void script_fabric_free(void *data)
{
	struct script_fabric *fabric = data;

	topology_free(fabric->topology);
	g_free(fabric->objection);
	g_free(fabric->name);
	g_free(fabric);
}

GHashTable *script_fabrics_new(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, script_fabric_free);
}

/* ---- loading ---- */

/* The last of the diagnostics, which is the fatal one: "FILE:LINE: MESSAGE", to be freed. */
static char *last_told(const GArray *told)
{
	const struct topology_diagnostic *last =
		&g_array_index(told, struct topology_diagnostic, told->len - 1);

	return last->line == 0 ? g_strdup_printf("%s: %s", last->file, last->message) :
	       g_strdup_printf("%s:%u: %s", last->file, last->line, last->message);
}

static struct script_fabric *load(const char *path)
{
	struct script_fabric *fabric = g_new0(struct script_fabric, 1);
	GArray *told = NULL;

	fabric->name = g_strdup(path);
	if (path && !g_str_has_prefix(path, TOPOLOGY_GENERATE) &&
	    !g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
		fabric->objection = g_strdup_printf("%s: no such file", path);
		return fabric;
	}
	if (!path) {
		fabric->topology = topology_parse(default_text, strlen(default_text),
						  "the default fabric", NULL);
		return fabric;
	}
	if (!g_str_has_prefix(path, TOPOLOGY_GENERATE) && capture_is_capture(path))
		return fabric;
	fabric->topology = topology_load(path, &told);
	if (!fabric->topology)
		fabric->objection = last_told(told);
	topology_diagnostics_free(told);
	return fabric;
}

static const struct script_fabric *find(GHashTable *fabrics, const char *path)
{
	const char *key = path ? path : "";
	struct script_fabric *fabric = g_hash_table_lookup(fabrics, key);

	if (!fabric) {
		fabric = load(path);
		g_hash_table_insert(fabrics, g_strdup(key), fabric);
	}
	return fabric;
}

static unsigned int count_adapters(const struct topology *topology)
{
	unsigned int count = 0;

	for (guint i = 0; i < topology->nodes->len; i++)
		count += topology_node(topology, (int)i)->kind == TOPOLOGY_CA;
	return count;
}

/* Why the fabric is of no use to the scenario, to be freed; or NULL. */
static char *objection_to(const struct script_fabric *fabric, const struct settings *settings)
{
	const struct topology *topology = fabric->topology;
	char *lost = topology && !settings->partial ? topology_objection(topology) : NULL;
	unsigned int adapters;

	if (fabric->objection || lost)
		return lost ? lost : g_strdup(fabric->objection);
	if (!topology || (settings->self && settings->peer))
		return NULL;
	adapters = count_adapters(topology);
	if (adapters >= WORLD_ENDS)
		return NULL;
	return g_strdup_printf("%s: a scenario needs two channel adapters, and there %s %u; or "
			       "name two ports: self=\"NODE[N]\" peer=\"NODE[N]\"", fabric->name,
			       adapters == 1 ? "is" : "are", adapters);
}

static void check_end(struct diagnostics *diagnostics, const struct script_fabric *fabric,
		      const struct expr *port)
{
	g_autofree char *why = port ? script_fabric_no_port(fabric, port->text) : NULL;

	if (why)
		diagnose_error(diagnostics, port->place, "%s", why);
}

const struct script_fabric *script_fabric_of(GHashTable *fabrics, struct diagnostics *diagnostics,
					     const struct settings *settings,
					     char **ret_objection)
{
	const struct script_fabric *fabric;
	char *why;

	*ret_objection = NULL;
	if (!settings->topology && settings->replay)
		return NULL;
	fabric = find(fabrics, settings->topology);
	why = objection_to(fabric, settings);
	if (why) {
		*ret_objection = why;
		return NULL;
	}
	check_end(diagnostics, fabric, settings->self);
	check_end(diagnostics, fabric, settings->peer);
	return fabric;
}

/* ---- nodes and ports ---- */

/* By id, description, or the name of a device, of which the simulator makes up some. */
static const struct topology_node *find_node(const struct topology *topology, const char *name)
{
	const struct topology_node *found = NULL;

	for (guint i = 0; i < topology->nodes->len; i++) {
		const struct topology_node *node = topology_node(topology, (int)i);

		if (strcmp(node->id, name) == 0)
			return node;
		if (!found && node->description && strcmp(node->description, name) == 0)
			found = node;
	}
	return found;
}

/* The names of devices depend on their hosts: sim0, mlx5_0. */
static bool is_device_name(const char *name)
{
	return g_str_has_prefix(name, "sim") || g_str_has_prefix(name, "mlx") ||
	       g_str_has_prefix(name, "hfi") || strchr(name, '_') != NULL;
}

/* "H1, H2 and S1" */
static char *list_nodes(const struct topology *topology)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < topology->nodes->len; i++)
		g_string_append_printf(text, "%s%s", i == 0 ? "" :
				       i + 1 == topology->nodes->len ? " and " : ", ",
				       topology_node(topology, (int)i)->id);
	return g_string_free(text, false);
}

static const char *closest_node(const struct topology *topology, const char *name)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (guint i = 0; i < topology->nodes->len; i++) {
		const struct topology_node *node = topology_node(topology, (int)i);

		g_ptr_array_add(names, node->id);
		if (node->description)
			g_ptr_array_add(names, node->description);
	}
	g_ptr_array_add(names, NULL);
	/* Names of one or two letters are all within a typo of each other. */
	return strlen(name) < 3 ? NULL : mad_closest(name, (const char *const *)names->pdata);
}

static char *no_such_node(const struct script_fabric *fabric, const char *name)
{
	const struct topology *topology = fabric->topology;
	bool is_generated = fabric->name && g_str_has_prefix(fabric->name, TOPOLOGY_GENERATE);
	const char *closest = closest_node(topology, name);
	g_autofree char *guess = closest ? g_strdup_printf("did you mean %s? ", closest) :
					   g_strdup("");
	g_autofree char *nodes = NULL;

	if (topology->nodes->len > LISTED_MAX)
		return g_strdup_printf("there is no node %s in %s: %s%s has %u, which 'umadrig "
				       "topology %s%s' lists", name, fabric->name, guess,
				       closest ? "It" : "it", topology->nodes->len,
				       is_generated ? "--generate " : "",
				       fabric->name +
				       (is_generated ? strlen(TOPOLOGY_GENERATE) : 0));
	nodes = list_nodes(topology);
	if (!fabric->name)
		return g_strdup_printf("there is no node %s: the default fabric has %s "
				       "('topology' names another)", name, nodes);
	return g_strdup_printf("there is no node %s in %s: %s%s %s", name, fabric->name, guess,
			       closest ? "It has" : "it has", nodes);
}

char *script_fabric_no_node(const struct script_fabric *fabric, const char *name)
{
	if (!fabric || !fabric->topology || find_node(fabric->topology, name) ||
	    is_device_name(name))
		return NULL;
	return no_such_node(fabric, name);
}

char *script_fabric_no_switch(const struct script_fabric *fabric, const char *name)
{
	const struct topology_node *node = fabric && fabric->topology ?
					   find_node(fabric->topology, name) : NULL;

	return !node || node->kind == TOPOLOGY_SWITCH ? NULL :
	       g_strdup_printf("%s is no switch: it has no SwitchInfo", name);
}

char *script_fabric_no_port(const struct script_fabric *fabric, const char *port)
{
	const struct topology_node *node;
	g_autofree char *name = NULL;
	int number;

	if (!world_port_parse(port, &name, &number))
		return g_strdup_printf("'%s' is not a port: expected \"NODE[N]\", such as "
				       "\"H1[1]\"", port);
	if (!fabric || !fabric->topology)
		return NULL;
	node = find_node(fabric->topology, name);
	if (!node)
		return script_fabric_no_node(fabric, name);
	if (number <= node->port_count && (number > 0 || node->kind == TOPOLOGY_SWITCH))
		return NULL;
	if (node->kind == TOPOLOGY_SWITCH)
		return g_strdup_printf("%s has no port %d: it has 0 to %u", name, number,
				       node->port_count);
	return node->port_count == 1 ?
	       g_strdup_printf("%s has no port %d: it has port 1 only", name, number) :
	       g_strdup_printf("%s has no port %d: it has 1 to %u", name, number,
			       node->port_count);
}

/* ---- for the checker ---- */

void check_port_name(struct checker *checker, const struct expr *port)
{
	g_autofree char *why = checker->fabric ?
			       script_fabric_no_port(checker->fabric, port->text) : NULL;

	if (why)
		check_error(checker, port->place, "%s", why);
}

void check_node_name(struct checker *checker, const struct expr *node)
{
	g_autofree char *why = script_fabric_no_node(checker->fabric, node->text);

	if (why)
		check_error(checker, node->place, "%s", why);
}
