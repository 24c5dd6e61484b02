/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The real ports that umadrig run was given: see harness/cmd/run-ports.h.
 */
#include "harness/cmd/run-ports.h"

#include <infiniband/umad.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/command.h"
#include "sim/dictionary/mad-dictionary.h"

/* A port of this machine. */
struct real_port {
	char *name;		/* "mlx5_0/1" */
	char *state;		/* "InfiniBand, Active" */
};

static void real_port_free(void *data)
{
	struct real_port *port = data;

	g_free(port->name);
	g_free(port->state);
	g_free(port);
}

static const char *state_name(unsigned int state)
{
	static const char *const names[] = { "no state", "Down", "Init", "Armed", "Active" };

	return state < G_N_ELEMENTS(names) ? names[state] : "an unknown state";
}

/* The strings become the port's. */
static void add_port(GPtrArray *ports, char *name, char *state)
{
	struct real_port *port = g_new0(struct real_port, 1);

	port->name = name;
	port->state = state;
	g_ptr_array_add(ports, port);
}

/* Adds the ports of a device; if it cannot be read, a line that says so. */
static void add_device(GPtrArray *ports, const char *device)
{
	guint before = ports->len;
	umad_ca_t ca;
	int status = umad_get_ca(device, &ca);

	if (status < 0) {
		add_port(ports, g_strdup(device),
			 g_strdup_printf("cannot be read: %s", g_strerror(-status)));
		return;
	}
	for (int i = 0; i <= ca.numports && i < UMAD_CA_MAX_PORTS; i++) {
		if (ca.ports[i])
			add_port(ports, g_strdup_printf("%s/%d", device, i),
				 g_strdup_printf("%s, %s", ca.ports[i]->link_layer,
						 state_name(ca.ports[i]->state)));
	}
	umad_release_ca(&ca);
	if (ports->len == before)
		add_port(ports, g_strdup(device), g_strdup("has no port that can be read"));
}

static GPtrArray *real_ports(void)
{
	GPtrArray *ports = g_ptr_array_new_with_free_func(real_port_free);
	struct umad_device_node *devices = umad_get_ca_device_list();

	umad_sort_ca_device_list(&devices, 0);
	for (const struct umad_device_node *one = devices; one; one = one->next)
		add_device(ports, one->ca_name);
	umad_free_ca_device_list(devices);
	return ports;
}

/* The port whose name is a typo away, or NULL. */
static const char *closest_port(const GPtrArray *ports, const char *name)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (guint i = 0; i < ports->len; i++)
		g_ptr_array_add(names, ((const struct real_port *)ports->pdata[i])->name);
	g_ptr_array_add(names, NULL);
	return mad_closest(name, (const char *const *)names->pdata);
}

static bool is_among(const GPtrArray *ports, const char *name)
{
	for (guint i = 0; i < ports->len; i++) {
		if (strcmp(((const struct real_port *)ports->pdata[i])->name, name) == 0)
			return true;
	}
	return false;
}

/* The options' words for the port at this end. */
static char *words_of(const struct run_options *options, enum world_end end)
{
	bool by_option = false;

	for (char **arg = options->port_args; arg && *arg; arg++)
		by_option |= (*arg)[0] == "AB"[end];
	return by_option ? g_strdup_printf("--port %c=%s", "AB"[end], options->ports[end]) :
	       g_strdup_printf("UMAD_PEER=%s", options->ports[end]);
}

static int no_such_port(const struct run_options *options, enum world_end end, int status,
			const char *name)
{
	g_autoptr(GPtrArray) ports = real_ports();
	g_autofree char *words = words_of(options, end);
	const char *port = options->ports[end], *closest = closest_port(ports, port);

	if (ports->len == 0)
		return command_error(name, COMMAND_BAIL_OUT, options->is_attached ?
				     "%s: no fabric server answers, or it has no devices" :
				     "%s: this machine has no InfiniBand or RoCE device: load its "
				     "driver and ib_umad", words);
	if (is_among(ports, port))
		command_error(name, COMMAND_BAIL_OUT, "%s: this port cannot be read: %s", words,
			      g_strerror(-status));
	else
		command_error(name, COMMAND_BAIL_OUT, "%s: there is no such port%s%s%s", words,
			      closest ? "; did you mean " : "", closest ? closest : "",
			      closest ? "?" : "");
	fprintf(stderr, "The ports of this %s:\n", options->is_attached ? "host" : "machine");
	for (guint i = 0; i < ports->len; i++) {
		const struct real_port *one = ports->pdata[i];

		fprintf(stderr, "  %-12s %s\n", one->name, one->state);
	}
	return COMMAND_BAIL_OUT;
}

int run_ports_refuse(const struct run_options *options, const char *name)
{
	for (int end = 0; !options->on_sim && end < WORLD_ENDS; end++) {
		int status = options->ports[end] ? world_hw_port_is_ib(options->ports[end]) : 0;

		if (status < 0)
			return no_such_port(options, (enum world_end)end, status, name);
	}
	return -1;
}
