/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Start: programs that come into a session in virtual time while it runs. See
 * sim/console/console.h.
 */
#include "sim/console/console-property.h"
#include "sim/console/console-schedule.h"
#include "sim/console/console.h"
#include "sim/fabric/fabric-programs.h"
#include "sim/fabric/fabric.h"

/*
 * ibsim's Start has no words. By the schedule, as signals: then all programs wait. What is quoted
 * is for the shell.
 */
int console_start(struct console *console, const struct console_words *words)
{
	const struct umadrig_fabric *fabric = console->fabric;
	g_autoptr(GString) why = g_string_new(NULL);
	g_autofree char *command = NULL, *line = NULL;
	int64_t number;
	int ret;

	if (words->count == 0) {
		g_string_append_printf(console->out, "# %s: started\n", fabric->name);
		return 0;
	}
	ret = schedule_expect_start(console);
	if (ret < 0)
		return ret;
	command = console_join_quoted(words, 0, words->count);
	if (console->server) {
		line = g_strconcat("start ", command, NULL);
		schedule_add(console, line, 0, 0, 0, 0);
		return 0;
	}
	number = fabric->programs_known->start(fabric->programs_known_ctx, command, NULL, NULL,
					       why);
	return number < 0 ? console_fail(console, (int)number, "%s", why->str) : 0;
}
