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

/* ---- no-credit-loop ---- */

enum { RING = 5 };

/* A ring of switches with a host each: Hn is at Sn[3], and Sn[1] leads to S(n+1)[2]. */
static struct run ring_begin(const char *property)
{
	g_autoptr(GString) net = g_string_new(NULL);
	struct run run = { .deaths = g_string_new(NULL) };

	/* HCAs first: their LIDs are 1 to RING. */
	for (unsigned int i = 1; i <= RING; i++)
		g_string_append_printf(net, "Hca 1 \"H%u\"\n[1] \"S%u\"[3]\n\n", i, i);
	for (unsigned int i = 1; i <= RING; i++)
		g_string_append_printf(net, "Switch 4 \"S%u\"\n[1] \"S%u\"[2]\n[2] \"S%u\"[1]\n"
				       "[3] \"H%u\"[1]\n\n", i, i % RING + 1,
				       (i + RING - 2) % RING + 1, i);
	run.rig = rig_open_text(net->str, ",clock=virtual,seed=1");
	run.fd = rig_open_port(&run.rig, "H1", "sim0", 1);
	run.agent = rig_register(&run.rig, run.fd, MAD_CLASS_SUBN_ADM, 0);
	say(&run, property);
	return run;
}

/* H1 tells H2, as a subnet administration does, that packets of this path have this SL. */
static void tell_path(struct run *run, uint16_t slid, uint16_t dlid, unsigned int sl)
{
	enum { PATH_RECORD = 0x0035, DLID = SA_DATA + 40, SLID = SA_DATA + 42, SL = SA_DATA + 52 };
	const struct rig_get get = {
		.mgmt_class = MAD_CLASS_SUBN_ADM, .method = MAD_METHOD_GET_RESP,
		.attr = PATH_RECORD, .dlid = 2, .tid = slid * 100U + dlid,
	};
	uint8_t umad[RIG_UMAD];

	rig_fill(umad, run->agent, &get);
	put_be16(umad + RIG_HEADER + SLID, slid);
	put_be16(umad + RIG_HEADER + DLID, dlid);
	put_be16(umad + RIG_HEADER + SL, (uint16_t)sl);
	g_assert_cmpint(run->rig.backend->send(run->fd, umad, sizeof(umad)), ==, sizeof(umad));
}

/* The ring is all SL 0, but for what goes by S5 and S1: that is SL 'over', both ways. */
static void tell_paths(struct run *run, unsigned int over)
{
	for (uint16_t from = 1; from <= RING; from++) {
		for (uint16_t to = 1; to <= RING; to++) {
			bool is_over = (from == RING && to == 2) || (from == 2 && to == RING) ||
				       (from == RING - 1 && to == 1) ||
				       (from == 1 && to == RING - 1);

			if (from != to)
				tell_path(run, from, to, is_over ? over : 0);
		}
	}
}

static void test_ring(void)
{
	struct run run = ring_begin("always no-credit-loop within 1s");

	pass(&run, 2);
	expect(&run, "\tbroken at 1.000s\tS1[1] VL 0, S2[1] VL 0, S3[1] VL 0, S4[1] VL 0, "
	       "S5[1] VL 0 wait for each other, for 1s\n");
	run_end(&run);
}

/* Between two parts of a line nothing waits in a circle. */
static void test_line(void)
{
	struct run run = ring_begin("always no-credit-loop within 1s");

	say(&run, "link down S5[1]");
	pass(&run, 2);
	expect(&run, "\tholds\n");
	run_end(&run);
}

static void test_lanes(void)
{
	struct run run = ring_begin("always no-credit-loop within 1s");

	tell_paths(&run, 1);
	pass(&run, 2);
	expect(&run, "\tholds\n");
	/* It is the SL of one path that breaks the circle. */
	tell_path(&run, RING, 2, 0);
	tell_path(&run, RING - 1, 1, 0);
	pass(&run, 2);
	expect(&run, "\tbroken at 3.000s\tS1[1] VL 0, S2[1] VL 0, S3[1] VL 0, S4[1] VL 0, "
	       "S5[1] VL 0 wait for each other, for 1s\n");
	run_end(&run);
}

/* Several SLs on one lane are no way out. */
static void test_one_lane(void)
{
	struct run run = ring_begin("always no-credit-loop within 1s");

	tell_paths(&run, 8);
	pass(&run, 2);
	expect(&run, "\tbroken at 1.000s\t");
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
	g_test_add_func("/property/ring", test_ring);
	g_test_add_func("/property/line", test_line);
	g_test_add_func("/property/lanes", test_lanes);
	g_test_add_func("/property/one-lane", test_one_lane);
	return g_test_run();
}
