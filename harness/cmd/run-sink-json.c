/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Results as JSON; doc/run-json.md describes it.
 */
#include "config.h"

#include "harness/cmd/run-sink.h"

#include "harness/base/command.h"
#include "harness/base/whole-file.h"
#include "harness/cmd/run-tags.h"
#include "harness/show/json-text.h"

struct json {
	struct run_sink sink;
	const char *path;
	struct text out;
};

static void add_string(struct text *out, const char *name, const char *string)
{
	if (!string)
		return;
	json_name(out, name);
	json_string(out, string);
}

static void add_number(struct text *out, const char *name, int64_t number)
{
	json_name(out, name);
	json_number(out, number);
}

/* A number that need not fit a double. */
static void add_digits(struct text *out, const char *name, guint64 number)
{
	g_autofree char *digits = g_strdup_printf("%" G_GUINT64_FORMAT, number);

	add_string(out, name, digits);
}

static void add_selection(struct text *out, const struct run_options *options)
{
	if (options->seed_set)
		add_digits(out, "seed", options->seed);
	if (options->schedule_set)
		add_digits(out, "schedule", options->schedule);
	if (options->shuffled)
		add_digits(out, "shuffle", options->shuffle_seed);
	if (options->shards > 1) {
		add_number(out, "shard", options->shard);
		add_number(out, "shards", options->shards);
	}
}

static struct run_sink *json_make(const char *path, const struct run_about *about)
{
	const struct run_options *options = about->options;
	struct json *json = g_new0(struct json, 1);
	struct text *out = &json->out;

	json->path = path;
	json_open(out, '{');
	add_string(out, "version", PACKAGE_VERSION);
	add_string(out, "backend", options->on_sim ? "sim" : "ib_umad");
	add_selection(out, options);
	add_string(out, "empty", about->empty);
	json_name(out, "results");
	json_open(out, '[');
	return &json->sink;
}

static void add_tags(struct text *out, const struct point *point)
{
	const char *tag;

	json_name(out, "tags");
	json_open(out, '[');
	for (guint i = 0; (tag = point_tag(point, i)) != NULL; i++)
		json_string(out, tag);
	json_close(out, ']');
}

static void json_result(struct run_sink *sink, const struct run_result *result)
{
	struct text *out = &((struct json *)(void *)sink)->out;
	const struct selected *selected = result->selected;

	json_open(out, '{');
	add_string(out, "name", result->name);
	add_string(out, "file", selected->script->source->name);
	if (selected->point) {
		add_number(out, "line", selected->point->line);
		add_tags(out, selected->point);
	}
	add_string(out, "verdict", run_state_name(result->state));
	if (result->state == RUN_EXPECTED_FAILURE || result->state == RUN_UNEXPECTED_PASS)
		add_string(out, "issue", selected->issue);
	add_number(out, "elapsed_us", result->elapsed_us);
	add_number(out, "end_ns", result->end_ns);
	if (result->has_seed)
		add_digits(out, "seed", result->seed);
	if (result->has_schedule)
		add_digits(out, "schedule", result->schedule);
#define ADD(name) add_string(out, #name, result->name);
	RUN_RESULT_TEXTS(ADD)
#undef ADD
	json_close(out, '}');
}

static int json_end(struct run_sink *sink, const struct run_totals *totals)
{
	struct json *json = (struct json *)(void *)sink;
	struct text *out = &json->out;
	g_autoptr(GError) error = NULL;
	int status = COMMAND_OK;

	json_close(out, ']');
	json_name(out, "totals");
	json_open(out, '{');
	for (unsigned int i = 0; i < RUN_STATES; i++)
		add_number(out, run_state_name((enum run_state)i), totals->counts[i]);
	json_close(out, '}');
	add_string(out, "cut_off", totals->cut_off);
	add_number(out, "status", totals->status);
	json_close(out, '}');
	text_char(out, '\n');
	if (!whole_file_write(json->path, out->bytes, out->length, 0666, &error))
		status = command_error(sink->about->command, COMMAND_FAILED, "--json: %s",
				       error->message);
	text_clear(out);
	g_free(json);
	return status;
}

const struct run_sink_kind run_sink_json = { json_make, json_result, json_end };
