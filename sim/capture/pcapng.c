/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The walk over the blocks of a pcapng file: see sim/capture/pcapng.h.
 */
#include "sim/capture/pcapng.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "kmod-stub/event.h"

enum {
	BLOCK_SIZE_MIN = 12,		/* type and both lengths */
	BLOCK_BODY_AT = 8,
	SECTION_SIZE_MIN = 28,
	INTERFACE_BODY_SIZE = 8,
	PACKET_BODY_SIZE = 20,
	SIMPLE_BODY_SIZE = 4,
	TSRESOL_DEFAULT = 6,		/* microseconds */
	TSRESOL_POWER_OF_2 = 0x80,
	TSRESOL_DECIMAL_MAX = 19,	/* 10 to the power of more does not fit in 64 bits */
};

struct interface {
	uint32_t link_type;
	uint32_t snap_length;
	char *name;
	char *description;
	uint8_t tsresol;
	int64_t tsoffset_s;
};

struct walk {
	const uint8_t *data;
	size_t size;
	size_t at;			/* of the block being read */
	bool swapped;			/* the section is big-endian */
	GArray *interfaces;		/* of struct interface, of all sections */
	guint section_interface;	/* the first one of this section */
	capture_frame_fn *fn;
	void *ctx;
	char *why;
};

/* What is between the two lengths of a block. */
struct body {
	const uint8_t *bytes;
	size_t size;
};

static uint16_t get16(const struct walk *walk, const uint8_t *p)
{
	uint16_t v = get_be16(p);

	return walk->swapped ? v : __builtin_bswap16(v);
}

static uint32_t get32(const struct walk *walk, const uint8_t *p)
{
	uint32_t v = get_be32(p);

	return walk->swapped ? v : __builtin_bswap32(v);
}

static int broken(struct walk *walk, const char *what)
{
	frame_say(walk->why, "the block at byte %zu %s", walk->at, what);
	return -EBADMSG;
}

/* ---- options ---- */

struct option {
	uint16_t code;
	uint16_t size;
	const uint8_t *bytes;
};

/*
 * Takes the next option from the start of 'rest', which moves past it. False at the end, and where
 * an option does not fit: options are extras, and a broken one costs no packet.
 */
static bool next_option(const struct walk *walk, struct body *rest, struct option *ret)
{
	size_t padded;

	if (rest->size < 4)
		return false;
	ret->code = get16(walk, rest->bytes);
	ret->size = get16(walk, rest->bytes + 2);
	ret->bytes = rest->bytes + 4;
	padded = 4 + (((size_t)ret->size + 3) & ~(size_t)3);
	if (ret->code == PCAPNG_OPT_END || rest->size < 4 + (size_t)ret->size)
		return false;
	rest->bytes += MIN(padded, rest->size);
	rest->size -= MIN(padded, rest->size);
	return true;
}

static struct body body_behind(struct body body, size_t size)
{
	return (struct body){ body.bytes + size, body.size - size };
}

/* ---- blocks ---- */

static int read_section(struct walk *walk, struct body body)
{
	if (get16(walk, body.bytes + 4) != 1)
		return broken(walk, "begins a section of an unknown version");
	walk->section_interface = walk->interfaces->len;
	return 0;
}

static int read_interface(struct walk *walk, struct body body)
{
	struct interface interface = { .tsresol = TSRESOL_DEFAULT };
	struct option option;

	if (body.size < INTERFACE_BODY_SIZE)
		return broken(walk, "describes an interface and is too short for it");
	interface.link_type = get16(walk, body.bytes);
	interface.snap_length = get32(walk, body.bytes + 4);
	body = body_behind(body, INTERFACE_BODY_SIZE);
	while (next_option(walk, &body, &option)) {
		if (option.code == PCAPNG_IF_NAME && !interface.name) {
			interface.name = g_strndup((const char *)option.bytes, option.size);
		} else if (option.code == PCAPNG_IF_DESCRIPTION && !interface.description) {
			interface.description = g_strndup((const char *)option.bytes, option.size);
		} else if (option.code == PCAPNG_IF_TSRESOL && option.size == 1) {
			interface.tsresol = option.bytes[0];
		} else if (option.code == PCAPNG_IF_TSOFFSET && option.size == 8) {
			uint64_t v = get_be64(option.bytes);

			interface.tsoffset_s = (int64_t)(walk->swapped ? v : __builtin_bswap64(v));
		}
	}
	g_array_append_val(walk->interfaces, interface);
	return 0;
}

static uint64_t power_of_10(unsigned int exponent)
{
	uint64_t power = 1;

	while (exponent--)
		power *= 10;
	return power;
}

