/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * pcap files, byte by byte: a header, and records with one of their own each.
 */
#include <errno.h>
#include <string.h>

#include "sim/scrub/scrub-format.h"
#include "lib/base/wire.h"

enum {
	FILE_HEADER_SIZE = 24,
	LINK_TYPE_AT = 20,
	LINK_TYPE_MASK = 0xffff,	/* above: the length of an FCS */
	RECORD_HEADER_SIZE = 16,
	RECORD_HEADER_SIZE_LONG = 24,	/* with the interface and more: of an old patch */
	CAPTURED_AT = 8,
	ORIGINAL_AT = 12,
};

struct pcap_form {
	uint32_t magic;
	bool big_endian;
	size_t record_size;
};

static const struct pcap_form *form_of(const uint8_t *data, size_t size)
{
	static const struct pcap_form forms[] = {
		{ 0xa1b2c3d4, true, RECORD_HEADER_SIZE },
		{ 0xd4c3b2a1, false, RECORD_HEADER_SIZE },
		{ 0xa1b23c4d, true, RECORD_HEADER_SIZE },
		{ 0x4d3cb2a1, false, RECORD_HEADER_SIZE },
		{ 0xa1b2cd34, true, RECORD_HEADER_SIZE_LONG },
		{ 0x34cdb2a1, false, RECORD_HEADER_SIZE_LONG },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(forms) && size >= FILE_HEADER_SIZE; i++)
		if (get_be32(data) == forms[i].magic)
			return &forms[i];
	return NULL;
}

bool scrub_pcap_is(const uint8_t *data, size_t size)
{
	return form_of(data, size);
}

static uint32_t get32(const struct pcap_form *form, const uint8_t *p)
{
	return form->big_endian ? get_be32(p) : __builtin_bswap32(get_be32(p));
}

/* What follows the lengths in the long form counts interfaces of the machine: zero. */
static void write_record(struct scrub_pass *pass, const struct pcap_form *form,
			 const uint8_t *header)
{
	static const uint8_t zero[RECORD_HEADER_SIZE_LONG];

	scrub_pass_write(pass, header, RECORD_HEADER_SIZE);
	scrub_pass_write(pass, zero, form->record_size - RECORD_HEADER_SIZE);
	scrub_pass_write(pass, pass->frame->data, pass->frame->len);
}

int scrub_pcap(struct scrub_pass *pass, const uint8_t *data, size_t size, char *why)
{
	const struct pcap_form *form = form_of(data, size);
	uint32_t link_type = get32(form, data + LINK_TYPE_AT) & LINK_TYPE_MASK;
	size_t at = FILE_HEADER_SIZE;

	scrub_pass_write(pass, data, FILE_HEADER_SIZE);
	while (at < size) {
		const uint8_t *header = data + at;
		uint32_t captured;

		if (size - at < form->record_size ||
		    size - at - form->record_size < get32(form, header + CAPTURED_AT)) {
			g_snprintf(why, SCRUB_WHY_SIZE, "the record at byte %zu is longer than "
				   "what is left of the file", at);
			return -EBADMSG;
		}
		captured = get32(form, header + CAPTURED_AT);
		if (scrub_pass_frame(pass, link_type, header + form->record_size, captured,
				     get32(form, header + ORIGINAL_AT)))
			write_record(pass, form, header);
		at += form->record_size + captured;
	}
	return 0;
}
