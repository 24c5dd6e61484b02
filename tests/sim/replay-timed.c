/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Replay, mode "timed": when each MAD arrives, to the nanosecond, at every speed; what arrives, and
 * what is counted.
 */
#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "kmod-stub/event.h"
#include "sim/capture/capture.h"
#include "sim/capture/pace.h"
#include "tests/rig/cm-capture.h"
#include "tests/rig/leak.h"
#include "tests/rig/peak-memory.h"
#include "tests/rig/rig.h"

enum { MANY = 10000 };

static const unsigned int speeds[] = { 0, 1000, 2000, 500, 3000, 1, 1000000000 };

/* ---- a long capture: one request of A, and whatever B sends to it ---- */

/* Uneven, and never a whole number of microseconds. */
static int64_t captured_ns(int64_t number)
{
	return number * 1234567 + number * number * 7919 % 1000003;
}

static char *write_long(enum rig_form form, unsigned int count)
{
	static const struct cm_row request = { false, CM_REQ, 0x11, 0, 5 };
	struct rig_capture capture = rig_capture_begin(form, "H1[1]");
	struct packet packet;

	cm_packet(&request, 1, &packet);
	rig_capture_add(&capture, 5000000000, true, &packet);
	for (unsigned int i = 1; i <= count; i++) {
		struct cm_row row = { true, CM_RTU, i, 0x11, 0 };

		cm_packet(&row, i, &packet);
		rig_capture_add(&capture, 5000000000 + captured_ns(i), false, &packet);
		if (capture.writer)
			capture_writer_advance(capture.writer, 5000000000 + captured_ns(i));
	}
	return rig_capture_end(&capture);
}

struct arrivals {
	int64_t start_ns;
	unsigned int speed_milli, count;
};

/* umadrig_tap_fn: none is early or late, however many came before it. */
static void check_arrival(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes,
			  size_t size)
{
	struct arrivals *arrivals = ctx;
	const uint8_t *mad = bytes + size - MAD_SIZE;
	int64_t speed_milli = arrivals->speed_milli ? arrivals->speed_milli : 1000;

	if (outbound)
		return;
	arrivals->count++;
	g_assert_cmpuint(get_be64(mad + MAD_TID), ==, arrivals->count);
	g_assert_cmpint(at_ns - arrivals->start_ns, ==,
			(int64_t)((__int128)captured_ns(arrivals->count) * 1000 / speed_milli));
}

static void check_times(const char *path, const char *spec, int64_t start_ns,
			unsigned int speed_milli)
{
	struct umadrig_replay how = { .capture = path, .speed_milli = speed_milli };
	struct arrivals arrivals = { .start_ns = start_ns, .speed_milli = speed_milli };
	struct umadrig_replay_progress progress;
	struct rig rig = rig_open(spec);
	char message[512] = "";

	umadrig_step(rig.fabric, start_ns);
	how.timed_at = umadrig_port(rig.fabric, "H1", 1);
	umadrig_tap(how.timed_at, check_arrival, &arrivals);
	umadrig_replay(rig.fabric, &how, message, sizeof(message));
	g_assert_cmpstr(message, ==, "");
	umadrig_replay_progress(rig.fabric, &progress);
	g_assert_cmpuint(progress.arrived, ==, 0);
	g_assert_cmpuint(progress.left, ==, MANY);
	g_assert_cmpuint(progress.others, ==, 1);
	umadrig_step(rig.fabric, INT64_C(100000) * NS_PER_S);
	g_assert_cmpuint(arrivals.count, ==, MANY);
	umadrig_replay_progress(rig.fabric, &progress);
	g_assert_cmpuint(progress.arrived, ==, MANY);
	g_assert_cmpuint(progress.left, ==, 0);
	g_assert_cmpint(progress.last_ns, ==,
			pace_due_ns(captured_ns(MANY), speed_milli ? speed_milli : 1000));
	umadrig_tap(how.timed_at, NULL, NULL);
	rig_close(&rig);
}

static void test_times(void)
{
	for (unsigned int form = RIG_ROCE_V1; form <= RIG_NATIVE; form++) {
		char *path = write_long((enum rig_form)form, MANY);
		g_autofree char *own = g_strdup_printf("%s,clock=virtual", path);
		bool is_native = form == RIG_NATIVE;

		for (unsigned int i = 0; i < G_N_ELEMENTS(speeds); i++) {
			if (is_native)
				check_times(path, ",clock=virtual,latency=3us", 7 * NS_PER_S,
					    speeds[i]);
			check_times(path, own, i, speeds[i]);
		}
		g_unlink(path);
		g_free(path);
	}
}

