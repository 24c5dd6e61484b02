/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Captures item by item: what they come from (memory, pipes that grow, compressed files), every
 * container, what is counted, and times that go backwards.
 */
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "sim/capture/frame.h"
#include "sim/capture/stream.h"
#include "tests/rig/capture-pack.h"
#include "tests/rig/capture-vectors.h"
#include "tests/rig/leak.h"

enum { ETHERNET_SIZE = 14 };

enum container { PCAP, PCAPNG, ERF_FILE, CONTAINERS };

/* What a file begins with before its first frame. */
static void begin_file(GByteArray *file, enum container container)
{
	switch (container) {
	case PCAP:
		build_pcap(file, 0xa1b23c4d, LINKTYPE_INFINIBAND, false);
		break;
	case PCAPNG:
		build_section(file, false);
		build_interface(file, LINKTYPE_INFINIBAND, "ib0", 9, 0, false);
		break;
	case ERF_FILE:
	case CONTAINERS:
		break;
	}
}

/* A bare ERF record, 8 bytes longer than it needs to be: 'type' and 'flags' in hex. */
static void add_erf(GByteArray *file, const char *type, const char *flags, uint32_t seconds,
		    const GByteArray *packet)
{
	g_autofree char *tail = g_strdup_printf("%s%s", type, flags);
	guint size = (ERF_HEADER_SIZE + packet->len + 7) & ~7u;

	build_number(file, 0, 4, false);
	build_number(file, seconds, 4, false);
	build_hex(file, tail);
	build_number(file, size, 2, true);
	build_number(file, 0, 2, true);
	build_number(file, packet->len, 2, true);
	g_byte_array_append(file, packet->data, packet->len);
	build_zero(file, size - ERF_HEADER_SIZE - packet->len);
}

/* The MAD of the vectors at so many seconds. */
static void add_frame(GByteArray *file, enum container container, uint32_t seconds)
{
	GByteArray *packet = vector_bytes(NATIVE);

	switch (container) {
	case PCAP:
		build_pcap_record(file, seconds, 0, packet->data, packet->len, packet->len, false);
		break;
	case PCAPNG:
		build_enhanced(file, 0, seconds * UINT64_C(1000000000), packet, NULL, false);
		break;
	case ERF_FILE:
		add_erf(file, "15", "04", seconds, packet);
		break;
	case CONTAINERS:
		break;
	}
	g_byte_array_free(packet, true);
}

static struct capture_stream *open_bytes(const GByteArray *file, unsigned int flags)
{
	char message[512] = "";
	struct capture_stream *stream = capture_stream_parse(file->data, file->len, "made-up",
							     flags, message, sizeof(message));

	g_assert_cmpstr(message, ==, "");
	g_assert_nonnull(stream);
	return stream;
}

/* ---- link types ---- */

