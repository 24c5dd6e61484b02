/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Counters by MAD: see sim/console/console-counters.h.
 */
#include "sim/console/console-counters.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "sim/console/console-json.h"
#include "sim/dictionary/mad-dictionary.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/host/kernel.h"

enum {
	PERF_DATA = 64,
	PERF_DATA_SIZE = MAD_SIZE - PERF_DATA,
};

static const struct mad_attribute *find_attribute(struct console *console, const char *name)
{
	const struct mad_attribute *attribute;
	const char *suggestion = NULL;

	attribute = mad_attribute_by_name(mad_class_find(MAD_CLASS_PERF), name, &suggestion);
	if (attribute && attribute->fields)
		return attribute;
	console_fail(console, -ENOENT, "there is no attribute '%s' with counters%s%s%s", name,
		     suggestion ? ": did you mean '" : "; perfquery and umadrig-ctl(1) name them",
		     suggestion ? suggestion : "", suggestion ? "'?" : "");
	return NULL;
}

/*
 * Sends a MAD with 'data' to the port's PMA, and puts the data of its answer there. 0 or -errno
 * with an error.
 */
static int ask(struct console *console, struct port *port, uint8_t method,
	       const struct mad_attribute *attribute, uint8_t data[PERF_DATA_SIZE])
{
	struct kmod_source source = { 0 };
	struct port *end = port->node->sw ? &port->node->ports[0] : port;
	uint8_t in[MAD_SIZE] = { 0 }, out[MAD_SIZE];
	char name[PORT_NAME_SIZE];
	unsigned int status;

	if (port->node->removed)
		return console_fail(console, -EIO, "%s has no power; 'node on' turns it on",
				    port->node->id);
	in[MAD_BASE_VERSION] = 1;
	in[MAD_CLASS] = MAD_CLASS_PERF;
	in[MAD_CLASS_VERSION] = 1;
	in[MAD_METHOD] = method;
	put_be16(in + MAD_ATTR_ID, attribute->id);
	memcpy(in + PERF_DATA, data, PERF_DATA_SIZE);
	mad_field_set(mad_field_by_name(attribute, "PortSelect", NULL), in + PERF_DATA, port->num);
	if (!(port_process_mad(end, &source, in, out) & KMOD_MAD_REPLY))
		return console_fail(console, -EOPNOTSUPP, "%s has no counters",
				    port_format(port, name));
	status = get_be16(out + MAD_STATUS);
	if (status)
		return console_fail(console, -EOPNOTSUPP, "%s does not know %s (status 0x%04x)",
				    port_format(port, name), attribute->name, status);
	memcpy(data, out + PERF_DATA, PERF_DATA_SIZE);
	return 0;
}

int counters_set(struct console *console, struct port *port, const char *attribute_name,
		 const char *field_name, uint64_t value)
{
	const struct mad_attribute *attribute = find_attribute(console, attribute_name);
	uint8_t data[PERF_DATA_SIZE] = { 0 };
	const char *suggestion = NULL;
	const struct mad_field *field;
	int ret;

	if (!attribute)
		return -ENOENT;
	field = mad_field_by_name(attribute, field_name, &suggestion);
	if (!field || !mad_field_is_number(field))
		return console_fail(console, -ENOENT, "there is no counter '%s' in %s%s%s%s",
				    field_name,
				    attribute->name, suggestion ? ": did you mean '" : "",
				    suggestion ? suggestion : "", suggestion ? "'?" : "");
	if (value > mad_field_max(field))
		return console_fail(console, -EINVAL, "%s has room for %" G_GUINT64_FORMAT " at "
				    "most", field->name, mad_field_max(field));
	ret = ask(console, port, MAD_METHOD_GET, attribute, data);
	if (ret < 0)
		return ret;
	/*
	 * All are written back as they were read, so that it does not matter which bit selects
	 * which.
	 */
	for (const struct mad_field *at = attribute->fields; at->name; at++) {
		if (g_str_has_prefix(at->name, "CounterSelect"))
			mad_field_set(at, data, UINT64_MAX);
	}
	mad_field_set(field, data, value);
	return ask(console, port, MAD_METHOD_SET, attribute, data);
}

static bool is_counter(const struct mad_field *field)
{
	return mad_field_is_number(field) && !g_str_has_prefix(field->name, "CounterSelect") &&
	       strcmp(field->name, "PortSelect") != 0;
}

int counters_print(struct console *console, struct port *port, const char *attribute_name)
{
	const struct mad_attribute *attribute = find_attribute(console, attribute_name);
	uint8_t data[PERF_DATA_SIZE] = { 0 };
	char name[PORT_NAME_SIZE];
	int ret;

	if (!attribute)
		return -ENOENT;
	ret = ask(console, port, MAD_METHOD_GET, attribute, data);
	if (ret < 0)
		return ret;
	g_string_append_printf(console->out, "# %s\n", port_format(port, name));
	if (console->json) {
		json_open(console->json, '{');
		json_string(json_name(console->json, "node"), port->node->id);
		json_unsigned(json_name(console->json, "port"), port->num);
		json_string(json_name(console->json, "attribute"), attribute->name);
		json_open(json_name(console->json, "counters"), '{');
	}
	for (const struct mad_field *at = attribute->fields; at->name; at++) {
		if (!is_counter(at))
			continue;
		if (console->json)
			json_unsigned(json_name(console->json, at->name), mad_field_get(at, data));
		else
			g_string_append_printf(console->out, "%s: %" G_GUINT64_FORMAT "\n",
					       at->name, mad_field_get(at, data));
	}
	if (console->json) {
		json_close(console->json, '}');
		json_close(console->json, '}');
	}
	return 0;
}
