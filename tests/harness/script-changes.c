/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What scenarios would change in a fabric that others use: harness/script/check/changes.h.
 */
#include "config.h"

#include <string.h>

#include "harness/script/check/changes.h"
#include "harness/script/check/check.h"
#include "harness/script/parse/parse.h"
#include "harness/script/verb-table.h"
#include "tests/rig/leak.h"

/* Begins all scripts; OUI is that of agent v. */
#define BEGIN(oui) \
	"scenario \"s\"\nignore > class=0x81\n0 fd = umad_open_port($CA, $PORT)\n" \
	"+0 v = umad_register_oui(fd, class=0x32, oui=" oui ")\n" \
	"+0 smi = umad_register(fd, class=SUBN_LID)\n+0 sa = umad_register(fd, class=SUBN_ADM)\n" \
	"+0 bm = umad_register(fd, class=BM)\n+0 cm = umad_register(fd, class=CM)\n"
#define SEND(agent, mad) "1ms umad_send(fd, " agent ", " mad " to=peer) = 0\n"

static const struct {
	const char *name;
	const char *line;
	const char *change;	/* NULL: none */
	bool foreign;		/* the agent's OUI is not ours */
} rows[] = {
	{ "a Get of an SMP", SEND("smi", "SubnGet(PortInfo)"), NULL, false },
	{ "a Set of an SMP", SEND("smi", "SubnSet(PortInfo)"),
	  "SubnSet(PortInfo) sets an attribute", false },
	{ "along a route", SEND("smi", "SubnSet(PortInfo) path={1}"),
	  "SubnSet(PortInfo) sets an attribute", false },
	{ "by the number of its method", SEND("smi", "SubnGet(PortInfo) method=2"),
	  "SubnSet(PortInfo) sets an attribute", false },
	{ "by the number of its class", SEND("smi", "VendSet(0x15) class=0x04"),
	  "PerfSet(PortRcvErrorDetails) sets an attribute", false },
	{ "in any byte", SEND("smi", "SubnGet(PortInfo) bytes[3..3]=2"),
	  "SubnSet(PortInfo) sets an attribute", false },
	{ "a method that is not known before", "1ms t = umad_unregister(fd, bm)\n"
	  SEND("smi", "SubnGet(PortInfo) method=$t"),
	  "whether this MAD changes anything is not known before it runs", false },
	{ "a TID that is not known before", "1ms t = umad_unregister(fd, bm)\n"
	  SEND("smi", "SubnGet(PortInfo) tid.low=$t"), NULL, false },
	{ "a trap", SEND("smi", "SubnTrap(Notice)"), "SubnTrap(Notice) is a trap, on which an SM "
	  "acts", false },
	{ "the end of a trap", SEND("smi", "SubnTrapRepress(Notice)"),
	  "SubnTrapRepress(Notice) ends a trap", false },
	{ "a message of the CM", SEND("cm", "ComMgtSend(ConnectRequest)"),
	  "ComMgtSend(ConnectRequest) is not known to only read", false },
	{ "a report", SEND("smi", "PerfGet(ClassPortInfo) method=0x06"),
	  "PerfReport(ClassPortInfo) is not known to only read", false },
	{ "a method of a vendor", SEND("smi", "PerfGet(ClassPortInfo) method=0x70"),
	  "Perf(0x70)(ClassPortInfo) is not known to only read", false },
	{ "a response", SEND("smi", "SubnGetResp(PortInfo)"), NULL, false },
	{ "a query of the SA", SEND("sa", "SubnAdmGetTable(NodeRecord)"), NULL, false },
	{ "a join", SEND("sa", "SubnAdmSet(MCMemberRecord)"),
	  "SubnAdmSet(MCMemberRecord) sets an attribute", false },
	{ "a leave", SEND("sa", "SubnAdmDelete(MCMemberRecord)"),
	  "SubnAdmDelete(MCMemberRecord) deletes a record", false },
	{ "a reset of counters", SEND("smi", "PerfSet(PortCounters)"),
	  "PerfSet(PortCounters) sets an attribute", false },
	{ "a baseboard's hardware", SEND("bm", "BMSend(0x10)"),
	  "BMSend(BKeyInfo) is a command to hardware", false },
	{ "our own vendor class", SEND("v", "VendSet(0x10)"), NULL, false },
	{ "a vendor's", SEND("v", "VendSet(0x10) oui=0x0002c9"),
	  "VendSet(0x0010) sets an attribute", false },
	{ "a vendor's agent", SEND("v", "VendSet(0x10)"),
	  "VendSet(0x0010) sets an attribute", true },
	{ "a vendor's agent, our OUI", SEND("v", "VendSet(0x10) oui=0x001405"), NULL, true },
	{ "a vendor's agent that reads", SEND("v", "VendGet(0x10)"), NULL, true },
	{ "what arrives is sent by the peer", "1ms < SubnSet(PortInfo)\n",
	  "SubnSet(PortInfo) sets an attribute", false },
	{ "what the peer sends is sent", "1ms peer sends SubnSet(PortInfo)\n",
	  "SubnSet(PortInfo) sets an attribute", false },
	{ "what leaves is only compared", "1ms > SubnSet(PortInfo)\n", NULL, false },
	{ "a broken MAD", "1ms < VendGet(0x10) class=0x32 mut=version:7\n",
	  "mut=version breaks a MAD on purpose", false },
	{ "an SM", "1ms issm.open($CA) = 0\n",
	  "issm.open() announces a subnet manager at the port", false },
};

static void test_change(gconstpointer data)
{
	size_t row = GPOINTER_TO_SIZE(data);
	g_autofree char *text = g_strconcat(rows[row].foreign ? BEGIN("0x0002c9") :
					    BEGIN("0x001405"), rows[row].line, NULL);
	struct script *script = script_parse(text, strlen(text), "t.mad", script_verbs);
	struct plan *plan = script_check(script);
	g_autofree char *wrong = diagnostics_text(script->diagnostics);
	const struct plan_scenario *scenario;
	const struct point *point;
	g_autoptr(GString) changes = g_string_new(NULL);

	g_assert_cmpstr(wrong, ==, "");
	scenario = plan->scenarios->pdata[0];
	point = scenario->points[1]->pdata[0];
	for (guint i = 0; i < point->steps->len; i++) {
		g_autofree char *change = step_change(point, point->steps->pdata[i]);

		if (change)
			g_string_append(changes, change);
	}
	g_assert_cmpstr(changes->str, ==, rows[row].change ? rows[row].change : "");
	plan_free(plan);
	script_free(script);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *path = g_strdup_printf("/script-changes/%s", rows[i].name);

		g_test_add_data_func(path, GSIZE_TO_POINTER(i), test_change);
	}
	return leak_end(g_test_run());
}
