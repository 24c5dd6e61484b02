/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The lines of a job, and the properties of its fabric: see harness/exec/properties.h.
 */
#include "config.h"

#include "harness/exec/properties.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/base/command.h"
#include "sim/property/property.h"
#include "sim/server/server.h"

/* A line is the option --do, or begins with the name of one that is short for it. */
static const char *said_at(const char *line)
{
	g_autofree char *words = g_strconcat("do ", line, NULL);
	const char *place = command_said_at(words);

	return *place ? place : command_said_at(line);
}

bool exec_say_lines(struct server *server, char *const *lines, GError **error)
{
	for (; lines && *lines; lines++) {
		char *text = NULL;
		int ret = umadrig_console(server_fabric(server), *lines, &text);

		if (ret < 0)
			g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s%s: %s",
				    said_at(*lines), *lines, text);
		free(text);
		if (ret < 0)
			return false;
	}
	return true;
}

bool exec_are_broken(struct server *server, const char *name)
{
	struct umadrig_fabric *fabric = server_fabric(server);
	struct property_report report;
	unsigned int broken, all = 0;

	property_end(fabric);
	broken = property_broken(fabric);
	if (broken == 0)
		return false;
	while (property_at(fabric, all, &report))
		all++;
	fprintf(stderr, "%s: %u of %u propert%s did not hold\n", name, broken, all,
		all == 1 ? "y" : "ies");
	return true;
}
