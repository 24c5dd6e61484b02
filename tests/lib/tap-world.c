/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "tests/lib/tap-world.h"

#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <infiniband/umad.h>

#include "lib/backend-list.h"
#include "lib/mad-tap.h"
#include "sim/capture/capture.h"
#include "tests/rig/umad-table.h"
#include "tests/rig/umad-tree.h"

/* The header of a pcap file with ERF records and nanoseconds, as umadrig record writes it. */
void tap_world_begin(void)
{
	static const uint32_t header[] = { 0xa1b23c4d, 0x00040002, 0, 0, 0xffff, 197 };
	const struct umad_backend *tapped;
	char message[256] = "";

	umad_tree_put("tap.pcap", "%s", "");
	g_assert_true(g_file_set_contents(umad_tree_path("tap.pcap"), (const char *)header,
					  sizeof(header), NULL));
	tapped = umad_tap(umad_tree_path("tap.pcap"), message, sizeof(message));
	g_assert_cmpstr(message, ==, "");
	umad_backend_set(tapped);
}

struct capture *tap_world_end(void)
{
	char message[512] = "";
	struct capture *capture = capture_read(umad_tree_path("tap.pcap"), message,
					       sizeof(message));

	g_assert_cmpstr(message, ==, "");
	g_assert_null(*capture->warnings);
	g_assert_cmpuint(capture->mad_count, ==, capture->counts.frames);
	umad_backend_set(NULL);
	umad_tap_close();
	return capture;
}

/* ---- by itself ---- */

struct tap_buffer {
	struct ib_user_mad umad;
	uint8_t mad[600];
};

static void mad_begin(struct tap_buffer *buf, uint8_t mgmt_class, uint8_t method, uint16_t attr_id)
{
	memset(buf, 0, sizeof(*buf));
	buf->mad[MAD_BASE_VERSION] = 1;
	buf->mad[MAD_CLASS] = mgmt_class;
	buf->mad[MAD_CLASS_VERSION] = 1;
	buf->mad[MAD_METHOD] = method;
	put_be64(buf->mad + MAD_TID, 0x1234);
	put_be16(buf->mad + MAD_ATTR_ID, attr_id);
}

/* A question along a directed route and its answer: packets that replay would pair. */
static void tap_question(int fd)
{
	int agent = umad_register(fd, MAD_CLASS_SUBN_DR, 1, 0, NULL);
	struct tap_buffer buf;
	int length = MAD_SIZE;

	mad_begin(&buf, MAD_CLASS_SUBN_DR, MAD_METHOD_GET, 0x0011);
	put_be16(buf.mad + SMP_DR_SLID, LID_PERMISSIVE);
	put_be16(buf.mad + SMP_DR_DLID, LID_PERMISSIVE);
	umad_set_addr(&buf, 0xffff, 0, 0, 0);
	g_assert_cmpint(umad_send(fd, agent, &buf, MAD_SIZE, 100, 0), ==, 0);
	g_assert_cmpint(umad_recv(fd, &buf, &length, 1000), ==, agent);
}

/* A message of three segments, to a port that has a GRH. */
static void tap_message(int fd)
{
	uint8_t oui[3] = { 0, 0x14, 5 };
	int agent = umad_register_oui(fd, 0x30, 1, oui, NULL);
	struct tap_buffer buf;

	mad_begin(&buf, 0x30, MAD_METHOD_SEND, 0x0010);
	memset(buf.mad + VENDOR2_DATA, 0x77, 500);
	buf.mad[RMPP_VERSION] = 1;
	buf.mad[RMPP_TYPE] = RMPP_TYPE_DATA;
	buf.mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE;
	memcpy(buf.mad + VENDOR2_OUI, oui, 3);
	umad_set_addr(&buf, 9, 1, 3, (int)QKEY_GSI);
	buf.umad.addr.grh_present = 1;
	buf.umad.addr.gid[15] = 9;
	g_assert_cmpint(umad_send(fd, agent, &buf, VENDOR2_DATA + 500, 0, 0), ==, 0);
}

