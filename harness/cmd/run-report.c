/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What reports say: see harness/cmd/run-report.h.
 */
#include "config.h"

#include "harness/cmd/run-report.h"

#include <sys/utsname.h>

void run_report_ladder(const struct outcome *outcome, struct run_result *ret)
{
	if (outcome->ladder && outcome->ladder->len > 0)
		ret->ladder = g_strndup(outcome->ladder->str, outcome->ladder->len - 1);
}

/* A name as a shell takes it, and as it is where that is the same. */
static void append_file(GString *line, const char *name)
{
	const char *plain = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "/._+-=:,@%";
	g_autofree char *quoted = g_shell_quote(name);

	g_string_append_printf(line, " %s", name[strspn(name, plain)] == '\0' ? name : quoted);
}

static char *repro(const struct run_options *options, const struct script *script,
		   const struct run_try *try)
{
	GString *line = g_string_new("umadrig run");

	if (!options->on_sim) {
		g_string_append_printf(line, " --backend %s --port A=%s", options->backend,
				       options->ports[WORLD_SELF]);
		if (options->ports[WORLD_PEER])
			g_string_append_printf(line, " --port B=%s", options->ports[WORLD_PEER]);
		if (options->wire)
			g_string_append_printf(line, " --wire %s", options->wire_arg);
	}
	if (options->kernel_arg)
		g_string_append_printf(line, " --kernel %s", options->kernel_arg);
	if (try->failing)
		g_string_append_printf(line, " --fail-allocations=%" G_GUINT64_FORMAT,
				       try->failing);
	if (options->profile_arg)
		g_string_append_printf(line, " --profile %s", options->profile_arg);
	if (options->audit)
		g_string_append(line, " --audit");
	if (options->how)
		g_string_append_printf(line, " --how %s", options->how);
	g_string_append_printf(line, " --seed %" G_GUINT64_FORMAT, try->seed);
	if (try->has_schedule)
		g_string_append_printf(line, " --schedule %" G_GUINT64_FORMAT, try->schedule);
	append_file(line, script->source->name);
	return g_string_free(line, false);
}

/* 'point' NULL: of all points. */
static char *backend_text(const struct run_options *options, const struct point *point)
{
	const char *kernel = run_kernel_name(options);

	if (options->on_sim)
		return g_strdup_printf("sim, %s clock%s%s", point &&
				       run_point_is_in_real_time(options, point) ? "real" :
				       "virtual", kernel ? ", kernel " : "",
				       kernel ? kernel : "");
	return g_strdup_printf("%s %s -> %s%s%s, %s clock", options->backend,
			       options->ports[WORLD_SELF],
			       options->ports[WORLD_PEER] ? options->ports[WORLD_PEER] :
			       "no peer",
			       options->wire ? " by " : "",
			       options->wire ? options->wire_arg : "",
			       options->is_attached ? "the server's" : "real");
}

void run_report_failure(const struct run_options *options, const struct run_try *try,
			const struct outcome *outcome, struct run_result *ret)
{
	GString *text = g_string_new(NULL);

	ret->message = g_strdup(outcome->message);
	ret->at = g_strdup_printf("%s:%u:%u", outcome->place.source->name, outcome->place.line,
				  outcome->place.column);
	ret->backend = backend_text(options, try->point);
	ret->expected = g_strdup(outcome->expected);
	ret->actual = g_strdup(outcome->actual);
	ret->has_seed = true;
	ret->seed = try->seed;
	ret->has_schedule = try->has_schedule;
	ret->schedule = try->schedule;
	ret->repro = repro(options, ret->selected->script, try);
	diagnostic_format(text, "", outcome->place, "error", outcome->message);
	g_string_append(text, outcome->details->str);
	g_string_truncate(text, text->len - 1);
	ret->text = g_string_free(text, false);
	run_report_ladder(outcome, ret);
}

void run_report_unreadable(const struct script *script, struct run_result *ret)
{
	size_t errors = script->diagnostics->errors;

	ret->message = g_strdup_printf("the script has %zu error%s", errors,
				       errors == 1 ? "" : "s");
	ret->text = g_strchomp(diagnostics_text(script->diagnostics));
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

char *run_report_header(const struct run_options *options, const GArray *selection, guint whole)
{
	GString *text = g_string_new(NULL);
	g_autofree char *backend = backend_text(options, NULL);
	g_autofree char *seed = options->seed_set ?
				g_strdup_printf("%" G_GUINT64_FORMAT, options->seed) :
				g_strdup("each scenario's own");
	g_autofree char *profiles = profiles_text(options, selection);

	g_string_append_printf(text, "umadrig %s: backend %s", PACKAGE_VERSION, backend);
	if (options->kernel)
		g_string_append_printf(text, " (%s%s%s)", options->kernel->identity,
				       *options->kernel->options ? ", " : "",
				       options->kernel->options);
	g_string_append_printf(text, "; seed %s", seed);
	if (*profiles)
		g_string_append_printf(text, "; profile %s", profiles);
	if (options->schedule_set)
		g_string_append_printf(text, "; schedule %" G_GUINT64_FORMAT, options->schedule);
	if (options->shards > 1)
		g_string_append_printf(text, "\npart %u of %u: %u of %u points", options->shard,
				       options->shards, selection->len, whole);
	if (options->shuffled)
		g_string_append_printf(text, "\nin the order of --shuffle=%" G_GUINT64_FORMAT,
				       options->shuffle_seed);
	return g_string_free(text, false);
}
