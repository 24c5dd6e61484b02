/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * pcapng, block by block: see sim/capture/container.h.
 */
#include "sim/capture/pcapng.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "kmod-stub/event.h"
#include "lib/words/number.h"
#include "sim/capture/container.h"

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
	int number;			/* through all sections */
	uint8_t tsresol;
	int64_t tsoffset_s;
};

struct pcapng {
	struct capture_container container;
	struct capture_source *source;
	struct capture_names *names;	/* the names of interfaces */
	bool begun;			/* a section */
	bool swapped;			/* it is big-endian */
	GArray *interfaces;		/* of struct interface, of this section */
	GString *comment;		/* of the packet handed out last */
	char *journal;			/* the text of the note handed out last */
	size_t current;			/* bytes of the block handed out last, to be taken */
	char *why;
};

/* The part of a block that is between its two lengths. */
struct body {
	const uint8_t *bytes;
	size_t size;
};

static uint16_t get16(const struct pcapng *pcapng, const uint8_t *p)
{
	uint16_t v = get_be16(p);

	return pcapng->swapped ? v : __builtin_bswap16(v);
}

static uint32_t get32(const struct pcapng *pcapng, const uint8_t *p)
{
	uint32_t v = get_be32(p);

	return pcapng->swapped ? v : __builtin_bswap32(v);
}

