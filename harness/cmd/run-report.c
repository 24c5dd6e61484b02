/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What umadrig run prints: see harness/cmd/run-report.h.
 */
#include "config.h"

#include "harness/cmd/run-report.h"

#include <sys/utsname.h>

#include "harness/cmd/tap.h"

void run_report_ladder(const struct outcome *outcome)
{
	if (outcome->ladder && outcome->ladder->len > 0) {
		g_autofree char *text = g_strndup(outcome->ladder->str, outcome->ladder->len - 1);

		tap_comment(text);
	}
}

static char *repro(const struct run_options *options, const struct script *script, guint64 seed)
{
	GString *line = g_string_new("umadrig run");

	if (!options->on_sim) {
		g_string_append_printf(line, " --backend ib_umad --port A=%s",
				       options->ports[WORLD_SELF]);
		if (options->ports[WORLD_PEER])
			g_string_append_printf(line, " --port B=%s", options->ports[WORLD_PEER]);
		if (options->wire)
			g_string_append_printf(line, " --wire %s", options->wire_arg);
	}
	if (options->profile_arg)
		g_string_append_printf(line, " --profile %s", options->profile_arg);
	g_string_append_printf(line, " --seed %" G_GUINT64_FORMAT " %s", seed,
			       script->source->name);
	return g_string_free(line, false);
}

/* 'point' NULL: of all points. */
static char *backend_text(const struct run_options *options, const struct point *point)
{
	if (options->on_sim)
		return g_strdup(point && point_runs_programs(point) ?
				"sim, real clock" : "sim, virtual clock");
	return g_strdup_printf("ib_umad %s -> %s%s%s, real clock", options->ports[WORLD_SELF],
			       options->ports[WORLD_PEER] ? options->ports[WORLD_PEER] :
			       "no peer",
			       options->wire ? " by " : "",
			       options->wire ? options->wire_arg : "");
}

void run_report_failure(const struct run_options *options, const struct selected *selected,
			const struct outcome *outcome, const char *capture)
{
	const struct point *point = selected->point;
	g_autoptr(GString) text = g_string_new(NULL);
	guint64 seed = run_seed(options, point);
	g_autofree char *command_line = repro(options, selected->script, seed);
	g_autofree char *backend = backend_text(options, point);
	g_autofree char *seed_text = g_strdup_printf("%" G_GUINT64_FORMAT, seed);
	g_autofree char *at = g_strdup_printf("%s:%u:%u", outcome->place.source->name,
					      outcome->place.line, outcome->place.column);

	tap_not_ok(point->name);
	tap_yaml_begin();
	tap_yaml("at", at);
	tap_yaml_quoted("message", outcome->message);
	tap_yaml_quoted("backend", backend);
	if (outcome->expected)
		tap_yaml_quoted("expected", outcome->expected);
	if (outcome->actual)
		tap_yaml_quoted("actual", outcome->actual);
	tap_yaml("seed", seed_text);
	tap_yaml_quoted("repro", command_line);
	if (capture)
		tap_yaml_quoted("capture", capture);
	tap_yaml_end();
	diagnostic_format(text, "", outcome->place, "error", outcome->message);
	if (outcome->details->len > 0)
		g_string_append(text, outcome->details->str);
	g_string_truncate(text, text->len - 1);
	tap_comment(text->str);
	run_report_ladder(outcome);
}

void run_report_forbidden_skip(const struct point *point, const struct outcome *outcome)
{
	g_autofree char *message = g_strdup_printf("skipped (--fail-on-skip): %s",
						   outcome->message);

	tap_not_ok(point->name);
	tap_yaml_begin();
	tap_yaml_quoted("message", message);
	tap_yaml_end();
}

void run_report_unreadable(const struct script *script)
{
	g_autofree char *text = diagnostics_text(script->diagnostics);
	g_autofree char *name = g_strdup_printf("%s: the script can be read", script->label);

	tap_not_ok(name);
	g_strchomp(text);
	tap_comment(text);
}

/* The profiles that the scenarios use, in the order of their kernels. */
static char *profiles_text(const struct run_options *options, const GArray *selection)
{
	bool used[KMOD_PROFILE_COUNT] = { false };
	GString *text = g_string_new(NULL);

	if (!options->on_sim) {
		struct utsname kernel = { .release = "?" };

		uname(&kernel);
		g_string_append_printf(text, "%s (Linux %s)", kmod_profile_name(options->profile),
				       kernel_release(&kernel));
		return g_string_free(text, false);
	}
	for (guint i = 0; i < selection->len; i++) {
		const struct point *point = g_array_index(selection, struct selected, i).point;

		if (point)
			used[run_profile(options, point->scenario)] = true;
	}
	for (unsigned int i = 0; i < KMOD_PROFILE_COUNT; i++) {
		if (used[i])
			g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "",
					       kmod_profile_name((enum kmod_profile)i));
	}
	return g_string_free(text, false);
}

void run_report_header(const struct run_options *options, const GArray *selection)
{
	g_autofree char *backend = backend_text(options, NULL);
	g_autofree char *seed = options->seed_set ?
				g_strdup_printf("%" G_GUINT64_FORMAT, options->seed) :
				g_strdup("each scenario's own");
	g_autofree char *profiles = profiles_text(options, selection);
	g_autofree char *text = g_strdup_printf("umadrig %s: backend %s; seed %s; profile %s",
						PACKAGE_VERSION, backend, seed, profiles);

	tap_comment(text);
}
