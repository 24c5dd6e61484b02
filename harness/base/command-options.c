/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The options of a command line: see harness/base/command.h.
 */
#include "harness/base/command.h"

#include <stddef.h>
#include <string.h>

#include "sim/dictionary/mad-dictionary.h"

/* The names of a context's options, which only its help has: GPtrArray of char *, ended by NULL. */
static GPtrArray *option_names(GOptionContext *context)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *help = g_option_context_get_help(context, false, NULL);
	g_auto(GStrv) lines = g_strsplit(help, "\n", -1);

	for (char **line = lines; *line; line++) {
		const char *option = **line == ' ' ? strstr(*line, "--") : NULL;

		if (option && option - *line <= (ptrdiff_t)strlen("  -x, "))
			g_ptr_array_add(names, g_strndup(option, strcspn(option, "= ")));
	}
	g_ptr_array_add(names, NULL);
	return names;
}

/* "Unknown option --fabrik": did you mean --fabric? */
static void add_closest(GOptionContext *context, GError **error)
{
	g_autoptr(GPtrArray) names = NULL;
	g_autofree char *message = NULL, *word = NULL;
	const char *option, *closest;

	if (!error || !g_error_matches(*error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION))
		return;
	option = strstr((*error)->message, "--");
	word = option ? g_strndup(option, strcspn(option, "=")) : NULL;
	names = option_names(context);
	closest = word ? mad_closest(word, (const char *const *)names->pdata) : NULL;
	if (!closest)
		return;
	message = g_strdup_printf("%s: did you mean %s?", (*error)->message, closest);
	g_free((*error)->message);
	(*error)->message = g_steal_pointer(&message);
}

bool command_parse(GOptionContext *context, int *argc, char ***argv, GError **error)
{
	const char *description = g_option_context_get_description(context);
	g_autofree char *page = g_strdelimit(g_strdup((*argv)[0]), " ", '-');
	g_autofree char *whole = g_strdup_printf("%s%sSee %s(1).", description ? description : "",
						 description ? "\n\n" : "", page);

	g_option_context_set_description(context, whole);
	if (g_option_context_parse(context, argc, argv, error))
		return true;
	add_closest(context, error);
	return false;
}