/* ---- the words ---- */

static void test_words(void)
{
	static const struct { const char *text; unsigned int milli; } cases[] = {
		{ "1", 1000 }, { "2", 2000 }, { "0.5", 500 }, { ".5", 0 }, { "0.50", 500 },
		{ "0.001", 1 }, { "0.0001", 0 }, { "1000000", 1000000000 }, { "1000000.001", 0 },
		{ "1000001", 0 }, { "0", 0 }, { "0.000", 0 }, { "x", 0 }, { "", 0 }, { "-1", 0 },
		{ "+1", 0 }, { "1x", 0 }, { "1.", 0 }, { "2,5", 0 }, { "1e3", 0 }, { " 1", 0 },
		{ "99999999999999999999", 0 }, { "12.345", 12345 },
	};

	for (unsigned int i = 0; i < G_N_ELEMENTS(cases); i++) {
		unsigned int milli = 77;
		int ret = pace_parse(cases[i].text, &milli);

		g_test_message("'%s'", cases[i].text);
		g_assert_cmpint(ret, ==, cases[i].milli ? 0 : -EINVAL);
		g_assert_cmpuint(milli, ==, cases[i].milli ? cases[i].milli : 77);
	}
}

static void test_wrong_specs(void)
{
	static const struct cm_row rows[CM_FRAMES] = {
		{ false, CM_REQ, 0x11, 0, 5 }, { true, CM_REP, 0x99, 0x11, 0xa1 },
	};
	static const struct { const char *options, *message; } cases[] = {
		{ "speed=0,mode=timed", "speed=0: expected a number from 0.001 to 1000000" },
		{ "speed=2", "speed= is for mode=timed, not mode=answer" },
		{ "rewrite=tid", "rewrite= is for mode=timed" },
		{ "rewrite=lid,mode=timed", "rewrite=lid: expected tid" },
		{ "mode=timed,as-of=last", "as-of= is for mode=answer, not mode=timed" },
		{ "mode=timed,unmatched=status=12", "unmatched= is for mode=answer" },
		{ "mode=ask", "mode=ask: expected answer or timed" },
		{ "mode=timed,host=10.0.0.9", "host '10.0.0.9' sent nothing in the capture" },
	};
	char *path = cm_capture(RIG_ROCE_V2_IPV4, rows);
	char message[512];

	for (unsigned int i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *spec = g_strdup_printf("%s,%s", path, cases[i].options);

		g_assert_null(umadrig_fabric_open(spec, message, sizeof(message)));
		g_test_message("%s: %s", cases[i].options, message);
		g_assert_nonnull(strstr(message, cases[i].message));
	}
	g_assert_null(umadrig_fabric_open(",mode=timed", message, sizeof(message)));
	g_assert_nonnull(strstr(message, "the default fabric is no capture"));
	g_unlink(path);
	g_free(path);
}

/* ---- mode=timed: from when a program opens a port ---- */

static void note_arrival(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes,
			 size_t size)
{
	(void)bytes;
	(void)size;
	if (!outbound)
		g_string_append_printf(ctx, "%" G_GINT64_FORMAT " ", at_ns / NS_PER_MS);
}

/* A asks at 1 s, B answers at 2 s, A at 3 s and 4 s, B at 5 s. The host is A, or B. */
static void test_open(void)
{
	static const struct cm_row rows[CM_FRAMES] = {
		{ false, CM_REQ, 0x11, 0, 5 }, { true, CM_REP, 0x99, 0x11, 0xa1 },
		{ false, CM_RTU, 0x11, 0x99, 0 }, { false, CM_DREQ, 0x11, 0x99, 0 },
		{ true, CM_DREP, 0x99, 0x11, 0xa2 },
	};
	static const struct { const char *host, *times; } cases[] = {
		{ "10.0.0.1", "9500 11000 " }, { "10.0.0.2", "9000 10000 10500 " },
	};

	for (unsigned int i = 0; i < G_N_ELEMENTS(cases); i++) {
		char *path = cm_capture(RIG_ROCE_V2_IPV4, rows);
		g_autofree char *spec = g_strdup_printf("%s,clock=virtual,mode=timed,speed=2,"
							"host=%s", path, cases[i].host);
		struct rig rig = rig_open(spec);
		struct umadrig_port *port = umadrig_port(rig.fabric, "H1", 1);
		g_autoptr(GString) times = g_string_new(NULL);
		int fd;

		umadrig_tap(port, note_arrival, times);
		umadrig_step(rig.fabric, 9 * NS_PER_S);
		g_assert_cmpstr(times->str, ==, "");
		fd = rig_open_port(&rig, NULL, "H1", 1);
		umadrig_step(rig.fabric, 60 * NS_PER_S);
		g_assert_cmpstr(times->str, ==, cases[i].times);
		/* It has begun once. */
		rig.backend->close(rig_open_port(&rig, NULL, "H1", 1));
		umadrig_step(rig.fabric, 120 * NS_PER_S);
		g_assert_cmpstr(times->str, ==, cases[i].times);
		umadrig_tap(port, NULL, NULL);
		rig.backend->close(fd);
		rig_close(&rig);
		g_unlink(path);
		g_free(path);
	}
}

