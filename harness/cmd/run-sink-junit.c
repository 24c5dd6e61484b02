/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Results as JUnit XML: what Jenkins, GitLab and GitHub's actions read.
 *
 * A suite for each script, with a case for each of its points. Readers know four verdicts: passed,
 * <failure>, <skipped> and <error>, which is what has no verdict.
 */
#include "config.h"

#include "harness/cmd/run-sink.h"

#include <string.h>

#include "harness/base/command.h"
#include "harness/base/whole-file.h"
#include "harness/base/xml.h"

struct counts {
	guint tests, failures, errors, skipped;
	gint64 elapsed_us;
};

struct suite {
	char *name;
	GString *cases;
	struct counts counts;
};

struct junit {
	struct run_sink sink;
	const char *path;
	GPtrArray *suites;	/* of struct suite *, in the order of their first results */
	GHashTable *by_name;	/* char * -> struct suite *: look-up only */
	struct counts counts;
};

static void suite_free(void *data)
{
	struct suite *suite = data;

	g_free(suite->name);
	g_string_free(suite->cases, true);
	g_free(suite);
}

static struct run_sink *junit_make(const char *path, const struct run_about *about)
{
	struct junit *junit = g_new0(struct junit, 1);

	(void)about;
	junit->path = path;
	junit->suites = g_ptr_array_new_with_free_func(suite_free);
	junit->by_name = g_hash_table_new(g_str_hash, g_str_equal);
	return &junit->sink;
}

static void append_counts(GString *out, const struct counts *counts)
{
	xml_append_number(out, "tests", counts->tests);
	xml_append_number(out, "failures", counts->failures);
	xml_append_number(out, "errors", counts->errors);
	xml_append_number(out, "skipped", counts->skipped);
	xml_append_time(out, counts->elapsed_us);
}

/* ---- results ---- */

static void count(struct counts *counts, const struct run_result *result)
{
	counts->tests++;
	counts->elapsed_us += result->elapsed_us;
	counts->failures += run_result_is_failure(result);
	counts->errors += result->state == RUN_INCONCLUSIVE;
	counts->skipped += result->state == RUN_SKIPPED || result->state == RUN_EXPECTED_FAILURE;
}

static struct suite *suite_of(struct junit *junit, const char *name)
{
	struct suite *suite = g_hash_table_lookup(junit->by_name, name);

	if (suite)
		return suite;
	suite = g_new0(struct suite, 1);
	suite->name = g_strdup(name);
	suite->cases = g_string_new(NULL);
	g_ptr_array_add(junit->suites, suite);
	g_hash_table_insert(junit->by_name, suite->name, suite);
	return suite;
}

/* "timeout.retries" for "timeout/retries.mad": readers take the dots for packages. */
static char *class_name(const char *label)
{
	char *name = g_strdup(label);

	if (g_str_has_suffix(name, ".mad"))
		name[strlen(name) - strlen(".mad")] = '\0';
	for (char *at = name; *at != '\0'; at++) {
		if (*at == '/')
			*at = '.';
		else if (*at == '.')
			*at = '_';
	}
	return name;
}

/* The element of a case that says what became of it, or NULL: it has passed. */
static const char *verdict_element(const struct run_result *result)
{
	if (run_result_is_failure(result))
		return "failure";
	if (result->state == RUN_INCONCLUSIVE)
		return "error";
	return result->state == RUN_PASSED ? NULL : "skipped";
}

/* In one line. */
static char *message_of(const struct run_result *result)
{
	if (result->state == RUN_EXPECTED_FAILURE)
		return g_strdup_printf("expected failure (%s): %s", result->selected->issue,
				       result->message);
	if (result->message)
		return g_strdup(result->message);
	return result->text ? g_strndup(result->text, strcspn(result->text, "\n")) : g_strdup("");
}

static void append_verdict(GString *out, const struct run_result *result)
{
	const char *element = verdict_element(result);
	g_autofree char *message = message_of(result);
	g_autofree char *report = run_result_report(result);

	if (element) {
		g_string_append_printf(out, "<%s", element);
		xml_append_attribute(out, "message", message);
		xml_append_attribute(out, "type", run_state_name(result->state));
		g_string_append_c(out, '>');
		xml_append_text(out, report, false);
		g_string_append_printf(out, "</%s>", element);
	} else if (*report) {
		g_string_append(out, "<system-out>");
		xml_append_text(out, report, false);
		g_string_append(out, "</system-out>");
	}
}

static void junit_result(struct run_sink *sink, const struct run_result *result)
{
	struct junit *junit = (struct junit *)(void *)sink;
	const struct selected *selected = result->selected;
	const char *label = selected->script->label;
	struct suite *suite = suite_of(junit, label);
	g_autofree char *class = class_name(label);
	GString *out = suite->cases;

	count(&suite->counts, result);
	count(&junit->counts, result);
	g_string_append(out, "    <testcase");
	xml_append_attribute(out, "classname", class);
	xml_append_attribute(out, "name", result->name + strlen(label) + strlen(": "));
	xml_append_time(out, result->elapsed_us);
	xml_append_attribute(out, "file", selected->script->source->name);
	if (selected->point)
		xml_append_number(out, "line", selected->point->line);
	g_string_append_c(out, '>');
	append_verdict(out, result);
	g_string_append(out, "</testcase>\n");
}

/* ---- the file ---- */

static void append_suite(GString *out, const struct suite *suite, const char *header)
{
	g_string_append(out, "  <testsuite");
	xml_append_attribute(out, "name", suite->name);
	append_counts(out, &suite->counts);
	g_string_append(out, ">\n    <properties><property name=\"run\"");
	xml_append_attribute(out, "value", header);
	g_string_append(out, "/></properties>\n");
	g_string_append_len(out, suite->cases->str, (gssize)suite->cases->len);
	g_string_append(out, "  </testsuite>\n");
}

/* What was not run must not look as if all were well. */
static void add_cut_off(struct junit *junit, const char *why)
{
	struct suite *suite = suite_of(junit, "umadrig run");

	suite->counts.tests++;
	suite->counts.errors++;
	junit->counts.tests++;
	junit->counts.errors++;
	g_string_append(suite->cases, "    <testcase classname=\"umadrig run\" "
			"name=\"the run comes to its end\" time=\"0.000000\"><error");
	xml_append_attribute(suite->cases, "message", why);
	xml_append_attribute(suite->cases, "type", "cut off");
	g_string_append(suite->cases, "/></testcase>\n");
}

static int junit_end(struct run_sink *sink, const struct run_totals *totals)
{
	struct junit *junit = (struct junit *)(void *)sink;
	g_autoptr(GString) out = g_string_new("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	g_autoptr(GError) error = NULL;
	int status = COMMAND_OK;

	if (totals->cut_off)
		add_cut_off(junit, totals->cut_off);
	g_string_append(out, "<testsuites name=\"umadrig run\"");
	append_counts(out, &junit->counts);
	g_string_append(out, ">\n");
	for (guint i = 0; i < junit->suites->len; i++)
		append_suite(out, junit->suites->pdata[i], sink->about->header);
	g_string_append(out, "</testsuites>\n");
	if (!whole_file_write(junit->path, out->str, out->len, 0666, &error))
		status = command_error(sink->about->command, COMMAND_FAILED, "--junit: %s",
				       error->message);
	g_hash_table_unref(junit->by_name);
	g_ptr_array_unref(junit->suites);
	g_free(junit);
	return status;
}

const struct run_sink_kind run_sink_junit = { junit_make, junit_result, junit_end };
