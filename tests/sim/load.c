/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Counters that move: loads, their shares of links, and what moves by an order. The closed form is
 * compared with a model that goes through time step by step and fills links bit by bit.
 */
#include <math.h>
#include <stdlib.h>

#include "sim/fabric/host.h"
#include "sim/fabric/load-touch.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/time/chance.h"
#include "tests/rig/leak.h"
#include "tests/rig/rig.h"

/* All links have 4x at 2.5 Gb/s: 8 Gb/s of data. */
static const char net[] =
	"Switch 5 \"S1\"\n[1] \"H1\"[1]\n[2] \"H2\"[1]\n[3] \"S2\"[1]\n[4] \"H5\"[1]\n\n"
	"Switch 4 \"S2\"\n[1] \"S1\"[3]\n[2] \"H3\"[1]\n[3] \"H4\"[1]\n\n"
	"Hca 1 \"H1\"\n[1] \"S1\"[1]\n\n"
	"Hca 1 \"H2\"\n[1] \"S1\"[2]\n\n"
	"Hca 2 \"H3\"\n[1] \"S2\"[2]\n\n"
	"Hca 1 \"H4\"\n[1] \"S2\"[3]\n\n"
	"Hca 1 \"H5\"\n[1] \"S1\"[4]\n";

static uint64_t count(struct rig *rig, const char *node, unsigned int num, const char *name)
{
	int64_t value = umadrig_counter(rig->fabric, node, num, name);

	if (value < 0)
		g_error("%s of %s[%u]: %s", name, node, num, g_strerror((int)-value));
	return (uint64_t)value;
}

static void pass(struct rig *rig, int64_t time_ns)
{
	umadrig_step(rig->fabric, umadrig_now(rig->fabric) + time_ns);
}

static int order(struct rig *rig, const char *text)
{
	char message[512] = "";
	int id = umadrig_load_add(rig->fabric, text, message, sizeof(message));

	if (id < 0)
		g_error("%s: %s", text, message);
	return id;
}

/* "S1[3] PortXmitData": compares with 'value'. */
static void is_count(struct rig *rig, const char *what, uint64_t value)
{
	g_auto(GStrv) words = g_strsplit_set(what, "[] ", -1);
	uint64_t seen = count(rig, words[0], (unsigned int)atoi(words[1]), words[3]);

	if (seen != value)
		g_error("%s is %" G_GUINT64_FORMAT ", not %" G_GUINT64_FORMAT, what, seen, value);
}

/* ---- one flow ---- */

/* 6.4 Gb/s in packets of 2048 octets: 200,000,000 words and 390,625 packets in a second. */
static void test_flow(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual,load=H1:H3[1]:6.4G:size=2048");

	is_count(&rig, "H1[1] PortXmitData", 0);
	pass(&rig, 10 * NS_PER_S);
	is_count(&rig, "H1[1] PortXmitData", 2000000000);
	is_count(&rig, "H1[1] PortXmitPkts", 3906250);
	is_count(&rig, "H1[1] PortUnicastXmitPkts", 3906250);
	is_count(&rig, "H1[1] XmtDataSL0", 2000000000);
	is_count(&rig, "H1[1] PortRcvData", 0);
	is_count(&rig, "S1[1] PortRcvData", 2000000000);
	is_count(&rig, "S1[1] PortXmitData", 0);
	is_count(&rig, "S1[3] PortXmitData", 2000000000);
	is_count(&rig, "S2[1] PortRcvPkts", 3906250);
	is_count(&rig, "S2[2] PortXmitData", 2000000000);
	is_count(&rig, "S2[3] PortXmitData", 0);
	is_count(&rig, "H3[1] PortRcvData", 2000000000);
	is_count(&rig, "H3[1] PortVLOpData0", 2000000000);
	is_count(&rig, "H1[1] PortXmitWait", 0);
	is_count(&rig, "S1[255] PortXmitPkts", 3906250);
	/* The narrow ones stay at their highest value; they count on when they are set. */
	pass(&rig, 20 * NS_PER_S);
	is_count(&rig, "H1[1] PortCounters.PortXmitData", UINT32_MAX);
	is_count(&rig, "H1[1] PortXmitData", 6000000000);
	g_assert_cmpint(umadrig_counter_set(rig.fabric, "H1", 1, "PortCounters.PortXmitData", 0),
			==, 0);
	is_count(&rig, "H1[1] PortCounters.PortXmitData", 0);
	pass(&rig, NS_PER_S);
	is_count(&rig, "H1[1] PortCounters.PortXmitData", 200000000);
	is_count(&rig, "H1[1] PortXmitData", 6200000000);
	rig_close(&rig);
}

