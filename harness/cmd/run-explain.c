/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The compiled timeline of points: see harness/cmd/run-explain.h.
 */
#include "harness/cmd/run-explain.h"

#include <stdio.h>
#include <string.h>

#include "harness/cmd/run-point.h"
#include "harness/script/tree/expr-text.h"
#include "harness/script/tree/value.h"

/* ---- one line ---- */

/* "10ms", "0 to 50ms"; where the time is counted from something of unknown length: "+1ms". */
static char *when_text(const struct plan_step *step)
{
	const struct plan_time *time = &step->time;
	char from[32], to[32];
	const char *plus = "";
	bool is_window = time->kind == STEP_TIME_WINDOW;

	if (time->kind == STEP_TIME_ANY)
		return g_strdup("any time");
	time_format(step->when.is_known ? step->when.from_ns : time->from_ns, from, sizeof(from));
	time_format(step->when.is_known ? step->when.to_ns : time->to_ns, to, sizeof(to));
	if (!step->when.is_known && time->from_relative)
		plus = "+";
	return is_window ? g_strdup_printf("%s%s to %s%s", plus, from, plus, to) :
	       g_strdup_printf("%s%s", plus, from);
}

/* Appends what '$NAME' at 'at' stands for in this point; false: it is not known before it runs. */
static bool append_bound(GString *out, const struct point *point, const struct source *source,
			 size_t *at)
{
	const char *start = source->text + *at + 1;
	size_t left = source->size - *at - 1, length = 0;
	g_autofree char *name = NULL;
	const struct expr *value;

	while (length < left && (g_ascii_isalnum(start[length]) || start[length] == '_'))
		length++;
	name = g_strndup(start, length);
	value = bindings_find(&point->row, name);
	if (!value)
		value = bindings_find(&point->varied, name);
	if (!value)
		return false;
	expr_append_text(out, value);
	*at += length;
	return true;
}

/* The text of the line in the script, behind its time, on one line and without its comment. */
static char *line_text(const struct point *point, const struct plan_step *step)
{
	const struct source *source = step->place.source;
	GString *text = g_string_new(NULL);
	int depth = 0;
	bool in_string = false;

	for (size_t at = step->place.offset; at < source->size; at++) {
		char c = source->text[at];

		if (c == '"' && (at == 0 || source->text[at - 1] != '\\'))
			in_string = !in_string;
		if (!in_string && (c == '(' || c == '{'))
			depth++;
		if (!in_string && (c == ')' || c == '}'))
			depth--;
		if (!in_string && c == '#') {
			while (at + 1 < source->size && source->text[at + 1] != '\n')
				at++;
			continue;
		}
		if (!in_string && c == '$' && append_bound(text, point, source, &at))
			continue;
		if (depth < 0 || (c == '\n' && depth == 0))
			break;
		if (!g_ascii_isspace(c))
			g_string_append_c(text, c);
		else if (text->len > 0 && text->str[text->len - 1] != ' ')
			g_string_append_c(text, ' ');
	}
	return g_strchomp(g_string_free(text, false));
}

/* What the line waits for, or NULL: it acts. 'port' is A. */
static char *waits_text(const struct plan_step *step, const char *port)
{
	unsigned int timing = step_timing(step->line);

	if ((timing & STEP_SILENT) && (timing & STEP_OUTBOUND))
		return g_strdup_printf("nothing leaves %s", port);
	if (timing & STEP_SILENT)
		return g_strdup_printf("nothing is read at %s", port);
	if (timing & STEP_RETRIED)
		return g_strdup("waits until it is as stated; times below count from then");
	if ((timing & STEP_WAITS) && (timing & STEP_OUTBOUND))
		return g_strdup_printf("waits for a MAD that leaves %s", port);
	if (timing & STEP_WAITS)
		return g_strdup_printf("waits for this at %s", port);
	return NULL;
}

static void print_step(const struct point *point, const struct plan_step *step,
		       const char *port)
{
	g_autofree char *when = when_text(step);
	g_autofree char *text = line_text(point, step);
	g_autofree char *waits = waits_text(step, port);

	printf("%16s  line %-4u %s%s%s\n", when, step->place.line, text,
	       waits ? "    # " : "", waits ? waits : "");
}

/* ---- points ---- */

/* The name of a port under test, as far as it is known before the point runs. */
static const char *end_name(const struct run_options *options, const struct settings *settings,
			    enum world_end end)
{
	const struct expr *named = end == WORLD_SELF ? settings->self : settings->peer;

	if (!options->on_sim)
		return options->ports[end] ? options->ports[end] : "no port";
	if (named)
		return named->text;
	if (settings->topology || settings->replay)
		return end == WORLD_SELF ? "A" : "B";
	return end == WORLD_SELF ? "H1[1]" : "H2[1]";
}

static void print_point(const struct run_options *options, const struct point *point)
{
	const struct settings *settings = &point->scenario->settings;
	const char *self = end_name(options, settings, WORLD_SELF);
	const char *fabric = settings->topology ? settings->topology :
			     settings->replay ? settings->replay->capture : "the default fabric";
	const struct run_try try = run_try_of(options, point, 0);
	const struct rig rig = run_rig(options);
	g_autofree char *unmet = options->kernel_arg ? point_unmet(point, &rig) : NULL;
	char latency[32], timeout[32];

	printf("%s\n", point->name);
	printf("  on %s, from %s to %s; seed %" G_GUINT64_FORMAT, options->on_sim ? fabric :
	       "real ports", self, end_name(options, settings, WORLD_PEER),
	       try.seed);
	if (try.has_schedule)
		printf("; schedule %" G_GUINT64_FORMAT, try.schedule);
	if (settings->latency_ns > 0)
		printf("; latency %s", time_format(settings->latency_ns, latency,
						   sizeof(latency)));
	if (settings->timeout_ns > 0)
		printf("; timeout %s", time_format(settings->timeout_ns, timeout,
						   sizeof(timeout)));
	if (options->kernel_arg)
		printf("; kernel %s", run_kernel_name(options));
	putchar('\n');
	if (unmet)
		printf("  is skipped: %s\n", unmet);
	for (guint i = 0; i < point->steps->len; i++)
		print_step(point, point->steps->pdata[i], self);
	putchar('\n');
}

/* There is nothing that it could run on. */
static void print_objection(const struct plan_scenario *plan)
{
	g_autoptr(GString) text = g_string_new(NULL);

	diagnostic_format(text, "", plan->scenario->settings.topology_place, "error",
			  plan->objection);
	fputs(text->str, stdout);
}

bool run_explain(const GArray *selection, const struct run_options *options)
{
	bool ok = true;

	for (guint i = 0; i < selection->len; i++) {
		const struct selected *selected = &g_array_index(selection, struct selected, i);

		if (selected->point && options->on_sim && selected->point->plan->objection) {
			print_objection(selected->point->plan);
			ok = false;
		} else if (selected->point) {
			print_point(options, selected->point);
		} else {
			g_autofree char *text =
				diagnostics_text(selected->script->diagnostics);

			fputs(text, stdout);
			ok = false;
		}
	}
	return ok;
}
