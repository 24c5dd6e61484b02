/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Captures, item by item: see sim/capture/stream.h. A source has the bytes, a container makes
 * frames of them, and the reader of its link type takes each frame apart.
 */
#include "sim/capture/stream.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "sim/capture/container.h"

enum {
	WARNINGS_MAX = 100,	/* the rest is only counted */
};

struct capture_stream {
	char *file;
	struct capture_source *source;
	struct capture_container *container;
	struct capture_names *names;
	bool owns_names;
	unsigned int flags;

	struct capture_frame frame;	/* the next, if 'ahead' is 1 */
	int ahead;			/* the container's last result */
	bool is_ahead;			/* it has not been handed out yet */
	char broken[FRAME_WHY_SIZE];	/* if it is negative: why */
	bool over;

	struct frame_result result;
	struct capture_note note;
	char *note_text;

	struct capture_counts counts;
	bool started;
	int64_t first_ns;
	int64_t previous_ns;		/* since the first frame, of the frame before */
	bool had_mad;
	int64_t last_mad_ns;

	GQueue warnings;		/* of char *, not yet fetched */
	char *fetched;			/* the last one fetched */
	unsigned int warned;
	uint64_t warnings_left_out;
	GArray *skipped_types;		/* of uint32_t: link types not read, each reported once */
};

/* ---- warnings ---- */

static void G_GNUC_PRINTF(2, 3) always_warn(struct capture_stream *stream, const char *format, ...)
{
	va_list args;
	g_autofree char *text = NULL;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	g_queue_push_tail(&stream->warnings, g_strdup_printf("%s: %s", stream->file, text));
}

/* Is there room for one more? Otherwise it is counted. */
static bool may_warn(struct capture_stream *stream)
{
	if (stream->warned == WARNINGS_MAX) {
		stream->warnings_left_out++;
		return false;
	}
	stream->warned++;
	return true;
}

const char *capture_stream_warning(struct capture_stream *stream)
{
	g_free(stream->fetched);
	stream->fetched = g_queue_pop_head(&stream->warnings);
	return stream->fetched;
}

/* ---- link types ---- */

typedef enum capture_cause read_bytes_fn(const uint8_t *bytes, size_t captured, size_t original,
					 struct frame_result *result);

/* The link types that are read. */
static const struct link_type {
	uint32_t number;
	const char *name;		/* NULL: another number of the one above */
	read_bytes_fn *read;		/* NULL: frame_read_erf(), which needs the whole frame */
} link_types[] = {
	{ LINKTYPE_INFINIBAND, "InfiniBand", frame_read_infiniband },
	{ LINKTYPE_ERF, "ERF", NULL },
	{ LINKTYPE_ETHERNET, "Ethernet", frame_read_ethernet },
	{ LINKTYPE_LINUX_SLL, "Linux cooked", frame_read_sll },
	{ LINKTYPE_LINUX_SLL2, "Linux cooked v2", frame_read_sll2 },
	{ LINKTYPE_RAW, "raw IP", frame_read_ip },
	{ LINKTYPE_RAW_LINUX, NULL, frame_read_ip },
	{ LINKTYPE_RAW_BSD, NULL, frame_read_ip },
	{ LINKTYPE_IPV4, NULL, frame_read_ip },
	{ LINKTYPE_IPV6, NULL, frame_read_ip },
};

const char *capture_link_type(unsigned int at, uint32_t *ret_number)
{
	if (at >= G_N_ELEMENTS(link_types))
		return NULL;
	*ret_number = link_types[at].number;
	return link_types[at].name ? link_types[at].name : "";
}

static const struct link_type *find_link_type(uint32_t number)
{
	for (size_t i = 0; i < G_N_ELEMENTS(link_types); i++)
		if (link_types[i].number == number)
			return &link_types[i];
	return NULL;
}

/* "InfiniBand (247), ERF (197), ..., raw IP (101, 12, 14)", to be freed with g_free(). */
static char *link_type_names(void)
{
	GString *text = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(link_types); i++) {
		const struct link_type *type = &link_types[i];

		if (type->name)
			g_string_append_printf(text, "%s%s (%" G_GUINT32_FORMAT, !i ? "" : "), ",
					       type->name, type->number);
		else
			g_string_append_printf(text, ", %" G_GUINT32_FORMAT, type->number);
	}
	g_string_append_c(text, ')');
	return g_string_free(text, false);
}