/* ---- sharing ---- */

static void test_share(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual");
	int first = order(&rig, "H1:H3[1]:6G"), second = order(&rig, "H2:H4:6G");
	int third = order(&rig, "H5:H2:1G"), fourth;

	g_assert_cmpint(umadrig_load_rate(rig.fabric, first), ==, 4000000000);
	g_assert_cmpint(umadrig_load_rate(rig.fabric, second), ==, 4000000000);
	g_assert_cmpint(umadrig_load_rate(rig.fabric, third), ==, 1000000000);
	pass(&rig, 8 * NS_PER_S);
	is_count(&rig, "S1[3] PortXmitData", 2000000000);
	/* In front of the full link ports wait half of the time, in ticks of 4 ns. */
	is_count(&rig, "H1[1] PortXmitWait", 1000000000);
	is_count(&rig, "H1[1] PortVLXmitWait0", 65535);	/* it has 16 bits */
	is_count(&rig, "H2[1] PortCounters.PortXmitWait", 1000000000);
	is_count(&rig, "S1[3] PortXmitWait", 0);
	is_count(&rig, "S2[2] PortXmitWait", 0);
	is_count(&rig, "H5[1] PortXmitWait", 0);
	/* What a small flow leaves, the others share. */
	fourth = order(&rig, "H5:H3[1]:500M");
	g_assert_cmpint(umadrig_load_rate(rig.fabric, fourth), ==, 500000000);
	g_assert_cmpint(umadrig_load_rate(rig.fabric, first), ==, 3750000000);
	pass(&rig, 8 * NS_PER_S);
	is_count(&rig, "S1[3] PortXmitData", 4000000000);
	is_count(&rig, "S1[4] PortRcvData", 500000000 + 125000000);
	/* What ended has been counted. */
	g_assert_cmpint(umadrig_load_remove(rig.fabric, first), ==, 0);
	g_assert_cmpint(umadrig_load_remove(rig.fabric, first), ==, -ENOENT);
	g_assert_cmpint(umadrig_load_rate(rig.fabric, first), ==, -ENOENT);
	g_assert_cmpint(umadrig_load_rate(rig.fabric, second), ==, 6000000000);
	g_assert_cmpint(umadrig_load_remove(rig.fabric, 0), ==, 0);
	pass(&rig, 8 * NS_PER_S);
	is_count(&rig, "S1[3] PortXmitData", 4000000000);
	rig_close(&rig);
}

static void test_patterns(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual");
	int id = order(&rig, "all:H3[1]:8G");

	/* Four others; H4 has half of its switch's last link as fair as any. */
	g_assert_cmpint(umadrig_load_rate(rig.fabric, id), ==, 8000000000);
	pass(&rig, 4 * NS_PER_S);
	is_count(&rig, "H4[1] PortXmitData", 250000000);
	is_count(&rig, "H1[1] PortXmitData", 250000000);
	umadrig_load_remove(rig.fabric, id);
	id = order(&rig, "all:next:1G");
	g_assert_cmpint(umadrig_load_rate(rig.fabric, id), ==, 5000000000);
	umadrig_load_remove(rig.fabric, id);
	id = order(&rig, "H1:all:1G");
	g_assert_cmpint(umadrig_load_rate(rig.fabric, id), ==, 4000000000);
	umadrig_load_remove(rig.fabric, id);
	id = order(&rig, "all:all:1M");
	g_assert_cmpint(umadrig_load_rate(rig.fabric, id), ==, 20000000);
	/* To a switch itself. */
	id = order(&rig, "H1:S2:1G");
	pass(&rig, NS_PER_S);
	g_assert_cmpint(umadrig_load_rate(rig.fabric, id), ==, 1000000000);
	rig_close(&rig);
}

