/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The console's verb for the fabric's own subnet administration. See sim/console/console.h.
 */
#include <errno.h>
#include <glib.h>

#include "sim/console/console-json.h"
#include "sim/console/console.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/fabric-sa.h"
#include "sim/host/issm-path.h"
#include "sim/sa/sa-request.h"
#include "sim/sa/sa.h"

static void json_port(struct json_writer *json, const struct fabric_sa *sa)
{
	char name[PORT_NAME_SIZE];

	json_string(json_name(json, "port"), port_format(sa->end->port, name));
	json_unsigned(json_name(json, "lid"), sa->end->attr.lid);
}

/* The first subnet's stands for all: most fabrics have one. */
static void show_json(const struct umadrig_fabric *fabric, struct json_writer *json)
{
	const struct fabric_sa *first = NULL;

	for (unsigned int i = 0; !first && i < fabric->subnets->len; i++)
		first = fabric_subnet(fabric, i)->sa;
	json_open(json, '{');
	json_string(json_name(json, "sa"), first ? "builtin" : "none");
	if (first)
		json_port(json, first);
	json_open(json_name(json, "subnets"), '[');
	for (unsigned int i = 0; i < fabric->subnets->len; i++) {
		const struct fabric_sa *sa = fabric_subnet(fabric, i)->sa;

		if (!sa)
			continue;
		json_open(json, '{');
		json_port(json, sa);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}

static int show(struct console *console)
{
	const struct umadrig_fabric *fabric = console->fabric;
	char name[PORT_NAME_SIZE];

	if (console->json) {
		show_json(fabric, console->json);
		return 0;
	}
	for (unsigned int i = 0; i < fabric->subnets->len; i++) {
		const struct fabric_sa *sa = fabric_subnet(fabric, i)->sa;

		if (sa)
			g_string_append_printf(console->out, "builtin %s LID %u\n",
					       port_format(sa->end->port, name),
					       sa->end->attr.lid);
	}
	if (!fabric_has_sa(fabric))
		g_string_append(console->out, "none\n");
	return 0;
}

/* A port where a program says that it is the SM; NULL: none. */
static const struct port *find_manager(const struct subnet *subnet)
{
	struct sa_ends at = { 0 };
	struct end_port *end;

	while ((end = sa_ends_next(subnet, &at))) {
		issm_path_look(end);
		if (end->cap_mask & CAP_IS_SM && !fabric_sa_is_on(end))
			return end->port;
	}
	return NULL;
}

/* In every subnet where no program is the SM. */
static int start(struct console *console)
{
	const struct umadrig_fabric *fabric = console->fabric;
	const struct port *manager = NULL;
	char name[PORT_NAME_SIZE];

	for (unsigned int i = 0; i < fabric->subnets->len; i++) {
		struct subnet *subnet = fabric_subnet(fabric, i);
		const struct port *found = subnet->sa ? NULL : find_manager(subnet);

		if (!found)
			sa_start(subnet);
		else if (!manager)
			manager = found;
	}
	if (fabric_has_sa(fabric))
		return 0;
	if (manager)
		return console_fail(console, -EBUSY, "an SM is at %s: it answers for the subnet",
				    port_format(manager, name));
	return console_fail(console, -ENOENT, "no port has an SM's LID: a cold fabric needs an SM "
			    "of its own");
}

int console_sa(struct console *console, const struct console_words *words)
{
	const char *word = words->count ? words->at[0] : NULL;

	if (!word)
		return show(console);
	if (g_ascii_strcasecmp(word, "builtin") == 0)
		return start(console);
	if (g_ascii_strcasecmp(word, "none") != 0)
		return console_expected(console, word, "builtin or none");
	sa_end_all(console->fabric);
	/* In a file, the fabric has not begun yet. */
	console->fabric->options.sa = SA_OPTION_NONE;
	return 0;
}
