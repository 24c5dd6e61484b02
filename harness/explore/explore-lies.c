/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Lies in captures: see harness/explore/explore-lies.h.
 */
#include "harness/explore/explore-lies.h"

#include <string.h>

#include "sim/capture/stream.h"

/* A comment names the rule first, then what was said: "fault lie any 1%: lie MAD.Status ...". */
static void take_comment(GPtrArray *lies, const struct capture_mad *mad, unsigned int most,
			 unsigned int *count)
{
	static const char mark[] = ": lie ";
	const char *at = mad->comment;

	while ((at = strstr(at, mark))) {
		at += strlen(": ");
		if ((*count)++ < most)
			g_ptr_array_add(lies, g_strdup_printf(
				"%.*s, frame %u from %s", (int)strcspn(at, ";\n"), at, mad->frame,
				mad->interface_name ? mad->interface_name : "?"));
	}
}

GPtrArray *explore_lies_read(const char *path, unsigned int most, unsigned int *ret_count)
{
	GPtrArray *lies = g_ptr_array_new_with_free_func(g_free);
	char message[512];
	struct capture_stream *stream = capture_stream_open(path, 0, message, sizeof(message));
	struct capture_item item;

	*ret_count = 0;
	while (stream && capture_stream_next(stream, &item)) {
		if (item.kind == CAPTURE_ITEM_MAD && item.mad->comment &&
		    item.mad->direction == CAPTURE_OUTBOUND)
			take_comment(lies, item.mad, most, ret_count);
	}
	if (stream)
		capture_stream_close(stream);
	return lies;
}
