/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Options of fabrics: see harness/cmd/fabric-option.h.
 */
#include "harness/cmd/fabric-option.h"

#include <glib.h>
#include <string.h>

#include "harness/base/command.h"
#include "sim/dictionary/mad-dictionary.h"
#include "sim/run/spec.h"

#define UNKNOWN "Unknown option --"

/* The fabric's option that is meant by 'word'; NULL: none. */
static const char *option_meant(const char *word)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const char *name, *wanted;

	for (unsigned int i = 0; (name = spec_option(i, &wanted)); i++)
		g_ptr_array_add(names, (char *)name);
	g_ptr_array_add(names, NULL);
	return mad_closest(word, (const char *const *)names->pdata);
}

int fabric_option_usage(const char *name, const char *message)
{
	g_autofree char *word = NULL;
	const char *option;

	if (!g_str_has_prefix(message, UNKNOWN) || strstr(message, ": did you mean"))
		return command_usage(name, "%s", message);
	message += strlen(UNKNOWN);
	word = g_strndup(message, strcspn(message, "="));
	option = option_meant(word);
	return command_usage(name, UNKNOWN "%s%s%s%s", message,
			     option ? ": an option of the fabric follows it after a comma, as in "
				      "--fabric FABRIC," : "", option ? option : "",
			     option ? "=..." : "");
}