static void say_link_type(struct capture_stream *stream, uint32_t link_type)
{
	g_autofree char *names = NULL;

	for (guint i = 0; i < stream->skipped_types->len; i++) {
		if (g_array_index(stream->skipped_types, uint32_t, i) == link_type)
			return;
	}
	/* A file usually has few; the list must not grow without limit. */
	if (stream->skipped_types->len == WARNINGS_MAX || !may_warn(stream))
		return;
	g_array_append_val(stream->skipped_types, link_type);
	names = link_type_names();
	always_warn(stream, "frame %" G_GUINT64_FORMAT " and others of link type %"
		    G_GUINT32_FORMAT " are skipped: read are %s", stream->counts.frames, link_type,
		    names);
}

/* ---- frames ---- */

/* The time of a frame since the first one; a frame without a time has that of the one before. */
static int64_t since_first(struct capture_stream *stream, const struct capture_frame *frame,
			   int64_t epoch_ns)
{
	int64_t time_ns;

	if (frame->timeless)
		return stream->previous_ns;
	if (!stream->started) {
		stream->started = true;
		stream->first_ns = epoch_ns;
	}
	if (__builtin_sub_overflow(epoch_ns, stream->first_ns, &time_ns))
		time_ns = epoch_ns < 0 ? INT64_MIN : INT64_MAX;
	stream->previous_ns = time_ns;
	return time_ns;
}

static void take_note(struct capture_stream *stream, struct capture_item *ret)
{
	g_free(stream->note_text);
	stream->note_text = g_utf8_make_valid(stream->frame.note, -1);
	stream->counts.notes++;
	stream->note = (struct capture_note){
		.frame = (unsigned int)stream->counts.frames,
		.time_ns = since_first(stream, &stream->frame, stream->frame.epoch_ns),
		.text = stream->note_text,
	};
	*ret = (struct capture_item){
		.kind = CAPTURE_ITEM_NOTE,
		.frame = stream->note.frame,
		.time_ns = stream->note.time_ns,
		.note = &stream->note,
		.why = "",
	};
}

/* Reads the frame into 'result', which begins with what the file says about it. */
static enum capture_cause read_frame(struct capture_stream *stream)
{
	const struct capture_frame *frame = &stream->frame;
	const struct link_type *type = find_link_type(frame->link_type);
	struct frame_result *result = &stream->result;
	enum capture_cause cause;

	/* The MAD itself is either complete or not there. */
	memset(&result->mad, 0, offsetof(struct capture_mad, mad));
	memset(&result->headers, 0, sizeof(result->headers));
	result->mad.frame = (unsigned int)stream->counts.frames;
	result->mad.direction = frame->direction;
	result->mad.comment = frame->comment;
	result->mad.interface_name = frame->interface_name;
	result->has_interface = frame->interface >= 0;
	if (result->has_interface)
		result->mad.interface = (unsigned int)frame->interface;
	result->epoch_ns = frame->epoch_ns;
	*result->why = '\0';
	if (!type) {
		say_link_type(stream, frame->link_type);
		return CAUSE_LINK_TYPE;
	}
	cause = !type->read ? frame_read_erf(frame, result) :
		type->read(frame->bytes, frame->captured, MAX(frame->original, frame->captured),
			   result);
	if (cause == CAUSE_NONE && result->mad.mad[MAD_BASE_VERSION] != 1)
		cause = CAUSE_BASE_VERSION;
	if (*result->why && !(stream->flags & CAPTURE_EVERY_FRAME) && may_warn(stream))
		always_warn(stream, "frame %u: %s", result->mad.frame, result->why);
	return cause;
}

static void take_mad(struct capture_stream *stream)
{
	const struct capture_mad *mad = &stream->result.mad;

	stream->counts.mads++;
	if (stream->had_mad && mad->time_ns < stream->last_mad_ns &&
	    !stream->counts.backwards++)
		stream->counts.first_backwards = mad->frame;
	stream->had_mad = true;
	stream->last_mad_ns = mad->time_ns;
}