/* ---- what a way depends on ---- */

static void test_changes(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual,load=H1:H3[1]:6.4G");
	const char *sent = "H1[1] PortXmitData";

	/* Nobody has read before the link goes. */
	pass(&rig, 3 * NS_PER_S);
	g_assert_cmpint(umadrig_link_set(rig.fabric, "S2", 2, false), ==, 0);
	pass(&rig, 3 * NS_PER_S);
	is_count(&rig, sent, 600000000);
	/* It comes back, but not Active, as no SM is there. */
	g_assert_cmpint(umadrig_link_set(rig.fabric, "S2", 2, true), ==, 0);
	pass(&rig, 3 * NS_PER_S);
	is_count(&rig, sent, 600000000);
	load_touch(rig.fabric);
	fabric_node(rig.fabric, "S2")->ports[2].state = PORT_ACTIVE;
	fabric_node(rig.fabric, "H3")->ports[1].state = PORT_ACTIVE;
	pass(&rig, 1 * NS_PER_S);
	is_count(&rig, sent, 800000000);
	/* Counters of a node that comes back begin at 0. */
	g_assert_cmpint(umadrig_node_set(rig.fabric, "H1", false), ==, 0);
	pass(&rig, 1 * NS_PER_S);
	is_count(&rig, "S1[1] PortRcvData", 800000000);
	g_assert_cmpint(umadrig_node_set(rig.fabric, "H1", true), ==, 0);
	is_count(&rig, sent, 0);
	is_count(&rig, "S1[1] PortRcvData", 800000000);
	rig_close(&rig);
}

static void test_lid(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual,load=H1:H3[1]:6.4G");

	pass(&rig, NS_PER_S);
	g_assert_cmpint(umadrig_port_set_lid(umadrig_port(rig.fabric, "H3", 1), 0x100, 0), ==, 0);
	pass(&rig, NS_PER_S);
	is_count(&rig, "H3[1] PortRcvData", 400000000);
	rig_close(&rig);
}

/* ---- beside a slow model ---- */

enum { FLOWS = 6, HOPS = 4, EVENTS = 40, HOSTS = 5, STEP_MBIT = 1 };

struct slow_flow {
	bool is_there;
	unsigned int from, to;		/* hosts, from 0 */
	unsigned int wanted_mbit;
	int id;
};

struct slow {
	struct slow_flow flows[FLOWS];
	bool down[HOSTS];		/* the host's link */
	double sent_mbit[HOSTS], received_mbit[HOSTS], crossed_mbit[2];
};

/* Hosts 0, 1 and 4 are at S1, 2 and 3 at S2. Links: host up, host down, and between switches. */
static unsigned int side(unsigned int host)
{
	return host == 2 || host == 3;
}

/* A flow's links: 0 to 4 leave hosts, 5 to 9 reach them, 10 and 11 leave S1 and S2. */
static unsigned int ways(const struct slow_flow *flow, unsigned int links[HOPS])
{
	unsigned int hops = 0;

	links[hops++] = flow->from;
	if (side(flow->from) != side(flow->to))
		links[hops++] = 2 * HOSTS + side(flow->from);
	links[hops++] = HOSTS + flow->to;
	return hops;
}

/* Every flow grows by a step, again and again, until it has what it wants or a link is full. */
static void slow_rates(const struct slow *slow, double rates_mbit[FLOWS])
{
	double used[2 * HOSTS + 2] = { 0 };
	bool grows[FLOWS], any = true;
	unsigned int links[HOPS];

	for (unsigned int i = 0; i < FLOWS; i++) {
		const struct slow_flow *flow = &slow->flows[i];

		rates_mbit[i] = 0;
		grows[i] = flow->is_there && !slow->down[flow->from] && !slow->down[flow->to];
	}
	while (any) {
		any = false;
		for (unsigned int i = 0; i < FLOWS; i++) {
			unsigned int hops = ways(&slow->flows[i], links);

			for (unsigned int hop = 0; hop < hops; hop++)
				grows[i] = grows[i] && used[links[hop]] + STEP_MBIT <= 8000;
			grows[i] = grows[i] && rates_mbit[i] < slow->flows[i].wanted_mbit;
			for (unsigned int hop = 0; hop < hops && grows[i]; hop++)
				used[links[hop]] += STEP_MBIT;
			rates_mbit[i] += grows[i] ? STEP_MBIT : 0;
			any = any || grows[i];
		}
	}
}

