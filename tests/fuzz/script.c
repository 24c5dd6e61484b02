/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: a script of any bytes is read or refused, with messages whose places are within it;
 * one without errors has points whose steps are in order. It is formatted after one pass.
 */
#include <glib.h>
#include <stdint.h>
#include <string.h>

#include "harness/script/check/check.h"
#include "harness/script/check/lint.h"
#include "harness/script/parse/parse.h"
#include "harness/script/parse/script-format.h"
#include "harness/script/verb-table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_diagnostics(const struct script *script)
{
	for (guint i = 0; i < script->diagnostics->list->len; i++) {
		const struct diagnostic *diagnostic = script->diagnostics->list->pdata[i];
		const struct place *place = &diagnostic->place;

		if (!place->source || place->line == 0)
			continue;
		g_assert(place->offset <= place->source->size);
		g_assert(place->column >= 1 && place->width >= 1);
	}
}

static void check_points(const struct plan_scenario *scenario)
{
	for (int on_sim = 0; on_sim < 2; on_sim++) {
		for (guint i = 0; i < scenario->points[on_sim]->len; i++) {
			const struct point *point = scenario->points[on_sim]->pdata[i];

			g_assert(point->name != NULL);
			for (guint j = 0; j < point->steps->len; j++) {
				const struct plan_step *step = point->steps->pdata[j];

				g_assert(step->time.from_ns >= 0 && step->time.to_ns >= 0);
				g_assert(step->line->verb->run != NULL);
			}
		}
	}
}

/* 'text' in the style of scripts, to be freed; NULL: it is none. */
static char *format_text(const char *text, size_t size)
{
	struct script *script = script_parse("", 0, "fuzz.mad", script_verbs);
	struct source *source = source_new("fuzz.mad", g_strndup(text, size), size);
	char *formatted;

	/* An empty script is an error of its own. */
	diagnostics_free(script->diagnostics);
	script->diagnostics = diagnostics_new();
	formatted = script_format(script, source);
	source_free(source);
	script_free(script);
	return formatted;
}

/* A script is formatted after one pass. */
static void check_format(const uint8_t *data, size_t size)
{
	g_autofree char *given = g_strndup((const char *)data, size);
	g_autofree char *once = memchr(data, '\0', size) ? NULL : format_text(given, size);
	g_autofree char *twice = once ? format_text(once, strlen(once)) : NULL;

	if (once)
		g_assert_cmpstr(once, ==, twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct script *script = script_parse((const char *)data, size, "fuzz.mad", script_verbs);
	struct plan *plan = script_check(script);
	g_autofree char *text = NULL;

	if (size > 0)
		check_format(data, size);
	if (script->diagnostics->errors == 0) {
		script_lint(script, plan);
		g_assert(script->scenarios->len > 0);
		for (guint i = 0; i < script->scenarios->len; i++) {
			g_assert(scenario_seed(script->scenarios->pdata[i]) > 0);
			check_points(plan->scenarios->pdata[i]);
		}
	}
	text = diagnostics_text(script->diagnostics);
	g_assert(text != NULL);
	check_diagnostics(script);
	plan_free(plan);
	script_free(script);
	return 0;
}
