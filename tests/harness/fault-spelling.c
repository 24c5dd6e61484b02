/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * One text of a fault means one rule: as a line of a scenario, as an option of a fabric, and as a
 * command of the console. The error for the same rule spelled with colons has that rule, too.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "harness/script/check/check.h"
#include "harness/script/parse/parse.h"
#include "harness/script/run/run.h"
#include "harness/script/verb-table.h"
#include "sim/fabric/entry.h"
#include "sim/fabric/fault-action.h"
#include "sim/fabric/fault.h"
#include "sim/fabric/lie.h"
#include "sim/run/spec.h"
#include "tests/rig/leak.h"

static const struct row {
	const char *text;
	const char *colons;	/* the same rule as it was spelled; NULL: none is given */
	bool is_wrong;		/* nowhere is it a rule */
} rows[] = {
	{ "drop 1", "drop:1", false },
	{ "drop all", "drop:skip=0", false },
	{ "drop all on H1[1]", "drop@H1[1]", false },
	{ "drop 5% class=0x81 on H2[1]", "drop:5%:class=0x81@H2[1]", false },
	{ "drop 5%", "drop:5%", false },
	{ "drop 0.000001%", "drop:0.000001%", false },
	{ "drop 1/20 3", "drop:1/20:3", false },
	{ "drop 3 1/20", "drop:1/20:3", false },
	{ "drop 5% class=0x81 from H1[1]", "drop:5%:class=0x81:leaving@H1[1]", false },
	{ "drop 5% class=0x81 from \"H1[1]\"", "drop:5%:class=0x81:leaving@H1[1]", false },
	{ "drop 5% class=0x81 from \"H1\"[1]", "drop:5%:class=0x81:leaving@H1[1]", false },
	{ "drop to H2[1] 2", "drop:2:arriving@H2[1]", false },
	{ "drop class=SA", "drop:1:class=3", false },
	{ "drop method=GetResp", "drop:1:method=0x81", false },
	{ "drop attr=0x15 modifier=1", "drop:1:attr=0x15:mod=1", false },
	{ "drop mod=0", "drop:1:mod=0", false },
	{ "drop where \"status!=0 or trap=128\"", NULL, false },
	{ "drop 5% SubnAdmGet(PathRecord) from H1[1] where \"{ DLID=5, SLID=1 }\"", NULL, false },
	{ "drop 1 where \"unanswered\"", NULL, true },
	{ "drop tid=0x500000002", "drop:1:tid=0x500000002", false },
	{ "drop tid.low=2 tid.high=0", "drop:1:tid.low=2:tid.high=0", false },
	{ "drop SubnAdmGetTableResp(PathRecord)", "drop:1:class=3:method=0x92:attr=0x35", false },
	{ "drop 5% VendGet(0x0010)", "drop:5%:method=1:attr=0x10", false },
	{ "drop all VendGet(0x0010) class=0x32 after 2",
	  "drop:class=0x32:method=1:attr=0x10:skip=2", false },
	{ "drop SubnGet(NodeInfo)", "drop:1:method=1:attr=0x11", false },
	{ "drop SubnGet(NodeInfo) class=0x81", "drop:1:class=0x81:method=1:attr=0x11", false },
	{ "drop VendGet()", "drop:1:method=1", false },
	{ "drop rmpp=DATA seg=4", "drop:1:rmpp=data:seg=4", false },
	{ "drop rmpp=ack seg=0", "drop:1:rmpp=ack:seg=0", false },
	{ "drop rmpp=none", "drop:1:rmpp=none", false },
	{ "drop rmpp=0", "drop:1:rmpp=none", false },
	{ "drop overrun 5%", "drop:5%:overrun", false },
	{ "drop unread all", "drop:unread", false },
	{ "delay by 2ms", "delay:2ms:1", false },
	{ "delay 5% by 1.5us skip=3", "delay:5%:1500ns:skip=3", false },
	{ "duplicate 2 by 10s", "duplicate:2:10s", false },
	{ "duplicate 1", "duplicate:1", false },
	{ "reorder 1 by 50ms", "reorder:1:50ms", false },
	{ "corrupt mended 1 rmpp=DATA seg=1 from H1[1] at 26",
	  "corrupt:1:mended:rmpp=data:seg=1:bits=208-215:leaving@H1[1]", false },
	{ "corrupt 5% bits=8-15 flips=2 packet", "corrupt:5%:bits=8-15:flips=2:packet", false },
	{ "corrupt bits=7", "corrupt:1:bits=7", false },
	{ "corrupt 5% class=0x81 bits=8-15", "corrupt:5%:class=0x81:bits=8-15", false },
	{ "corrupt SubnGet(NodeInfo) flips=2 bits=0-7",
	  "corrupt:1:method=1:attr=0x11:bits=0-7:flips=2", false },
	{ "drop 5% class=0x81 skip=3 on H2[1]", "drop:5%:class=0x81:skip=3@H2[1]", false },
	{ "lie NodeInfo.LocalPort=255 from H1[1]", NULL, false },
	{ "lie NodeInfo.LocalPort=0xff 5% class=0x81", NULL, false },
	{ "lie 3 NodeInfo.LocalPort=+1 class=0x81", NULL, false },
	{ "lie class=0x81 NodeInfo.LocalPort=-1 all", NULL, false },
	{ "lie SubnGetResp(PortInfo) PortInfo.LinkState=Down modifier=1", NULL, false },
	{ "lie MAD.Status=random all", NULL, false },
	{ "lie any 1%", NULL, false },
	{ "lie any 0.5% class=0x81", NULL, false },
	{ "lie NodeInfo.LocalPort=255 0.25%", NULL, false },
	{ "lie modifier 1 SubnGetResp(NodeInfo)", NULL, false },
	{ "lie port class=0x81 3", NULL, false },
	{ "lie 1", NULL, true },
	{ "lie any guid", NULL, true },
	{ "lie 1 stats", NULL, true },
	{ "lie NodeInfo.LocalPort=256", NULL, true },
	{ "lie NodeInfo.LocalPrt=1", NULL, true },
	{ "lie class=+1 any", NULL, true },
	{ "drop any 1%", NULL, true },
	{ "drop NodeInfo.LocalPort=1", NULL, true },
	{ "drop", NULL, true },
	{ "corrupt", NULL, true },
	{ "delay", NULL, true },
	{ "lose 5%", NULL, true },
	{ "drop 1 2", NULL, true },
	{ "drop 5% 1/20", NULL, true },
	{ "drop 200%", NULL, true },
	{ "drop 1/0", NULL, true },
	{ "drop 2/1", NULL, true },
	{ "drop 1 nonsense", NULL, true },
	{ "drop 1 by 2ms", NULL, true },
	{ "drop 1 at 2", NULL, true },
	{ "drop 1 mended", NULL, true },
	{ "delay 2ms", NULL, true },
	{ "delay 1 overrun by 2ms", NULL, true },
	{ "drop 1 from", NULL, true },
	{ "drop 1 from H1[1] to H2[1]", NULL, true },
	{ "drop 1 from H9[1]", NULL, true },
	{ "drop 1 on H9[1]", NULL, true },
	{ "drop 1 on H1[1] to H2[1]", NULL, true },
	{ "drop 1 from H1[2]", NULL, true },
	{ "drop 1 class=300", NULL, true },
	{ "drop 1 lid=4", NULL, true },
	{ "drop 1 rmpp=nack", NULL, true },
	{ "drop 1 VendGet(NodeInfo", NULL, true },
	{ "drop 1 FrobGet()", NULL, true },
	{ "drop 1 SubnGet(Frob)", NULL, true },
	{ "corrupt 1 at 256", NULL, true },
	{ "corrupt 1 bits=8-7", NULL, true },
	{ "corrupt 1 bits=2048", NULL, true },
	{ "corrupt 1 flips=9 bits=0-7", NULL, true },
};

