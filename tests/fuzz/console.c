/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: whatever lines the console gets, each is executed or refused with a reason, and the
 * fabric survives: it becomes idle, and can be shown.
 *
 * Lines that would read or write files are left out.
 */
#include "config.h"

#include <errno.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "kmod-stub/event.h"
#include "sim/api/umadrig.h"
#include "sim/console/console.h"
#include "sim/fabric/fabric.h"
#include "sim/run/assembly.h"
#include "sim/topology/lid.h"
#include "sim/topology/load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition) do { if (!(condition)) abort(); } while (0)

enum { LINES_MAX = 64, LINE_SIZE = 512 };

static const char text[] =
	"Hca 2 \"H1\"\n[1] \"S1\"[1]\n[2] \"S2\"[1]\n\nHca 1 \"H2\"\n[1] \"S1\"[2]\n\n"
	"Switch 4 \"S1\"\n[1] \"H1\"[1]\n[2] \"H2\"[1]\n[3] \"S2\"[2]\n\n"
	"Switch 4 \"S2\"\n[1] \"H1\"[2]\n[2] \"S1\"[3]\n";

static struct umadrig_fabric *make_fabric(void)
{
	struct umadrig_options options = { .virtual_clock = true, .seed = 1, .first_hi_tid = 1 };
	struct topology *topology = topology_parse(text, strlen(text), "console", NULL);
	struct umadrig_fabric *fabric;
	char message[512];

	topology_assign_lids(topology);
	fabric = fabric_new(topology, &options, message, sizeof(message));
	topology_free(topology);
	CHECK(fabric);
	return fabric;
}

/* ---- a server without clients ---- */

static void list(void *ctx, GString *out, struct json_writer *json)
{
	(void)ctx;
	(void)json;
	g_string_append(out, "Client 1\n");
}

static int disconnect(void *ctx, uint64_t number)
{
	(void)ctx;
	return number == 1 ? 0 : -ENOENT;
}

static void quit(void *ctx)
{
	(void)ctx;
}

static const struct console_server server = { list, disconnect, quit };

/* ---- lines ---- */

/* Files, and endless waits: what happens within a year of one line is not of interest. */
static bool is_left_out(const char *line)
{
	g_autofree char *lower = g_ascii_strdown(line, -1);

	return strchr(line, '!') || strstr(lower, "capture") || strstr(lower, "wait") ||
	       strstr(lower, "verbose");
}

static void run_line(struct console *console, const char *line)
{
	int ret;

	if (is_left_out(line))
		return;
	ret = console_run(console, line);
	CHECK(ret <= 0);
	CHECK(!console->error == (ret == 0));
	CHECK(!console->error || *console->error);
	CHECK(!console->out->len || console->out->str[console->out->len - 1] == '\n');
	g_string_truncate(console->out, 0);
}

static void must_run(struct console *console, const char *line)
{
	CHECK(console_run(console, line) == 0);
	CHECK(console->out->len > 0);
	g_string_truncate(console->out, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct umadrig_fabric *fabric = make_fabric();
	struct console console = {
		.fabric = fabric, .out = g_string_new(NULL),
		.server = size & 1 ? &server : NULL,
	};
	g_autofree char *lines = g_strndup((const char *)data, size);
	char *line = lines, *next;

	for (unsigned int i = 0; line && i < LINES_MAX; i++, line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (strlen(line) < LINE_SIZE)
			run_line(&console, line);
		umadrig_step(fabric, umadrig_now(fabric) + NS_PER_S);
	}
	/* With entries left, a fabric is never idle. */
	run_line(&console, "schedule remove all");
	must_run(&console, "Dump");
	must_run(&console, "topology");
	must_run(&console, "report");
	umadrig_step(fabric, umadrig_now(fabric) + 60 * NS_PER_S);
	CHECK(fabric->pool.used == 0);
	console_clear(&console);
	g_string_free(console.out, true);
	umadrig_fabric_close(fabric);
	return 0;
}
