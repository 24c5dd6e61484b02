/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a port counts for a bad cable, for packets without room and for thresholds, and the traps it
 * sends to the SM.
 */
#include <stdlib.h>

#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "tests/rig/leak.h"
#include "tests/rig/rig.h"

/* Given rules, when packets arrive at H2 one by one, then its counters and traps are these. */
static const struct row {
	const char *name;
	const char *rules;	/* separated by "; " */
	const char *thresholds;	/* a line of fields of PortInfo: LocalPhysErr and OverrunErr */
	unsigned int packets;
	bool smps;
	const char *counters;	/* counters of H2 */
	unsigned int trap, traps;	/* the trap's number, and how many were sent in a second */
} rows[] = {
	{ "nothing wrong", "", "8 8", 3, false,
	  "PortRcvPkts=3 SymbolErrorCounter=0 PortRcvErrors=0 VL15Dropped=0 QP1Dropped=0", 0, 0 },
	{ "noise", "corrupt 1 bits=0-15", "8 8", 3, false,
	  "SymbolErrorCounter=2 PortRcvErrors=1 PortRcvErrorDetails.PortLocalPhysicalErrors=1 "
	  "PortRcvPkts=2 LocalLinkIntegrityErrors=0 LinkErrorRecoveryCounter=0", 0, 0 },
	{ "noise all over", "corrupt 1 bits=0-2047", "8 8", 1, false,
	  "SymbolErrorCounter=256 PortRcvErrors=1", 0, 0 },
	{ "a bad buffer is no noise", "corrupt all mended bits=127", "0 0", 9, false,
	  "SymbolErrorCounter=0 PortRcvErrors=0 LocalLinkIntegrityErrors=0", 0, 0 },
	{ "as many as allowed", "corrupt 8", "8 8", 20, false,
	  "PortRcvErrors=8 LocalLinkIntegrityErrors=0", 0, 0 },
	{ "one more", "corrupt 9", "8 8", 20, false,
	  "PortRcvErrors=9 LocalLinkIntegrityErrors=1 LinkErrorRecoveryCounter=1 "
	  "LinkDownedCounter=0",
	  129, 1 },
	{ "good ones between", "corrupt 8; corrupt 4 skip=12", "8 8", 20, false,
	  "PortRcvErrors=12 LocalLinkIntegrityErrors=0", 0, 0 },
	{ "too few good ones between", "corrupt 8; corrupt 5 skip=12", "8 8", 20, false,
	  "PortRcvErrors=13 LocalLinkIntegrityErrors=1", 129, 1 },
	{ "none is allowed", "corrupt 2", "0 8", 2, false, "LocalLinkIntegrityErrors=2", 129, 1 },
	{ "more than can be shown", "corrupt 1/1", "0 8", 20, false,
	  "PortCounters.LocalLinkIntegrityErrors=15 LocalLinkIntegrityErrors=20", 129, 1 },
	{ "no buffer", "drop 8 overrun", "8 8", 20, false,
	  "PortRcvErrors=8 PortRcvErrorDetails.PortBufferOverrunErrors=8 PortRcvPkts=12 "
	  "ExcessiveBufferOverrunErrors=0 VL15Dropped=0", 0, 0 },
	{ "too often", "drop 9 overrun", "8 8", 20, false,
	  "PortRcvErrors=9 ExcessiveBufferOverrunErrors=1 LocalLinkIntegrityErrors=0", 130, 1 },
	{ "not in a row", "drop 8 overrun; drop 8 overrun skip=9", "8 8", 20, false,
	  "PortRcvErrors=16 ExcessiveBufferOverrunErrors=0", 0, 0 },
	{ "no buffer for SMPs", "drop all overrun", "0 0", 20, true,
	  "VL15Dropped=20 PortRcvErrors=0 ExcessiveBufferOverrunErrors=0 QP1Dropped=0", 0, 0 },
	{ "no room at QP1", "drop 4 unread", "0 0", 20, false,
	  "QP1Dropped=4 PortRcvPkts=20 PortRcvErrors=0 VL15Dropped=0", 0, 0 },
	{ "QP0 is another", "drop all unread", "0 0", 20, true,
	  "QP1Dropped=0 PortRcvPkts=20", 0, 0 },
	{ "lost without a trace", "drop 1/1", "0 0", 20, false,
	  "PortRcvPkts=0 PortRcvErrors=0 VL15Dropped=0 QP1Dropped=0", 0, 0 },
};

struct heard {
	unsigned int number, count;
};

/* umadrig_tap_fn: counts traps, which arrive at H2 as well, since its SM is there. */
static void hear(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes, size_t size)
{
	struct heard *heard = ctx;
	const uint8_t *mad = bytes + size - MAD_SIZE;

	(void)at_ns;
	if (!outbound || mad[MAD_METHOD] != MAD_METHOD_TRAP)
		return;
	heard->number = get_be16(mad + SMP_DATA + 4);
	heard->count++;
}

