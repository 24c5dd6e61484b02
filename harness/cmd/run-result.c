/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Results of points: see harness/cmd/run-result.h.
 */
#include "harness/cmd/run-result.h"

#include <string.h>

#define TYPE "(ubbtbtxxamay)"

const char *run_state_name(enum run_state state)
{
	static const char *const names[RUN_STATES] = {
		[RUN_PASSED] = "pass", [RUN_FAILED] = "fail", [RUN_SKIPPED] = "skip",
		[RUN_INCONCLUSIVE] = "inconclusive", [RUN_EXPECTED_FAILURE] = "expected failure",
		[RUN_UNEXPECTED_PASS] = "unexpected pass",
	};

	return names[state];
}

void run_result_init(struct run_result *result, const struct selected *selected)
{
	memset(result, 0, sizeof(*result));
	result->selected = selected;
	result->name = selected->point ? g_strdup(selected->point->name) :
		       g_strdup_printf("%s: the script can be read", selected->script->label);
}

void run_result_clear(struct run_result *result)
{
	g_free(result->name);
#define FREE(name) g_free(result->name);
	RUN_RESULT_TEXTS(FREE)
#undef FREE
	memset(result, 0, sizeof(*result));
}

bool run_result_is_failure(const struct run_result *result)
{
	return result->state == RUN_FAILED || result->state == RUN_UNEXPECTED_PASS;
}

GBytes *run_result_pack(const struct run_result *result)
{
	g_auto(GVariantBuilder) texts = G_VARIANT_BUILDER_INIT(G_VARIANT_TYPE("amay"));
	g_autoptr(GVariant) packed = NULL;

#define ADD(name) g_variant_builder_add(&texts, "m^ay", result->name);
	RUN_RESULT_TEXTS(ADD)
#undef ADD
	packed = g_variant_ref_sink(g_variant_new(TYPE, (guint32)result->state,
						  result->rig_is_gone, result->has_seed,
						  result->seed, result->has_schedule,
						  result->schedule, result->elapsed_us,
						  result->end_ns, &texts));
	return g_variant_get_data_as_bytes(packed);
}

static bool next_text(GVariantIter *texts, char **ret)
{
	g_clear_pointer(ret, g_free);
	return g_variant_iter_next(texts, "m^ay", ret);
}

bool run_result_unpack(struct run_result *result, GBytes *bytes)
{
	g_autoptr(GVariant) packed = g_variant_ref_sink(
		g_variant_new_from_bytes(G_VARIANT_TYPE(TYPE), bytes, false));
	g_autoptr(GVariantIter) texts = NULL;
	gboolean rig_is_gone, has_seed, has_schedule;
	guint32 state;

	if (!g_variant_is_normal_form(packed))
		return false;
	g_variant_get(packed, TYPE, &state, &rig_is_gone, &has_seed, &result->seed,
		      &has_schedule, &result->schedule, &result->elapsed_us, &result->end_ns,
		      &texts);
	result->state = state < RUN_STATES ? (enum run_state)state : RUN_INCONCLUSIVE;
	result->rig_is_gone = rig_is_gone;
	result->has_seed = has_seed;
	result->has_schedule = has_schedule;
#define TAKE(name) next_text(texts, &result->name);
	RUN_RESULT_TEXTS(TAKE)
#undef TAKE
	return true;
}

/* "NAME: TEXT" */
static void append_line(GString *out, const char *name, const char *text)
{
	if (text)
		g_string_append_printf(out, "%s: %s\n", name, text);
}

char *run_result_report(const struct run_result *result)
{
	GString *out = g_string_new(NULL);

	append_line(out, "at", result->at);
	append_line(out, "backend", result->backend);
	append_line(out, "expected", result->expected);
	append_line(out, "actual", result->actual);
	if (result->has_seed)
		g_string_append_printf(out, "seed: %" G_GUINT64_FORMAT "\n", result->seed);
	if (result->has_schedule)
		g_string_append_printf(out, "schedule: %" G_GUINT64_FORMAT "\n",
				       result->schedule);
	append_line(out, "repro", result->repro);
	append_line(out, "capture", result->capture);
	append_line(out, "diagram", result->diagram);
	if (result->text)
		g_string_append_printf(out, "%s\n", result->text);
	if (result->ladder)
		g_string_append(out, result->ladder);
	return g_string_free(out, false);
}
