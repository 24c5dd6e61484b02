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

static int show(struct console *console)
{
	const struct fabric_sa *sa = console->fabric->sa;
	char name[PORT_NAME_SIZE];

	if (console->json) {
		answer_open(console->json, NULL, '{');
		answer_string(console->json, "sa", sa ? "builtin" : "none");
		if (sa) {
			answer_string(console->json, "port", port_format(sa->end->port, name));
			answer_unsigned(console->json, "lid", sa->end->attr.lid);
		}
		answer_close(console->json, '}');
	} else if (sa) {
		g_string_append_printf(console->out, "builtin %s LID %u\n",
				       port_format(sa->end->port, name), sa->end->attr.lid);
	} else {
		g_string_append(console->out, "none\n");
	}
	return 0;
}

/* A port where a program says that it is the SM; NULL: none. */
static const struct port *find_manager(const struct umadrig_fabric *fabric)
{
	struct sa_ends at = { 0 };
	struct end_port *end;

	while ((end = sa_ends_next(fabric, &at))) {
		issm_path_look(end);
		if (end->cap_mask & CAP_IS_SM && !fabric_sa_is_on(end))
			return end->port;
	}
	return NULL;
}

static int start(struct console *console)
{
	const struct port *manager = find_manager(console->fabric);
	char name[PORT_NAME_SIZE];

	if (console->fabric->sa)
		return 0;
	if (manager)
		return console_fail(console, -EBUSY, "an SM is at %s: it answers for the subnet",
				    port_format(manager, name));
	if (sa_start(console->fabric) < 0)
		return console_fail(console, -ENOENT, "no port has an SM's LID: a cold fabric "
				    "needs an SM of its own");
	return 0;
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
	sa_end(console->fabric);
	/* In a file, the fabric has not begun yet. */
	console->fabric->options.sa = SA_OPTION_NONE;
	return 0;
}