/* Takes a packet; false: it is not to be handed out. */
static bool take_packet(struct capture_stream *stream, struct capture_item *ret)
{
	struct frame_result *result = &stream->result;
	enum capture_cause cause = read_frame(stream);
	enum frame_kind kind = capture_cause_info(cause)->kind;

	result->mad.time_ns = since_first(stream, &stream->frame, result->epoch_ns);
	stream->counts.causes[cause]++;
	switch (kind) {
	case FRAME_OTHER:
		stream->counts.skipped++;
		break;
	case FRAME_DAMAGED:
		stream->counts.damaged++;
		break;
	case FRAME_MAD:
		take_mad(stream);
		break;
	}
	*ret = (struct capture_item){
		.kind = kind == FRAME_MAD ? CAPTURE_ITEM_MAD : CAPTURE_ITEM_UNUSED,
		.frame = result->mad.frame,
		.time_ns = result->mad.time_ns,
		.mad = kind == FRAME_MAD ? &result->mad : NULL,
		.headers = kind == FRAME_MAD ? &result->headers : NULL,
		.cause = cause,
		.why = result->why,
	};
	return kind == FRAME_MAD || (stream->flags & CAPTURE_EVERY_FRAME);
}

/* Gets the next frame from the container. */
static void look_ahead(struct capture_stream *stream)
{
	const char *failure;

	if (stream->is_ahead)
		return;
	stream->is_ahead = true;
	stream->ahead = stream->container->next(stream->container, &stream->frame,
						stream->broken);
	/* If the bytes end too early, the source knows the reason better. */
	failure = capture_source_failure(stream->source);
	if (stream->ahead <= 0 && failure) {
		stream->ahead = -EBADMSG;
		frame_say(stream->broken, "%s", failure);
	}
}

static void say_end(struct capture_stream *stream)
{
	const struct capture_counts *counts = &stream->counts;

	if (counts->backwards)
		always_warn(stream, "time goes backwards at frame %u%s: %" G_GUINT64_FORMAT
			    " of its MADs %s earlier than the MAD before",
			    counts->first_backwards, counts->backwards > 1 ? " first" : "",
			    counts->backwards, counts->backwards > 1 ? "are" : "is");
	if (stream->ahead < 0)
		always_warn(stream, "after frame %" G_GUINT64_FORMAT " the file is damaged or was "
			    "cut: %s; what is before was read", counts->frames, stream->broken);
	if (stream->warnings_left_out)
		always_warn(stream, "%" G_GUINT64_FORMAT " more warnings like these are left out",
			    stream->warnings_left_out);
}

bool capture_stream_next(struct capture_stream *stream, struct capture_item *ret)
{
	while (!stream->over) {
		look_ahead(stream);
		if (stream->ahead <= 0) {
			stream->over = true;
			say_end(stream);
			break;
		}
		stream->is_ahead = false;
		stream->counts.frames++;
		if (stream->frame.note) {
			take_note(stream, ret);
			return true;
		}
		if (take_packet(stream, ret))
			return true;
	}
	return false;
}

/* ---- beginning and end ---- */

static bool is_text(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (bytes[i] == 0x7f || (bytes[i] < ' ' && !memchr("\t\n\r", bytes[i], 3)))
			return false;
	}
	return size > 0;
}

void capture_say_no_format(const uint8_t *bytes, size_t size, const char *name, char *reterr,
			   size_t reterr_size)
{
	if (size == 0)
		snprintf(reterr, reterr_size, "%s: cannot be read: the file is empty", name);
	else if (is_text(bytes, MIN(size, ERF_HEADER_SIZE)))
		snprintf(reterr, reterr_size, "%s: this is text, not a capture ('umadrig "
			 "topology' reads fabrics, 'umadrig run' scripts)", name);
	else
		snprintf(reterr, reterr_size, "%s: neither pcap nor pcapng nor ERF; if Wireshark "
			 "opens it, convert it: editcap -F pcapng %s OUT.pcapng", name, name);
}

/* More bytes than have been waited for already are not asked for. */
static void say_no_format(struct capture_stream *stream, char *reterr, size_t reterr_size)
{
	size_t there;
	const uint8_t *bytes = capture_source_peek(stream->source, ERF_HEADER_SIZE, &there);

	capture_say_no_format(bytes, there, stream->file, reterr, reterr_size);
}

