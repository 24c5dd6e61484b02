/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Conditions of properties that look at what programs do: when they hold, when they do not, and
 * which reason is said.
 */
#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "kmod-stub/event.h"
#include "tests/rig/fabric-rig.h"
#include "tests/rig/leak.h"

static void say(struct run *run, const char *line)
{
	char *text = NULL;

	if (umadrig_console(run->rig.fabric, line, &text) < 0)
		g_error("%s: %s", line, text);
	free(text);
}

/* "property list" has this in its line. */
static void expect(struct run *run, const char *words)
{
	char *text = NULL;

	g_assert_cmpint(umadrig_console(run->rig.fabric, "property list", &text), ==, 0);
	if (!strstr(text, words))
		g_error("'%s' is not in: %s", words, text);
	free(text);
}

static void pass(struct run *run, int64_t seconds)
{
	umadrig_step(run->rig.fabric, umadrig_now(run->rig.fabric) + seconds * NS_PER_S);
}

/* ---- every-request-ends ---- */

/* H1 asks S2 at the end of the path 0,1,3 by default. */
static void ask(struct run *run, uint32_t tid, uint32_t timeout_ms)
{
	const struct rig_get get = {
		.mgmt_class = MAD_CLASS_SUBN_DR, .attr = NODE_INFO, .path = { 2, 1, 3 },
		.tid = tid, .timeout_ms = timeout_ms, .retries = 2,
	};

	rig_send(&run->rig, run->fd, run->agent, &get);
}

static long read_one(struct run *run)
{
	uint8_t umad[RIG_UMAD];

	return rig_recv(&run->rig, run->fd, umad, 1000);
}

static void answered(struct run *run)
{
	ask(run, 1, 100);
	g_assert_cmpint(read_one(run), ==, RIG_UMAD);
}

static void given_up(struct run *run)
{
	say(run, "fault drop all");
	ask(run, 1, 100);
	g_assert_cmpint(read_one(run), ==, RIG_HEADER + MAD_HDR_SIZE);
}

static void not_waited_for(struct run *run)
{
	say(run, "fault drop all");
	ask(run, 1, 0);
}

static void misled(struct run *run)
{
	say(run, "fault lie modifier 1 SubnGetResp(NodeInfo)");
	answered(run);
}

static void asked_again(struct run *run)
{
	misled(run);
	pass(run, 29);
	ask(run, 2, 100);
	g_assert_cmpint(read_one(run), ==, RIG_UMAD);
}

/* Others are asked, and it is not. */
static void asked_elsewhere(struct run *run)
{
	const struct rig_get get = {
		.mgmt_class = MAD_CLASS_SUBN_DR, .attr = NODE_INFO, .path = { 1, 1 }, .tid = 3,
		.timeout_ms = 100,
	};

	misled(run);
	rig_send(&run->rig, run->fd, run->agent, &get);
	g_assert_cmpint(read_one(run), ==, RIG_UMAD);
}

static void closed(struct run *run)
{
	misled(run);
	run->rig.backend->close(run->fd);
	run->fd = rig_open_port(&run->rig, "H1", "sim0", 1);
}

/* The program never reads what its kernel tells it. */
static void not_read(struct run *run)
{
	say(run, "fault drop all");
	ask(run, 1, 100);
}

/* ---- rows ---- */

static const struct row {
	const char *name;
	const char *line;		/* the property */
	void (*do_it)(struct run *run);
	const char *then;		/* a minute later */
} rows[] = {
	{ "answered", "always every-request-ends", answered, "\tholds\n" },
	{ "given-up", "always every-request-ends", given_up, "\tholds\n" },
	{ "not-waited-for", "always every-request-ends", not_waited_for, "\tholds\n" },
	{ "asked-again", "always every-request-ends", asked_again, "\tholds\n" },
	{ "closed", "always every-request-ends", closed, "\tholds\n" },
	{ "misled", "always every-request-ends", misled,
	  "\tbroken at 30.000s\tSubnGet(NodeInfo) of H1[1] to 0,1,3, sent at 0.000s, is "
	  "forgotten: the answer has modifier 0x800000, not 0x0, for 30s\n" },
	{ "soon", "always every-request-ends within 2s", misled, "\tbroken at 2.000s\t" },
	{ "asked-elsewhere", "always every-request-ends", asked_elsewhere,
	  "\tbroken at 30.000s\t" },
};

static void test_row(gconstpointer data)
{
	const struct row *row = data;
	struct run run = run_begin(",clock=virtual,seed=1", MAD_CLASS_SUBN_DR);

	say(&run, row->line);
	row->do_it(&run);
	pass(&run, 60);
	expect(&run, row->then);
	run_end(&run);
}

/* Nothing happens after the time-outs, so it is seen at the end. */
static void test_unread(void)
{
	struct run run = run_begin(",clock=virtual,seed=1", MAD_CLASS_SUBN_DR);

	say(&run, "finally every-request-ends");
	not_read(&run);
	pass(&run, 60);
	expect(&run, "\tholds\n");
	say(&run, "property end");
	expect(&run, "sent at 0.000s, is forgotten: its time-outs have passed, and the program "
	       "has read nothing of it");
	run_end(&run);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *path = g_strconcat("/property/", rows[i].name, NULL);

		g_test_add_data_func(path, &rows[i], test_row);
	}
	g_test_add_func("/property/unread", test_unread);
	return g_test_run();
}
