/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Answers of the console as JSON: see sim/console/console-json.h.
 */
#include "sim/console/console-json.h"

#include <string.h>

#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/topology/json-string.h"

static void begin(GString *json, const char *key)
{
	if (json->len && !strchr("{[", json->str[json->len - 1]))
		g_string_append(json, ", ");
	if (!key)
		return;
	json_append_string(json, key);
	g_string_append(json, ": ");
}

void answer_open(GString *json, const char *key, char bracket)
{
	begin(json, key);
	g_string_append_c(json, bracket);
}

void answer_close(GString *json, char bracket)
{
	g_string_append_c(json, bracket);
}

void answer_string(GString *json, const char *key, const char *text)
{
	begin(json, key);
	json_append_string(json, text);
}

void answer_unsigned(GString *json, const char *key, uint64_t number)
{
	begin(json, key);
	g_string_append_printf(json, "%" G_GUINT64_FORMAT, number);
}

void answer_guid(GString *json, const char *key, uint64_t guid)
{
	begin(json, key);
	g_string_append_printf(json, "\"0x%016" G_GINT64_MODIFIER "x\"", guid);
}

void answer_port(GString *json, const char *key, const struct port *port)
{
	if (!port) {
		begin(json, key);
		g_string_append(json, "null");
		return;
	}
	answer_open(json, key, '{');
	answer_string(json, "node", port->node->id);
	answer_unsigned(json, "port", port->num);
	answer_close(json, '}');
}

void answer_finish(GString *json, const char *lines)
{
	g_auto(GStrv) each = g_strsplit(lines, "\n", -1);

	if (json->len)
		return;
	if (!*lines) {
		g_string_append(json, "null");
		return;
	}
	answer_open(json, NULL, '[');
	for (char **line = each; *line; line++) {
		if (**line)
			answer_string(json, NULL, *line);
	}
	answer_close(json, ']');
}
