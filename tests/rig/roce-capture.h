/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Captures for tests that hold any MADs, one packet after the other: of RoCE as Ethernet frames, of
 * InfiniBand as umadrig writes them.
 */
#ifndef UMADRIG_TESTS_RIG_ROCE_CAPTURE_H
#define UMADRIG_TESTS_RIG_ROCE_CAPTURE_H

#include "sim/capture/capture.h"
#include "tests/rig/capture-build.h"
#include "tests/rig/roce-file.h"

/* In the order of enum roce_form. */
enum rig_form { RIG_ROCE_V1, RIG_ROCE_V2_IPV4, RIG_NATIVE };

struct rig_capture {
	enum rig_form form;
	char *path;
	GByteArray *file;		/* RoCE: pcap with nanoseconds */
	struct capture_writer *writer;	/* native: pcapng */
	unsigned int port;
};

/* Begins a file in a temporary place. 'interface': native: the name of its port. */
static inline struct rig_capture rig_capture_begin(enum rig_form form, const char *interface)
{
	struct rig_capture capture = { .form = form };
	char message[512] = "";
	int fd = g_file_open_tmp(form == RIG_NATIVE ? "umadrig-XXXXXX.pcapng" :
				 "umadrig-XXXXXX.pcap", &capture.path, NULL);

	g_assert_cmpint(fd, >=, 0);
	close(fd);
	if (form == RIG_NATIVE) {
		capture.writer = capture_writer_open(capture.path, NULL, true, message,
						     sizeof(message));
		g_assert_nonnull(capture.writer);
		capture.port = capture_writer_interface(capture.writer, interface, NULL);
		return capture;
	}
	capture.file = g_byte_array_new();
	build_pcap(capture.file, 0xa1b23c4d, 1, true);
	return capture;
}

/* The packet has a GRH. Native: the port has LID 1, the other one 2. */
static inline void rig_capture_add(struct rig_capture *capture, int64_t at_ns, bool outbound,
				   struct packet *packet)
{
	uint8_t frame[ROCE_FRAME];
	size_t size;

	if (capture->writer) {
		put_be16(packet->bytes + LRH_SLID, outbound ? 1 : 2);
		put_be16(packet->bytes + LRH_DLID, outbound ? 2 : 1);
		packet->sealed = false;
		capture_writer_packet(capture->writer, capture->port, at_ns, outbound, packet,
				      NULL);
		return;
	}
	size = roce_write_frame((enum roce_form)capture->form, packet, frame);
	build_pcap_record(capture->file, (uint32_t)(at_ns / 1000000000),
			  (uint32_t)(at_ns % 1000000000), frame, size, size, true);
}

/* Its path, to be freed, and the file to be unlinked. */
static inline char *rig_capture_end(struct rig_capture *capture)
{
	if (capture->writer) {
		g_assert_cmpint(capture_writer_close(capture->writer), ==, 0);
		return capture->path;
	}
	g_assert_true(g_file_set_contents(capture->path, (const char *)capture->file->data,
					  capture->file->len, NULL));
	g_byte_array_unref(capture->file);
	return capture->path;
}

#endif
