/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * kmod-stub without memory: each allocation of a small play fails, alone and together with all
 * later ones; what is refused is refused with ENOMEM, nothing is left over, and the play ends like
 * any other.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/rig/kmod-rig.h"
#include "tests/rig/leak.h"
#include "tests/swarm/swarm-memory.h"

enum {
	WRITES = 80,		/* more than the first wait heap and send table have room for */
	TRANSFERS = 40,		/* more than the first table of transfers has */
	PACKETS = 400,		/* never short: without packets the process would end */
	VENDOR = 0x30,
	OUI = 0x001405,
};

/* A host of its own below the rig's time and wire. */
struct play {
	struct rig *rig;
	struct kmod_host *host;
	struct kmod_port *port;
	struct kmod_file *file;
	unsigned int agents;
};

static void expect(long got, long wanted)
{
	if (got != wanted)
		g_assert_cmpint(got, ==, -ENOMEM);
}

static void register_agent(struct play *play, uint8_t mgmt_class, uint32_t methods,
			   uint8_t rmpp_version)
{
	struct ib_user_mad_reg_req2 req = {
		.qpn = 1, .mgmt_class = mgmt_class, .mgmt_class_version = 1,
		.method_mask = { methods }, .oui = OUI, .rmpp_version = rmpp_version,
	};
	long got = kmod_file_ioctl(play->file, UMAD_COMMAND_REGISTER_AGENT2, &req);

	expect(got, 0);
	play->agents += got == 0;
}

static void write_mad(struct play *play, uint8_t method, uint32_t tid, size_t size,
		      uint8_t rmpp_flags)
{
	uint8_t buf[RIG_HEADER_SIZE + 1024] = { 0 };
	uint8_t *mad = buf + RIG_HEADER_SIZE;
	uint32_t timeout_ms = 10;
	long got;

	memcpy(buf + 8, &timeout_ms, 4);
	put_be32(buf + 20, 1);
	put_be16(buf + 28, 2);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = VENDOR;
	mad[MAD_CLASS_VERSION] = 1;
	mad[MAD_METHOD] = method;
	put_be32(mad + MAD_TID + 4, tid);
	mad[RMPP_FLAGS] = rmpp_flags;
	put_be24(mad + VENDOR2_OUI, OUI);
	got = kmod_file_write(play->file, buf, RIG_HEADER_SIZE + size);
	expect(got, (long)(RIG_HEADER_SIZE + size));
}

/* A message of one segment, a plain MAD, or one without a taker arrives. */
static void arrives(struct play *play, uint8_t mgmt_class, uint8_t rmpp_flags, uint32_t tid)
{
	struct packet *packet = packet_new(&play->rig->pool);
	struct packet_addr addr = { .slid = 2, .dlid = 1, .pkey = 0xffff, .src_qp = 1,
				    .dest_qp = 1, .qkey = QKEY_GSI };
	struct rig_mad words = { .mgmt_class = mgmt_class, .method = MAD_METHOD_GET, .tid = tid,
				 .oui = OUI, .rmpp_flags = rmpp_flags };

	packet_build(packet, &addr);
	rig_mad_bytes(&words, packet_mad(packet));
	if (rmpp_flags)
		put_be32(packet_mad(packet) + RMPP_SEGMENT, 1);
	kmod_port_receive(play->port, packet);
}

static void play_file(struct play *play)
{
	struct rig *rig = play->rig;
	uint8_t buf[RIG_HEADER_SIZE + 1024];

	register_agent(play, VENDOR, RIG_GET, 1);
	if (!play->agents)
		return;
	register_agent(play, MAD_CLASS_PERF, RIG_GET, 0);
	for (uint32_t i = 0; i < WRITES; i++)
		write_mad(play, MAD_METHOD_GET, i, MAD_SIZE, 0);
	write_mad(play, 0x92, WRITES, 600, RMPP_FLAG_ACTIVE);
	for (uint32_t i = 0; i < TRANSFERS; i++)
		arrives(play, VENDOR, 1 | 2 | 4, 1000 + i);
	arrives(play, MAD_CLASS_PERF, 0, 1);
	arrives(play, MAD_CLASS_BM, 0, 1);
	rig_run(rig, rig_now_ms(rig) + 5000);
	while (kmod_file_read(play->file, buf, sizeof(buf)) > 0)
		;
}

static void play_all(struct rig *rig)
{
	struct play play = { .rig = rig };
	int err;

	play.host = kmod_host_new(&kmod_stub, &rig->ops, rig, KMOD_LINUX_6_1, 1);
	if (!play.host)
		return;
	play.port = kmod_port_new(play.host, &rig->a.attr, &rig->a, "M[1]");
	if (play.port) {
		/* The rig's file: wakes need an owner. */
		struct rig_file owner = { .at = &rig->a };

		err = kmod_file_open(play.port, &owner, &play.file);
		expect(err, 0);
		if (!err) {
			kmod_file_ioctl(play.file, UMAD_COMMAND_ENABLE_PKEY, NULL);
			play_file(&play);
			kmod_file_close(play.file);
		}
		kmod_port_remove(play.port);
	}
	kmod_host_free(play.host);
}

/* Formats, and prints nothing. */
static void trace(void *ctx, const char *who, const char *format, va_list args)
{
	char line[256];

	(void)ctx;
	(void)who;
	g_assert_cmpint(vsnprintf(line, sizeof(line), format, args), >, 0);
}

/* Enough packets in the pool. */
static void warm_pool(struct packet_pool *pool)
{
	struct packet *packets[PACKETS];

	for (unsigned int i = 0; i < PACKETS; i++)
		packets[i] = packet_new(pool);
	for (unsigned int i = 0; i < PACKETS; i++)
		packet_free(pool, packets[i]);
}

static void test_memory(gconstpointer data)
{
	int for_ever = GPOINTER_TO_INT(data);
	long after = 0;

	do {
		long blocks = swarm_memory_blocks();
		struct rig *rig = rig_new(100);
		bool failed;

		warm_pool(&rig->pool);
		/* The other side's packets would need memory too. */
		rig->b.deaf = true;
		rig->ops.trace = trace;
		swarm_memory_fail(after, for_ever);
		play_all(rig);
		failed = swarm_memory_has_failed();
		swarm_memory_fail(-1, 0);
		g_assert_cmpuint(rig->pool.made, ==, PACKETS);
		rig_free(rig);
		g_assert_cmpint(swarm_memory_blocks(), ==, blocks);
		if (!failed)
			break;
	} while (++after);
	/* Every allocation of the play has failed. */
	g_assert_cmpint(after, >, 20);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_data_func("/kmod-memory/one-allocation-fails", GINT_TO_POINTER(0), test_memory);
	g_test_add_data_func("/kmod-memory/none-is-left", GINT_TO_POINTER(1), test_memory);
	return leak_end(g_test_run());
}
