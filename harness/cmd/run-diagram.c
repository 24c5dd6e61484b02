/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Captures of points as diagrams: see harness/cmd/run-diagram.h.
 */
#include "harness/cmd/run-diagram.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/whole-file.h"
#include "harness/show/mermaid.h"
#include "harness/show/reading.h"

/* The text is to be freed with free(). */
static bool draw(const char *capture, char **ret_text, size_t *ret_size, GError **error)
{
	FILE *stream = open_memstream(ret_text, ret_size);
	const struct reading reading = {
		.path = capture, .kind = &mermaid_view, .stream = stream,
	};
	bool ok = stream && reading_show(&reading, error);

	if (stream)
		fclose(stream);
	return ok;
}

char *run_diagram_write(const char *capture, GError **error)
{
	size_t stem = strlen(capture) - (g_str_has_suffix(capture, ".pcapng") ?
					 strlen(".pcapng") : 0);
	g_autofree char *path = g_strdup_printf("%.*s.mmd", (int)stem, capture);
	char *text = NULL;
	size_t size = 0;
	bool ok = draw(capture, &text, &size, error) &&
		  whole_file_write(path, text, size, 0666, error);

	free(text);
	return ok ? g_steal_pointer(&path) : NULL;
}
