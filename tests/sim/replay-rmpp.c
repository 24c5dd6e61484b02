/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Replays of answers in segments (RMPP): put together from a capture, whatever was captured of
 * them, and sent to a program again. Over InfiniBand and both forms of RoCE.
 */
#include <stdlib.h>

#include "kmod-stub/event.h"
#include "sim/capture/capture.h"
#include "sim/capture/replay.h"
#include "tests/rig/leak.h"
#include "tests/rig/rig.h"
#include "tests/rig/roce-file.h"

enum {
	GET_TABLE = 0x12, GET_TABLE_RESP = 0x92, NODE_RECORD = 0x11,
	HEADER = 56, ROOM = MAD_SIZE - HEADER,		/* of SA's segments */
	LAST_BYTES = 77,				/* of data in the last segment */
	ASKER = 4, SA = 1,
	GRH_IN_UMAD = 32, GID_IN_UMAD = 36,
	TID = 0x1234,
};

/* Of the capture; the first two are enum roce_form. */
enum form { OVER_ROCE_V1, OVER_ROCE_V2, OVER_INFINIBAND, FORM_COUNT };

/* ---- captures ---- */

struct file {
	enum form form;
	char *path;			/* over InfiniBand */
	struct capture_writer *writer;
	unsigned int port;
	GByteArray *bytes;		/* over RoCE */
	uint32_t count;
};

static void file_begin(struct file *file, enum form form)
{
	char message[512] = "";

	*file = (struct file){ .form = form };
	if (form != OVER_INFINIBAND) {
		file->bytes = roce_file_new();
		return;
	}
	close(g_file_open_tmp("umadrig-XXXXXX.pcapng", &file->path, NULL));
	file->writer = capture_writer_open(file->path, NULL, true, message, sizeof(message));
	g_assert_nonnull(file->writer);
	file->port = capture_writer_interface(file->writer, "H1[1]", NULL);
}

static void file_add(struct file *file, struct packet *packet, bool is_damaged)
{
	file->count++;
	if (file->form != OVER_INFINIBAND) {
		roce_file_add(file->bytes, (enum roce_form)file->form, file->count, packet);
		return;
	}
	if (is_damaged) {
		packet_seal(packet);
		packet_mad(packet)[MAD_SIZE - 1] ^= 1;
	}
	capture_writer_packet(file->writer, file->port, file->count * NS_PER_MS, true, packet,
			      NULL);
}

static char *file_end(struct file *file)
{
	if (file->form != OVER_INFINIBAND)
		return roce_file_end(file->bytes);
	g_assert_cmpint(capture_writer_close(file->writer), ==, 0);
	return file->path;
}

static struct packet_addr make_addr(enum form form, bool back)
{
	struct packet_addr addr = { .src_qp = 1, .dest_qp = 1, .qkey = QKEY_GSI,
				    .pkey = PKEY_DEFAULT };

	if (form == OVER_INFINIBAND) {
		addr.slid = back ? SA : ASKER;
		addr.dlid = back ? ASKER : SA;
		return addr;
	}
	addr.has_grh = true;
	addr.hop_limit = 64;
	memcpy(addr.sgid, (uint8_t[16]){ [10] = 0xff, [11] = 0xff, 10, 0, 0, back ? 2 : 1 }, 16);
	memcpy(addr.dgid, (uint8_t[16]){ [10] = 0xff, [11] = 0xff, 10, 0, 0, back ? 1 : 2 }, 16);
	return addr;
}

static uint8_t *begin_mad(struct packet *packet, enum form form, uint8_t method)
{
	const struct packet_addr addr = make_addr(form, method & MAD_METHOD_RESPONSE);
	uint8_t *mad;

	packet_build(packet, &addr);
	mad = packet_mad(packet);
	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = MAD_CLASS_SUBN_ADM;
	mad[MAD_CLASS_VERSION] = 2;
	mad[MAD_METHOD] = method;
	put_be64(mad + MAD_TID, TID);
	put_be16(mad + MAD_ATTR_ID, NODE_RECORD);
	return mad;
}

