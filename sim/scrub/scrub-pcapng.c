/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * pcapng files, block by block. Kept are: sections with their comments, interfaces with link type,
 * times and names, packets with direction and comments, journal entries with time and text.
 * Everything else (host names, name resolution, statistics, secrets, hashes, what others invent)
 * stays behind.
 */
#include <errno.h>
#include <string.h>

#include "sim/capture/pcapng.h"
#include "sim/scrub/scrub-format.h"
#include "sim/scrub/scrub-text.h"
#include "lib/base/wire.h"

enum {
	BLOCK_BODY_AT = 8,
	BLOCK_SIZE_MIN = 12,
	SECTION_SIZE_MIN = 28,
	SECTION_LENGTH_AT = 8,		/* in its body */
	SECTION_OPTIONS_AT = 16,
	INTERFACE_BODY_SIZE = 8,
	PACKET_BODY_SIZE = 20,
	PACKET_CAPTURED_AT = 12,
	PACKET_ORIGINAL_AT = 16,
	SIMPLE_BODY_SIZE = 4,
	IF_SPEED = 8,
	IF_FCSLEN = 13,
	EPB_DROPCOUNT = 4,
};

struct interface {
	uint32_t link_type;
	uint32_t snap_length;
};

struct walk {
	struct scrub_pass *pass;
	const uint8_t *data;
	size_t size;
	size_t at;
	bool big_endian;
	GArray *interfaces;	/* of struct interface, of this section */
	GByteArray *block;	/* that is being written */
	char *why;
};

struct body {
	const uint8_t *bytes;
	size_t size;
};

static uint16_t get16(const struct walk *walk, const uint8_t *p)
{
	return walk->big_endian ? get_be16(p) : __builtin_bswap16(get_be16(p));
}

static uint32_t get32(const struct walk *walk, const uint8_t *p)
{
	return walk->big_endian ? get_be32(p) : __builtin_bswap32(get_be32(p));
}

static int broken(struct walk *walk, const char *what)
{
	g_snprintf(walk->why, SCRUB_WHY_SIZE, "the block at byte %zu %s", walk->at, what);
	return -EBADMSG;
}

static bool is_written(const struct walk *walk)
{
	return walk->pass->step == SCRUB_WRITE;
}

/* ---- blocks to write ---- */

static void add(struct walk *walk, const void *bytes, size_t size)
{
	g_byte_array_append(walk->block, bytes, (guint)size);
}

static void add16(struct walk *walk, uint16_t v)
{
	v = walk->big_endian ? __builtin_bswap16(v) : v;
	add(walk, &v, sizeof(v));
}

static void add32(struct walk *walk, uint32_t v)
{
	v = walk->big_endian ? __builtin_bswap32(v) : v;
	add(walk, &v, sizeof(v));
}

static void pad(struct walk *walk)
{
	static const uint8_t zero[4];

	add(walk, zero, -walk->block->len & 3);
}

static void add_option(struct walk *walk, uint16_t code, const void *bytes, size_t size)
{
	add16(walk, code);
	add16(walk, (uint16_t)size);
	add(walk, bytes, size);
	pad(walk);
}

static void begin(struct walk *walk, uint32_t type)
{
	g_byte_array_set_size(walk->block, 0);
	add32(walk, type);
	add32(walk, 0);
}

static void end(struct walk *walk)
{
	add32(walk, walk->block->len + 4);
	memcpy(walk->block->data + 4, walk->block->data + walk->block->len - 4, 4);
	scrub_pass_write(walk->pass, walk->block->data, walk->block->len);
}

/* ---- options ---- */

struct option {
	uint16_t code;
	uint16_t size;
	const uint8_t *bytes;
};

/* The next option of 'rest', which goes on behind it. False at the end, or where one is broken. */
static bool next_option(const struct walk *walk, struct body *rest, struct option *ret)
{
	size_t padded;

	if (rest->size < 4)
		return false;
	ret->code = get16(walk, rest->bytes);
	ret->size = get16(walk, rest->bytes + 2);
	ret->bytes = rest->bytes + 4;
	if (ret->code == PCAPNG_OPT_END || rest->size < 4 + (size_t)ret->size)
		return false;
	padded = MIN(4 + (((size_t)ret->size + 3) & ~(size_t)3), rest->size);
	rest->bytes += padded;
	rest->size -= padded;
	return true;
}

static struct body body_behind(struct body body, size_t size)
{
	return (struct body){ body.bytes + size, body.size - size };
}

typedef char *text_fn(const struct value_book *values, const char *text);

/* A description is a node's, as the packets tell it. */
static char *scrub_description(const struct value_book *values, const char *text)
{
	if (values->replace)
		return alias_of_name(values->aliases, text, strlen(text));
	alias_learn_name(values->aliases, text, strlen(text));
	return g_strdup(text);
}