/* ---- what arrives ---- */

static bool is_even(void *ctx, const struct umadrig_mad *mad)
{
	++*(unsigned int *)ctx;
	return get_be64(mad->mad + MAD_TID) % 2 == 0;
}

static void test_keep(void)
{
	char *path = write_long(RIG_NATIVE, MANY), message[512] = "";
	unsigned int calls = 0;
	struct umadrig_replay how = { .capture = path, .keep = is_even, .ctx = &calls };
	struct umadrig_replay_progress progress;
	struct rig rig = rig_open(",clock=virtual");

	umadrig_replay_progress(rig.fabric, &progress);
	g_assert_cmpuint(progress.left, ==, 0);
	how.timed_at = umadrig_port(rig.fabric, "H1", 1);
	umadrig_replay(rig.fabric, &how, message, sizeof(message));
	g_assert_cmpstr(message, ==, "");
	g_assert_cmpuint(calls, ==, MANY);
	umadrig_step(rig.fabric, 10000 * NS_PER_S);
	umadrig_replay_progress(rig.fabric, &progress);
	g_assert_cmpuint(calls, ==, MANY);
	g_assert_cmpuint(progress.arrived, ==, MANY / 2);
	g_assert_cmpuint(progress.omitted, ==, MANY / 2);
	g_assert_cmpuint(progress.others, ==, 1);
	/* A replay that cannot be started leaves the present one as it is. */
	how.timed_at = umadrig_port(rig.fabric, "H2", 1);
	how.capture = "/nonexistent";
	g_assert_cmpint(umadrig_replay(rig.fabric, &how, message, sizeof(message)), ==, -EINVAL);
	umadrig_replay_progress(rig.fabric, &progress);
	g_assert_cmpuint(progress.arrived, ==, MANY / 2);
	rig_close(&rig);
	g_unlink(path);
	g_free(path);
}

/* ---- memory ---- */

enum { LARGE = 200000 };

/*
 * 200,000 MADs that arrive: at most 100 bytes for each beside its own. What is copied stays good
 * when the file is cut off or written again; a mapping would end the program by SIGBUS.
 */
static void memory_process(void)
{
	const size_t reader = 4u << 20;
	char *path = write_long(RIG_NATIVE, LARGE), message[512] = "";
	struct umadrig_replay how = { .capture = path };
	struct rig rig = rig_open(",clock=virtual");
	struct umadrig_replay_progress progress;
	size_t before = peak_memory(), used;

	how.timed_at = umadrig_port(rig.fabric, "H1", 1);
	umadrig_replay(rig.fabric, &how, message, sizeof(message));
	g_assert_cmpstr(message, ==, "");
	used = peak_memory() - before;
	g_test_message("%zu bytes for each MAD at the peak", used / LARGE);
	g_assert_cmpuint(used, <=, LARGE * (MAD_SIZE + 100) + reader);
	g_assert_cmpuint(used, >, LARGE * MAD_SIZE);
	g_assert_cmpint(truncate(path, 0), ==, 0);
	umadrig_step(rig.fabric, INT64_C(100000) * NS_PER_S);
	umadrig_replay_progress(rig.fabric, &progress);
	g_assert_cmpuint(progress.arrived, ==, LARGE);
	rig_close(&rig);
	g_unlink(path);
	g_free(path);
}

static void test_memory(void)
{
	peak_memory_test(memory_process);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/replay-timed/times", test_times);
	g_test_add_func("/replay-timed/words", test_words);
	g_test_add_func("/replay-timed/wrong-specs", test_wrong_specs);
	g_test_add_func("/replay-timed/open", test_open);
	g_test_add_func("/replay-timed/keep", test_keep);
	g_test_add_func("/replay-timed/memory", test_memory);
	return leak_end(g_test_run());
}
