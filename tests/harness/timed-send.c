/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What "replay --mode timed" sends from a real port, and when: on a device and a clock that are
 * made up here.
 */
#include <errno.h>
#include <glib/gstdio.h>
#include <infiniband/umad.h>
#include <stdlib.h>
#include <string.h>

#include "harness/replay/ask-umad.h"
#include "harness/replay/timed-send.h"
#include "kmod-stub/event.h"
#include "tests/rig/cm-capture.h"
#include "tests/rig/leak.h"

enum { MANY = 10000, SLOW = 500 };

/* ---- the clock and the device ---- */

static struct {
	int64_t now_ns;
	int64_t send_ns;	/* what a send takes */
	unsigned int slow;	/* this one takes 50 ms, counted from 1; 0: none */
	unsigned int fail;	/* this one fails */
	unsigned int reports;	/* sends that will come back as failed */
	unsigned int count;
	int64_t sent_ns[MANY];
	uint64_t tids[MANY];
	uint16_t lid;
	uint8_t gid[16];
	bool has_grh;
} device;

static int64_t now_ns(void *ctx)
{
	(void)ctx;
	return device.now_ns;
}

static void wait_until(void *ctx, int64_t at_ns)
{
	(void)ctx;
	device.now_ns = MAX(device.now_ns, at_ns);
}

static const struct timed_clock made_up = { .now_ns = now_ns, .wait_until = wait_until };

int umad_get_port(const char *ca_name, int portnum, umad_port_t *port)
{
	(void)ca_name;
	*port = (umad_port_t){ .portnum = portnum };
	g_strlcpy(port->ca_name, "rxe0", sizeof(port->ca_name));
	return 0;
}

int umad_release_port(umad_port_t *port)
{
	(void)port;
	return 0;
}

int umad_open_port(const char *ca_name, int portnum)
{
	(void)ca_name;
	(void)portnum;
	return 99;
}

int umad_close_port(int portid)
{
	g_assert_cmpint(portid, ==, 99);
	return 0;
}

/* Nobody's requests are taken, and RMPP is left to the captured segments. */
int umad_register(int portid, int mgmt_class, int mgmt_version, uint8_t rmpp_version,
		  long method_mask[16 / sizeof(long)])
{
	(void)portid;
	(void)mgmt_version;
	g_assert_cmpint(rmpp_version, ==, 0);
	g_assert_null(method_mask);
	return mgmt_class;
}

int umad_send(int portid, int agentid, void *umad, int length, int timeout_ms, int retries)
{
	const uint8_t *mad = umad_get_mad(umad);
	const ib_mad_addr_t *addr = umad_get_mad_addr(umad);

	(void)portid;
	g_assert_cmpint(agentid, ==, mad[MAD_CLASS]);
	g_assert_cmpint(length, ==, MAD_SIZE);
	g_assert_cmpint(timeout_ms, ==, 0);
	g_assert_cmpint(retries, ==, 0);
	device.lid = GUINT16_FROM_BE(addr->lid);
	device.has_grh = addr->grh_present;
	memcpy(device.gid, addr->gid, 16);
	device.tids[device.count] = get_be64(mad + MAD_TID);
	device.sent_ns[device.count++] = device.now_ns;
	device.now_ns += device.count == device.slow ? 50 * NS_PER_MS : device.send_ns;
	return device.count == device.fail ? -EINVAL : 0;
}

int umad_recv(int portid, void *umad, int *length, int timeout_ms)
{
	(void)portid;
	(void)length;
	g_assert_cmpint(timeout_ms, ==, 0);
	if (!device.reports)
		return -ETIMEDOUT;
	device.reports--;
	((ib_user_mad_t *)umad)->status = EIO;
	return 0;
}

/* ---- captures ---- */

static int64_t captured_ns(int64_t number)
{
	return number * 1234567 + number * number * 7919 % 1000003;
}

static struct capture *make_long(void)
{
	static const struct cm_row request = { false, CM_REQ, 0x11, 0, 5 };
	struct rig_capture file = rig_capture_begin(RIG_ROCE_V2_IPV4, NULL);
	struct capture *capture;
	struct packet packet;
	char message[512] = "", *path;

