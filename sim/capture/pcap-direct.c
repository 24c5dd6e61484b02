/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * pcap files with the usual header, which are most: their records are handed out where the source
 * has them. By way of libpcap, which reads a stdio stream, each byte would be copied twice more,
 * and that is a quarter of the time that a capture takes to be shown.
 *
 * What libpcap makes of a file counts: the same frames, lengths and times come of it (pcap-file.c
 * has the rest: kernels' extra fields, version 2.3, bits beside the link type).
 */
#include <errno.h>
#include <glib.h>

#include "kmod-stub/event.h"
#include "sim/capture/container.h"

#define MAGIC_US UINT32_C(0xa1b2c3d4)	/* the times have microseconds */
#define MAGIC_NS UINT32_C(0xa1b23c4d)

enum {
	MAGIC_BEGINS = 0xa1b2,		/* of both, where the file is big-endian */
	FILE_HEADER_SIZE = 24,
	RECORD_HEADER_SIZE = 16,
	VERSION_MAJOR = 2,
	VERSION_MINOR = 4,
	LINK_TYPE_MAX = 0xffff,		/* what is above says other things */
	SNAPSHOT_MAX = 262144,		/* of all link types that are read */
};

struct pcap_direct {
	struct capture_container container;
	struct capture_source *source;
	bool is_big;
	int64_t ns_per_unit;
	uint32_t snapshot, link_type;
	size_t current;			/* bytes of the record handed out last, still to be taken */
};

static uint32_t number(const struct pcap_direct *file, const uint8_t *at)
{
	uint32_t value = get_be32(at);

	return file->is_big ? value : GUINT32_SWAP_LE_BE(value);
}

static int cut_off(const struct pcap_direct *file, char *why)
{
	frame_say(why, "the record at byte %" G_GUINT64_FORMAT " is cut off: the file ends in it",
		  capture_source_at(file->source));
	return -EBADMSG;
}

static int direct_next(struct capture_container *container, struct capture_frame *ret, char *why)
{
	struct pcap_direct *file = (struct pcap_direct *)(void *)container;
	const uint8_t *bytes;
	uint32_t captured;
	size_t there;

	capture_source_take(file->source, file->current);
	file->current = 0;
	bytes = capture_source_peek(file->source, RECORD_HEADER_SIZE, &there);
	if (!there)
		return 0;
	if (there < RECORD_HEADER_SIZE)
		return cut_off(file, why);
	captured = number(file, bytes + 8);
	if (captured > SNAPSHOT_MAX) {
		frame_say(why, "the record at byte %" G_GUINT64_FORMAT " would have %u bytes, and "
			  "none has more than %d", capture_source_at(file->source), captured,
			  SNAPSHOT_MAX);
		return -EBADMSG;
	}
	bytes = capture_source_peek(file->source, RECORD_HEADER_SIZE + captured, &there);
	if (there < RECORD_HEADER_SIZE + captured)
		return cut_off(file, why);
	file->current = RECORD_HEADER_SIZE + captured;
	*ret = (struct capture_frame){
		.link_type = file->link_type,
		/*
		 * Seconds without a sign end in 2106; libpcap takes those after 2038 for times
		 * before 1970, but only in files of this machine's byte order.
		 */
		.epoch_ns = number(file, bytes) * NS_PER_S +
			    number(file, bytes + 4) * file->ns_per_unit,
		.bytes = bytes + RECORD_HEADER_SIZE,
		.captured = MIN(captured, file->snapshot),
		.original = number(file, bytes + 12),
		.interface = -1,
	};
	return 1;
}

static void direct_free(struct capture_container *container)
{
	g_free(container);
}

/* Reads the file's header; false: it is not a usual one. */
static bool take_header(struct pcap_direct *file, const uint8_t *bytes)
{
	uint32_t magic, versions;

	file->is_big = get_be16(bytes) == MAGIC_BEGINS;
	magic = number(file, bytes);
	/* Two numbers of 16 bits; the first one is the upper half where the file is big-endian. */
	versions = number(file, bytes + 4);
	if ((magic != MAGIC_US && magic != MAGIC_NS) ||
	    versions != (file->is_big ? VERSION_MAJOR << 16 | VERSION_MINOR :
			 VERSION_MINOR << 16 | VERSION_MAJOR))
		return false;
	file->ns_per_unit = magic == MAGIC_NS ? 1 : NS_PER_US;
	file->snapshot = number(file, bytes + 16);
	if (file->snapshot == 0 || file->snapshot > SNAPSHOT_MAX)
		file->snapshot = SNAPSHOT_MAX;
	file->link_type = number(file, bytes + 20);
	return file->link_type <= LINK_TYPE_MAX;
}

struct capture_container *pcap_direct_open(struct capture_source *source)
{
	struct pcap_direct file = { .source = source };
	size_t there;
	const uint8_t *bytes = capture_source_peek(source, FILE_HEADER_SIZE, &there);

	if (there < FILE_HEADER_SIZE || !take_header(&file, bytes))
		return NULL;
	capture_source_take(source, FILE_HEADER_SIZE);
	file.container.next = direct_next;
	file.container.free = direct_free;
	return g_memdup2(&file, sizeof(file));
}
