/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Reading captures: pcap through libpcap, pcapng through sim/capture/pcapng.c; every frame goes to
 * the reader of its link type, every MAD into one array.
 */
#include "sim/capture/capture.h"

#include <errno.h>
#include <glib.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <string.h>

#include "sim/capture/pcapng.h"
#include "kmod-stub/event.h"

enum {
	MAGIC_SIZE = 4,
	WARNINGS_MAX = 100,	/* the rest is only counted */
};

struct reader {
	struct capture *capture;
	GArray *mads;			/* of struct capture_mad */
	GArray *notes;		/* of struct capture_note */
	GPtrArray *warnings;		/* of char * */
	size_t warnings_left_out;
	GArray *skipped_types;		/* of uint32_t: link types not read, each reported once */
	bool started;
	int64_t first_ns;
};

/* ---- what the file is ---- */

static bool is_pcap(const uint8_t *magic)
{
	static const uint32_t magics[] = {
		0xa1b2c3d4, 0xd4c3b2a1,		/* microseconds, both byte orders */
		0xa1b23c4d, 0x4d3cb2a1,		/* nanoseconds */
		0xa1b2cd34, 0x34cdb2a1,		/* with the kernel's extra fields */
	};

	for (size_t i = 0; i < G_N_ELEMENTS(magics); i++) {
		if (get_be32(magic) == magics[i])
			return true;
	}
	return false;
}

static bool is_pcapng(const uint8_t *magic)
{
	return get_be32(magic) == PCAPNG_SECTION;
}

/* The command that unpacks a compressed file, NULL where it is not compressed. */
static const char *unpacker(const uint8_t *magic)
{
	static const struct {
		uint8_t magic[MAGIC_SIZE];
		unsigned int size;
		const char *command;
	} rows[] = {
		{ { 0x1f, 0x8b }, 2, "gunzip" },
		{ { 0x28, 0xb5, 0x2f, 0xfd }, 4, "unzstd" },
		{ { 0x04, 0x22, 0x4d, 0x18 }, 4, "unlz4" },
		{ { 0xfd, 0x37, 0x7a, 0x58 }, 4, "unxz" },
		{ { 0x42, 0x5a, 0x68 }, 3, "bunzip2" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		if (memcmp(magic, rows[i].magic, rows[i].size) == 0)
			return rows[i].command;
	}
	return NULL;
}

bool capture_is_capture(const char *path)
{
	uint8_t magic[MAGIC_SIZE];
	FILE *file = fopen(path, "rbe");
	bool enough;

	if (!file)
		return false;
	enough = fread(magic, 1, sizeof(magic), file) == sizeof(magic);
	fclose(file);
	if (!enough)
		return false;
	return is_pcap(magic) || is_pcapng(magic) ||
	       (unpacker(magic) && (strstr(path, ".pcap") || strstr(path, ".cap")));
}

/* ---- frames ---- */

static void G_GNUC_PRINTF(2, 3) warn(struct reader *reader, const char *format, ...)
{
	va_list args;
	char *text;

	if (reader->warnings->len == WARNINGS_MAX) {
		reader->warnings_left_out++;
		return;
	}
	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	g_ptr_array_add(reader->warnings,
			g_strdup_printf("%s: %s", reader->capture->file, text));
	g_free(text);
}

static enum frame_kind read_infiniband(const struct capture_frame *frame, struct capture_mad *mad,
				       char *why)
{
	return frame_read_infiniband(frame->bytes, frame->captured,
				     MAX(frame->original, frame->captured), mad, why);
}

static enum frame_kind read_ethernet(const struct capture_frame *frame, struct capture_mad *mad,
				     char *why)
{
	return frame_read_ethernet(frame->bytes, frame->captured,
				   MAX(frame->original, frame->captured), mad, why);
}

/* The link types that are read. */
static const struct link_type {
	uint32_t number;
	const char *name;
	enum frame_kind (*read)(const struct capture_frame *frame, struct capture_mad *mad,
				char *why);
} link_types[] = {
	{ LINKTYPE_INFINIBAND, "InfiniBand", read_infiniband },
	{ LINKTYPE_ERF, "ERF", frame_read_erf },
	{ LINKTYPE_ETHERNET, "Ethernet", read_ethernet },
};

static const struct link_type *find_link_type(uint32_t number)
{
	for (size_t i = 0; i < G_N_ELEMENTS(link_types); i++)
		if (link_types[i].number == number)
			return &link_types[i];
	return NULL;
}

/* "InfiniBand (247), ERF (197) and Ethernet (1)", to be freed with g_free(). */
static char *link_type_names(void)
{
	GString *text = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(link_types); i++)
		g_string_append_printf(text, "%s%s (%" G_GUINT32_FORMAT ")", !i ? "" :
				       i + 1 < G_N_ELEMENTS(link_types) ? ", " : " and ",
				       link_types[i].name, link_types[i].number);
	return g_string_free(text, false);
}

