/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Bare .erf files: ERF records one after the other, each with the length in its header.
 */
#include <errno.h>
#include <glib.h>

#include "sim/capture/container.h"

enum {
	TYPES = 49,			/* defined types are 1 to 48 */
	EXTENSIONS_MAX = 16 * 8,	/* bytes that extension headers may take */
	PADDING_MAX = 16,		/* 2 bytes of Ethernet's, and up to a multiple of 8 */
};

struct erf_file {
	struct capture_container container;
	struct capture_source *source;
	size_t current;			/* bytes of the record handed out last, still to be taken */
};

/*
 * Is it the header of a record? Without 'any_type' it has to be of a type that captures of
 * InfiniBand begin with, and complete: text, which has no such bytes there, must not be mistaken
 * for it.
 */
static bool is_record(const uint8_t *bytes, bool any_type)
{
	unsigned int type = bytes[ERF_TYPE_AT] & ERF_TYPE_MASK;
	size_t size = get_be16(bytes + ERF_RLEN_AT), wire = get_be16(bytes + ERF_WLEN_AT);

	if (size < ERF_HEADER_SIZE || type == 0 || type >= TYPES)
		return false;
	if (any_type)
		return true;
	if (type != ERF_TYPE_INFINIBAND && type != ERF_TYPE_LINK && type != ERF_TYPE_ETHERNET &&
	    type != ERF_TYPE_PROVENANCE)
		return false;
	return size >= ERF_HEADER_SIZE + wire &&
	       size <= ERF_HEADER_SIZE + EXTENSIONS_MAX + wire + PADDING_MAX;
}

bool erf_file_is(const uint8_t *bytes, size_t size, bool any_type)
{
	size_t at = 0;

	if (size < ERF_HEADER_SIZE)
		return false;
	for (unsigned int i = 0; i < 3 && size - at >= ERF_HEADER_SIZE; i++) {
		if (!is_record(bytes + at, any_type || i))
			return false;
		at += MIN(get_be16(bytes + at + ERF_RLEN_AT), size - at);
	}
	return true;
}

static int broken(const struct erf_file *file, const char *what, char *why)
{
	frame_say(why, "the ERF record at byte %" G_GUINT64_FORMAT " %s",
		  capture_source_at(file->source), what);
	return -EBADMSG;
}

static int erf_file_next(struct capture_container *container, struct capture_frame *ret, char *why)
{
	struct erf_file *file = (struct erf_file *)(void *)container;
	const uint8_t *bytes;
	size_t there, size;

	do {
		capture_source_take(file->source, file->current);
		file->current = 0;
		bytes = capture_source_peek(file->source, ERF_HEADER_SIZE, &there);
		if (!there)
			return 0;
		if (there < ERF_HEADER_SIZE)
			return broken(file, "is cut off: the file ends in it", why);
		size = get_be16(bytes + ERF_RLEN_AT);
		if (size < ERF_HEADER_SIZE)
			return broken(file, "has a length that cannot be", why);
		bytes = capture_source_peek(file->source, size, &there);
		if (there < size)
			return broken(file, "is cut off: the file ends in it", why);
		file->current = size;
		/* Padding records are not frames, as in Wireshark. */
	} while ((bytes[ERF_TYPE_AT] & ERF_TYPE_MASK) == ERF_TYPE_PAD);
	*ret = (struct capture_frame){
		.link_type = LINKTYPE_ERF,
		.bytes = bytes,
		.captured = size,
		.original = size,
		.interface = -1,
	};
	return 1;
}

static void erf_file_free(struct capture_container *container)
{
	g_free(container);
}

struct capture_container *erf_file_open(struct capture_source *source)
{
	struct erf_file *file = g_new0(struct erf_file, 1);

	file->container.next = erf_file_next;
	file->container.free = erf_file_free;
	file->source = source;
	return &file->container;
}
