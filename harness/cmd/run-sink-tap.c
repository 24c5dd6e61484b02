/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Results as TAP on standard output.
 */
#include "harness/cmd/run-sink.h"

#include "harness/base/command.h"
#include "harness/cmd/tap.h"

static struct run_sink *tap_make(const char *path, const struct run_about *about)
{
	(void)path;
	tap_begin();
	if (about->empty)
		tap_plan_empty(about->empty);
	else if (about->points_known)
		tap_plan(about->points);
	tap_comment(about->header);
	return g_new0(struct run_sink, 1);
}

/* Has the result anything that the YAML block has? */
static bool has_yaml(const struct run_result *result)
{
	return result->at || (result->message && !result->text);
}

static void yaml_number(const char *name, guint64 number)
{
	g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, number);

	tap_yaml(name, text);
}

static void print_yaml(const struct run_result *result)
{
	if (!has_yaml(result))
		return;
	tap_yaml_begin();
	if (result->state == RUN_INCONCLUSIVE)
		tap_yaml("verdict", run_state_name(result->state));
	if (result->at)
		tap_yaml_place("at", result->at);
	tap_yaml_quoted("message", result->message);
	if (result->backend)
		tap_yaml_quoted("backend", result->backend);
	if (result->expected)
		tap_yaml_quoted("expected", result->expected);
	if (result->actual)
		tap_yaml_quoted("actual", result->actual);
	if (result->has_seed)
		yaml_number("seed", result->seed);
	if (result->has_schedule)
		yaml_number("schedule", result->schedule);
	if (result->repro)
		tap_yaml_quoted("repro", result->repro);
	if (result->capture)
		tap_yaml_quoted("capture", result->capture);
	if (result->diagram)
		tap_yaml_quoted("diagram", result->diagram);
	tap_yaml_end();
}

static void tap_result(struct run_sink *sink, const struct run_result *result)
{
	(void)sink;
	switch (result->state) {
	case RUN_PASSED:
		tap_ok(result->name);
		break;
	case RUN_SKIPPED:
		tap_skip(result->name, result->message);
		return;
	case RUN_EXPECTED_FAILURE:
		tap_todo(result->name, result->selected->issue);
		print_yaml(result);
		break;
	case RUN_FAILED:
	case RUN_INCONCLUSIVE:
	case RUN_UNEXPECTED_PASS:
		tap_not_ok(result->name);
		print_yaml(result);
		break;
	case RUN_STATES:
		return;
	}
	if (result->text)
		tap_comment(result->text);
	if (result->ladder)
		tap_comment(result->ladder);
}

static int tap_end(struct run_sink *sink, const struct run_totals *totals)
{
	const struct run_about *about = sink->about;

	g_free(sink);
	if (totals->cut_off)
		tap_bail_out(totals->cut_off);
	else if (!about->points_known && !about->empty)
		tap_plan(totals->results);
	return command_finish_output(about->command, COMMAND_OK);
}

const struct run_sink_kind run_sink_tap = { tap_make, tap_result, tap_end };