	cm_packet(&request, 1, &packet);
	rig_capture_add(&file, NS_PER_S, true, &packet);
	for (unsigned int i = 1; i <= MANY; i++) {
		struct cm_row row = { true, CM_RTU, i, 0x11, 0 };

		cm_packet(&row, i, &packet);
		rig_capture_add(&file, NS_PER_S + captured_ns(i), false, &packet);
	}
	path = rig_capture_end(&file);
	capture = capture_read(path, message, sizeof(message));
	g_assert_cmpstr(message, ==, "");
	g_unlink(path);
	g_free(path);
	return capture;
}

static struct timed_counts replay(const struct capture *capture, unsigned int speed_milli,
				  unsigned int *ret_lost)
{
	static const struct timed_destination to = { .has_gid = true, .gid = { 0xfe, [15] = 7 } };
	struct ask_port *port = ask_umad_open("rxe0", 1, NULL);
	size_t directed = 0, others = 0;
	GArray *chosen = timed_send_choose(capture, NULL, &directed, &others, NULL, 0);
	struct timed_counts counts;

	g_assert_cmpuint(chosen->len, ==, MANY);
	g_assert_cmpuint(directed, ==, 0);
	g_assert_cmpuint(others, ==, 1);
	counts = timed_send_run(capture, chosen, port, &to, speed_milli, &made_up);
	*ret_lost = ask_port_failed(port);
	g_assert_true(device.has_grh);
	g_assert_cmpmem(device.gid, 16, to.gid, 16);
	g_assert_cmpuint(device.count, ==, MANY);
	for (unsigned int i = 0; i < MANY; i++)
		g_assert_cmpuint(device.tids[i], ==, i + 1);
	ask_port_close(port);
	g_array_unref(chosen);
	return counts;
}

/* However long each send takes, the next one is on time if there is time enough. */
static void test_no_drift(void)
{
	static const unsigned int speeds[] = { 1000, 2000, 500 };
	struct capture *capture = make_long();
	unsigned int lost;

	for (unsigned int i = 0; i < G_N_ELEMENTS(speeds); i++) {
		struct timed_counts counts;

		memset(&device, 0, sizeof(device));
		device.now_ns = 77 * NS_PER_S;
		device.send_ns = 100 * NS_PER_US;
		counts = replay(capture, speeds[i], &lost);
		g_assert_cmpuint(counts.sent, ==, MANY);
		g_assert_cmpuint(counts.failed + lost, ==, 0);
		for (int64_t n = 1; n <= MANY; n++)
			g_assert_cmpint(device.sent_ns[n - 1] - 77 * NS_PER_S, ==,
					captured_ns(n) * 1000 / speeds[i]);
		g_assert_cmpint(counts.late_ns, ==, 0);
		g_assert_cmpint(counts.last_ns, ==, captured_ns(MANY) * 1000 / speeds[i]);
	}
	capture_free(capture);
}

/* One send that hangs delays those that are due meanwhile, and none after them. */
static void test_catches_up(void)
{
	struct capture *capture = make_long();
	struct timed_counts counts;
	unsigned int lost;

	memset(&device, 0, sizeof(device));
	device.slow = SLOW;
	device.fail = 7;
	device.reports = 2;
	counts = replay(capture, 1000, &lost);
	g_assert_cmpuint(lost, ==, 2);
	g_assert_cmpuint(counts.sent, ==, MANY - 1);
	g_assert_cmpuint(counts.failed, ==, 1);
	g_assert_cmpint(counts.first_error, ==, -EINVAL);
	g_assert_cmpint(device.sent_ns[SLOW - 1], ==, captured_ns(SLOW));
	g_assert_cmpint(device.sent_ns[SLOW], ==, captured_ns(SLOW) + 50 * NS_PER_MS);
	g_assert_cmpint(counts.late_ns, ==,
			captured_ns(SLOW) + 50 * NS_PER_MS - captured_ns(SLOW + 1));
	for (int64_t n = SLOW + 60; n <= MANY; n++)
		g_assert_cmpint(device.sent_ns[n - 1], ==, captured_ns(n));
	capture_free(capture);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/timed-send/no-drift", test_no_drift);
	g_test_add_func("/timed-send/catches-up", test_catches_up);
	return leak_end(g_test_run());
}
