/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A capture as JSON. See harness/show/json-lines.h.
 */
#include "harness/show/json-lines.h"

#include <glib.h>
#include <string.h>

#include "harness/show/json-field.h"
#include "harness/show/mad-text.h"
#include "harness/show/packet-header.h"
#include "harness/show/text.h"
#include "sim/dictionary/mad-header.h"
#include "lib/base/wire.h"

enum { HELD_MAX = 1 << 16 };	/* bytes */

struct json_lines {
	struct view view;
	struct json_writer out;
	struct text held;	/* what goes to the stream in one piece */
	struct text time;	/* of a line, where it is no number */
};

static void hold(void *ctx, const char *bytes, size_t size)
{
	struct json_lines *json = ctx;

	text_bytes(&json->held, bytes, size);
	if (json->held.length > HELD_MAX)
		text_write(&json->held, json->view.setup.stream);
}

static struct view *json_new(const struct view_setup *setup)
{
	struct json_lines *json = g_new0(struct json_lines, 1);

	(void)setup;
	json_writer_init(&json->out, JSON_ASCII, hold, json);
	return &json->view;
}

static void flush(struct view *view)
{
	struct json_lines *json = (struct json_lines *)view;

	json_flush(&json->out);
	text_write(&json->held, view->setup.stream);
}

static void end_line(struct json_writer *out)
{
	json_close(out, '}');
	json_end_line(out);
}

static void begin_line(struct json_lines *lines, const char *kind, unsigned int frame,
		       int64_t time_ns)
{
	struct show_clock *clock = lines->view.setup.clock;
	struct json_writer *out = &lines->out;

	json_open(out, '{');
	json_string(json_name(out, "kind"), kind);
	json_number(json_name(out, "frame"), frame);
	json_number(json_name(out, "time_ns"), time_ns);
	if (clock->form == SHOW_RELATIVE)
		return;
	lines->time.length = 0;
	show_clock_append(clock, &lines->time, time_ns, 0);
	text_char(&lines->time, '\0');
	json_string(json_name(out, "time"), lines->time.bytes);
}

static void append_capture(struct json_writer *out, const struct capture_mad *mad)
{
	static const char *const transports[] = {
		[CAPTURE_INFINIBAND] = "InfiniBand", [CAPTURE_ROCE_V1] = "RoCE v1",
		[CAPTURE_ROCE_V2] = "RoCE v2",
	};

	if (mad->interface_name)
		json_string(json_name(out, "port"), mad->interface_name);
	if (mad->direction != CAPTURE_DIRECTION_UNKNOWN)
		json_string(json_name(out, "direction"),
			    mad->direction == CAPTURE_INBOUND ? "in" : "out");
	json_string(json_name(out, "transport"), transports[mad->transport]);
	if (mad->icrc_wrong || mad->vcrc_wrong)
		json_string(json_name(out, "wrong_crc"), mad->icrc_wrong ? "ICRC" : "VCRC");
	if (mad->comment)
		json_string(json_name(out, "comment"), mad->comment);
}

/* The names of what the numbers in the header are. */
static void append_names(struct json_writer *out, const uint8_t *mad)
{
	const struct mad_class_info *info = mad_class_find(mad[MAD_CLASS]);
	char name[MAD_NAME_SIZE];

	json_name(out, "class");
	if (info)
		json_string(out, info->name);
	else
		json_hex(out, mad[MAD_CLASS], 2);
	mad_method_format(mad[MAD_CLASS], mad[MAD_METHOD], name, sizeof(name));
	json_string(json_name(out, "method"), name);
	mad_attribute_format(mad[MAD_CLASS], get_be16(mad + MAD_ATTR_ID), name, sizeof(name));
	json_string(json_name(out, "attribute"), name);
	if (mad_status_words(mad_plain_status(mad)))
		json_string(json_name(out, "error"), mad_status_words(mad_plain_status(mad)));
}

static void append_packet(struct json_writer *out, const struct capture_mad *mad,
			  const struct capture_headers *headers)
{
	struct packet packet;
	size_t at;

	packet_of_mad(&packet, mad, headers);
	for (const struct mad_header *header = mad_headers();
	     header->name && header->base == MAD_HEADER_OF_PACKET; header++) {
		if (!packet_header_at(mad, header, &at))
			continue;
		json_fields(json_name(out, header->name), header->fields, packet.bytes + at);
	}
}