/* The message's data: no two neighbours are equal, and no two segments. */
static uint8_t data_at(size_t at)
{
	return (uint8_t)(at * 7 + at / 256 * 3);
}

static size_t size_of(uint32_t segments)
{
	return HEADER + (size_t)(segments - 1) * ROOM + LAST_BYTES;
}

static void add_request(struct file *file)
{
	struct packet packet;

	begin_mad(&packet, file->form, GET_TABLE);
	file_add(file, &packet, false);
}

static void add_segment(struct file *file, uint32_t segment, uint32_t segments, bool is_damaged)
{
	struct packet packet;
	uint8_t *mad = begin_mad(&packet, file->form, GET_TABLE_RESP);

	mad[RMPP_VERSION] = mad[RMPP_TYPE] = 1;
	mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE | (segment == 1 ? RMPP_FLAG_FIRST : 0) |
			  (segment == segments ? RMPP_FLAG_LAST : 0);
	put_be32(mad + RMPP_SEGMENT, segment);
	if (segment == segments)
		put_be32(mad + RMPP_PAYLEN_NEWWIN, LAST_BYTES + HEADER - RMPP_END);
	put_be16(mad + 44, 14);			/* AttributeOffset */
	for (size_t i = 0; i < ROOM && (segment < segments || i < LAST_BYTES); i++)
		mad[HEADER + i] = data_at((size_t)(segment - 1) * ROOM + i);
	file_add(file, &packet, is_damaged);
}

/* An ACK, or the requester's ABORT. */
static void add_control(struct file *file, uint8_t type)
{
	struct packet packet;
	uint8_t *mad = begin_mad(&packet, file->form, GET_TABLE);

	mad[RMPP_VERSION] = 1;
	mad[RMPP_TYPE] = type;
	mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE;
	mad[RMPP_STATUS] = type == RMPP_TYPE_ABORT ? RMPP_STATUS_UNSPECIFIED : 0;
	put_be32(mad + RMPP_SEGMENT, 1);
	put_be32(mad + RMPP_PAYLEN_NEWWIN, 64);
	file_add(file, &packet, false);
}

/*
 * What was captured of a message of three segments: their numbers, an 'x' after a damaged one, 'k'
 * for an ACK, 'a' for an ABORT.
 */
static char *write_three(enum form form, const char *captured)
{
	struct file file;

	file_begin(&file, form);
	add_request(&file);
	for (const char *at = captured; *at; at++) {
		if (*at == 'k')
			add_control(&file, RMPP_TYPE_ACK);
		else if (*at == 'a')
			add_control(&file, RMPP_TYPE_ABORT);
		else if (*at != 'x')
			add_segment(&file, (uint32_t)(*at - '0'), 3, at[1] == 'x');
	}
	return file_end(&file);
}

static char *write_whole(enum form form, uint32_t segments)
{
	struct file file;

	file_begin(&file, form);
	add_request(&file);
	for (uint32_t segment = 1; segment <= segments; segment++)
		add_segment(&file, segment, segments, false);
	return file_end(&file);
}

/* ---- a program on them ---- */

static struct rig open_rig(const char *path)
{
	g_autofree char *spec = g_strdup_printf("%s,clock=virtual,latency=1us", path);

	return rig_open(spec);
}

static uint32_t register_sa(struct rig *rig, int fd, uint8_t rmpp_version)
{
	struct umad_backend_reg reg = {
		.request = UMAD_BACKEND_REGISTER_AGENT, .qpn = 1, .mgmt_class = MAD_CLASS_SUBN_ADM,
		.mgmt_class_version = 2, .rmpp_version = rmpp_version,
	};

	g_assert_cmpint(rig->backend->register_agent(fd, &reg), ==, 0);
	return reg.id;
}