static void send(struct umadrig_fabric *fabric, bool is_smp, unsigned int number)
{
	struct packet_addr addr = {
		.slid = 1, .dlid = 2, .pkey = 0xffff, .src_qp = !is_smp, .dest_qp = !is_smp,
		.vl = is_smp ? 15 : 0, .qkey = is_smp ? 0 : QKEY_GSI,
	};
	struct packet packet = { 0 };
	uint8_t *mad;

	packet_build(&packet, &addr);
	mad = packet_mad(&packet);
	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = is_smp ? MAD_CLASS_SUBN_LID : MAD_CLASS_SUBN_ADM;
	mad[MAD_METHOD] = 0x81;
	put_be64(mad + MAD_TID, number);
	g_assert_cmpint(umadrig_inject(umadrig_port(fabric, "H1", 1), packet.bytes,
				       packet_size(&packet)), ==, 0);
}

static void set_thresholds(struct umadrig_fabric *fabric, const char *text)
{
	struct port *port = &fabric_node(fabric, "H2")->ports[1];
	g_auto(GStrv) words = g_strsplit(text, " ", 2);

	port->phys_error_threshold = (uint8_t)atoi(words[0]);
	port->overrun_threshold = (uint8_t)atoi(words[1]);
}

static void expect(struct umadrig_fabric *fabric, const char *name, const char *counters)
{
	g_auto(GStrv) words = g_strsplit(counters, " ", -1);

	for (char **word = words; *word; word++) {
		char *value = strchr(*word, '=');
		int64_t got;

		*value++ = '\0';
		got = umadrig_counter(fabric, "H2", 1, *word);
		if (got != atoi(value))
			g_error("%s: %s is %" G_GINT64_FORMAT ", not %s", name, *word, got, value);
	}
}

static void test_row(gconstpointer data)
{
	const struct row *row = data;
	g_auto(GStrv) rules = g_strsplit(row->rules, "; ", -1);
	struct rig rig = rig_open(",clock=virtual");
	struct heard heard = { 0 };
	char message[256];

	set_thresholds(rig.fabric, row->thresholds);
	umadrig_tap(umadrig_port(rig.fabric, "H2", 1), hear, &heard);
	for (char **rule = rules; *rule; rule++)
		g_assert_cmpint(umadrig_fault_add_text(rig.fabric, *rule, message, sizeof(message)),
				>, 0);
	for (unsigned int i = 0; i < row->packets; i++) {
		send(rig.fabric, row->smps, i + 1);
		umadrig_step(rig.fabric, umadrig_now(rig.fabric) + 1);
	}
	umadrig_step(rig.fabric, NS_PER_S);
	expect(rig.fabric, row->name, row->counters);
	g_assert_cmpuint(heard.number, ==, row->trap);
	g_assert_cmpuint(heard.count, ==, row->traps);
	rig_close(&rig);
}

/* By name: each is counted and reported by a trap. */
static void test_said(void)
{
	static const struct {
		const char *word;
		enum umadrig_link_error error;
		const char *counters;
	} cases[] = {
		{ "integrity", UMADRIG_LINK_INTEGRITY,
		  "LocalLinkIntegrityErrors=2 LinkErrorRecoveryCounter=2" },
		{ "OVERRUN", UMADRIG_BUFFER_OVERRUN,
		  "ExcessiveBufferOverrunErrors=2 PortRcvErrors=0" },
		{ "watchdog", UMADRIG_FLOW_CONTROL_WATCHDOG,
		  "PortVLXmitFlowCtlUpdateErrors0=2 PortVLXmitFlowCtlUpdateErrors1=0" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct rig rig = rig_open(",clock=virtual");
		g_autofree char *line = g_strdup_printf("link error H2[1] %s", cases[i].word);
		struct heard heard = { 0 };

		umadrig_tap(umadrig_port(rig.fabric, "H2", 1), hear, &heard);
		g_assert_cmpint(umadrig_link_error(rig.fabric, "H2", 1, cases[i].error), ==, 0);
		g_assert_cmpint(umadrig_console(rig.fabric, line, NULL), ==, 0);
		umadrig_step(rig.fabric, NS_PER_S);
		expect(rig.fabric, cases[i].word, cases[i].counters);
		g_assert_cmpuint(heard.number, ==, cases[i].error);
		g_assert_cmpuint(heard.count, ==, 1);
		rig_close(&rig);
	}
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *path = g_strdup_printf("/link-error/%s", rows[i].name);

		g_test_add_data_func(path, &rows[i], test_row);
	}
	g_test_add_func("/link-error/said", test_said);
	return leak_end(g_test_run());
}