/* The container for these bytes; NULL with a message in 'reterr'. */
static struct capture_container *find_container(struct capture_stream *stream, char *reterr,
						size_t reterr_size)
{
	const char *name = stream->file, *failure;
	struct capture_container *container = NULL;
	char why[FRAME_WHY_SIZE] = "";

	switch (container_format(stream->source, name)) {
	case CONTAINER_PCAP:
		container = pcap_direct_open(stream->source);
		if (!container)
			container = pcap_file_open(stream->source, why);
		break;
	case CONTAINER_PCAPNG:
		return pcapng_open(stream->source, stream->names);
	case CONTAINER_ERF:
		return erf_file_open(stream->source);
	case CONTAINER_TOO_SHORT:
		frame_say(why, "the file is %s", capture_source_ended(stream->source) ? "empty" :
			  "too short to be a capture");
		break;
	case CONTAINER_NONE:
		say_no_format(stream, reterr, reterr_size);
		return NULL;
	}
	failure = capture_source_failure(stream->source);
	if (!container)
		snprintf(reterr, reterr_size, "%s: cannot be read: %s", name,
			 failure ? failure : why);
	return container;
}

/* NULL with a message: 'source', which is NULL where that has failed, is freed. */
static struct capture_stream *stream_new(struct capture_source *source, const char *name,
					 unsigned int flags, char *reterr, size_t reterr_size)
{
	struct capture_stream *stream;

	if (!source)
		return NULL;
	stream = g_new0(struct capture_stream, 1);
	stream->file = g_strdup(name);
	stream->source = source;
	stream->flags = flags;
	stream->names = capture_names_new();
	stream->owns_names = true;
	stream->result.check_crcs = flags & CAPTURE_CHECK_CRCS;
	stream->skipped_types = g_array_new(false, false, sizeof(uint32_t));
	g_queue_init(&stream->warnings);
	stream->container = find_container(stream, reterr, reterr_size);
	if (stream->container) {
		look_ahead(stream);
		if (stream->ahead >= 0)
			return stream;
		snprintf(reterr, reterr_size, "%s: cannot be read: %s", name, stream->broken);
	}
	capture_stream_close(stream);
	return NULL;
}

struct capture_stream *capture_stream_open(const char *path, unsigned int flags, char *reterr,
					   size_t reterr_size)
{
	return stream_new(capture_source_open(path, reterr, reterr_size),
			  strcmp(path, "-") == 0 ? "standard input" : path, flags, reterr,
			  reterr_size);
}

struct capture_stream *capture_stream_parse(const uint8_t *data, size_t size, const char *name,
					    unsigned int flags, char *reterr, size_t reterr_size)
{
	return stream_new(capture_source_memory(data, size, name, reterr, reterr_size), name,
			  flags, reterr, reterr_size);
}

void capture_stream_limit(struct capture_stream *stream, uint64_t size_max)
{
	capture_source_limit(stream->source, size_max);
}

bool capture_stream_is_too_large(const struct capture_stream *stream, char *reterr,
				 size_t reterr_size)
{
	if (!capture_source_is_too_large(stream->source))
		return false;
	snprintf(reterr, reterr_size, "%s: %s: unpack it first, or allow more: --max-size=SIZE, "
		 "or max-size=SIZE after the name of a fabric", stream->file,
		 capture_source_failure(stream->source));
	return true;
}

void capture_stream_close(struct capture_stream *stream)
{
	if (!stream)
		return;
	if (stream->container)
		stream->container->free(stream->container);
	capture_source_free(stream->source);
	if (stream->owns_names)
		capture_names_free(stream->names);
	g_queue_clear_full(&stream->warnings, g_free);
	g_array_free(stream->skipped_types, true);
	g_free(stream->fetched);
	g_free(stream->note_text);
	g_free(stream->file);
	g_free(stream);
}

const struct capture_counts *capture_stream_counts(const struct capture_stream *stream)
{
	return &stream->counts;
}

const char *capture_stream_file(const struct capture_stream *stream)
{
	return stream->file;
}

int64_t capture_stream_first_ns(const struct capture_stream *stream)
{
	return stream->first_ns;
}

const struct capture_interface *capture_stream_interface(const struct capture_stream *stream,
							 unsigned int number)
{
	return capture_names_get(stream->names, number);
}

struct capture_names *capture_stream_take_names(struct capture_stream *stream)
{
	stream->owns_names = false;
	return stream->names;
}

void capture_stream_on_wait(struct capture_stream *stream, void (*fn)(void *ctx), void *ctx)
{
	capture_source_on_wait(stream->source, fn, ctx);
}