static char *describe_lie(const char *text)
{
	struct lie lie = { .kind = LIE_FIELD };
	char message[256];

	if (!text)
		return g_strdup("none");
	g_assert_cmpint(lie_parse(text, &lie, message, sizeof(message)), ==, 0);
	return g_strdup_printf("%d %s.%s %d %lu", (int)lie.kind, lie.owner ? lie.owner : "",
			       lie.name ? lie.name : "", (int)lie.how, (unsigned long)lie.value);
}

/* All of a rule but its name. */
static char *describe(const struct umadrig_fault *fault, const char *node)
{
	g_autofree char *lie = describe_lie(fault->lie);

	return g_strdup_printf(
		"act %d loss %d way %d node %s[%u] zeros %x class %u method %u attr %u mod %u tid "
		"%x %x rmpp %u seg %u skip %lu count %lu rate %u/%u time %ld packet %d bits %u+%u "
		"flips %u mended %d lie %s where %u %s", (int)fault->act, (int)fault->loss,
		(int)fault->way,
		node ? node : "", fault->port, fault->zeros, fault->mgmt_class, fault->method,
		fault->attribute, fault->modifier, fault->tid_high, fault->tid_low,
		fault->rmpp_type, fault->segment, (unsigned long)fault->skip,
		(unsigned long)fault->count, fault->numerator, fault->denominator,
		(long)fault->time_ns, fault->whole_packet, fault->first_bit, fault->bit_count,
		fault->flips, fault->crc_mended, lie,
		fault->where ? fault->where_class : 0,
		fault->where ? fault->where : "");
}

