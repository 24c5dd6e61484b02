/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A capture as lines. See harness/show/lines.h.
 *
 * Columns are as wide as what has been seen needs, so that nothing has to be read twice: they grow
 * with the first lines, if at all.
 */
#include "harness/show/lines.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "harness/show/mad-address.h"
#include "harness/show/mad-detail.h"
#include "harness/show/mad-text.h"
#include "harness/show/why.h"
#include "lib/base/wire.h"

enum {
	FRAME_WIDTH = 6,
	TIME_WIDTH = 16,
	FOLD_INDENT = 8,
	SOURCE_WIDTH = 11,		/* "LID 123 QP1" */
	HELD_MAX = 1 << 16,		/* bytes */
};

struct lines {
	struct view view;
	struct text text;
	size_t port_width, source_width, destination_width;
};

static struct view *lines_new(const struct view_setup *setup)
{
	struct lines *lines = g_new0(struct lines, 1);

	(void)setup;
	lines->source_width = lines->destination_width = SOURCE_WIDTH;
	return &lines->view;
}

static void flush(struct view *view)
{
	struct lines *lines = (struct lines *)view;

	text_write(&lines->text, view->setup.stream);
}

/* Pads what is in a column from 'from' on; what is wider makes the column wider. */
static void end_column(struct text *out, size_t from, size_t *width)
{
	*width = MAX(*width, out->length - from);
	text_pad(out, from, *width);
}

static void append_begin(struct text *out, struct show_clock *clock, unsigned int frame,
			 int64_t time_ns)
{
	text_number_right(out, frame, FRAME_WIDTH);
	text_char(out, ' ');
	show_clock_append(clock, out, time_ns, TIME_WIDTH);
	text_bytes(out, "  ", 2);
}

/* The port where the record was taken, and whether the MAD came or left. */
static void append_port(struct text *out, const struct capture_mad *mad, size_t *width)
{
	size_t from = out->length;

	if (mad->interface_name)
		text_clean(out, mad->interface_name);
	end_column(out, from, width);
	if (*width == 0)
		return;
	text_char(out, ' ');
	text_char(out, mad->direction == CAPTURE_INBOUND ? '<' :
		  mad->direction == CAPTURE_OUTBOUND ? '>' : ' ');
	text_bytes(out, "  ", 2);
}

static void append_qp(struct text *out, uint32_t qp)
{
	text_bytes(out, " QP", 3);
	text_number(out, qp);
}

static void append_ends(struct text *out, const struct capture_mad *mad, struct lines *lines)
{
	size_t from = out->length;

	mad_text_source(out, mad);
	append_qp(out, mad->addr.src_qp);
	end_column(out, from, &lines->source_width);
	text_bytes(out, " -> ", 4);
	from = out->length;
	mad_text_destination(out, mad);
	append_qp(out, mad->addr.dest_qp);
	end_column(out, from, &lines->destination_width);
	text_bytes(out, "  ", 2);
}

/* What is unusual about the packet around the MAD. */
static void append_packet(struct text *out, const struct capture_mad *mad)
{
	if (mad->transport == CAPTURE_INFINIBAND && mad->addr.has_grh) {
		text_words(out, " sgid=");
		mad_text_gid(out, mad->addr.sgid);
		text_words(out, " dgid=");
		mad_text_gid(out, mad->addr.dgid);
	}
	if (mad->addr.sl) {
		text_words(out, " sl=");
		text_number(out, mad->addr.sl);
	}
	if (mad->addr.pkey != PKEY_DEFAULT) {
		text_words(out, " pkey=");
		text_hex(out, mad->addr.pkey, 4);
	}
	if (mad->addr.dest_qp == 1 && mad->addr.qkey != QKEY_GSI) {
		text_words(out, " qkey=");
		text_hex(out, mad->addr.qkey, 8);
	}
	if (mad->icrc_wrong)
		text_words(out, " (ICRC wrong)");
	if (mad->vcrc_wrong)
		text_words(out, " (VCRC wrong)");
}