static void append_headers(struct json_writer *out, const uint8_t *mad)
{
	for (const struct mad_header *header = mad_headers(); header->name; header++) {
		if (header->base != MAD_HEADER_OF_MAD || !header->applies(mad[MAD_CLASS]))
			continue;
		if (strcmp(header->name, "RMPP") == 0 && !mad_has_active_rmpp(mad))
			continue;
		json_fields(json_name(out, header->name), header->fields, mad);
	}
}

/* Of a notice, the details of its trap, too. */
static void attribute_fields(struct json_writer *out, const struct mad_attribute *attribute,
			     const uint8_t *data)
{
	const struct mad_field *details = mad_details_of(attribute, data);

	json_open(out, '{');
	json_members(out, attribute->fields, data);
	if (details) {
		json_fields(json_name(out, "Details"), details, data);
	}
	json_close(out, '}');
}

/* The attribute's fields where it is known and all there, else bytes. */
static void append_attribute(struct json_writer *out, const struct mad_attribute *attribute,
			     const uint8_t *data, size_t size)
{
	if (attribute && attribute->fields && attribute->size <= size)
		attribute_fields(out, attribute, data);
	else
		json_bytes(out, data, size);
}

static const struct mad_attribute *attribute_of(const uint8_t *mad)
{
	return mad_attribute_find(mad[MAD_CLASS], get_be16(mad + MAD_ATTR_ID));
}

static void append_data(struct json_writer *out, const uint8_t *mad)
{
	const struct mad_class_info *info = mad_class_find(mad[MAD_CLASS]);
	const struct mad_attribute *attribute = attribute_of(mad);
	size_t at = info ? info->data_at : MAD_HDR_SIZE;
	size_t end = mad_class_is_smp(mad[MAD_CLASS]) ? SMP_INITIAL_PATH : MAD_SIZE;
	bool known = attribute && attribute->fields && mad_begins_attribute(mad);

	append_attribute(json_name(out, known ? "fields" : "data"), known ? attribute : NULL,
			 mad + at, end - at);
}

static void json_mad(struct view *view, const struct capture_mad *mad)
{
	struct json_writer *out = &((struct json_lines *)view)->out;

	begin_line((struct json_lines *)view, "mad", mad->frame, mad->time_ns);
	append_capture(out, mad);
	append_names(out, mad->mad);
	append_packet(out, mad, view->setup.headers);
	append_headers(out, mad->mad);
	append_data(out, mad->mad);
	end_line(out);
}

static void append_records(struct json_writer *out, const struct rmpp_message *message)
{
	const struct mad_attribute *attribute = attribute_of(message->head.mad);

	if (!message->record_size || !attribute || !attribute->fields) {
		json_bytes(json_name(out, "data"), message->data, message->size);
		return;
	}
	json_open(json_name(out, "records"), '[');
	for (size_t at = 0; at < message->size; at += message->record_size)
		append_attribute(out, attribute, message->data + at,
				 MIN(message->record_size, message->size - at));
	json_close(out, ']');
}

static void json_message(struct view *view, const struct rmpp_message *message)
{
	struct json_writer *out = &((struct json_lines *)view)->out;

	begin_line((struct json_lines *)view, "message", message->head.frame,
		   message->head.time_ns);
	append_capture(out, &message->head);
	append_names(out, message->head.mad);
	append_packet(out, &message->head, view->setup.headers);
	append_headers(out, message->head.mad);
	json_bool(json_name(out, "whole"), message->end == RMPP_WHOLE);
	if (rmpp_end_words(message->end))
		json_string(json_name(out, "incomplete"), rmpp_end_words(message->end));
	json_number(json_name(out, "segments"), message->segments);
	json_number(json_name(out, "repeats"), message->repeats);
	json_number(json_name(out, "acks"), message->acks);
	json_number(json_name(out, "first_frame"), message->first_frame);
	json_number(json_name(out, "size"), (int64_t)message->size);
	append_records(out, message);
	end_line(out);
}

static void json_note(struct view *view, const struct capture_note *note)
{
	struct json_writer *out = &((struct json_lines *)view)->out;

	begin_line((struct json_lines *)view, "note", note->frame, note->time_ns);
	json_string(json_name(out, "text"), note->text);
	end_line(out);
}

static void json_end(struct view *view, const struct capture_counts *counts, uint64_t shown)
{
	(void)counts;
	(void)shown;
	flush(view);
	text_clear(&((struct json_lines *)view)->held);
	text_clear(&((struct json_lines *)view)->time);
	g_free(view);
}

const struct view_kind json_view = {
	.new = json_new, .mad = json_mad, .message = json_message, .note = json_note,
	.idle = flush, .end = json_end,
};
