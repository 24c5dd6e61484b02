/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sim/api/umadrig.h's way into the console: see sim/console/console.h.
 */
#include "sim/console/console.h"

#include <glib.h>
#include <string.h>

#include "sim/fabric/entry.h"

int umadrig_console(struct umadrig_fabric *fabric, const char *line, char **ret_text)
{
	struct console console = { .fabric = fabric };
	const char *text;
	int ret = fabric ? fabric_enter(fabric) : 0;

	if (ret < 0) {
		if (ret_text)
			*ret_text = strdup("the fabric is this process's parent's");
		return ret;
	}
	console.out = g_string_new(NULL);
	ret = console_run(&console, line);
	if (fabric)
		fabric_leave(fabric);
	text = ret < 0 ? console.error : console.out->str;
	if (ret_text)
		*ret_text = strdup(text);
	console_clear(&console);
	g_string_free(console.out, true);
	return ret;
}