static void slow_pass(struct slow *slow, double seconds)
{
	double rates_mbit[FLOWS];

	slow_rates(slow, rates_mbit);
	for (unsigned int i = 0; i < FLOWS; i++) {
		const struct slow_flow *flow = &slow->flows[i];

		slow->sent_mbit[flow->from] += rates_mbit[i] * seconds;
		slow->received_mbit[flow->to] += rates_mbit[i] * seconds;
		if (side(flow->from) != side(flow->to))
			slow->crossed_mbit[side(flow->from)] += rates_mbit[i] * seconds;
	}
}

static void is_near(struct rig *rig, const char *node, unsigned int num, const char *name,
		    double mbit)
{
	double seen = (double)count(rig, node, num, name) * 32 / 1e6;

	/* Steps of the slow model, of 1 Mb/s in 40 events of up to 2 s, and six flows. */
	if (fabs(seen - mbit) > 500 + mbit / 200)
		g_error("%s[%u] %s: %.1f Mbit, the slow model has %.1f", node, num, name, seen,
			mbit);
}

static void compare(struct rig *rig, const struct slow *slow)
{
	char name[8];

	for (unsigned int host = 0; host < HOSTS; host++) {
		g_snprintf(name, sizeof(name), "H%u", host + 1);
		is_near(rig, name, 1, "PortXmitData", slow->sent_mbit[host]);
		is_near(rig, name, 1, "PortRcvData", slow->received_mbit[host]);
	}
	is_near(rig, "S1", 3, "PortXmitData", slow->crossed_mbit[0]);
	is_near(rig, "S2", 1, "PortXmitData", slow->crossed_mbit[1]);
	is_near(rig, "S1", 3, "PortRcvData", slow->crossed_mbit[1]);
}

/* One change at random, in both rigs and in the slow model. */
static void change(struct rig rigs[2], struct slow *slow, struct chance *chance)
{
	struct slow_flow *flow = &slow->flows[chance_below(chance, FLOWS)];
	unsigned int host = (unsigned int)chance_below(chance, HOSTS);
	char text[64];

	if (chance_hits(chance, 1, 6) && !slow->down[host]) {
		g_snprintf(text, sizeof(text), "H%u", host + 1);
		slow->down[host] = true;
		for (unsigned int i = 0; i < 2; i++)
			umadrig_link_set(rigs[i].fabric, text, 1, false);
		return;
	}
	if (flow->is_there) {
		for (unsigned int i = 0; i < 2; i++)
			g_assert_cmpint(umadrig_load_remove(rigs[i].fabric, flow->id), ==, 0);
		flow->is_there = false;
		return;
	}
	*flow = (struct slow_flow) {
		.is_there = true,
		.from = host,
		.to = (host + 1 + (unsigned int)chance_below(chance, HOSTS - 1)) % HOSTS,
		.wanted_mbit = 100 + (unsigned int)chance_below(chance, 9000),
	};
	g_snprintf(text, sizeof(text), "H%u[1]:H%u[1]:%uM", flow->from + 1, flow->to + 1,
		   flow->wanted_mbit);
	for (unsigned int i = 0; i < 2; i++)
		flow->id = order(&rigs[i], text);
}

static void is_same(struct rig rigs[2], const char *node, unsigned int num, const char *name)
{
	g_assert_cmpuint(count(&rigs[0], node, num, name), ==, count(&rigs[1], node, num, name));
}

/* The second fabric is read at the end alone: it must have the same counts, to the word. */
static void same_counts(struct rig rigs[2])
{
	static const char *const names[] = {
		"PortXmitData", "PortRcvData", "PortXmitPkts", "PortRcvPkts", "PortXmitWait",
	};
	const char *node;

	for (unsigned int at = 0; (node = umadrig_node(rigs[0].fabric, at)); at++) {
		for (int num = 1; num <= umadrig_node_ports(rigs[0].fabric, node); num++) {
			for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
				is_same(rigs, node, (unsigned int)num, names[i]);
		}
	}
}

