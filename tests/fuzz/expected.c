/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: files of expected failures. Either there are mistakes, each with its line, or each
 * line that has a name says where its failure is tracked.
 */
#include <glib.h>
#include <stdint.h>
#include <string.h>

#include "harness/cmd/run-expected.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_line(const struct run_expected *expected, const char *line, unsigned int number)
{
	const char *hash = strchr(line, '#'), *issue;
	g_autofree char *name = g_strstrip(g_strndup(line, hash ? (gsize)(hash - line) : 0));
	unsigned int found = 0;

	if (*name == '\0')
		return;
	issue = run_expected_issue(expected, name, &found);
	g_assert_nonnull(issue);
	g_assert_cmpstr(issue, !=, "");
	g_assert_nonnull(strstr(hash, issue));
	g_assert_cmpuint(found, ==, number);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *wrong = NULL;
	struct run_expected *expected = run_expected_parse("known", (const char *)data, size,
							   &wrong);
	g_autofree char *text = g_utf8_make_valid((const char *)data, (gssize)size);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	g_assert_true(!expected == !!wrong);
	if (wrong)
		g_assert_true(g_str_has_prefix(wrong, "known:"));
	for (unsigned int i = 0; expected && lines[i]; i++)
		check_line(expected, lines[i], i + 1);
	run_expected_free(expected);
	g_free(wrong);
	return 0;
}
