/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Options of commands that compare: see harness/cmd/diff-options.h.
 */
#include "harness/cmd/diff-options.h"

#include <glib.h>
#include <stdio.h>

#include "harness/base/command.h"
#include "harness/capture/filter.h"

bool diff_options_ignoring(const char *name, char *const *lists, struct ignored_fields *ignored)
{
	for (char *const *list = lists; list && *list; list++) {
		g_auto(GStrv) fields = g_strsplit(*list, ",", -1);

		for (char **field = fields; *field; field++) {
			const char *suggestion;

			g_strstrip(*field);
			if (ignored_fields_add(ignored, *field, &suggestion))
				continue;
			command_usage(name, "there is no field '%s'%s%s%s", *field,
				      suggestion ? ": did you mean '" : "",
				      suggestion ? suggestion : "", suggestion ? "'?" : "");
			return false;
		}
	}
	return true;
}

bool diff_options_where(const char *name, const char *where, struct filter **ret_filter)
{
	g_autofree char *message = NULL;

	*ret_filter = where ? filter_parse(where, &message) : NULL;
	if (filter_looks_ahead(*ret_filter)) {
		command_usage(name, "--where: '%s' is about a conversation in its capture, and "
			      "compared are those of two: umadrig show takes it",
			      filter_looks_ahead(*ret_filter));
		filter_free(*ret_filter);
		*ret_filter = NULL;
		return false;
	}
	if (!where || *ret_filter)
		return true;
	fprintf(stderr, "%s: the filter cannot be used:\n%s", name, message);
	return false;
}

bool diff_options_keep(void *filter, const struct capture_mad *mad)
{
	return filter_keeps(filter, NULL, mad);
}