static void test_slow_model(void)
{
	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct rig rigs[2] = { rig_open_text(net, ",clock=virtual"),
				       rig_open_text(net, ",clock=virtual") };
		struct slow slow = { 0 };
		struct chance chance;

		chance_init(&chance, seed, "load");
		for (unsigned int event = 0; event < EVENTS; event++) {
			int64_t time_ns = (int64_t)chance_below(&chance, 2 * NS_PER_S);

			change(rigs, &slow, &chance);
			pass(&rigs[0], time_ns);
			pass(&rigs[1], time_ns);
			slow_pass(&slow, (double)time_ns / NS_PER_S);
			if (chance_hits(&chance, 1, 2))
				compare(&rigs[0], &slow);
		}
		compare(&rigs[0], &slow);
		same_counts(rigs);
		rig_close(&rigs[0]);
		rig_close(&rigs[1]);
	}
}

/* ---- counters that were told to move ---- */

static void move(struct rig *rig, const char *name, uint64_t numerator, int64_t per_ns,
		 int64_t for_ns)
{
	g_assert_cmpint(umadrig_counter_move(rig->fabric, "S1", 3, name, numerator, per_ns,
					     for_ns), ==, 0);
}

static void test_move(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual");

	move(&rig, "SymbolErrorCounter", 10, NS_PER_S, 60 * NS_PER_S);
	pass(&rig, 1550 * NS_PER_MS);
	is_count(&rig, "S1[3] SymbolErrorCounter", 15);
	is_count(&rig, "S1[3] PortCounters.SymbolErrorCounter", 15);
	g_assert_cmpint(umadrig_counter_set(rig.fabric, "S1", 3, "SymbolErrorCounter", 0), ==, 0);
	pass(&rig, NS_PER_S);
	is_count(&rig, "S1[3] SymbolErrorCounter", 10);
	is_count(&rig, "S1[3] PortCounters.SymbolErrorCounter", 25);
	pass(&rig, 3600 * NS_PER_S);
	is_count(&rig, "S1[3] PortCounters.SymbolErrorCounter", 600);
	/* A second order goes on from there; two add up; 0 ends them. */
	move(&rig, "SymbolErrorCounter", 1, NS_PER_S, INT64_MAX);
	move(&rig, "SymbolErrorCounter", 2, NS_PER_S, INT64_MAX);
	pass(&rig, 10 * NS_PER_S);
	is_count(&rig, "S1[3] PortCounters.SymbolErrorCounter", 630);
	move(&rig, "SymbolErrorCounter", 0, 1, 1);
	pass(&rig, 10 * NS_PER_S);
	is_count(&rig, "S1[3] PortCounters.SymbolErrorCounter", 630);
	rig_close(&rig);
}

/* Sums and their parts move together; counters that nothing else moves do, too. */
static void test_move_parts(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual");

	move(&rig, "PortRcvErrors", 3, NS_PER_S, INT64_MAX);
	move(&rig, "PortBufferOverrunErrors", 1, NS_PER_S, INT64_MAX);
	move(&rig, "PortXmitDiscards", 5, NS_PER_S, INT64_MAX);
	move(&rig, "PortMulticastXmitPkts", 7, NS_PER_S, INT64_MAX);
	move(&rig, "PortVLOpPackets2", 4, NS_PER_S, INT64_MAX);
	move(&rig, "PortVLXmitWait1", 6, NS_PER_S, INT64_MAX);
	move(&rig, "PortFECCorrectableBlockCtr", 1000, NS_PER_S, INT64_MAX);
	pass(&rig, 10 * NS_PER_S);
	is_count(&rig, "S1[3] PortRcvErrors", 40);
	is_count(&rig, "S1[3] PortLocalPhysicalErrors", 30);
	is_count(&rig, "S1[3] PortBufferOverrunErrors", 10);
	is_count(&rig, "S1[3] PortXmitDiscards", 50);
	is_count(&rig, "S1[3] PortInactiveDiscards", 50);
	is_count(&rig, "S1[3] PortMulticastXmitPkts", 70);
	is_count(&rig, "S1[3] PortXmitPkts", 70);
	is_count(&rig, "S1[3] PortUnicastXmitPkts", 0);
	is_count(&rig, "S1[3] PortVLOpPackets2", 40);
	is_count(&rig, "S1[3] PortVLOpPackets0", 0);
	is_count(&rig, "S1[3] PortRcvPkts", 40);
	is_count(&rig, "S1[3] PortVLXmitWait1", 60);
	is_count(&rig, "S1[3] PortVLXmitWait0", 0);
	is_count(&rig, "S1[3] PortXmitWait", 60);
	is_count(&rig, "S1[3] PortFECCorrectableBlockCtr", 10000);
	is_count(&rig, "S1[3] PortFECUncorrectableBlockCtr", 0);
	is_count(&rig, "S1[2] PortRcvErrors", 0);
	g_assert_cmpint(umadrig_counter_move(rig.fabric, "S1", 3, "Nothing", 1, 1, 1), ==, -EINVAL);
	g_assert_cmpint(umadrig_counter_move(rig.fabric, "S1", 9, "PortRcvErrors", 1, 1, 1), ==,
			-ENOENT);
	g_assert_cmpint(umadrig_counter_move(rig.fabric, "S1", 3, "PortRcvErrors", 1, 0, 1), ==,
			-EINVAL);
	rig_close(&rig);
}