static void check_segments(const struct capture_mad *mads)
{
	static const uint32_t lengths[] = { 500 + 3 * 4, 0, 500 - 2 * 216 + 4 };

	for (unsigned int i = 0; i < 3; i++) {
		const uint8_t *mad = mads[i].mad;

		g_assert_cmpuint(get_be32(mad + RMPP_SEGMENT), ==, i + 1);
		g_assert_cmpuint(get_be32(mad + RMPP_PAYLEN_NEWWIN), ==, lengths[i]);
		g_assert_cmpuint(mad[RMPP_FLAGS] & RMPP_FLAGS_MASK, ==, RMPP_FLAG_ACTIVE |
				 (i == 0 ? RMPP_FLAG_FIRST : i == 2 ? RMPP_FLAG_LAST : 0));
		g_assert_cmpuint(mad[VENDOR2_DATA], ==, 0x77);
		g_assert_cmpuint(mad[MAD_SIZE - 1], ==, i < 2 ? 0x77 : 0);
		g_assert_cmpuint(mads[i].addr.dlid, ==, 9);
		g_assert_cmpuint(mads[i].addr.sl, ==, 3);
		g_assert_true(mads[i].addr.has_grh);
		g_assert_cmpuint(mads[i].addr.dgid[15], ==, 9);
		g_assert_cmphex(get_be64(mads[i].addr.sgid), ==, UINT64_C(0xfe80) << 48);
	}
}

void test_tap(void)
{
	char message[512] = "";
	struct umadrig_fabric *fabric = umadrig_fabric_open(",clock=virtual", message,
							    sizeof(message));
	const struct capture_mad *mads;
	struct capture *capture;
	int fd;

	begin_tapped(fabric);
	fd = umad_open_port("H1", 1);
	g_assert_cmpint(fd, >=, 0);
	tap_question(fd);
	tap_message(fd);
	g_assert_cmpint(umad_close_port(fd), ==, 0);
	capture = tap_world_end();
	mads = capture->mads;
	g_assert_cmpuint(capture->mad_count, ==, 5);
	g_assert_cmpint(mads[0].direction, ==, CAPTURE_DIRECTION_UNKNOWN);
	g_assert_cmpint(mads[0].interface, ==, 1);
	g_assert_cmpint(mads[1].interface, ==, 0);
	for (unsigned int i = 0; i < 2; i++) {
		g_assert_cmpuint(mads[i].addr.slid, ==, LID_PERMISSIVE);
		g_assert_cmpuint(mads[i].addr.dlid, ==, LID_PERMISSIVE);
		g_assert_cmpuint(mads[i].addr.vl, ==, 15);
		g_assert_cmpuint(mads[i].addr.src_qp + mads[i].addr.dest_qp, ==, 0);
		g_assert_cmphex(get_be64(mads[i].mad + MAD_TID), ==, 0x1234);
		g_assert_cmpuint(mads[i].mad[MAD_METHOD], ==, i ? MAD_METHOD_GET_RESP :
								  MAD_METHOD_GET);
	}
	g_assert_cmpuint(mads[1].mad[SMP_DATA + 2], ==, 1);	/* NodeInfo: a CA */
	check_segments(mads + 2);
	capture_free(capture);
	end();
	umadrig_fabric_close(fabric);
}

/* Only what nobody can have to wait for. */
void test_tap_refuses(void)
{
	static const struct { const char *path, *why; } rows[] = {
		{ "fifo", "not a capture" }, { "empty", "not a capture" }, { ".", "directory" },
		{ "none", "No such file" },
	};
	char message[256];

	umad_tree_begin();
	umad_tree_put("empty", "%s", "");
	g_assert_cmpint(mkfifo(umad_tree_path("fifo"), 0600), ==, 0);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		/* A reader, without which the pipe could not be opened at all. */
		int reader = i == 0 ? open(umad_tree_path("fifo"), O_RDONLY | O_NONBLOCK) : -1;

		g_assert_null(umad_tap(umad_tree_path(rows[i].path), message, sizeof(message)));
		g_assert_nonnull(strstr(message, rows[i].why));
		if (reader >= 0)
			close(reader);
	}
	umad_tree_end();
}