/* Nanoseconds since 1970, clamped to what 64 bits can hold. */
static int64_t time_ns(const struct interface *interface, uint64_t ticks)
{
	unsigned int exponent = interface->tsresol & (TSRESOL_POWER_OF_2 - 1);
	unsigned __int128 scaled = (unsigned __int128)ticks * (uint64_t)NS_PER_S;
	__int128 ns;

	if (interface->tsresol & TSRESOL_POWER_OF_2)
		ns = (__int128)(scaled >> exponent);
	else if (exponent <= TSRESOL_DECIMAL_MAX)
		ns = (__int128)(scaled / power_of_10(exponent));
	else
		ns = 0;
	ns += (__int128)interface->tsoffset_s * NS_PER_S;
	if (ns > INT64_MAX)
		return INT64_MAX;
	return ns < INT64_MIN ? INT64_MIN : (int64_t)ns;
}

/* Direction and comments, which enhanced packets have; a packet may have several comments. */
static char *read_packet_options(struct walk *walk, struct body rest,
				 enum capture_direction *ret_direction)
{
	GString *comment = NULL;
	struct option option;

	while (next_option(walk, &rest, &option)) {
		const char *text = (const char *)option.bytes;

		if (option.code == PCAPNG_OPT_COMMENT) {
			if (!comment)
				comment = g_string_new(NULL);
			else
				g_string_append_c(comment, '\n');
			g_string_append_len(comment, text, (gssize)strnlen(text, option.size));
		} else if (option.code == PCAPNG_EPB_FLAGS && option.size == 4) {
			uint32_t direction = get32(walk, option.bytes) & 3;

			if (direction == PCAPNG_INBOUND)
				*ret_direction = CAPTURE_INBOUND;
			else if (direction == PCAPNG_OUTBOUND)
				*ret_direction = CAPTURE_OUTBOUND;
		}
	}
	return comment ? g_string_free(comment, false) : NULL;
}

static const struct interface *find_interface(struct walk *walk, uint32_t id)
{
	if (id >= walk->interfaces->len - walk->section_interface)
		return NULL;
	return &g_array_index(walk->interfaces, struct interface, walk->section_interface + id);
}

/* Enhanced packets and their predecessor, which has 16 bits of drop counter beside a short id. */
static int read_packet(struct walk *walk, struct body body, bool old)
{
	const struct interface *interface;
	struct capture_frame frame = { 0 };
	uint64_t ticks;
	uint32_t id;
	char *comment = NULL;

	if (body.size < PACKET_BODY_SIZE)
		return broken(walk, "holds a packet and is too short for it");
	id = old ? get16(walk, body.bytes) : get32(walk, body.bytes);
	interface = find_interface(walk, id);
	if (!interface)
		return broken(walk, "holds a packet of an interface that is not declared");
	ticks = (uint64_t)get32(walk, body.bytes + 4) << 32 | get32(walk, body.bytes + 8);
	frame.captured = get32(walk, body.bytes + 12);
	frame.original = get32(walk, body.bytes + 16);
	frame.bytes = body.bytes + PACKET_BODY_SIZE;
	body = body_behind(body, PACKET_BODY_SIZE);
	if (frame.captured > body.size)
		return broken(walk, "holds a packet longer than itself");
	if (!old)
		comment = read_packet_options(walk, body_behind(body, MIN(
			(frame.captured + 3) & ~(size_t)3, body.size)), &frame.direction);
	frame.link_type = interface->link_type;
	frame.epoch_ns = time_ns(interface, ticks);
	frame.interface = (int)(walk->section_interface + id);
	frame.interface_name = interface->name;
	frame.interface_description = interface->description;
	frame.comment = comment;
	walk->fn(walk->ctx, &frame);
	g_free(comment);
	return 0;
}

/* A packet without time, options or captured length: the snap length says how much is present. */
static int read_simple_packet(struct walk *walk, struct body body)
{
	const struct interface *interface = find_interface(walk, 0);
	struct capture_frame frame = { 0 };

	if (body.size < SIMPLE_BODY_SIZE)
		return broken(walk, "holds a packet and is too short for it");
	if (!interface)
		return broken(walk, "holds a packet of an interface that is not declared");
	frame.original = get32(walk, body.bytes);
	frame.bytes = body.bytes + SIMPLE_BODY_SIZE;
	frame.captured = MIN(frame.original, body.size - SIMPLE_BODY_SIZE);
	if (interface->snap_length)
		frame.captured = MIN(frame.captured, interface->snap_length);
	frame.link_type = interface->link_type;
	frame.interface = (int)walk->section_interface;
	frame.interface_name = interface->name;
	frame.interface_description = interface->description;
	walk->fn(walk->ctx, &frame);
	return 0;
}