/* ---- what happens later ---- */

static void tell(struct rig *rig, const char *line)
{
	char *text = NULL;

	if (umadrig_console(rig->fabric, line, &text) < 0)
		g_error("%s: %s", line, text);
	free(text);
}

/* 4x at 2.5 Gb/s is 8 Gb/s; with one lane 2 Gb/s: 62,500,000 words a second. */
static void test_degraded(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual,load=H1:H3[1]:100G");

	pass(&rig, NS_PER_S);
	is_count(&rig, "S1[3] PortXmitData", 250000000);
	tell(&rig, "link degrade S1[3] 1x");
	pass(&rig, NS_PER_S);
	is_count(&rig, "S1[3] PortXmitData", 312500000);
	is_count(&rig, "H1[1] PortXmitData", 312500000);
	/* The adapter waits three quarters of the time. */
	is_count(&rig, "H1[1] PortXmitWait", 187500000);
	is_count(&rig, "S2[1] LinkErrorRecoveryCounter", 1);
	is_count(&rig, "S1[3] LinkDownedCounter", 0);
	tell(&rig, "link restore S2[1]");
	tell(&rig, "link restore S2[1]");
	pass(&rig, NS_PER_S);
	is_count(&rig, "S1[3] PortXmitData", 562500000);
	is_count(&rig, "S2[1] LinkErrorRecoveryCounter", 2);
	/* 8e9 bits per second, of which one in 1e8 is wrong. */
	tell(&rig, "link degrade S1[3] ber=1e-8");
	pass(&rig, 10 * NS_PER_S);
	is_count(&rig, "S1[3] SymbolErrorCounter", 800);
	is_count(&rig, "S2[1] SymbolErrorCounter", 800);
	tell(&rig, "link restore S1[3]");
	pass(&rig, 10 * NS_PER_S);
	is_count(&rig, "S1[3] SymbolErrorCounter", 800);
	rig_close(&rig);
}

/* A bad cable stays bad while it is pulled; another one is not. */
static void test_degraded_down(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual");
	const struct port *port = &fabric_node(rig.fabric, "S1")->ports[3];

	tell(&rig, "link degrade S1[3] 1x");
	g_assert_cmpuint(port->width_active, ==, 1);
	tell(&rig, "link down S1[3]");
	tell(&rig, "link up S1[3]");
	pass(&rig, NS_PER_S);
	g_assert_cmpuint(port->width_active, ==, 1);
	g_assert_cmpuint(port->peer->width_active, ==, 1);
	tell(&rig, "link down S1[3]");
	tell(&rig, "Link S1[3] S2[1]");
	pass(&rig, NS_PER_S);
	g_assert_cmpuint(port->width_active, ==, 2);
	rig_close(&rig);
}

