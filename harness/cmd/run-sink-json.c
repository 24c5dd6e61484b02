/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Results as JSON; doc/run-json.md describes it.
 */
#include "config.h"

#include "harness/cmd/run-sink.h"

#include "harness/base/command.h"
#include "harness/base/whole-file.h"
#include "harness/cmd/run-tags.h"
#include "sim/topology/json-string.h"

struct json {
	struct run_sink sink;
	const char *path;
	struct json_writer out;
	GString *text;
};

static void add_string(struct json_writer *out, const char *name, const char *string)
{
	if (!string)
		return;
	json_string(json_name(out, name), string);
}

static void add_selection(struct json_writer *out, const struct run_options *options)
{
	if (options->seed_set)
		json_digits(json_name(out, "seed"), options->seed);
	if (options->schedule_set)
		json_digits(json_name(out, "schedule"), options->schedule);
	if (options->shuffled)
		json_digits(json_name(out, "shuffle"), options->shuffle_seed);
	if (options->shards > 1) {
		json_number(json_name(out, "shard"), options->shard);
		json_number(json_name(out, "shards"), options->shards);
	}
}

static struct run_sink *json_make(const char *path, const struct run_about *about)
{
	const struct run_options *options = about->options;
	struct json *json = g_new0(struct json, 1);
	struct json_writer *out = &json->out;

	json->path = path;
	json->text = g_string_new(NULL);
	json_writer_to_string(out, JSON_ASCII, json->text);
	json_open(out, '{');
	add_string(out, "version", PACKAGE_VERSION);
	add_string(out, "backend", options->on_sim ? "sim" : options->backend);
	if (options->kernel_arg)
		add_string(out, "kernel", run_kernel_name(options));
	if (options->kernel)
		add_string(out, "kernel_identity", options->kernel->identity);
	add_selection(out, options);
	add_string(out, "empty", about->empty);
	json_open(json_name(out, "results"), '[');
	return &json->sink;
}

static void add_tags(struct json_writer *out, const struct point *point)
{
	const char *tag;

	json_open(json_name(out, "tags"), '[');
	for (guint i = 0; (tag = point_tag(point, i)) != NULL; i++)
		json_string(out, tag);
	json_close(out, ']');
}

static void json_result(struct run_sink *sink, const struct run_result *result)
{
	struct json_writer *out = &((struct json *)(void *)sink)->out;
	const struct selected *selected = result->selected;

	json_open(out, '{');
	add_string(out, "name", result->name);
	add_string(out, "file", selected->script->source->name);
	if (selected->point) {
		json_number(json_name(out, "line"), selected->point->line);
		add_tags(out, selected->point);
	}
	add_string(out, "verdict", run_state_name(result->state));
	if (result->state == RUN_EXPECTED_FAILURE || result->state == RUN_UNEXPECTED_PASS)
		add_string(out, "issue", selected->issue);
	json_number(json_name(out, "elapsed_us"), result->elapsed_us);
	json_number(json_name(out, "end_ns"), result->end_ns);
	if (result->has_seed)
		json_digits(json_name(out, "seed"), result->seed);
	if (result->has_schedule)
		json_digits(json_name(out, "schedule"), result->schedule);
#define ADD(name) add_string(out, #name, result->name);
	RUN_RESULT_TEXTS(ADD)
#undef ADD
	json_close(out, '}');
}

static int json_end(struct run_sink *sink, const struct run_totals *totals)
{
	struct json *json = (struct json *)(void *)sink;
	struct json_writer *out = &json->out;
	g_autoptr(GError) error = NULL;
	int status = COMMAND_OK;

	json_close(out, ']');
	json_open(json_name(out, "totals"), '{');
	for (unsigned int i = 0; i < RUN_STATES; i++)
		json_number(json_name(out, run_state_name((enum run_state)i)), totals->counts[i]);
	json_close(out, '}');
	add_string(out, "cut_off", totals->cut_off);
	json_number(json_name(out, "status"), totals->status);
	json_close(out, '}');
	json_end_line(out);
	json_finish(out);
	if (!whole_file_write(json->path, json->text->str, json->text->len, 0666, &error))
		status = command_error(sink->about->command, COMMAND_FAILED, "--json: %s",
				       error->message);
	g_string_free(json->text, true);
	g_free(json);
	return status;
}

const struct run_sink_kind run_sink_json = { json_make, json_result, json_end };
