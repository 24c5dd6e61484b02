/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The scenarios of scenarios/peer where only the peer's agent sees what leaves A, and only it can
 * send to A, as between two real ports without a wire of ours: nothing that they need is missing,
 * and they pass. The ports are simulated ones, reached through libibumad and the kernel's layer
 * alone, so that this needs no devices, and times are exact.
 */
#include "config.h"

#include <string.h>

#include "harness/script/check/check.h"
#include "harness/script/check/needs.h"
#include "harness/script/parse/parse.h"
#include "harness/script/run/run.h"
#include "harness/script/verb-table.h"
#include "sim/api/umadrig.h"
#include "tests/rig/leak.h"
#include "tests/rig/trees.h"

static const char net[] = "Hca 1 \"H1\"\n[1] \"H2\"[1]\n\nHca 1 \"H2\"\n[1] \"H1\"[1]\n";
static const char *const nodes[WORLD_ENDS] = { "H1", "H2" };

struct rig_world {
	struct world world;
	struct umadrig_fabric *fabric;
};

static struct umadrig_fabric *fabric_of(struct world *world)
{
	return ((struct rig_world *)(void *)world)->fabric;
}

static int64_t rig_now_ns(struct world *world)
{
	return umadrig_now(fabric_of(world));
}

static int64_t rig_next_ns(struct world *world)
{
	return umadrig_next(fabric_of(world));
}

static bool rig_step(struct world *world, int64_t until_ns, const int *fds, size_t fd_count)
{
	(void)fds;
	(void)fd_count;
	if (umadrig_step_once(fabric_of(world), until_ns))
		return true;
	if (until_ns > umadrig_now(fabric_of(world)))
		umadrig_step(fabric_of(world), until_ns);
	return false;
}

static int rig_address(struct world *world, const char *name, struct world_address *ret)
{
	enum world_end end = g_str_equal(name, "self") ? WORLD_SELF : WORLD_PEER;

	*ret = (struct world_address) {
		.lid = umadrig_port_lid(umadrig_port(fabric_of(world), nodes[end], 1)),
	};
	return 0;
}

static void rig_enter(struct world *world, enum world_end end)
{
	g_assert_cmpint(umadrig_host_enter(fabric_of(world), nodes[end]), ==, 0);
}

static void rig_comment(struct world *world, const char *text)
{
	(void)world;
	(void)text;
}

static size_t rig_unmatched(struct world *world)
{
	(void)world;
	return 0;
}

/* Neither arrive() nor fault(): the cable is not ours. */
static const struct world_kind rig_kind = {
	.name = "rig", .is_sim = true, .now_ns = rig_now_ns, .next_ns = rig_next_ns,
	.step = rig_step, .address = rig_address, .enter = rig_enter, .comment = rig_comment,
	.unmatched = rig_unmatched,
};

static void run_point(const struct point *point)
{
	char message[200] = "";
	struct rig_world rig = {
		.world.kind = &rig_kind,
		.fabric = umadrig_fabric_parse(net, "clock=virtual", message, sizeof(message)),
	};
	struct outcome outcome;

	g_assert_cmpstr(message, ==, "");
	umadrig_attach(rig.fabric);
	for (int end = 0; end < WORLD_ENDS; end++) {
		struct umadrig_port *port = umadrig_port(rig.fabric, nodes[end], 1);

		rig.world.ca[end] = g_strdup(umadrig_port_device(port));
		rig.world.port[end] = 1;
		rig.world.label[end] = g_strdup_printf("%s[1]", nodes[end]);
	}
	g_queue_init(&rig.world.leaves);
	rig_enter(&rig.world, WORLD_SELF);
	point_run(point, &rig.world, 0, NULL, &outcome);
	if (outcome.verdict != VERDICT_PASS)
		g_error("%s: line %u: %s\n%s%s", point->name, outcome.place.line, outcome.message,
			outcome.details->str, outcome.ladder->str);
	outcome_clear(&outcome);
	world_clear(&rig.world);
	umadrig_attach(NULL);
	umadrig_fabric_close(rig.fabric);
}

static void test_file(gconstpointer name)
{
	static const struct rig ports = { .ports = { "H1/1", "H2/1" }, .has_lids = true };
	g_autofree char *folder = source_path("scenarios/peer");
	g_autofree char *path = g_build_filename(folder, (const char *)name, NULL);
	struct script *script = script_load(path, NULL, script_verbs);
	struct plan *plan = script_check(script);
	g_autofree char *wrong = diagnostics_text(script->diagnostics);

	g_assert_cmpstr(wrong, ==, "");
	for (guint i = 0; i < plan->scenarios->len; i++) {
		const struct plan_scenario *scenario = plan->scenarios->pdata[i];

		for (guint at = 0; at < scenario->points[0]->len; at++) {
			const struct point *point = scenario->points[0]->pdata[at];
			g_autofree char *unmet = point_unmet(point, &ports);

			g_assert_cmpstr(unmet, ==, NULL);
			run_point(point);
		}
	}
	plan_free(plan);
	script_free(script);
}

/* What the peer cannot do is skipped there, not taken for done. */
static void test_unmet(gconstpointer line)
{
	static const struct rig ports = { .ports = { "H1/1", "H2/1" }, .has_lids = true };
	g_autofree char *text = g_strdup_printf("scenario \"s\"\n%s\n", (const char *)line);
	struct script *script = script_parse(text, strlen(text), "t.mad", script_verbs);
	struct plan *plan = script_check(script);
	g_autofree char *wrong = diagnostics_text(script->diagnostics);
	const struct plan_scenario *scenario;
	g_autofree char *unmet = NULL;

	g_assert_cmpstr(wrong, ==, "");
	scenario = plan->scenarios->pdata[0];
	unmet = point_unmet(scenario->points[0]->pdata[0], &ports);
	g_assert_nonnull(unmet);
	g_assert_true(g_str_has_prefix(unmet, "needs wire: ") ||
		      g_str_has_prefix(unmet, "needs sim: of real ports"));
	plan_free(plan);
	script_free(script);
}

#define ANSWERS "0 peer answers VendGet(1) class=0x32\n"

int main(int argc, char **argv)
{
	leak_begin();
	g_setenv("UMAD_BACKEND", "sim:@", true);
	g_test_init(&argc, &argv, NULL);
	g_test_add_data_func("/peer-only/withholds", "withholds.mad", test_file);
	g_test_add_data_func("/peer-only/rmpp", "rmpp.mad", test_file);
	g_test_add_data_func("/peer-only/a loss that is not the peer's",
			     ANSWERS "0 fault drop 1 VendGet(1) from self", test_unmet);
	g_test_add_data_func("/peer-only/a loss where the peer does not answer",
			     "0 fault drop 1 VendGetResp(1) from peer\n" ANSWERS, test_unmet);
	g_test_add_data_func("/peer-only/what is no loss",
			     ANSWERS "0 fault duplicate 1 VendGetResp(1) from peer", test_unmet);
	g_test_add_data_func("/peer-only/a port that is not under test",
			     "0 check port(\"H1[1]\", LinkState) == Active", test_unmet);
	g_test_add_data_func("/peer-only/a field that no file has",
			     "0 check port(self, VLCap) == 4", test_unmet);
	return leak_end(g_test_run());
}