static void send_request(struct rig *rig, int fd, uint32_t agent, enum form form, uint32_t tid)
{
	const struct rig_get get = {
		.mgmt_class = MAD_CLASS_SUBN_ADM, .method = GET_TABLE, .attr = NODE_RECORD,
		.dlid = form == OVER_INFINIBAND ? SA : 0, .tid = tid, .timeout_ms = 1000,
	};
	const struct packet_addr there = make_addr(form, false);
	uint8_t umad[RIG_UMAD];

	rig_fill(umad, agent, &get);
	if (form != OVER_INFINIBAND) {
		umad[GRH_IN_UMAD] = 1;
		memcpy(umad + GID_IN_UMAD, there.dgid, 16);
	}
	g_assert_cmpint(rig->backend->send(fd, umad, sizeof(umad)), ==, sizeof(umad));
}

/* Receives a message of any size; its bytes, or the status of the report if there is none. */
static GByteArray *receive(struct rig *rig, int fd, uint32_t *ret_status)
{
	GByteArray *umad = g_byte_array_new();
	long got;

	g_byte_array_set_size(umad, RIG_HEADER + (guint)size_of(TID));
	got = rig->backend->poll(fd, -1);
	g_assert_cmpint(got, >, 0);
	got = rig->backend->recv(fd, umad->data, umad->len);
	g_assert_cmpint(got, >=, RIG_HEADER);
	*ret_status = rig_get_u32(umad->data, RIG_STATUS);
	g_byte_array_set_size(umad, (guint)got);
	g_byte_array_remove_range(umad, 0, RIG_HEADER);
	return umad;
}

static void check_message(const GByteArray *message, uint32_t segments, uint32_t tid)
{
	g_assert_cmpuint(message->len, ==, size_of(segments));
	g_assert_cmphex(message->data[MAD_METHOD], ==, GET_TABLE_RESP);
	g_assert_cmphex(get_be32(message->data + MAD_TID + 4), ==, tid);
	g_assert_cmpuint(get_be16(message->data + 44), ==, 14);
	for (size_t i = 0; i < message->len - HEADER; i++) {
		if (message->data[HEADER + i] != data_at(i))
			g_error("byte %zu of the data is wrong", i);
	}
}

/* Asks once: the whole message comes, or nothing. Takes 'path'. */
static struct umadrig_replay_counts ask(char *path, enum form form, uint32_t segments)
{
	struct rig rig = open_rig(path);
	int fd = rig_open_port(&rig, NULL, "H1", 1);
	uint32_t agent = register_sa(&rig, fd, 1), status;
	struct umadrig_replay_counts counts;
	GByteArray *message;

	send_request(&rig, fd, agent, form, 0x77);
	message = receive(&rig, fd, &status);
	umadrig_replay_count(rig.fabric, &counts);
	g_assert_cmpuint(status, ==, counts.exact ? 0 : ETIMEDOUT);
	if (counts.exact)
		check_message(message, segments, 0x77);
	g_byte_array_unref(message);
	rig.backend->close(fd);
	rig_close(&rig);
	g_unlink(path);
	g_free(path);
	return counts;
}

static void test_captured(void)
{
	static const struct {
		const char *captured;
		size_t exact, lacking, stopped;
	} rows[] = {
		{ "123", 1, 0, 0 },
		{ "1k23k", 1, 0, 0 },
		{ "1223", 1, 0, 0 },		/* sent again */
		{ "123123", 1, 0, 0 },
		{ "132", 1, 0, 0 },		/* on two ways */
		{ "13k23", 1, 0, 0 },
		{ "12x23", 1, 0, 0 },		/* damaged, and sent again */
		{ "13", 0, 1, 0 },
		{ "23", 0, 1, 0 },
		{ "12", 0, 1, 0 },
		{ "12x3", 0, 1, 0 },
		{ "12a", 0, 0, 1 },
		{ "123a", 1, 0, 0 },		/* too late */
	};

	for (unsigned int form = 0; form < FORM_COUNT; form++) {
		for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
			struct umadrig_replay_counts counts;

			/* The frames of RoCE have no CRCs here. */
			if (form != OVER_INFINIBAND && strchr(rows[i].captured, 'x'))
				continue;
			g_test_message("form %u: %s", form, rows[i].captured);
			counts = ask(write_three(form, rows[i].captured), form, 3);
			g_assert_cmpuint(counts.exact, ==, rows[i].exact);
			g_assert_cmpuint(counts.silent, ==, !rows[i].exact);
			g_assert_cmpuint(counts.lacking, ==, rows[i].lacking);
			g_assert_cmpuint(counts.stopped, ==, rows[i].stopped);
		}
	}
}

