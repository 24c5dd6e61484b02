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

enum { SM_INFO = 0x0020 };

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

/* ---- alive ---- */

static struct umadrig_port *sm_port(struct run *run)
{
	return umadrig_port(run->rig.fabric, "H1", 1);
}

static void answer(struct run *run, uint8_t umad[RIG_UMAD], uint32_t agent)
{
	uint8_t *mad = umad + RIG_HEADER;

	g_assert_cmphex(mad[MAD_CLASS], ==, MAD_CLASS_SUBN_DR);
	g_assert_cmphex(mad[MAD_METHOD], ==, MAD_METHOD_GET);
	g_assert_cmphex(get_be16(mad + MAD_ATTR_ID), ==, SM_INFO);
	mad[MAD_METHOD] = MAD_METHOD_GET_RESP;
	put_be16(mad + MAD_STATUS, SMP_DIRECTION);
	rig_put_u32(umad, RIG_ID, agent);
	rig_put_u32(umad, RIG_TIMEOUT, 0);
	g_assert_cmpint(run->rig.backend->send(run->fd, umad, RIG_UMAD), ==, RIG_UMAD);
}

static uint32_t begin_to_manage(struct run *run)
{
	g_assert_cmpint(umadrig_issm_open(sm_port(run)), ==, 0);
	return rig_register(&run->rig, run->fd, MAD_CLASS_SUBN_DR, 1 << MAD_METHOD_GET);
}

/* A subnet manager for so many seconds, which may answer. */
static void manage(struct run *run, uint32_t agent, unsigned int seconds, bool answers)
{
	uint8_t umad[RIG_UMAD];

	for (unsigned int i = 0; i < seconds; i++) {
		pass(run, 1);
		while (answers && run->rig.backend->recv(run->fd, umad, RIG_UMAD) > 0)
			answer(run, umad, agent);
	}
}

static void lives(struct run *run)
{
	manage(run, begin_to_manage(run), 60, true);
	say(run, "property end");
}

static void falls_silent(struct run *run)
{
	manage(run, begin_to_manage(run), 31, true);
}

static void pauses(struct run *run)
{
	uint32_t agent = begin_to_manage(run);

	manage(run, agent, 31, true);
	manage(run, agent, 13, false);
	manage(run, agent, 60, true);
}

static void ends(struct run *run)
{
	manage(run, begin_to_manage(run), 12, true);
	umadrig_issm_close(sm_port(run));
}

static void answered_by_kernel(struct run *run)
{
	g_assert_cmpint(umadrig_issm_open(sm_port(run)), ==, 0);
}

static void nobody(struct run *run)
{
	(void)run;
}

/* ---- rows ---- */

static const struct row {
	const char *name;
	const char *line;		/* properties, and what else is said */
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
	{ "lives", "finally alive;fault drop all", lives, "\tmet at 60.000s" },
	{ "falls-silent", "always alive", falls_silent,
	  "\tbroken at 55.000s\tthe subnet manager at H1[1] answers no SMInfo, for 20s\n" },
	{ "pauses", "always alive within 13s;always alive within 9s", pauses,
	  "within 13s\tbroken at 118.000s" },
	{ "ends", "always alive", ends,
	  "\tbroken at 32.000s\tthere is no subnet manager, for 20s\n" },
	{ "answered-by-kernel", "always alive within 6s", answered_by_kernel,
	  "\tbroken at 11.000s\tthe subnet manager at H1[1] answers no SMInfo, for 6s\n" },
	{ "nobody", "always alive", nobody, "\tbroken at 20.000s\tthere is no subnet manager" },
	{ "asked-elsewhere", "always every-request-ends", asked_elsewhere,
	  "\tbroken at 30.000s\t" },
};

static void test_row(gconstpointer data)
{
	const struct row *row = data;
	struct run run = run_begin(",clock=virtual,seed=1", MAD_CLASS_SUBN_DR);
	g_auto(GStrv) lines = g_strsplit(row->line, ";", -1);

	for (char **line = lines; *line; line++)
		say(&run, *line);
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