static void skip_link_type(struct reader *reader, uint32_t link_type)
{
	g_autofree char *names = NULL;
	/* A capture of "any" has Linux's own header in place of Ethernet's. */
	bool cooked = link_type == LINKTYPE_LINUX_SLL || link_type == LINKTYPE_LINUX_SLL2;

	reader->capture->skipped++;
	for (guint i = 0; i < reader->skipped_types->len; i++) {
		if (g_array_index(reader->skipped_types, uint32_t, i) == link_type)
			return;
	}
	g_array_append_val(reader->skipped_types, link_type);
	names = link_type_names();
	warn(reader, "frame %zu and others of link type %" G_GUINT32_FORMAT " are skipped: only "
	     "%s are read%s", reader->capture->frame_count, link_type, names,
	     cooked ? "; capture on the device itself, not on \"any\"" : "");
}

/* The time of a frame: since the first one. */
static int64_t since_first(struct reader *reader, int64_t epoch_ns)
{
	int64_t time_ns;

	if (!reader->started) {
		reader->started = true;
		reader->first_ns = epoch_ns;
	}
	return __builtin_sub_overflow(epoch_ns, reader->first_ns, &time_ns) ? 0 : time_ns;
}

static void take_note(struct reader *reader, const struct capture_frame *frame)
{
	struct capture_note note = {
		.frame = (unsigned int)++reader->capture->frame_count,
		.time_ns = since_first(reader, frame->epoch_ns),
		.text = g_utf8_make_valid(frame->note, -1),
	};

	g_array_append_val(reader->notes, note);
}

static void take_mad(struct reader *reader, const struct capture_frame *frame)
{
	struct capture *capture = reader->capture;
	struct capture_mad mad = {
		.frame = (unsigned int)++capture->frame_count,
		.epoch_ns = frame->epoch_ns,
		.direction = frame->direction,
		.interface = MAX(frame->interface, 0),
	};
	const struct link_type *type = find_link_type(frame->link_type);
	enum frame_kind kind = FRAME_OTHER;
	char why[FRAME_WHY_SIZE] = "";

	if (type)
		kind = type->read(frame, &mad, why);
	mad.time_ns = since_first(reader, mad.epoch_ns);
	if (!type) {
		skip_link_type(reader, frame->link_type);
		return;
	}
	if (*why)
		warn(reader, "frame %u: %s", mad.frame, why);
	switch (kind) {
	case FRAME_OTHER:
		capture->skipped++;
		return;
	case FRAME_DAMAGED:
		capture->damaged++;
		return;
	case FRAME_MAD:
		break;
	}
	mad.comment = g_strdup(frame->comment);
	mad.interface_name = g_strdup(frame->interface_name);
	mad.interface_description = g_strdup(frame->interface_description);
	g_array_append_val(reader->mads, mad);
}

static void take_frame(void *ctx, const struct capture_frame *frame)
{
	if (frame->note)
		take_note(ctx, frame);
	else
		take_mad(ctx, frame);
}

/*
 * pcap through libpcap. For the three link types that are read here, libpcap's numbers are those of
 * the file. Returns 0, or -EBADMSG with what is wrong.
 */
static int read_pcap(struct reader *reader, const uint8_t *data, size_t size, char *why)
{
	char errbuf[PCAP_ERRBUF_SIZE] = "";
	struct capture_frame frame = { .interface = -1 };
	struct pcap_pkthdr *header;
	const u_char *bytes;
	FILE *file = fmemopen((void *)(uintptr_t)data, size, "rb");
	pcap_t *pcap;
	int result;

	if (!file) {
		frame_say(why, "%s", g_strerror(errno));
		return -EBADMSG;
	}
	pcap = pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, errbuf);
	if (!pcap) {
		frame_say(why, "%.200s", errbuf);
		fclose(file);
		return -EBADMSG;
	}
	frame.link_type = (uint32_t)pcap_datalink(pcap);
	while ((result = pcap_next_ex(pcap, &header, &bytes)) == 1) {
		frame.bytes = bytes;
		frame.captured = header->caplen;
		frame.original = header->len;
		/* libpcap was asked for nanoseconds: tv_usec holds them. */
		frame.epoch_ns = (int64_t)header->ts.tv_sec * NS_PER_S + header->ts.tv_usec;
		take_frame(reader, &frame);
	}
	if (result == PCAP_ERROR)
		frame_say(why, "%.200s", pcap_geterr(pcap));
	pcap_close(pcap);
	return result == PCAP_ERROR ? -EBADMSG : 0;
}