/* The number after 'name', if the line begins with that. */
static bool journal_number(const char *line, const char *name, int64_t *ret)
{
	if (!g_str_has_prefix(line, name))
		return false;
	*ret = g_ascii_strtoll(line + strlen(name), NULL, 10);
	return true;
}

/*
 * A line of text with its time. Reading stops at the first field in binary form: none of the fields
 * that are read here needs that form.
 */
static int read_journal_entry(struct walk *walk, struct body body)
{
	g_autofree char *text = g_strndup((const char *)body.bytes, body.size);
	g_auto(GStrv) lines = g_strsplit(text, "\n", 0);
	struct capture_frame frame = { .interface = -1 };
	int64_t us, ns;

	for (char **line = lines; *line && strchr(*line, '='); line++) {
		if (journal_number(*line, JOURNAL_TIME_US, &us) && !frame.epoch_ns &&
		    __builtin_mul_overflow(us, NS_PER_US, &frame.epoch_ns))
			frame.epoch_ns = us < 0 ? INT64_MIN : INT64_MAX;
		else if (journal_number(*line, JOURNAL_TIME_NS, &ns))
			frame.epoch_ns = ns;
		else if (g_str_has_prefix(*line, JOURNAL_TEXT))
			frame.note = *line + strlen(JOURNAL_TEXT);
	}
	if (!frame.note)
		frame.note = "";
	walk->fn(walk->ctx, &frame);
	return 0;
}

static int read_block(struct walk *walk, uint32_t type, struct body body)
{
	switch (type) {
	case PCAPNG_SECTION:
		return read_section(walk, body);
	case PCAPNG_INTERFACE:
		return read_interface(walk, body);
	case PCAPNG_PACKET_OLD:
		return read_packet(walk, body, true);
	case PCAPNG_ENHANCED_PACKET:
		return read_packet(walk, body, false);
	case PCAPNG_SIMPLE_PACKET:
		return read_simple_packet(walk, body);
	case PCAPNG_JOURNAL_ENTRY:
		return read_journal_entry(walk, body);
	default:
		return 0;	/* names, statistics, private blocks: skipped */
	}
}

/* A section header gives the byte order of all that follows, and of its own length. */
static int read_byte_order(struct walk *walk)
{
	const uint8_t *magic = walk->data + walk->at + BLOCK_BODY_AT;
	uint32_t value;

	if (walk->size - walk->at < SECTION_SIZE_MIN)
		return broken(walk, "begins a section and the file ends in it");
	value = get_be32(magic);
	if (value != PCAPNG_BYTE_ORDER_MAGIC && value != __builtin_bswap32(PCAPNG_BYTE_ORDER_MAGIC))
		return broken(walk, "begins a section without saying its byte order");
	walk->swapped = value == PCAPNG_BYTE_ORDER_MAGIC;
	return 0;
}

static int walk_blocks(struct walk *walk)
{
	while (walk->at < walk->size) {
		const uint8_t *block = walk->data + walk->at;
		size_t left = walk->size - walk->at, total, least;
		uint32_t type;
		int result = 0;

		if (left < BLOCK_SIZE_MIN)
			return broken(walk, "is cut off: the file ends in it");
		type = get32(walk, block);
		if (type == PCAPNG_SECTION)
			result = read_byte_order(walk);
		else if (!walk->at)
			result = broken(walk, "does not begin a section");
		if (result)
			return result;
		total = get32(walk, block + 4);
		least = type == PCAPNG_SECTION ? SECTION_SIZE_MIN : BLOCK_SIZE_MIN;
		if (total < least || total & 3)
			return broken(walk, "has a length that cannot be");
		if (total > left)
			return broken(walk, "is cut off: the file ends in it");
		if (get32(walk, block + total - 4) != total)
			return broken(walk, "has different lengths at its two ends");
		result = read_block(walk, type, (struct body){ block + BLOCK_BODY_AT,
							       total - BLOCK_SIZE_MIN });
		if (result)
			return result;
		walk->at += total;
	}
	return 0;
}

int pcapng_walk(const uint8_t *data, size_t size, capture_frame_fn *fn, void *ctx, char *why)
{
	struct walk walk = {
		.data = data,
		.size = size,
		.interfaces = g_array_new(false, false, sizeof(struct interface)),
		.fn = fn,
		.ctx = ctx,
		.why = why,
	};
	int result = walk_blocks(&walk);

	for (guint i = 0; i < walk.interfaces->len; i++) {
		g_free(g_array_index(walk.interfaces, struct interface, i).name);
		g_free(g_array_index(walk.interfaces, struct interface, i).description);
	}
	g_array_free(walk.interfaces, true);
	return result;
}