static void test_link_types(void)
{
	static const struct {
		uint32_t link_type;
		const char *header;	/* in place of 'leave_out' bytes of the vector */
		enum vector vector;
		guint leave_out;
		enum capture_transport transport;
		enum capture_direction direction;
		unsigned int interface;
	} rows[] = {
		{ 113, "0000 0001 0006 0200000000010000 8915", ROCE_V1, ETHERNET_SIZE,
		  CAPTURE_ROCE_V1, CAPTURE_INBOUND, 0 },
		{ 113, "0004 0001 0006 0200000000010000 0800", ROCE_V2_IPV4, ETHERNET_SIZE,
		  CAPTURE_ROCE_V2, CAPTURE_OUTBOUND, 0 },
		{ 113, "0009 0001 0006 0200000000010000 88a8", ROCE_V1_VLANS, ETHERNET_SIZE,
		  CAPTURE_ROCE_V1, CAPTURE_DIRECTION_UNKNOWN, 0 },
		{ 276, "86dd 0000 00000003 0001 04 06 0200000000010000", ROCE_V2_IPV6,
		  ETHERNET_SIZE, CAPTURE_ROCE_V2, CAPTURE_OUTBOUND, 3 },
		{ 276, "8915 0000 00000007 0001 00 06 0200000000010000", ROCE_V1, ETHERNET_SIZE,
		  CAPTURE_ROCE_V1, CAPTURE_INBOUND, 7 },
		{ 101, "", ROCE_V2_IPV4, ETHERNET_SIZE, CAPTURE_ROCE_V2, 0, 0 },
		{ 101, "", ROCE_V2_IPV6, ETHERNET_SIZE, CAPTURE_ROCE_V2, 0, 0 },
		{ 12, "", ROCE_V2_IPV6, ETHERNET_SIZE, CAPTURE_ROCE_V2, 0, 0 },
		{ 14, "", ROCE_V2_IPV4, ETHERNET_SIZE, CAPTURE_ROCE_V2, 0, 0 },
		{ 228, "", ROCE_V2_IPV4, ETHERNET_SIZE, CAPTURE_ROCE_V2, 0, 0 },
		{ 229, "", ROCE_V2_IPV6, ETHERNET_SIZE, CAPTURE_ROCE_V2, 0, 0 },
		{ 1, "", ROCE_V1_VLANS, 0, CAPTURE_ROCE_V1, 0, 0 },
		{ 197, ERF("02", "04", "014e") "0000", ROCE_V1, 0, CAPTURE_ROCE_V1, 0, 0 },
		{ 197, ERF("82", "05", "0156") "0000000000000000 0000", ROCE_V2_IPV6, 0,
		  CAPTURE_ROCE_V2, 0, 1 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		GByteArray *file = g_byte_array_new(), *frame = g_byte_array_new();
		GByteArray *packet = vector_bytes(rows[i].vector);
		struct capture_stream *stream;
		struct capture_item item;

		g_test_message("row %zu: link type %u", i, rows[i].link_type);
		build_hex(frame, rows[i].header);
		g_byte_array_append(frame, packet->data + rows[i].leave_out,
				    packet->len - rows[i].leave_out);
		build_pcap(file, 0xa1b2c3d4, rows[i].link_type, false);
		build_pcap_record(file, 1, 2, frame->data, frame->len, frame->len, false);
		stream = open_bytes(file, CAPTURE_CHECK_CRCS);
		g_assert_true(capture_stream_next(stream, &item));
		g_assert_cmpint(item.kind, ==, CAPTURE_ITEM_MAD);
		g_assert_cmpint(item.cause, ==, CAUSE_NONE);
		g_assert_true(item.mad->icrc_ok);
		g_assert_cmpint(item.mad->transport, ==, rows[i].transport);
		g_assert_cmpint(item.mad->direction, ==, rows[i].direction);
		g_assert_cmpuint(item.mad->interface, ==, rows[i].interface);
		g_assert_cmphex(get_be64(item.mad->mad + MAD_TID), ==, 0x1234);
		g_assert_false(capture_stream_next(stream, &item));
		g_assert_cmpstr(capture_stream_warning(stream), ==, NULL);
		capture_stream_close(stream);
		g_byte_array_free(packet, true);
		g_byte_array_free(frame, true);
		g_byte_array_free(file, true);
	}
}

/* ---- where the bytes come from ---- */

/* The items of a whole file: how many MADs, and whether there was a warning. */
static size_t count_mads(const GByteArray *file, char **ret_warning)
{
	struct capture_stream *stream = open_bytes(file, 0);
	struct capture_item item;
	size_t mads = 0;

	while (capture_stream_next(stream, &item))
		mads += item.kind == CAPTURE_ITEM_MAD;
	*ret_warning = g_strdup(capture_stream_warning(stream));
	capture_stream_close(stream);
	return mads;
}

static void test_packed(void)
{
	for (enum container container = PCAP; container < CONTAINERS; container++) {
		for (enum pack pack = PACK_NONE; pack < PACKS; pack++) {
			GByteArray *file = g_byte_array_new(), *bytes;
			char *warning;

			begin_file(file, container);
			/* More than any buffer on the way holds. */
			for (unsigned int i = 0; i < 3000; i++)
				add_frame(file, container, i);
			bytes = packed(file, pack);
			g_assert_cmpuint(count_mads(bytes, &warning), ==, 3000);
			g_assert_cmpstr(warning, ==, NULL);
			/* Without its last byte: what is there, and a word about it. */
			g_byte_array_set_size(bytes, bytes->len - 1);
			g_assert_cmpuint(count_mads(bytes, &warning), >=, 2000);
			g_assert_nonnull(warning);
			g_assert_nonnull(strstr(warning, "the file is damaged or was cut: "));
			if (pack != PACK_NONE)
				g_assert_nonnull(strstr(warning, "data break off"));
			g_free(warning);
			g_byte_array_free(bytes, true);
			g_byte_array_free(file, true);
		}
	}
}

/* Pieces that were packed one by one are one file; what follows them and is none is told. */
static void test_packed_pieces(void)
{
	for (enum pack pack = PACK_GZIP; pack < PACKS; pack++) {
		GByteArray *head = g_byte_array_new(), *tail = g_byte_array_new();
		GByteArray *file = g_byte_array_new();
		char *warning;

		begin_file(head, PCAP);
		for (unsigned int i = 0; i < 10; i++)
			add_frame(i < 5 ? head : tail, PCAP, i);
		for (unsigned int i = 0; i < 2; i++) {
			GByteArray *bytes = packed(i ? tail : head, pack);

			g_byte_array_append(file, bytes->data, bytes->len);
			g_byte_array_free(bytes, true);
		}
		g_assert_cmpuint(count_mads(file, &warning), ==, 10);
		g_assert_cmpstr(warning, ==, NULL);
		if (pack == PACK_GZIP) {
			build_zero(file, 100);		/* as on tapes */
			g_assert_cmpuint(count_mads(file, &warning), ==, 10);
			g_assert_cmpstr(warning, ==, NULL);
		}
		build_hex(file, "123456789abcdef0");
		g_assert_cmpuint(count_mads(file, &warning), ==, 10);
		g_assert_nonnull(warning);
		g_test_message("%s", warning);
		g_free(warning);
		g_byte_array_free(head, true);
		g_byte_array_free(tail, true);
		g_byte_array_free(file, true);
	}
}

static void count_wait(void *ctx)
{
	++*(unsigned int *)ctx;
}

static void write_all(int fd, const GByteArray *bytes)
{
	g_assert_cmpint(write(fd, bytes->data, bytes->len), ==, (ssize_t)bytes->len);
}

/*
 * Each MAD is there as soon as the pipe has it: nothing here waits for the next one, or this test
 * would wait for ever, because it is the one that writes it.
 */
static void grow(enum container container, enum pack pack)
{
	struct packer *packer = packer_new(pack);
	char path[64], message[512] = "";
	struct capture_stream *stream = NULL;
	unsigned int waits = 0;
	struct capture_item item;
	int fds[2];

	g_assert_cmpint(pipe(fds), ==, 0);
	g_snprintf(path, sizeof(path), "/dev/fd/%d", fds[0]);
	for (unsigned int i = 0; i < 5; i++) {
		GByteArray *plain = g_byte_array_new(), *bytes = g_byte_array_new();

		if (i == 0)
			begin_file(plain, container);
		add_frame(plain, container, i);
		packer_add(packer, bytes, plain->data, plain->len, i == 4);
		write_all(fds[1], bytes);
		if (!stream)
			stream = capture_stream_open(path, 0, message, sizeof(message));
		g_assert_cmpstr(message, ==, "");
		capture_stream_on_wait(stream, count_wait, &waits);
		g_assert_true(capture_stream_next(stream, &item));
		g_assert_cmpuint(item.frame, ==, i + 1);
		g_assert_cmpint(item.time_ns, ==, i * INT64_C(1000000000));
		g_byte_array_free(plain, true);
		g_byte_array_free(bytes, true);
	}
	g_assert_cmpuint(waits, >=, 4);
	close(fds[1]);
	g_assert_false(capture_stream_next(stream, &item));
	g_assert_cmpstr(capture_stream_warning(stream), ==, NULL);
	capture_stream_close(stream);
	close(fds[0]);
	packer_free(packer);
}

static void test_growing_pipe(void)
{
	for (enum container container = PCAP; container < CONTAINERS; container++)
		for (enum pack pack = PACK_NONE; pack < PACKS; pack++)
			grow(container, pack);
}

/* ---- containers ---- */

static void test_erf_file(void)
{
	GByteArray *file = g_byte_array_new(), *native = vector_bytes(NATIVE);
	GByteArray *empty = g_byte_array_new();
	struct capture_stream *stream;
	struct capture_item item;

	add_erf(file, "1b", "04", 1, native);	/* where the file comes from */
	add_erf(file, "15", "04", 2, native);
	add_erf(file, "30", "00", 0, empty);	/* padding: no frame */
	add_erf(file, "19", "04", 3, native);	/* flow control */
	add_erf(file, "15", "05", 4, native);
	stream = open_bytes(file, CAPTURE_EVERY_FRAME | CAPTURE_CHECK_CRCS);
	g_assert_true(capture_stream_next(stream, &item));
	g_assert_cmpint(item.kind, ==, CAPTURE_ITEM_UNUSED);
	g_assert_cmpint(item.cause, ==, CAUSE_ERF_TYPE);
	g_assert_null(item.mad);
	g_assert_true(capture_stream_next(stream, &item));
	g_assert_cmpuint(item.mad->frame, ==, 2);
	g_assert_true(item.mad->icrc_ok && item.mad->vcrc_ok);
	g_assert_cmpint(item.time_ns, ==, INT64_C(1000000000));
	g_assert_cmpint(capture_stream_first_ns(stream), ==, INT64_C(1000000000));
	g_assert_true(capture_stream_next(stream, &item));
	g_assert_cmpint(item.cause, ==, CAUSE_FLOW_CONTROL);
	g_assert_true(capture_stream_next(stream, &item));
	g_assert_cmpuint(item.mad->frame, ==, 4);
	g_assert_cmpuint(item.mad->interface, ==, 1);
	g_assert_false(capture_stream_next(stream, &item));
	g_assert_cmpuint(capture_stream_counts(stream)->skipped, ==, 2);
	capture_stream_close(stream);
	g_byte_array_free(file, true);
	g_byte_array_free(native, true);
	g_byte_array_free(empty, true);
}

/* Sections one after the other, of either byte order: interfaces go on being numbered. */
static void test_sections(void)
{
	GByteArray *file = g_byte_array_new(), *native = vector_bytes(NATIVE);
	struct capture_stream *stream;
	struct capture_item item;
	const char *first = NULL;

	for (unsigned int i = 0; i < 4; i++) {
		build_section(file, i & 1);
		build_interface(file, LINKTYPE_INFINIBAND, "ib0", i < 2 ? 9 : 6, i, i & 1);
		build_enhanced(file, 0, 1000, native, NULL, i & 1);
	}
	stream = open_bytes(file, 0);
	for (unsigned int i = 0; i < 4; i++) {
		g_assert_true(capture_stream_next(stream, &item));
		g_assert_cmpuint(item.mad->interface, ==, i);
		g_assert_cmpint(capture_stream_first_ns(stream) + item.time_ns, ==,
				i * INT64_C(1000000000) + (i < 2 ? 1000 : 1000000));
		if (!first)
			first = item.mad->interface_name;
		/* A name takes memory once. */
		g_assert_true(item.mad->interface_name == first);
		g_assert_true(capture_stream_interface(stream, i)->name == first);
	}
	g_assert_null(capture_stream_interface(stream, 4));
	g_assert_false(capture_stream_next(stream, &item));
	capture_stream_close(stream);
	g_byte_array_free(native, true);
	g_byte_array_free(file, true);
}

/* A block that holds no packet may be of any length; one that holds one may not. */
static void test_long_blocks(void)
{
	static const struct { uint32_t type; size_t size; bool good; } rows[] = {
		{ 10, 20 << 20, true },
		{ 6, 20 << 20, false },
		{ 6, 1 << 20, true },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		GByteArray *file = g_byte_array_new(), *body = g_byte_array_new();
		char *warning;

		begin_file(file, PCAPNG);
		add_frame(file, PCAPNG, 1);
		g_byte_array_set_size(body, (guint)rows[i].size);
		memset(body->data, 0, rows[i].size);
		build_block(file, rows[i].type, body, false);
		add_frame(file, PCAPNG, 2);
		g_assert_cmpuint(count_mads(file, &warning), ==, rows[i].good ? 2 : 1);
		g_assert_cmpint(!warning, ==, rows[i].good);
		if (warning)
			g_assert_nonnull(strstr(warning, "longer than any packet"));
		g_free(warning);
		g_byte_array_free(file, true);
	}
}

/* ---- what is counted ---- */

static void test_backwards(void)
{
	static const uint32_t seconds[] = { 5, 7, 6, 7, 8, 8, 1 };
	GByteArray *file = g_byte_array_new();
	const struct capture_counts *counts;
	struct capture_stream *stream;
	struct capture_item item;

	begin_file(file, PCAP);
	for (size_t i = 0; i < G_N_ELEMENTS(seconds); i++)
		add_frame(file, PCAP, seconds[i]);
	stream = open_bytes(file, 0);
	while (capture_stream_next(stream, &item))
		g_assert_cmpint(item.time_ns, ==,
				((int64_t)seconds[item.frame - 1] - 5) * 1000000000);
	counts = capture_stream_counts(stream);
	g_assert_cmpuint(counts->backwards, ==, 2);
	g_assert_cmpuint(counts->first_backwards, ==, 3);
	g_assert_cmpstr(capture_stream_warning(stream), ==,
			"made-up: time goes backwards at frame 3 first: 2 of its MADs are earlier "
			"than the MAD before");
	capture_stream_close(stream);
	g_byte_array_free(file, true);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/capture-stream/link-types", test_link_types);
	g_test_add_func("/capture-stream/packed", test_packed);
	g_test_add_func("/capture-stream/packed-pieces", test_packed_pieces);
	g_test_add_func("/capture-stream/growing-pipe", test_growing_pipe);
	g_test_add_func("/capture-stream/erf-file", test_erf_file);
	g_test_add_func("/capture-stream/sections", test_sections);
	g_test_add_func("/capture-stream/long-blocks", test_long_blocks);
	g_test_add_func("/capture-stream/backwards", test_backwards);
	return leak_end(g_test_run());
}
