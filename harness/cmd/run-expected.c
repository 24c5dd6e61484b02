/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Points that are known to fail: see harness/cmd/run-expected.h.
 */
#include "harness/cmd/run-expected.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/command.h"
#include "harness/cmd/tap.h"
#include "sim/dictionary/mad-dictionary.h"
#include "sim/topology/text-file.h"

struct entry {
	char *name;
	char *issue;
	unsigned int line;
};

struct run_expected {
	GPtrArray *entries;	/* of struct entry *, in the order of their lines */
	GHashTable *by_name;	/* char * -> struct entry *: look-up only */
};

static void entry_free(void *data)
{
	struct entry *entry = data;

	g_free(entry->name);
	g_free(entry->issue);
	g_free(entry);
}

void run_expected_free(struct run_expected *expected)
{
	if (!expected)
		return;
	g_hash_table_unref(expected->by_name);
	g_ptr_array_unref(expected->entries);
	g_free(expected);
}

/* ---- the file ---- */

/* Takes a line, which has something. Returns what is wrong with it, or NULL; to be freed. */
static char *take_line(struct run_expected *expected, const char *text, unsigned int line)
{
	const char *hash = strchr(text, '#');
	g_autofree char *name = g_strstrip(g_strndup(text, hash ? (gsize)(hash - text) :
						     strlen(text)));
	g_autofree char *issue = g_strstrip(g_strdup(hash ? hash + 1 : ""));
	const struct entry *other = g_hash_table_lookup(expected->by_name, name);
	struct entry *entry;

	if (!strstr(name, ": "))
		return g_strdup("expected the name of a point, as TAP prints it: "
				"'FILE: SCENARIO [ROW]  # ISSUE'");
	if (*issue == '\0')
		return g_strdup("expected '# ISSUE' after the name: where this failure is "
				"tracked");
	if (other)
		return g_strdup_printf("this point is in line %u already", other->line);
	entry = g_new0(struct entry, 1);
	entry->name = g_steal_pointer(&name);
	entry->issue = g_steal_pointer(&issue);
	entry->line = line;
	g_ptr_array_add(expected->entries, entry);
	g_hash_table_insert(expected->by_name, entry->name, entry);
	return NULL;
}

struct run_expected *run_expected_parse(const char *path, const char *text, gsize size,
					char **reterr)
{
	struct run_expected *expected = g_new0(struct run_expected, 1);
	g_autofree char *valid = g_utf8_make_valid(text, (gssize)size);
	g_auto(GStrv) lines = g_strsplit(valid, "\n", -1);
	g_autoptr(GString) errors = g_string_new(NULL);

	expected->entries = g_ptr_array_new_with_free_func(entry_free);
	expected->by_name = g_hash_table_new(g_str_hash, g_str_equal);
	for (unsigned int i = 0; lines[i]; i++) {
		g_autofree char *wrong = NULL;

		g_strstrip(lines[i]);
		if (lines[i][0] == '\0' || lines[i][0] == '#')
			continue;
		wrong = take_line(expected, lines[i], i + 1);
		if (wrong)
			g_string_append_printf(errors, "%s%s:%u: %s", errors->len > 0 ? "\n" : "",
					       path, i + 1, wrong);
	}
	if (errors->len == 0)
		return expected;
	*reterr = g_strdup(errors->str);
	run_expected_free(expected);
	return NULL;
}

/* ---- what it says of points ---- */

const char *run_expected_issue(const struct run_expected *expected, const char *name,
			       unsigned int *ret_line)
{
	const struct entry *entry = g_hash_table_lookup(expected->by_name, name);

	if (!entry)
		return NULL;
	*ret_line = entry->line;
	return entry->issue;
}

/* The names of all points of a plan, as TAP prints them: GPtrArray of char *, to be unref'd. */
static GPtrArray *names_of(const struct plan *plan, bool on_sim)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < plan->scenarios->len; i++) {
		const struct plan_scenario *scenario = plan->scenarios->pdata[i];
		const GPtrArray *points = scenario->points[on_sim];

		for (guint j = 0; j < points->len; j++) {
			const struct point *point = points->pdata[j];

			g_ptr_array_add(names, tap_name(point->name));
		}
	}
	return names;
}

/* Is the entry about a point of this script? */
static bool is_about(const struct entry *entry, const struct script *script)
{
	g_autofree char *label = tap_name(script->label);
	size_t size = strlen(label);

	return strncmp(entry->name, label, size) == 0 && entry->name[size] == ':';
}

/* Prints an error if the script has no such point, with the one that may be meant. */
static bool is_in(const struct entry *entry, const struct plan *plan,
		  const struct run_options *options, const char *name)
{
	g_autoptr(GPtrArray) names = names_of(plan, run_expands_on_sim(options));
	const char *closest;

	for (guint i = 0; i < names->len; i++) {
		if (strcmp(names->pdata[i], entry->name) == 0)
			return true;
	}
	g_ptr_array_add(names, NULL);
	closest = mad_closest(entry->name, (const char *const *)names->pdata);
	command_error(name, COMMAND_USAGE, "%s:%u: %s has no such point%s%s%s",
		      options->expected_failures, entry->line, plan->script->label,
		      closest ? "; did you mean '" : "", closest ? closest : "",
		      closest ? "'?" : "");
	return false;
}

/* Lines about scripts that are not run are none of this run's business. */
static int check_entries(const struct run_expected *expected, const GPtrArray *plans,
			 const struct run_options *options, const char *name)
{
	int status = -1;

	for (guint i = 0; i < expected->entries->len; i++) {
		const struct entry *entry = expected->entries->pdata[i];

		for (guint j = 0; j < plans->len; j++) {
			const struct plan *plan = plans->pdata[j];

			if (plan->script->diagnostics->errors == 0 &&
			    is_about(entry, plan->script) && !is_in(entry, plan, options, name))
				status = COMMAND_USAGE;
		}
	}
	return status;
}

int run_expected_mark(GArray *selection, const GPtrArray *plans,
		      const struct run_options *options, const char *name,
		      struct run_expected **ret)
{
	g_autofree char *text = NULL, *wrong = NULL;
	g_autoptr(GError) error = NULL;
	gsize size;

	if (!options->expected_failures)
		return -1;
	if (!text_file_read(options->expected_failures, TEXT_FILE_MAX, &text, &size, &error))
		return command_error(name, COMMAND_USAGE, "--expected-failures: %s",
				     error->message);
	*ret = run_expected_parse(options->expected_failures, text, size, &wrong);
	if (!*ret)
		return command_error(name, COMMAND_USAGE, "nothing was run:\n%s", wrong);
	for (guint i = 0; i < selection->len; i++) {
		struct selected *one = &g_array_index(selection, struct selected, i);
		g_autofree char *known = one->point ? tap_name(one->point->name) : NULL;

		if (known)
			one->issue = run_expected_issue(*ret, known, &one->issue_line);
	}
	return check_entries(*ret, plans, options, name);
}
