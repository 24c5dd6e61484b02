/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: files of umadrig explore --plan. Either there are mistakes, each with its file, or
 * each word is an option that there is, with a value where it has one, which is in the file.
 */
#include <glib.h>
#include <stdint.h>
#include <string.h>

#include "harness/base/command.h"
#include "harness/base/plan-file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *text_value;
static int flag_value;

static const GOptionEntry options[] = {
	{ "always", 0, 0, G_OPTION_ARG_STRING, &text_value, NULL, "CONDITION" },
	{ "fabric", 'f', 0, G_OPTION_ARG_FILENAME, &text_value, NULL, "FABRIC" },
	{ "keep-going", 0, 0, G_OPTION_ARG_NONE, &flag_value, NULL, NULL },
	{ "plan", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &text_value, NULL, "FILE" },
	G_OPTION_ENTRY_NULL,
};

static void check_word(const char *word, const char *text)
{
	g_autofree char *said = g_strdelimit(g_strdup(word + strlen("--")), "=", ' ');
	const char *value = strchr(word, '=');

	if (strcmp(word, "--keep-going") == 0)
		return;
	g_assert_true(g_str_has_prefix(word, "--always=") || g_str_has_prefix(word, "--fabric="));
	g_assert_cmpstr(value + 1, !=, "");
	g_assert_nonnull(strstr(text, value + 1));
	if (!strchr(value + 1, '='))
		g_assert_true(g_str_has_prefix(command_said_at(said), "known:"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *text = g_strndup((const char *)data, size);
	g_autoptr(GError) error = NULL;
	struct plan_file plan;
	bool is_good;

	plan_file_begin(&plan);
	is_good = plan_file_take(&plan, "known", (const char *)data, size, options, &error);
	g_assert_true(is_good == !error);
	if (!is_good) {
		g_assert_true(g_str_has_prefix(error->message, "known:"));
		g_assert_cmpuint(plan.words->len, ==, 0);
	}
	for (unsigned int i = 0; i < plan.words->len; i++)
		check_word(plan.words->pdata[i], text);
	if (plan.command) {
		g_assert_cmpuint(g_strv_length(plan.command), ==, 3);
		g_assert_cmpstr(plan.command[2], !=, "");
	}
	plan_file_clear(&plan);
	return 0;
}
