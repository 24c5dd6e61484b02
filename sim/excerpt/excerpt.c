/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Excerpts of captures: see sim/excerpt/excerpt.h. */
#include "sim/excerpt/excerpt.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <sys/stat.h>

#include "lib/base/wire.h"
#include "sim/capture/container.h"
#include "sim/capture/pcapng.h"
#include "sim/scrub/scrub-input.h"
#include "sim/scrub/scrub-output.h"

enum {
	PCAP_HEADER_SIZE = 24,
	PCAP_RECORD_SIZE = 16,
	PCAP_RECORD_SIZE_LONG = 24,	/* with the interface and more: of an old patch */
	PCAP_CAPTURED_AT = 8,
	BLOCK_SIZE_MIN = 12,
	BLOCK_LENGTH_AT = 4,
	BLOCK_BODY_AT = 8,
};

struct walk {
	const uint8_t *data;
	size_t size, at;
	FILE *to;
	excerpt_keep_fn *keep;
	void *ctx;
	unsigned int frame;
	size_t written;
};

static void copy(struct walk *walk, size_t size)
{
	fwrite(walk->data + walk->at, 1, size, walk->to);
	walk->at += size;
}

static void take_frame(struct walk *walk, size_t size)
{
	if (!walk->keep(walk->ctx, ++walk->frame)) {
		walk->at += size;
		return;
	}
	walk->written++;
	copy(walk, size);
}

static uint32_t get32(bool is_big_endian, const uint8_t *p)
{
	return is_big_endian ? get_be32(p) : __builtin_bswap32(get_be32(p));
}

/* False: the file is damaged at walk->at; so with the others. */
static bool walk_pcap(struct walk *walk)
{
	uint32_t magic = get_be32(walk->data);
	bool is_big_endian = magic >> 24 == 0xa1;
	bool is_long = magic == 0xa1b2cd34 || magic == 0x34cdb2a1;
	size_t head = is_long ? PCAP_RECORD_SIZE_LONG : PCAP_RECORD_SIZE;

	if (walk->size < PCAP_HEADER_SIZE)
		return false;
	copy(walk, PCAP_HEADER_SIZE);
	while (walk->at < walk->size) {
		size_t left = walk->size - walk->at;
		uint32_t captured;

		if (left < head)
			return false;
		captured = get32(is_big_endian, walk->data + walk->at + PCAP_CAPTURED_AT);
		if (left - head < captured)
			return false;
		take_frame(walk, head + captured);
	}
	return true;
}

static bool is_frame(uint32_t type)
{
	return type == PCAPNG_PACKET_OLD || type == PCAPNG_SIMPLE_PACKET ||
	       type == PCAPNG_ENHANCED_PACKET || type == PCAPNG_JOURNAL_ENTRY;
}

static bool walk_pcapng(struct walk *walk)
{
	bool is_big_endian = false;

	while (walk->at < walk->size) {
		const uint8_t *block = walk->data + walk->at;
		size_t left = walk->size - walk->at;
		uint32_t type, length;

		if (left < BLOCK_SIZE_MIN)
			return false;
		if (get_be32(block) == PCAPNG_SECTION)
			is_big_endian = get_be32(block + BLOCK_BODY_AT) == PCAPNG_BYTE_ORDER_MAGIC;
		type = get32(is_big_endian, block);
		length = get32(is_big_endian, block + BLOCK_LENGTH_AT);
		if (length < BLOCK_SIZE_MIN || length & 3 || length > left)
			return false;
		if (is_frame(type))
			take_frame(walk, length);
		else
			copy(walk, length);
	}
	return true;
}

static bool walk_erf(struct walk *walk)
{
	while (walk->at < walk->size) {
		const uint8_t *record = walk->data + walk->at;
		size_t left = walk->size - walk->at;
		size_t length = left < ERF_HEADER_SIZE ? 0 : get_be16(record + ERF_RLEN_AT);

		if (length < ERF_HEADER_SIZE || length > left)
			return false;
		/* Padding is no frame, as for the reader. */
		if ((record[ERF_TYPE_AT] & ERF_TYPE_MASK) == ERF_TYPE_PAD)
			walk->at += length;
		else
			take_frame(walk, length);
	}
	return true;
}

static bool walk_all(struct walk *walk)
{
	if (walk->size >= BLOCK_SIZE_MIN && pcapng_is(walk->data))
		return walk_pcapng(walk);
	if (walk->size >= BLOCK_SIZE_MIN && pcap_file_is(walk->data))
		return walk_pcap(walk);
	return walk_erf(walk);
}

bool excerpt_bytes(const uint8_t *data, size_t size, FILE *to, excerpt_keep_fn *keep, void *ctx,
		   size_t *ret_written)
{
	struct walk walk = { .data = data, .size = size, .to = to, .keep = keep, .ctx = ctx };
	bool whole = walk_all(&walk);

	*ret_written = walk.written;
	return whole;
}

static int write_to(const char *out, const struct scrub_input *input, struct walk *walk,
		    char *reterr, size_t reterr_size)
{
	struct scrub_output *output = scrub_output_open(out);
	int err = output ? 0 : -errno;
	bool whole;

	*reterr = '\0';
	if (!err) {
		walk->to = scrub_output_file(output);
		whole = walk_all(walk);
		err = scrub_output_close(output, true);
		if (!whole)
			g_snprintf(reterr, reterr_size, "%s: after frame %u the file is damaged or "
				   "was cut, at byte %zu; what is before was written", input->name,
				   walk->frame, walk->at);
		else if (*input->why)
			g_snprintf(reterr, reterr_size, "%s: %s", input->name, input->why);
	}
	if (err)
		g_snprintf(reterr, reterr_size, "cannot write %s: %s", out, g_strerror(-err));
	return err;
}

int excerpt_write(const char *in, const char *out, excerpt_keep_fn *keep, void *ctx,
		  size_t *ret_written, char *reterr, size_t reterr_size)
{
	struct walk walk = { .keep = keep, .ctx = ctx };
	struct scrub_input input;
	int err;

	if (scrub_input_is(in, out, reterr, reterr_size))
		return -EEXIST;
	if (!scrub_input_open(in, &input, reterr, reterr_size))
		return -EIO;
	walk.data = input.data;
	walk.size = input.size;
	err = write_to(out, &input, &walk, reterr, reterr_size);
	scrub_input_close(&input);
	*ret_written = walk.written;
	return err;
}