static void test_schedule(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual,load=H1:H3[1]:3.2G");

	tell(&rig, "link flap S1[4] down 5s every 60s times 3");
	tell(&rig, "after 1800s link down S1[3]");
	tell(&rig, "every 600s counter S1[2] PortRcvErrors +1/s for 10s");
	pass(&rig, 64 * NS_PER_S);
	g_assert_cmpint(umadrig_port_state(rig.fabric, "H5", 1), ==, PORT_DOWN);
	pass(&rig, 3536 * NS_PER_S);
	g_assert_cmpint(umadrig_port_state(rig.fabric, "H5", 1), ==, PORT_INIT);
	is_count(&rig, "H5[1] LinkDownedCounter", 3);
	is_count(&rig, "H1[1] PortXmitData", UINT64_C(180000000000));
	/* The sixth time is now. */
	is_count(&rig, "S1[2] PortRcvErrors", 50);
	tell(&rig, "schedule remove all");
	pass(&rig, 3600 * NS_PER_S);
	is_count(&rig, "S1[2] PortRcvErrors", 60);
	g_assert_cmpint(umadrig_next(rig.fabric), ==, INT64_MAX);
	/* What is still to come goes with the fabric. */
	tell(&rig, "every 1s link down S1[1]");
	rig_close(&rig);
}

/* ---- texts ---- */

static void test_texts(void)
{
	static const struct {
		const char *text;
		int err;
		const char *message;
	} rows[] = {
		{ "H1:H3[1]:1G", 0, "" },
		{ "\"H1\":\"H3\"[1]:1.5G:size=24", 0, "" },
		{ "H1:H3[1]:999b/s", 0, "" },
		{ "H1:H3[1]:2.5Gb/s:size=4224", 0, "" },
		{ "H1:H3[1]", -EINVAL, "expected FROM, TO and a rate" },
		{ "H1::1G", -EINVAL, "expected FROM, TO and a rate" },
		{ "H1:H3[1]:1G:2:3", -EINVAL, "expected FROM, TO and a rate" },
		{ "H1:H3[1]:0", -EINVAL, "'0': expected a rate" },
		{ "H1:H3[1]:fast", -EINVAL, "'fast': expected a rate" },
		{ "H1:H3[1]:1Q", -EINVAL, "'1Q': expected a rate" },
		{ "H1:H3[1]:90000000T", -EINVAL, "expected a rate" },
		{ "H1:H3[1]:1G:size=22", -EINVAL, "a multiple of 4 from 24 to 4224" },
		{ "H1:H3[1]:1G:size=1022", -EINVAL, "a multiple of 4" },
		{ "H1:H3[1]:1G:packets=1", -EINVAL, "expected size=OCTETS" },
		{ "H1:H9:1G", -ENOENT, "there is no node 'H9'" },
		{ "H9:H1:1G", -ENOENT, "there is no node 'H9'" },
		{ "H1:H3:1G", -ENOENT, "which port of H3? Write H3[1]" },
		{ "H1:H3[3]:1G", -ENOENT, "the adapter has fewer" },
		{ "H1:S1[2]:1G", -ENOENT, "a switch's is port 0" },
		{ "H1:H1:1G", -EINVAL, "crosses no cable" },
		{ "all:nobody:1G", -ENOENT, "there is no node 'nobody'" },
	};
	struct rig rig = rig_open_text(net, ",clock=virtual");

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		char message[512] = "";
		int ret = umadrig_load_add(rig.fabric, rows[i].text, message, sizeof(message));

		if (MIN(ret, 0) != rows[i].err || !strstr(message, rows[i].message))
			g_error("%s: %d %s", rows[i].text, ret, message);
	}
	rig_close(&rig);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/load/flow", test_flow);
	g_test_add_func("/load/share", test_share);
	g_test_add_func("/load/patterns", test_patterns);
	g_test_add_func("/load/changes", test_changes);
	g_test_add_func("/load/lid", test_lid);
	g_test_add_func("/load/slow-model", test_slow_model);
	g_test_add_func("/load/move", test_move);
	g_test_add_func("/load/move-parts", test_move_parts);
	g_test_add_func("/load/degraded", test_degraded);
	g_test_add_func("/load/degraded-down", test_degraded_down);
	g_test_add_func("/load/schedule", test_schedule);
	g_test_add_func("/load/texts", test_texts);
	return leak_end(g_test_run());
}
