/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Captures as a whole: the items of a stream, gathered in arrays.
 */
#include "sim/capture/capture.h"

#include <glib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/capture/container.h"
#include "sim/capture/stream.h"

enum { MADS_FIRST = 64 };	/* room at first */

/* Adds a MAD; unused room for more does not take up real memory. */
static void add_mad(struct capture *capture, size_t *room, const struct capture_mad *mad)
{
	struct capture_mad *place;

	if (capture->mad_count == *room) {
		*room = *room ? *room + *room / 2 : MADS_FIRST;
		capture->mads = g_renew(struct capture_mad, capture->mads, *room);
	}
	place = &capture->mads[capture->mad_count++];
	*place = *mad;
	place->comment = capture_names_copy(capture->names, mad->comment);
}

static void add_note(struct capture *capture, const struct capture_note *note)
{
	struct capture_note *place;

	/* At each power of two the room is used up. */
	if (!(capture->note_count & (capture->note_count - 1)))
		capture->notes = g_renew(struct capture_note, capture->notes,
					 MAX(2 * capture->note_count, 1));
	place = &capture->notes[capture->note_count++];
	*place = *note;
	place->text = capture_names_copy(capture->names, note->text);
}

static void add_warnings(GPtrArray *warnings, struct capture_stream *stream)
{
	const char *warning;

	while ((warning = capture_stream_warning(stream)))
		g_ptr_array_add(warnings, g_strdup(warning));
}

/* Reads the whole stream. */
static struct capture *gather(struct capture_stream *stream)
{
	GPtrArray *warnings = g_ptr_array_new();
	struct capture *capture;
	struct capture_item item;
	size_t room = 0;

	capture = g_new0(struct capture, 1);
	capture->file = g_strdup(capture_stream_file(stream));
	capture->names = capture_stream_take_names(stream);
	while (capture_stream_next(stream, &item)) {
		if (item.mad)
			add_mad(capture, &room, item.mad);
		else
			add_note(capture, item.note);
		add_warnings(warnings, stream);
	}
	add_warnings(warnings, stream);
	g_ptr_array_add(warnings, NULL);
	capture->warnings = (char **)g_ptr_array_free(warnings, false);
	capture->mads = g_renew(struct capture_mad, capture->mads, capture->mad_count);
	capture->counts = *capture_stream_counts(stream);
	capture->first_ns = capture_stream_first_ns(stream);
	return capture;
}

struct capture *capture_parse(const uint8_t *data, size_t size, const char *name, char *reterr,
			      size_t reterr_size)
{
	struct capture_stream *stream = capture_stream_parse(data, size, name, CAPTURE_CHECK_CRCS,
							     reterr, reterr_size);

	struct capture *capture = stream ? gather(stream) : NULL;

	capture_stream_close(stream);
	return capture;
}

struct capture *capture_read_within(const char *path, uint64_t size_max, char *reterr,
				    size_t reterr_size)
{
	struct capture_stream *stream = capture_stream_open(path, CAPTURE_CHECK_CRCS, reterr,
							    reterr_size);
	struct capture *capture;
	bool is_too_large;

	if (!stream)
		return NULL;
	capture_stream_limit(stream, size_max ? size_max : CAPTURE_UNPACKED_MAX);
	capture = gather(stream);
	is_too_large = capture_stream_is_too_large(stream, reterr, reterr_size);
	capture_stream_close(stream);
	if (!is_too_large)
		return capture;
	capture_free(capture);
	return NULL;
}

struct capture *capture_read(const char *path, char *reterr, size_t reterr_size)
{
	return capture_read_within(path, 0, reterr, reterr_size);
}

const struct capture_interface *capture_interface(const struct capture *capture,
						  unsigned int number)
{
	return capture_names_get(capture->names, number);
}

void capture_free(struct capture *capture)
{
	if (!capture)
		return;
	capture_names_free(capture->names);
	g_free(capture->mads);
	g_free(capture->notes);
	g_strfreev(capture->warnings);
	g_free(capture->file);
	g_free(capture);
}

bool capture_is_capture(const char *path)
{
	char message[512];
	struct capture_source *source;
	enum container_format format;
	bool is_called = strstr(path, ".pcap") || strstr(path, ".cap") || strstr(path, ".erf") ||
			 g_str_has_suffix(path, ".tar.zst");
	bool is_compressed;
	struct stat st;

	/* Bytes taken out of a pipe here would be missing later. */
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	source = capture_source_open(path, message, sizeof(message));
	if (!source)
		return is_called;
	format = container_format(source, path);
	is_compressed = capture_source_is_compressed(source);
	capture_source_free(source);
	switch (format) {
	case CONTAINER_PCAP:
	case CONTAINER_PCAPNG:
	case CONTAINER_ERF:
		return true;
	case CONTAINER_NONE:
	case CONTAINER_TOO_SHORT:
		break;
	}
	return is_compressed && is_called;
}
