/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Answers of the console as JSON: see sim/console/console-json.h.
 */
#include "sim/console/console-json.h"

#include <glib.h>

#include "sim/fabric/node.h"
#include "sim/fabric/port.h"

void answer_port(struct json_writer *json, const struct port *port)
{
	if (!port) {
		json_string(json, NULL);
		return;
	}
	json_open(json, '{');
	json_string(json_name(json, "node"), port->node->id);
	json_unsigned(json_name(json, "port"), port->num);
	json_close(json, '}');
}

void answer_finish(struct json_writer *json, const char *lines)
{
	g_auto(GStrv) each = g_strsplit(lines, "\n", -1);

	if (!json_has_begun(json) && !*lines) {
		json_string(json, NULL);
	} else if (!json_has_begun(json)) {
		json_open(json, '[');
		for (char **line = each; *line; line++) {
			if (**line)
				json_string(json, *line);
		}
		json_close(json, ']');
	}
	json_end_line(json);
	json_finish(json);
}