static void add_text(struct walk *walk, const struct option *option, text_fn *fn)
{
	g_autofree char *raw = g_strndup((const char *)option->bytes, option->size);
	g_autofree char *text = g_utf8_make_valid(raw, -1);
	g_autofree char *scrubbed = fn(&walk->pass->values, text);
	size_t size = strlen(scrubbed);

	if (size > PCAPNG_OPTION_SIZE_MAX)
		size = (size_t)(g_utf8_find_prev_char(scrubbed,
						      scrubbed + PCAPNG_OPTION_SIZE_MAX + 1) -
				scrubbed);
	add_option(walk, option->code, scrubbed, size);
}

/* What is done with an option of a kind of block. */
struct option_rule {
	uint16_t code;
	text_fn *text;		/* NULL: it is kept as it is */
};

static void add_options(struct walk *walk, struct body rest, const struct option_rule *rules)
{
	struct option option;

	while (next_option(walk, &rest, &option))
		for (const struct option_rule *rule = rules; rule->code; rule++) {
			if (rule->code != option.code)
				continue;
			if (rule->text)
				add_text(walk, &option, rule->text);
			else
				add_option(walk, option.code, option.bytes, option.size);
		}
	add_option(walk, PCAPNG_OPT_END, NULL, 0);
}

/* ---- kinds of blocks ---- */

static int take_section(struct walk *walk, struct body body)
{
	static const struct option_rule rules[] = {
		{ PCAPNG_OPT_COMMENT, scrub_text }, { 0, NULL },
	};

	if (get16(walk, body.bytes + 4) != 1)
		return broken(walk, "begins a section of an unknown version");
	g_array_set_size(walk->interfaces, 0);
	begin(walk, PCAPNG_SECTION);
	add(walk, body.bytes, SECTION_LENGTH_AT);
	add32(walk, UINT32_MAX);
	add32(walk, UINT32_MAX);
	add_options(walk, body_behind(body, SECTION_OPTIONS_AT), rules);
	end(walk);
	return 0;
}

static int take_interface(struct walk *walk, struct body body)
{
	static const struct option_rule rules[] = {
		{ PCAPNG_OPT_COMMENT, scrub_text },
		{ PCAPNG_IF_NAME, scrub_text_interface },
		{ PCAPNG_IF_DESCRIPTION, scrub_description },
		{ PCAPNG_IF_TSRESOL, NULL }, { PCAPNG_IF_TSOFFSET, NULL }, { IF_SPEED, NULL },
		{ IF_FCSLEN, NULL }, { 0, NULL },
	};
	struct interface interface;

	if (body.size < INTERFACE_BODY_SIZE)
		return broken(walk, "describes an interface and is too short for it");
	interface.link_type = get16(walk, body.bytes);
	interface.snap_length = get32(walk, body.bytes + 4);
	g_array_append_val(walk->interfaces, interface);
	begin(walk, PCAPNG_INTERFACE);
	add16(walk, (uint16_t)interface.link_type);
	add16(walk, 0);
	add32(walk, interface.snap_length);
	add_options(walk, body_behind(body, INTERFACE_BODY_SIZE), rules);
	end(walk);
	return 0;
}

/* Enhanced packets and their predecessor, whose interface number is shorter. */
static int take_packet(struct walk *walk, struct body body, bool old)
{
	static const struct option_rule rules[] = {
		{ PCAPNG_OPT_COMMENT, scrub_text }, { PCAPNG_EPB_FLAGS, NULL },
		{ EPB_DROPCOUNT, NULL }, { 0, NULL },
	};
	const uint8_t *head = body.bytes;
	const struct interface *interface;
	uint32_t id, captured;
	bool kept;

	if (body.size < PACKET_BODY_SIZE)
		return broken(walk, "holds a packet and is too short for it");
	id = old ? get16(walk, head) : get32(walk, head);
	if (id >= walk->interfaces->len)
		return broken(walk, "holds a packet of an interface that is not declared");
	interface = &g_array_index(walk->interfaces, struct interface, id);
	captured = get32(walk, head + PACKET_CAPTURED_AT);
	body = body_behind(body, PACKET_BODY_SIZE);
	if (captured > body.size)
		return broken(walk, "holds a packet longer than itself");
	kept = scrub_pass_frame(walk->pass, interface->link_type, body.bytes, captured,
				get32(walk, head + PACKET_ORIGINAL_AT));
	if (!kept && walk->pass->step != SCRUB_LEARN)
		return 0;
	begin(walk, old ? PCAPNG_PACKET_OLD : PCAPNG_ENHANCED_PACKET);
	add(walk, head, PACKET_BODY_SIZE);
	if (kept)
		add(walk, walk->pass->frame->data, walk->pass->frame->len);
	pad(walk);
	add_options(walk, body_behind(body, MIN(((size_t)captured + 3) & ~(size_t)3, body.size)),
		    rules);
	if (kept)
		end(walk);
	return 0;
}