static void lines_mad(struct view *view, const struct capture_mad *mad)
{
	struct lines *lines = (struct lines *)view;
	struct text *out = &lines->text;

	append_begin(out, view->setup.clock, mad->frame, mad->time_ns);
	append_port(out, mad, &lines->port_width);
	append_ends(out, mad, lines);
	mad_text_line(out, mad->mad);
	append_packet(out, mad);
	if (mad->comment) {
		text_words(out, "  # ");
		text_clean(out, mad->comment);
	}
	text_char(out, '\n');
	if (view->setup.verbose)
		mad_detail(out, mad, view->setup.headers);
	if (out->length > HELD_MAX)
		flush(view);
}

static void append_count(struct text *out, unsigned int count, const char *one, const char *many)
{
	text_number(out, count);
	text_char(out, ' ');
	text_words(out, count == 1 ? one : many);
}

/* "7 records of 64 bytes", and what is missing. */
static void append_contents(struct text *out, const struct rmpp_message *message)
{
	size_t count = rmpp_record_count(message);

	text_words(out, " message of ");
	if (message->record_size)
		text_format(out, "%zu %s, ", count, count == 1 ? "record" : "records");
	text_format(out, "%zu bytes", message->size);
	if (rmpp_end_words(message->end))
		text_format(out, ", incomplete: %s", rmpp_end_words(message->end));
	if (!message->begins)
		text_words(out, ", and its beginning is missing");
}

static void append_records(struct view *view, const struct rmpp_message *message)
{
	struct text *out = &((struct lines *)view)->text;
	size_t record = message->record_size ? message->record_size : message->size;
	size_t count = rmpp_record_count(message), number = 1;

	mad_detail_packet(out, &message->head, view->setup.headers);
	mad_detail_headers(out, message->head.mad);
	for (size_t at = 0; at < message->size; at += record, number++) {
		mad_detail_record(out, message->head.mad, message->data + at,
				  MIN(record, message->size - at), number, count);
		if (out->length > HELD_MAX)
			flush(view);
	}
}

static void lines_message(struct view *view, const struct rmpp_message *message)
{
	struct lines *lines = (struct lines *)view;
	struct text *out = &lines->text;
	uint8_t mad[MAD_SIZE];

	append_begin(out, view->setup.clock, message->head.frame, message->head.time_ns);
	append_port(out, &message->head, &lines->port_width);
	append_ends(out, &message->head, lines);
	/* What the first segment's RMPP header says is not true of the message. */
	memcpy(mad, message->head.mad, sizeof(mad));
	mad[RMPP_FLAGS] &= (uint8_t)~RMPP_FLAG_ACTIVE;
	mad_text_line(out, mad);
	append_contents(out, message);
	append_packet(out, &message->head);
	text_char(out, '\n');
	if (view->setup.verbose)
		append_records(view, message);
	text_blanks(out, FOLD_INDENT);
	append_count(out, message->segments, "segment", "segments");
	if (message->repeats) {
		text_words(out, " (");
		append_count(out, message->repeats, "came", "came");
		text_words(out, " again)");
	}
	if (message->acks) {
		text_words(out, ", ");
		append_count(out, message->acks, "ACK", "ACKs");
	}
	text_format(out, message->first_frame == message->last_frame ? ", frame %u\n" :
		    ", frames %u..%u\n", message->first_frame, message->last_frame);
	if (out->length > HELD_MAX)
		flush(view);
}

static void lines_note(struct view *view, const struct capture_note *note)
{
	struct lines *lines = (struct lines *)view;

	append_begin(&lines->text, view->setup.clock, note->frame, note->time_ns);
	text_words(&lines->text, "# ");
	text_clean(&lines->text, note->text);
	text_char(&lines->text, '\n');
}

static void lines_end(struct view *view, const struct capture_counts *counts, uint64_t shown)
{
	struct lines *lines = (struct lines *)view;
	struct text *out = &lines->text;

	text_format(out, "# %" PRIu64 " frames: %" PRIu64 " MADs", counts->frames, counts->mads);
	if (view->setup.filter)
		text_format(out, " (%" PRIu64 " shown)", shown);
	if (counts->notes)
		text_format(out, ", %" PRIu64 " notes", counts->notes);
	text_format(out, ", %" PRIu64 " others, %" PRIu64 " damaged\n", counts->skipped,
		    counts->damaged);
	flush(view);
	show_causes(counts, view->setup.stream);
	text_clear(out);
	g_free(lines);
}

const struct view_kind lines_view = {
	.new = lines_new, .mad = lines_mad, .message = lines_message, .note = lines_note,
	.idle = flush, .end = lines_end,
};