/* ---- the three ---- */

/* Each returns what the rule is, to be freed, or NULL: it is none. */
static char *by_text(const char *text)
{
	struct umadrig_fault fault;
	char message[512];
	char *said;

	if (fault_text_parse(text, &fault, message, sizeof(message)) < 0)
		return NULL;
	said = describe(&fault, fault.node);
	fault_text_clear(&fault);
	return said;
}

/* What the error for a rule with colons says is to be written. */
static char *by_colons(const char *text)
{
	static const char cure[] = ": write '";
	struct umadrig_fault fault;
	char message[512] = "", *rule;

	g_assert_cmpint(fault_text_parse(text, &fault, message, sizeof(message)), ==, -EINVAL);
	rule = strstr(message, cure);
	g_assert_nonnull(rule);
	g_assert_true(g_str_has_suffix(rule, "'"));
	rule[strlen(rule) - 1] = '\0';
	return by_text(rule + strlen(cure));
}

static struct umadrig_fabric *new_fabric(const char *option)
{
	g_autofree char *spec = g_strconcat(",clock=virtual", option ? ",fault=" : "", option,
					    NULL);
	char message[512];

	return umadrig_fabric_open(spec, message, sizeof(message));
}

/* The only rule of the fabric. */
static char *rule_of(struct umadrig_fabric *fabric, const char *text)
{
	struct fault_count count;
	char *said;

	g_assert_cmpint(fabric_enter(fabric), ==, 0);
	g_assert_true(fault_at(fabric, 0, &count));
	g_assert_false(fault_at(fabric, 1, &count));
	g_assert_true(fault_at(fabric, 0, &count));
	if (text)
		g_assert_cmpstr(count.name, ==, text);
	said = describe(count.fault, NULL);
	fabric_leave(fabric);
	return said;
}

static char *by_option(const char *text)
{
	struct umadrig_fabric *fabric = new_fabric(text);
	char *said = fabric ? rule_of(fabric, text) : NULL;

	umadrig_fabric_close(fabric);
	return said;
}

static char *by_console(const char *command, const char *text)
{
	struct umadrig_fabric *fabric = new_fabric(NULL);
	g_autofree char *line = g_strdup_printf("%s %s", command, text);
	char *answer = NULL, *said;
	int status = umadrig_console(fabric, line, &answer);

	said = status < 0 ? NULL : rule_of(fabric, text);
	free(answer);
	umadrig_fabric_close(fabric);
	return said;
}

static char *recorded;	/* what the scenario's fault was */

static int record_fault(struct world *world, const struct umadrig_fault *fault, char *reterr,
			size_t reterr_size)
{
	char message[512];

	(void)world;
	(void)reterr;
	(void)reterr_size;
	g_assert_cmpint(fault_check(fault, message, sizeof(message)), ==, 0);
	g_assert_cmpstr(fault->name, ==, "line 2");
	recorded = describe(fault, fault->node);
	return 0;
}

static int64_t now_ns(struct world *world)
{
	(void)world;
	return 0;
}

static int64_t next_ns(struct world *world)
{
	(void)world;
	return TIME_NEVER;
}

static bool step(struct world *world, int64_t until_ns, const int *fds, size_t fd_count)
{
	(void)world;
	(void)until_ns;
	(void)fds;
	(void)fd_count;
	return false;
}

static void comment(struct world *world, const char *text)
{
	(void)world;
	(void)text;
}

static size_t unmatched(struct world *world)
{
	(void)world;
	return 0;
}

/* A world in which nothing happens: a fault is only looked at. */
static const struct world_kind still_kind = {
	.name = "still", .is_sim = true, .now_ns = now_ns, .next_ns = next_ns, .step = step,
	.comment = comment, .unmatched = unmatched, .fault = record_fault,
};

/* Runs the first point. False: it failed. */
static bool run_recorded(const struct plan *plan)
{
	const struct plan_scenario *scenario = plan->scenarios->pdata[0];
	struct world world = {
		.kind = &still_kind, .ca = { "H1", "H2" }, .port = { 1, 1 },
		.label = { "H1[1]", "H2[1]" },
	};
	struct outcome outcome;
	bool passed;

	g_queue_init(&world.leaves);
	point_run(scenario->points[1]->pdata[0], &world, 0, NULL, &outcome);
	passed = outcome.verdict == VERDICT_PASS;
	outcome_clear(&outcome);
	return passed;
}

