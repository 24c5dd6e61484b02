/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: a capture of any bytes, compressed or not, is read item by item, or refused with a
 * message. What is counted agrees with what is handed out, and with what capture_parse() gathers.
 */
#include <glib.h>
#include <stdint.h>
#include <string.h>

#include "sim/capture/stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_item(struct capture_stream *stream, const struct capture_item *item)
{
	const struct capture_interface *interface;

	g_assert(item->why && item->cause < CAPTURE_CAUSES);
	switch (item->kind) {
	case CAPTURE_ITEM_MAD:
		g_assert(item->mad && item->mad->frame == item->frame);
		g_assert(item->mad->time_ns == item->time_ns);
		g_assert(item->mad->addr.src_qp <= 1 || item->mad->addr.dest_qp <= 1);
		g_assert(!item->mad->comment || strlen(item->mad->comment) <= 1 << 24);
		interface = capture_stream_interface(stream, item->mad->interface);
		if (item->mad->interface_name)
			g_assert(interface && interface->name == item->mad->interface_name);
		break;
	case CAPTURE_ITEM_NOTE:
		g_assert(item->note && g_utf8_validate(item->note->text, -1, NULL));
		break;
	case CAPTURE_ITEM_UNUSED:
		g_assert(!item->mad && !item->note && item->cause != CAUSE_NONE);
		break;
	}
}

static struct capture_counts read_all(const uint8_t *data, size_t size, char *message,
				      size_t message_size)
{
	struct capture_stream *stream = capture_stream_parse(
		data, size, "fuzz", CAPTURE_EVERY_FRAME | CAPTURE_CHECK_CRCS, message,
		message_size);
	struct capture_counts counts = { 0 };
	unsigned int frames = 0, warnings = 0;
	const char *warning;
	struct capture_item item;

	g_assert(!stream == (*message != '\0'));
	if (!stream)
		return counts;
	while (capture_stream_next(stream, &item)) {
		g_assert(item.frame == ++frames);
		check_item(stream, &item);
	}
	while ((warning = capture_stream_warning(stream))) {
		g_assert(g_str_has_prefix(warning, "fuzz: "));
		warnings++;
	}
	g_assert(warnings <= 103);
	g_assert(!capture_stream_next(stream, &item));
	counts = *capture_stream_counts(stream);
	g_assert(counts.frames == frames);
	capture_stream_close(stream);
	return counts;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char message[512] = "", other[512] = "";
	struct capture_counts counts = read_all(data, size, message, sizeof(message));
	struct capture *capture = capture_parse(data, size, "fuzz", other, sizeof(other));
	uint64_t sum = 0;

	g_assert(strcmp(message, other) == 0 && !capture == (*other != '\0'));
	if (!capture)
		return 0;
	for (unsigned int cause = 0; cause < CAPTURE_CAUSES; cause++)
		sum += counts.causes[cause];
	g_assert(sum + counts.notes == counts.frames);
	g_assert(counts.mads + counts.notes + counts.skipped + counts.damaged == counts.frames);
	g_assert(memcmp(&counts, &capture->counts, sizeof(counts)) == 0);
	g_assert(capture->mad_count == counts.mads && capture->note_count == counts.notes);
	g_assert(!capture->counts.backwards ||
		 capture_put_in_order(capture, true, other, sizeof(other)) == 0);
	for (size_t i = 1; i < capture->mad_count; i++)
		g_assert(capture->mads[i - 1].time_ns <= capture->mads[i].time_ns);
	capture_free(capture);
	return 0;
}
