/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * pcap files, by libpcap: see sim/capture/container.h. libpcap reads from a stdio stream; this one
 * reads from a source.
 */
#include "config.h"

#include <errno.h>
#include <glib.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <string.h>

#include "kmod-stub/event.h"
#include "sim/capture/container.h"

enum { STREAM_BUFFER_SIZE = 32 * 1024 };

struct pcap_file {
	struct capture_container container;
	struct capture_source *source;
	pcap_t *pcap;
	uint32_t link_type;
	char buffer[STREAM_BUFFER_SIZE];
};

bool pcap_file_is(const uint8_t *magic)
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

/* cookie_read_function_t */
static ssize_t read_source(void *cookie, char *to, size_t room)
{
	struct pcap_file *file = cookie;
	size_t there;
	const uint8_t *bytes = capture_source_peek(file->source, 1, &there);

	there = MIN(there, room);
	memcpy(to, bytes, there);
	capture_source_take(file->source, there);
	return (ssize_t)there;
}

static int pcap_file_next(struct capture_container *container, struct capture_frame *ret,
			  char *why)
{
	struct pcap_file *file = (struct pcap_file *)(void *)container;
	struct pcap_pkthdr *header;
	const u_char *bytes;
	int result = pcap_next_ex(file->pcap, &header, &bytes);

	if (result == PCAP_ERROR) {
		frame_say(why, "%.200s", pcap_geterr(file->pcap));
		return -EBADMSG;
	}
	if (result != 1)
		return 0;
	*ret = (struct capture_frame){
		.link_type = file->link_type,
		/* libpcap was asked for nanoseconds: tv_usec holds them. */
		.epoch_ns = (int64_t)header->ts.tv_sec * NS_PER_S + header->ts.tv_usec,
		.bytes = bytes,
		.captured = header->caplen,
		.original = header->len,
		.interface = -1,
	};
	return 1;
}

static void pcap_file_free(struct capture_container *container)
{
	struct pcap_file *file = (struct pcap_file *)(void *)container;

	if (file->pcap)
		pcap_close(file->pcap);
	g_free(file);
}

struct capture_container *pcap_file_open(struct capture_source *source, char *why)
{
	const cookie_io_functions_t functions = { .read = read_source };
	struct pcap_file *file = g_new0(struct pcap_file, 1);
	char errbuf[PCAP_ERRBUF_SIZE] = "";
	FILE *stream = fopencookie(file, "rb", functions);

	file->container.next = pcap_file_next;
	file->container.free = pcap_file_free;
	file->source = source;
	if (!stream) {
		frame_say(why, "%s", g_strerror(errno));
		g_free(file);
		return NULL;
	}
	setvbuf(stream, file->buffer, _IOFBF, sizeof(file->buffer));
	file->pcap = pcap_fopen_offline_with_tstamp_precision(stream, PCAP_TSTAMP_PRECISION_NANO,
							      errbuf);
	if (!file->pcap) {
		frame_say(why, "%.200s", errbuf);
		fclose(stream);
		g_free(file);
		return NULL;
	}
	/* These are the numbers in files, except raw IP's, of which all are read. */
	file->link_type = (uint32_t)pcap_datalink(file->pcap);
	return &file->container;
}