static int broken(struct pcapng *pcapng, const char *what)
{
	frame_say(pcapng->why, "the block at byte %" G_GUINT64_FORMAT " %s",
		  capture_source_at(pcapng->source), what);
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
static bool next_option(const struct pcapng *pcapng, struct body *rest, struct option *ret)
{
	size_t padded;

	if (rest->size < 4)
		return false;
	ret->code = get16(pcapng, rest->bytes);
	ret->size = get16(pcapng, rest->bytes + 2);
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

static int read_section(struct pcapng *pcapng, struct body body)
{
	if (get16(pcapng, body.bytes + 4) != 1)
		return broken(pcapng, "begins a section of an unknown version");
	g_array_set_size(pcapng->interfaces, 0);
	pcapng->begun = true;
	return 0;
}

static int read_interface(struct pcapng *pcapng, struct body body)
{
	struct interface interface = { .tsresol = TSRESOL_DEFAULT };
	g_autofree char *name = NULL, *description = NULL, *comment = NULL;
	struct capture_interface named;
	struct option option;

	if (body.size < INTERFACE_BODY_SIZE)
		return broken(pcapng, "describes an interface and is too short for it");
	interface.link_type = get16(pcapng, body.bytes);
	interface.snap_length = get32(pcapng, body.bytes + 4);
	body = body_behind(body, INTERFACE_BODY_SIZE);
	while (next_option(pcapng, &body, &option)) {
		if (option.code == PCAPNG_IF_NAME && !name) {
			name = g_strndup((const char *)option.bytes, option.size);
		} else if (option.code == PCAPNG_IF_DESCRIPTION && !description) {
			description = g_strndup((const char *)option.bytes, option.size);
		} else if (option.code == PCAPNG_OPT_COMMENT && !comment) {
			comment = g_strndup((const char *)option.bytes, option.size);
		} else if (option.code == PCAPNG_IF_TSRESOL && option.size == 1) {
			interface.tsresol = option.bytes[0];
		} else if (option.code == PCAPNG_IF_TSOFFSET && option.size == 8) {
			uint64_t v = get_be64(option.bytes);

			interface.tsoffset_s = (int64_t)(pcapng->swapped ? v :
							 __builtin_bswap64(v));
		}
	}
	named = (struct capture_interface){ name, description, comment };
	interface.number = capture_names_add(pcapng->names, &named);
	if (interface.number < 0)
		return broken(pcapng, "describes one interface too many: a million are read");
	g_array_append_val(pcapng->interfaces, interface);
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
static void read_packet_options(struct pcapng *pcapng, struct body rest, struct capture_frame *ret)
{
	struct option option;

	while (next_option(pcapng, &rest, &option)) {
		const char *text = (const char *)option.bytes;

		if (option.code == PCAPNG_OPT_COMMENT) {
			if (ret->comment)
				g_string_append_c(pcapng->comment, '\n');
			else
				g_string_truncate(pcapng->comment, 0);
			g_string_append_len(pcapng->comment, text,
					    (gssize)strnlen(text, option.size));
			ret->comment = pcapng->comment->str;
		} else if (option.code == PCAPNG_EPB_FLAGS && option.size == 4) {
			uint32_t direction = get32(pcapng, option.bytes) & 3;

			if (direction == PCAPNG_INBOUND)
				ret->direction = CAPTURE_INBOUND;
			else if (direction == PCAPNG_OUTBOUND)
				ret->direction = CAPTURE_OUTBOUND;
		}
	}
}

/*
 * Fills in what the interface of that number in this section says about a frame. NULL: there is
 * none.
 */
static const struct interface *take_interface(struct pcapng *pcapng, uint32_t id,
					      struct capture_frame *ret)
{
	const struct interface *interface;
	const struct capture_interface *named;

	if (id >= pcapng->interfaces->len)
		return NULL;
	interface = &g_array_index(pcapng->interfaces, struct interface, id);
	named = capture_names_get(pcapng->names, (unsigned int)interface->number);
	ret->link_type = interface->link_type;
	ret->interface = interface->number;
	ret->interface_name = named->name;
	return interface;
}

/* Enhanced packets and their predecessor, which has 16 bits of drop counter beside a short id. */
static int read_packet(struct pcapng *pcapng, struct body body, bool old, struct capture_frame *ret)
{
	const struct interface *interface;
	uint64_t ticks;

	if (body.size < PACKET_BODY_SIZE)
		return broken(pcapng, "holds a packet and is too short for it");
	interface = take_interface(pcapng, old ? get16(pcapng, body.bytes) :
				   get32(pcapng, body.bytes), ret);
	if (!interface)
		return broken(pcapng, "holds a packet of an interface that is not declared");
	ticks = (uint64_t)get32(pcapng, body.bytes + 4) << 32 | get32(pcapng, body.bytes + 8);
	ret->epoch_ns = time_ns(interface, ticks);
	ret->captured = get32(pcapng, body.bytes + 12);
	ret->original = get32(pcapng, body.bytes + 16);
	ret->bytes = body.bytes + PACKET_BODY_SIZE;
	body = body_behind(body, PACKET_BODY_SIZE);
	if (ret->captured > body.size)
		return broken(pcapng, "holds a packet longer than itself");
	if (!old)
		read_packet_options(pcapng, body_behind(body, MIN(
			(ret->captured + 3) & ~(size_t)3, body.size)), ret);
	return 1;
}

/* A packet without time, options or captured length: the snap length says how much is present. */
static int read_simple_packet(struct pcapng *pcapng, struct body body, struct capture_frame *ret)
{
	const struct interface *interface = take_interface(pcapng, 0, ret);

	if (body.size < SIMPLE_BODY_SIZE)
		return broken(pcapng, "holds a packet and is too short for it");
	if (!interface)
		return broken(pcapng, "holds a packet of an interface that is not declared");
	ret->timeless = true;
	ret->original = get32(pcapng, body.bytes);
	ret->bytes = body.bytes + SIMPLE_BODY_SIZE;
	ret->captured = MIN(ret->original, body.size - SIMPLE_BODY_SIZE);
	if (interface->snap_length)
		ret->captured = MIN(ret->captured, interface->snap_length);
	return 1;
}

/* The number after 'name', if the line begins with that. */
static bool journal_number(const char *line, const char *name, int64_t *ret)
{
	uint64_t number = 0;

	if (!g_str_has_prefix(line, name))
		return false;
	number_after(line, name, 10, &number);
	*ret = (int64_t)MIN(number, (uint64_t)INT64_MAX);
	return true;
}

/*
 * A line of text with its time. Reading stops at the first field in binary form: none of the fields
 * that are read here needs that form.
 */
static int read_journal_entry(struct pcapng *pcapng, struct body body, struct capture_frame *ret)
{
	char *line, *end;
	int64_t us, ns;

	g_free(pcapng->journal);
	pcapng->journal = g_strndup((const char *)body.bytes, body.size);
	ret->interface = -1;
	ret->note = "";
	for (line = pcapng->journal; line; line = end ? end + 1 : NULL) {
		end = strchr(line, '\n');
		if (end)
			*end = '\0';
		if (!strchr(line, '='))
			break;
		if (journal_number(line, JOURNAL_TIME_US, &us) && !ret->epoch_ns &&
		    __builtin_mul_overflow(us, NS_PER_US, &ret->epoch_ns))
			ret->epoch_ns = us < 0 ? INT64_MIN : INT64_MAX;
		else if (journal_number(line, JOURNAL_TIME_NS, &ns))
			ret->epoch_ns = ns;
		else if (g_str_has_prefix(line, JOURNAL_TEXT))
			ret->note = line + strlen(JOURNAL_TEXT);
	}
	return 1;
}

/* 1: 'ret' is a frame. 0: the block holds none. */
static int read_block(struct pcapng *pcapng, uint32_t type, struct body body,
		      struct capture_frame *ret)
{
	memset(ret, 0, sizeof(*ret));
	switch (type) {
	case PCAPNG_SECTION:
		return read_section(pcapng, body);
	case PCAPNG_INTERFACE:
		return read_interface(pcapng, body);
	case PCAPNG_PACKET_OLD:
		return read_packet(pcapng, body, true, ret);
	case PCAPNG_ENHANCED_PACKET:
		return read_packet(pcapng, body, false, ret);
	case PCAPNG_SIMPLE_PACKET:
		return read_simple_packet(pcapng, body, ret);
	case PCAPNG_JOURNAL_ENTRY:
		return read_journal_entry(pcapng, body, ret);
	default:
		return 0;	/* names, statistics, private blocks: skipped */
	}
}

static bool is_read(uint32_t type)
{
	return type == PCAPNG_SECTION || type == PCAPNG_INTERFACE || type == PCAPNG_PACKET_OLD ||
	       type == PCAPNG_ENHANCED_PACKET || type == PCAPNG_SIMPLE_PACKET ||
	       type == PCAPNG_JOURNAL_ENTRY;
}

/* A section header gives the byte order of all that follows, and of its own length. */
static int read_byte_order(struct pcapng *pcapng)
{
	size_t there;
	const uint8_t *block = capture_source_peek(pcapng->source, SECTION_SIZE_MIN, &there);
	uint32_t value;

	if (there < SECTION_SIZE_MIN)
		return broken(pcapng, "begins a section and the file ends in it");
	value = get_be32(block + BLOCK_BODY_AT);
	if (value != PCAPNG_BYTE_ORDER_MAGIC && value != __builtin_bswap32(PCAPNG_BYTE_ORDER_MAGIC))
		return broken(pcapng, "begins a section without saying its byte order");
	pcapng->swapped = value == PCAPNG_BYTE_ORDER_MAGIC;
	return 0;
}

/* Skips a block that has nothing to read, which may have any length. */
static int skip_block(struct pcapng *pcapng, uint32_t total)
{
	const uint8_t *end;
	size_t there;

	if (!capture_source_skip(pcapng->source, total - 4))
		return broken(pcapng, "is cut off: the file ends in it");
	end = capture_source_peek(pcapng->source, 4, &there);
	if (there < 4)
		return broken(pcapng, "is cut off: the file ends in it");
	if (get32(pcapng, end) != total)
		return broken(pcapng, "has different lengths at its two ends");
	capture_source_take(pcapng->source, 4);
	return 0;
}

/* Reads the block whose type and length have been read. */
static int take_block(struct pcapng *pcapng, uint32_t type, uint32_t total,
		      struct capture_frame *ret)
{
	uint32_t least = type == PCAPNG_SECTION ? SECTION_SIZE_MIN : BLOCK_SIZE_MIN;
	const uint8_t *block;
	size_t there;

	if (total < least || total & 3)
		return broken(pcapng, "has a length that cannot be");
	if (!is_read(type))
		return skip_block(pcapng, total);
	if (total > PCAPNG_BLOCK_MAX)
		return broken(pcapng, "is longer than any packet: at most 16 MiB are read");
	block = capture_source_peek(pcapng->source, total, &there);
	if (there < total)
		return broken(pcapng, "is cut off: the file ends in it");
	if (get32(pcapng, block + total - 4) != total)
		return broken(pcapng, "has different lengths at its two ends");
	pcapng->current = total;
	return read_block(pcapng, type, (struct body){ block + BLOCK_BODY_AT,
						       total - BLOCK_SIZE_MIN }, ret);
}

static int pcapng_next(struct capture_container *container, struct capture_frame *ret, char *why)
{
	struct pcapng *pcapng = (struct pcapng *)(void *)container;
	int result = 0;

	pcapng->why = why;
	while (!result) {
		const uint8_t *block;
		uint32_t type;
		size_t there;

		capture_source_take(pcapng->source, pcapng->current);
		pcapng->current = 0;
		block = capture_source_peek(pcapng->source, BLOCK_SIZE_MIN, &there);
		if (!there)
			return 0;
		if (there < BLOCK_SIZE_MIN)
			return broken(pcapng, "is cut off: the file ends in it");
		type = get32(pcapng, block);
		if (type == PCAPNG_SECTION) {
			result = read_byte_order(pcapng);
			block = capture_source_peek(pcapng->source, BLOCK_SIZE_MIN, &there);
		} else if (!pcapng->begun) {
			result = broken(pcapng, "does not begin a section");
		}
		if (!result)
			result = take_block(pcapng, type, get32(pcapng, block + 4), ret);
	}
	return result;
}

static void pcapng_free(struct capture_container *container)
{
	struct pcapng *pcapng = (struct pcapng *)(void *)container;

	g_array_free(pcapng->interfaces, true);
	g_string_free(pcapng->comment, true);
	g_free(pcapng->journal);
	g_free(pcapng);
}

bool pcapng_is(const uint8_t *magic)
{
	return get_be32(magic) == PCAPNG_SECTION;
}

struct capture_container *pcapng_open(struct capture_source *source, struct capture_names *names)
{
	struct pcapng *pcapng = g_new0(struct pcapng, 1);

	pcapng->container.next = pcapng_next;
	pcapng->container.free = pcapng_free;
	pcapng->source = source;
	pcapng->names = names;
	pcapng->interfaces = g_array_new(false, false, sizeof(struct interface));
	pcapng->comment = g_string_new(NULL);
	return &pcapng->container;
}