static int take_simple_packet(struct walk *walk, struct body body)
{
	const struct interface *interface;
	size_t captured;

	if (body.size < SIMPLE_BODY_SIZE)
		return broken(walk, "holds a packet and is too short for it");
	if (!walk->interfaces->len)
		return broken(walk, "holds a packet of an interface that is not declared");
	interface = &g_array_index(walk->interfaces, struct interface, 0);
	captured = MIN(get32(walk, body.bytes), body.size - SIMPLE_BODY_SIZE);
	if (interface->snap_length)
		captured = MIN(captured, interface->snap_length);
	if (!scrub_pass_frame(walk->pass, interface->link_type, body.bytes + SIMPLE_BODY_SIZE,
			      captured, get32(walk, body.bytes)))
		return 0;
	begin(walk, PCAPNG_SIMPLE_PACKET);
	add(walk, body.bytes, SIMPLE_BODY_SIZE);
	add(walk, walk->pass->frame->data, walk->pass->frame->len);
	pad(walk);
	end(walk);
	return 0;
}

/* Its time and its text; what else systemd writes (host, boot, user) stays behind. */
static int take_journal_entry(struct walk *walk, struct body body)
{
	g_autofree char *text = g_strndup((const char *)body.bytes, body.size);
	g_auto(GStrv) lines = g_strsplit(text, "\n", 0);

	begin(walk, PCAPNG_JOURNAL_ENTRY);
	for (char **line = lines; *line && strchr(*line, '='); line++) {
		g_autofree char *scrubbed = NULL;

		if (g_str_has_prefix(*line, JOURNAL_TIME_US) ||
		    g_str_has_prefix(*line, JOURNAL_TIME_NS) ||
		    strcmp(*line, JOURNAL_SENDER "umadrig") == 0)
			scrubbed = g_strdup(*line);
		else if (g_str_has_prefix(*line, JOURNAL_TEXT))
			scrubbed = scrub_text(&walk->pass->values, *line);
		if (!scrubbed)
			continue;
		add(walk, scrubbed, strlen(scrubbed));
		add(walk, "\n", 1);
	}
	pad(walk);
	end(walk);
	walk->pass->report->notes += is_written(walk);
	return 0;
}

static int take_block(struct walk *walk, uint32_t type, struct body body)
{
	switch (type) {
	case PCAPNG_SECTION:
		return take_section(walk, body);
	case PCAPNG_INTERFACE:
		return take_interface(walk, body);
	case PCAPNG_PACKET_OLD:
		return take_packet(walk, body, true);
	case PCAPNG_ENHANCED_PACKET:
		return take_packet(walk, body, false);
	case PCAPNG_SIMPLE_PACKET:
		return take_simple_packet(walk, body);
	case PCAPNG_JOURNAL_ENTRY:
		return take_journal_entry(walk, body);
	default:	/* types of the format, not an enum of ours */
		walk->pass->report->dropped_blocks += is_written(walk);
		return 0;
	}
}

/* ---- the walk ---- */

static int read_byte_order(struct walk *walk)
{
	uint32_t magic = get_be32(walk->data + walk->at + BLOCK_BODY_AT);

	if (magic != PCAPNG_BYTE_ORDER_MAGIC && magic != __builtin_bswap32(PCAPNG_BYTE_ORDER_MAGIC))
		return broken(walk, "begins a section without saying its byte order");
	walk->big_endian = magic == PCAPNG_BYTE_ORDER_MAGIC;
	return 0;
}

static int walk_blocks(struct walk *walk)
{
	while (walk->at < walk->size) {
		const uint8_t *block = walk->data + walk->at;
		size_t left = walk->size - walk->at, total;
		bool section;
		int err = 0;

		section = left >= 4 && get_be32(block) == PCAPNG_SECTION;
		if (left < (section ? SECTION_SIZE_MIN : BLOCK_SIZE_MIN))
			return broken(walk, "is cut off: the file ends in it");
		if (section)
			err = read_byte_order(walk);
		if (err)
			return err;
		total = get32(walk, block + 4);
		if (total < (section ? SECTION_SIZE_MIN : BLOCK_SIZE_MIN) || total & 3)
			return broken(walk, "has a length that cannot be");
		if (total > left)
			return broken(walk, "is cut off: the file ends in it");
		if (get32(walk, block + total - 4) != total)
			return broken(walk, "has different lengths at its two ends");
		err = take_block(walk, get32(walk, block),
				 (struct body){ block + BLOCK_BODY_AT, total - BLOCK_SIZE_MIN });
		if (err)
			return err;
		walk->at += total;
	}
	return 0;
}

bool scrub_pcapng_is(const uint8_t *data, size_t size)
{
	return size >= 4 && get_be32(data) == PCAPNG_SECTION;
}

int scrub_pcapng(struct scrub_pass *pass, const uint8_t *data, size_t size, char *why)
{
	struct walk walk = {
		.pass = pass,
		.data = data,
		.size = size,
		.interfaces = g_array_new(false, false, sizeof(struct interface)),
		.block = g_byte_array_new(),
		.why = why,
	};
	int err = walk_blocks(&walk);

	g_array_unref(walk.interfaces);
	g_byte_array_unref(walk.block);
	return err;
}
