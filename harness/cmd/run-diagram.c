/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Captures of points as diagrams: see harness/cmd/run-diagram.h.
 */
#include "harness/cmd/run-diagram.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/whole-file.h"
#include "harness/show/mermaid.h"
#include "sim/capture/stream.h"

enum { MESSAGE_SIZE = 512 };

/* Reads the capture, to learn what its ports are called, or to draw it. */
static bool read_capture(const char *capture, const struct view_setup *setup, bool draws,
			 GError **error)
{
	char message[MESSAGE_SIZE];
	struct capture_stream *stream = capture_stream_open(capture, 0, message, sizeof(message));
	struct capture_item item;
	struct view *view;

	if (!stream) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s", message);
		return false;
	}
	view = draws ? view_new(&mermaid_view, setup) : NULL;
	while (capture_stream_next(stream, &item)) {
		if (item.kind == CAPTURE_ITEM_MAD)
			mad_ends_learn(setup->ends, item.mad);
		if (view && item.kind == CAPTURE_ITEM_MAD)
			view->kind->mad(view, item.mad);
		if (view && item.kind == CAPTURE_ITEM_NOTE)
			view->kind->note(view, item.note);
	}
	if (view)
		view->kind->end(view, capture_stream_counts(stream), 0);
	capture_stream_close(stream);
	return true;
}

/* The text is to be freed with free(). */
static bool draw(const char *capture, char **ret_text, size_t *ret_size, GError **error)
{
	FILE *stream = open_memstream(ret_text, ret_size);
	const struct view_setup setup = { .stream = stream, .ends = mad_ends_new() };
	bool ok = stream && read_capture(capture, &setup, false, error) &&
		  read_capture(capture, &setup, true, error);

	if (stream)
		fclose(stream);
	mad_ends_free(setup.ends);
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