/* ---- files ---- */

static int read_frames(struct reader *reader, const uint8_t *data, size_t size, char *reterr,
		       size_t reterr_size)
{
	const char *name = reader->capture->file, *command;
	char why[FRAME_WHY_SIZE] = "";
	int result;

	if (size < MAGIC_SIZE) {
		snprintf(reterr, reterr_size, "%s: not a capture: the file is %s", name,
			 size ? "too short to be one" : "empty");
		return -EBADMSG;
	}
	command = unpacker(data);
	if (command) {
		snprintf(reterr, reterr_size, "%s: the capture is compressed: unpack it first "
			 "(%s %s)", name, command, name);
		return -EBADMSG;
	}
	if (!is_pcap(data) && !is_pcapng(data)) {
		snprintf(reterr, reterr_size, "%s: neither pcap nor pcapng; if Wireshark opens it, "
			 "convert it: editcap -F pcapng %s OUT.pcapng", name, name);
		return -EBADMSG;
	}
	result = is_pcap(data) ? read_pcap(reader, data, size, why) :
				 pcapng_walk(data, size, take_frame, reader, why);
	if (!result)
		return 0;
	if (!reader->capture->frame_count) {
		snprintf(reterr, reterr_size, "%s: cannot be read: %s", name, why);
		return result;
	}
	/* This one is not subject to WARNINGS_MAX. */
	g_ptr_array_add(reader->warnings, g_strdup_printf(
		"%s: after frame %zu the file is damaged or was cut: %s; what is before was read",
		name, reader->capture->frame_count, why));
	return 0;
}

struct capture *capture_parse(const uint8_t *data, size_t size, const char *name, char *reterr,
			      size_t reterr_size)
{
	struct reader reader = {
		.capture = g_new0(struct capture, 1),
		.mads = g_array_new(false, false, sizeof(struct capture_mad)),
		.notes = g_array_new(false, false, sizeof(struct capture_note)),
		.warnings = g_ptr_array_new(),
		.skipped_types = g_array_new(false, false, sizeof(uint32_t)),
	};
	struct capture *capture = reader.capture;
	int result;

	capture->file = g_strdup(name);
	result = read_frames(&reader, data, size, reterr, reterr_size);
	if (reader.warnings_left_out)
		g_ptr_array_add(reader.warnings, g_strdup_printf(
			"%s: %zu more warnings like these are left out", name,
			reader.warnings_left_out));
	g_ptr_array_add(reader.warnings, NULL);
	g_array_free(reader.skipped_types, true);
	capture->warnings = (char **)g_ptr_array_free(reader.warnings, false);
	capture->mad_count = reader.mads->len;
	capture->mads = (struct capture_mad *)(void *)g_array_free(reader.mads, false);
	capture->note_count = reader.notes->len;
	capture->notes = (struct capture_note *)(void *)g_array_free(reader.notes, false);
	if (!result)
		return capture;
	capture_free(capture);
	return NULL;
}

struct capture *capture_read(const char *path, char *reterr, size_t reterr_size)
{
	struct capture *capture;
	GError *error = NULL;
	char *data;
	gsize size;

	if (!g_file_get_contents(path, &data, &size, &error)) {
		snprintf(reterr, reterr_size, "cannot read the capture: %s", error->message);
		g_error_free(error);
		return NULL;
	}
	capture = capture_parse((const uint8_t *)data, size, path, reterr, reterr_size);
	g_free(data);
	return capture;
}

static void mad_clear(struct capture_mad *mad)
{
	g_free(mad->comment);
	g_free(mad->interface_name);
	g_free(mad->interface_description);
}

void capture_filter(struct capture *capture,
		    bool (*keep)(void *ctx, const struct capture_mad *mad), void *ctx)
{
	size_t kept = 0;

	for (size_t i = 0; i < capture->mad_count; i++) {
		if (keep(ctx, &capture->mads[i]))
			capture->mads[kept++] = capture->mads[i];
		else
			mad_clear(&capture->mads[i]);
	}
	capture->mad_count = kept;
}

void capture_free(struct capture *capture)
{
	if (!capture)
		return;
	for (size_t i = 0; i < capture->mad_count; i++)
		mad_clear(&capture->mads[i]);
	g_free(capture->mads);
	for (size_t i = 0; i < capture->note_count; i++)
		g_free(capture->notes[i].text);
	g_free(capture->notes);
	g_strfreev(capture->warnings);
	g_free(capture->file);
	g_free(capture);
}