static char *by_scenario(const char *text)
{
	g_autofree char *lines = g_strdup_printf("scenario \"s\"\n0 fault %s\n", text);
	struct script *script = script_parse(lines, strlen(lines), "t.mad", script_verbs);
	struct plan *plan = script_check(script);

	recorded = NULL;
	if (script->diagnostics->errors == 0 && !run_recorded(plan))
		g_assert_null(recorded);
	plan_free(plan);
	script_free(script);
	return g_steal_pointer(&recorded);
}

/* ---- tests ---- */

/* The fabric keeps no names of nodes. */
static char *without_node(const char *said)
{
	const char *from = strstr(said, "node "), *to = strchr(from, '[');

	return g_strdup_printf("%.*s%s", (int)(from + strlen("node ") - said), said, to);
}

static void test_row(const void *data)
{
	const struct row *row = data;
	g_autofree char *wanted = by_text(row->text), *scenario = by_scenario(row->text);
	g_autofree char *option = by_option(row->text), *plain = NULL, *colons = NULL;
	g_autofree char *act = by_console("fault", row->text);
	g_autofree char *add = by_console("fault add", row->text);

	if (row->is_wrong) {
		g_assert_null(scenario);
		g_assert_null(option);
		g_assert_null(act);
		g_assert_null(add);
		return;
	}
	g_assert_nonnull(wanted);
	g_assert_cmpstr(scenario, ==, wanted);
	plain = without_node(wanted);
	g_assert_cmpstr(option, ==, plain);
	g_assert_cmpstr(act, ==, plain);
	g_assert_cmpstr(add, ==, plain);
	if (row->colons) {
		colons = by_colons(row->colons);
		g_assert_cmpstr(colons, ==, wanted);
	}
}

/* Each action is read in all these places, with a word of each kind that it takes. */
static void test_actions(void)
{
	const struct fault_action *action;
	const struct fault_part *part;

	for (unsigned int i = 0; (action = fault_action_at(i)); i++) {
		g_autofree char *text = g_strdup_printf("%s 5%%", action->word);
		struct row row = { .text = text };

		for (unsigned int j = 0; (part = fault_part_at(j)); j++) {
			g_autofree char *with = NULL;

			if (!(action->takes & part->argument))
				continue;
			with = g_strdup_printf("%s %s%s class=0x81", text, part->example,
					       action->takes & FAULT_TIME & ~part->argument ?
					       " by 1ms" : "");
			row.text = with;
			test_row(&row);
		}
		if (action->needs || (action->takes & FAULT_TIME))
			continue;
		row.text = text;
		test_row(&row);
	}
}

/* A line whose first word is no action is told all of them. */
static void test_no_action(void)
{
	static const char given[] = "scenario \"s\"\n0 fault lose 1\n";
	struct script *script = script_parse(given, strlen(given), "t.mad", script_verbs);
	const struct diagnostic *said = script->diagnostics->list->pdata[0];
	const struct fault_action *action;

	g_assert_cmpuint(said->place.line, ==, 2);
	g_assert_cmpuint(said->place.column, ==, 9);
	g_assert_true(g_str_has_prefix(said->message, "expected "));
	for (unsigned int i = 0; (action = fault_action_at(i)); i++)
		g_assert_nonnull(strstr(said->message, action->word));
	script_free(script);
}

/* A rule with blanks has its place in a list of options. */
static void test_many(void)
{
	struct spec spec;
	char message[512];

	g_assert_cmpint(spec_parse(",fault=drop 5% from H1[1],seed=2,fault=delay by 2ms,"
				   "fault=drop 1 where \"Subn(PortInfo) { LID=1, SMLid=2 }\"",
				   NULL, &spec, message, sizeof(message)), ==, 0);
	g_assert_cmpstr(spec.options.faults[0], ==, "drop 5% from H1[1]");
	g_assert_cmpstr(spec.options.faults[1], ==, "delay by 2ms");
	g_assert_cmpstr(spec.options.faults[2], ==,
			"drop 1 where \"Subn(PortInfo) { LID=1, SMLid=2 }\"");
	g_assert_cmpuint(spec.options.seed, ==, 2);
	spec_clear(&spec);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_setenv("UMAD_BACKEND", "sim:@", true);
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *path = g_strdup_printf("/fault-spelling/%s", rows[i].text);

		g_strdelimit(path + strlen("/fault-spelling/"), "/", '|');
		g_test_add_data_func(path, &rows[i], test_row);
	}
	g_test_add_func("/fault-spelling/each action", test_actions);
	g_test_add_func("/fault-spelling/no action", test_no_action);
	g_test_add_func("/fault-spelling/among options", test_many);
	return leak_end(g_test_run());
}
