/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A cancellation that is pending when a thread calls acts where the call waits, not inside of the
 * simulator.
 */
#include <pthread.h>
#include <unistd.h>

#include "tests/rig/clock-rig.h"
#include "tests/rig/leak.h"

static bool point_watch(void *ctx, const struct umadrig_mad *mad)
{
	(void)ctx;
	(void)mad;
	pthread_testcancel();
	return true;
}

static void point_tap(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes, size_t size)
{
	(void)ctx;
	(void)at_ns;
	(void)outbound;
	(void)bytes;
	(void)size;
	pthread_testcancel();
}

static void point_trace(void *ctx, int64_t at_ns, const char *who, const char *text)
{
	(void)ctx;
	(void)at_ns;
	(void)who;
	(void)text;
	pthread_testcancel();
}

static void attach_watch(struct rig *rig)
{
	umadrig_watch(rig->fabric, point_watch, NULL);
}

static void attach_tap(struct rig *rig)
{
	umadrig_tap(umadrig_port(rig->fabric, "H2", 1), point_tap, NULL);
}

static void attach_trace(struct rig *rig)
{
	umadrig_trace(rig->fabric, point_trace, NULL);
}

static void attach_capture(struct rig *rig)
{
	char message[256];

	g_assert_cmpint(umadrig_capture_start(rig->fabric, "/dev/null", NULL, message,
					      sizeof(message)), ==,
			0);
}

static void attach_issm(struct rig *rig)
{
	char path[64];

	g_assert_cmpint(rig->backend->issm_path("H1", 1, path, sizeof(path)), ==, 0);
}

/*
 * A pending cancellation ends a thread at the first cancellation point. There must be none in sends
 * and receives, where the thread would take the fabric's lock with it, whatever traces or taps are
 * set.
 */
static const struct pending {
	const char *name;
	const char *options;
	void (*attach)(struct rig *rig);
	bool waits;		/* with a real clock in poll(2), which is one */
} pendings[] = {
	{ "virtual", ",clock=virtual", NULL, true },
	{ "real", "", NULL, false },
	{ "watch", ",clock=virtual", attach_watch, true },
	{ "tap", ",clock=virtual", attach_tap, true },
	{ "trace", ",clock=virtual", attach_trace, true },
	{ "capture", ",clock=virtual", attach_capture, true },
	{ "issm", ",clock=virtual", attach_issm, true },
	{ "issm, real", "", attach_issm, false },
	{ "faults", ",clock=virtual,fault=drop 50%", NULL, true },
};

struct pending_run {
	const struct pending *row;
	struct rig rig;
	int fd;
	bool is_done;
};

static void play_pending(struct pending_run *run)
{
	const struct umad_backend *backend = run->rig.backend;
	uint32_t smp = rig_register(&run->rig, run->fd, 0x81, 0);
	uint32_t gsi = rig_register(&run->rig, run->fd, CLASS, 0);
	uint8_t umad[RIG_UMAD];

	pthread_cancel(pthread_self());
	for (uint32_t tid = 1; tid <= 300; tid++) {
		struct rig_get get = peer;

		get.tid = tid;
		get.attr = tid % 2 ? PORT_INFO : NODE_INFO;
		get.path[0] = tid / 2 % 2;
		get.timeout_ms = 20;
		rig_send(&run->rig, run->fd, smp, &get);
		get = unanswered;
		get.tid = tid;
		rig_send(&run->rig, run->fd, gsi, &get);
		backend->recv(run->fd, umad, sizeof(umad));
		if (run->row->waits) {
			backend->poll(run->fd, 1);
			backend->recv_wait(run->fd, umad, sizeof(umad), 10);
		}
	}
	while (run->row->waits && backend->recv_wait(run->fd, umad, sizeof(umad), -1) > 0)
		;
	run->is_done = true;
	pthread_testcancel();
}

static void *pending_thread(void *data)
{
	pthread_cleanup_push(leak_cancelled, NULL);
	play_pending(data);
	pthread_cleanup_pop(0);
	return NULL;
}

static void test_pending(const void *data)
{
	const struct pending *row = data;
	struct pending_run run = { .row = row, .rig = rig_open(row->options) };
	pthread_t thread;
	void *result;

	run.fd = rig_open_port(&run.rig, "H1", "H1", 1);
	if (row->attach)
		row->attach(&run.rig);
	pthread_create(&thread, NULL, pending_thread, &run);
	pthread_join(thread, &result);
	g_assert_true(result == PTHREAD_CANCELED);
	g_assert_true(run.is_done);
	g_assert_cmpint(run.rig.backend->close(run.fd), ==, 0);
	rig_close(&run.rig);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(pendings); i++) {
		g_autofree char *path = g_strconcat("/clock/pending cancellation/",
						    pendings[i].name, NULL);

		g_test_add_data_func(path, &pendings[i], test_pending);
	}
	return leak_end(g_test_run());
}