/* One segment, one window, and several of them. */
static void test_sizes(void)
{
	static const uint32_t sizes[] = { 1, 2, 64, 65, 66, 1000 };

	for (unsigned int form = 0; form < FORM_COUNT; form++) {
		for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
			struct umadrig_replay_counts counts =
				ask(write_whole(form, sizes[i]), form, sizes[i]);

			g_assert_cmpuint(counts.exact, ==, 1);
		}
	}
}

/* ---- a requester that does not acknowledge ---- */

struct arrivals {
	unsigned int segments;
	int64_t last_ns;
};

static void count_arrivals(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes,
			   size_t size)
{
	struct arrivals *arrivals = ctx;

	(void)bytes;
	(void)size;
	if (outbound)
		return;
	arrivals->segments++;
	arrivals->last_ns = at_ns;
}

/* The first segment comes four times, 2 s apart; meanwhile the same request is ignored. */
static void test_unacknowledged(void)
{
	char *path = write_whole(OVER_INFINIBAND, 3);
	struct rig rig = open_rig(path);
	int fd = rig_open_port(&rig, NULL, "H1", 1);
	uint32_t agent = register_sa(&rig, fd, 0);
	struct arrivals arrivals = { 0 };
	uint8_t reply[RIG_UMAD];

	umadrig_tap(umadrig_port(rig.fabric, "H1", 1), count_arrivals, &arrivals);
	send_request(&rig, fd, agent, OVER_INFINIBAND, 1);
	g_assert_cmpint(rig_recv(&rig, fd, reply, -1), ==, RIG_UMAD);
	g_assert_cmpuint(arrivals.segments, ==, 1);
	send_request(&rig, fd, agent, OVER_INFINIBAND, 1);
	umadrig_step(rig.fabric, 20 * NS_PER_S);
	g_assert_cmpuint(arrivals.segments, ==, 4);
	g_assert_cmpint(arrivals.last_ns, ==, 6 * NS_PER_S + 2 * NS_PER_US);
	send_request(&rig, fd, agent, OVER_INFINIBAND, 1);
	umadrig_step(rig.fabric, 21 * NS_PER_S);
	g_assert_cmpuint(arrivals.segments, ==, 5);
	rig.backend->close(fd);
	rig_close(&rig);
	g_unlink(path);
	g_free(path);
}

/* 64 MB may be under way: 335 messages of 1,000 segments. */
static void crowd_process(void)
{
	char *path = write_whole(OVER_INFINIBAND, 1000);
	struct rig rig = open_rig(path);
	int fd = rig_open_port(&rig, NULL, "H1", 1);
	uint32_t agent = register_sa(&rig, fd, 0);
	struct arrivals arrivals = { 0 };

	umadrig_tap(umadrig_port(rig.fabric, "H1", 1), count_arrivals, &arrivals);
	for (uint32_t tid = 1; tid <= 400; tid++)
		send_request(&rig, fd, agent, OVER_INFINIBAND, tid);
	umadrig_step(rig.fabric, NS_PER_S);
	g_assert_cmpuint(arrivals.segments, >, 300);
	g_assert_cmpuint(arrivals.segments, <, 340);
	rig.backend->close(fd);
	rig_close(&rig);
	g_unlink(path);
	g_free(path);
}

static void test_crowd(void)
{
	if (g_test_subprocess()) {
		crowd_process();
		return;
	}
	g_test_trap_subprocess(NULL, 0, 0);
	g_test_trap_assert_passed();
	g_test_trap_assert_stderr("*an answer of 199933 bytes is not sent to H1?1?: too many "
				  "that nobody acknowledges are under way\n*");
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/replay-rmpp/captured", test_captured);
	g_test_add_func("/replay-rmpp/sizes", test_sizes);
	g_test_add_func("/replay-rmpp/unacknowledged", test_unacknowledged);
	g_test_add_func("/replay-rmpp/crowd", test_crowd);
	return leak_end(g_test_run());
}
