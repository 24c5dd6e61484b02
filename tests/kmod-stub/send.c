/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Many sends at once in kmod-stub: a full QP, the order of deadlines, which of several requests a
 * response belongs to, and what happens to sends whose agent or device goes.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/rig/kmod-rig.h"
#include "tests/rig/leak.h"
#include "kmod-stub/mad-send.h"

static const struct rig_registration perf_client = { .qpn = 1, .mgmt_class = MAD_CLASS_PERF,
						     .class_version = 1 };
/* Does its own RMPP: may have several sends with the same TID. */
static const struct rig_registration sa_client = { .qpn = 1, .mgmt_class = MAD_CLASS_SUBN_ADM,
						   .class_version = 2 };

static void write_get(struct rig_file *file, uint32_t tid, uint32_t timeout_ms, uint32_t retries)
{
	g_assert_cmpint(rig_write(file, &(struct rig_mad){ .tid = tid },
				  &(struct rig_route){ .timeout_ms = timeout_ms,
						       .retries = retries }), >, 0);
}

static void answer(struct rig *rig, uint32_t tid)
{
	rig_inject(&rig->a, &(struct rig_mad){ .method = MAD_METHOD_GET_RESP,
					       .tid = UINT64_C(9) << 32 | tid },
		   &(struct rig_route){ 0 });
}

static unsigned int count(const char *text, char c)
{
	unsigned int n = 0;

	while ((text = strchr(text, c))) {
		text++;
		n++;
	}
	return n;
}

/*
 * As many go out as the QP has room for, the others as soon as those complete; none is refused and
 * none is out of order.
 */
static void overflow(unsigned int room)
{
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');
	const char *word;
	uint32_t i;

	rig->b.deaf = true;
	g_assert_cmpint(rig_register(file, &perf_client), ==, 0);
	for (i = 0; i < 300; i++)
		write_get(file, i, 100, 0);
	g_assert_cmpuint(count(rig->log->str, '>'), ==, room);
	rig_run(rig, 0);
	g_assert_cmpuint(count(rig->log->str, '>'), ==, 300);
	for (i = 0, word = rig->log->str; (word = strchr(word, '>')); i++, word++)
		g_assert_cmpuint(strtoul(word + 1, NULL, 16), ==, i);
	g_string_truncate(rig->log, 0);
	rig_run(rig, 99);
	rig_expect(rig, "nothing before", "");
	rig_run(rig, 100);
	g_assert_cmpuint(count(rig->log->str, '!'), ==, 300);
	for (i = 300, word = rig->log->str; (word = strchr(word, '!')); word++)
		g_assert_cmpuint(strtoul(word + 1, NULL, 16), ==, --i);
	rig_free(rig);
}

static void test_overflow(void)
{
	overflow(128);
	rig_send_queue_size = 64;
	overflow(64);
	rig_send_queue_size = 0;
}

/* A response before the completion: to one in the QP and to one that still waits for the QP. */
static void test_early_answer(void)
{
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	rig->b.deaf = true;
	g_assert_cmpint(rig_register(file, &perf_client), ==, 0);
	for (uint32_t i = 0; i < 200; i++)
		write_get(file, i, i == 10 || i == 150 ? 100 : 0, 1);
	g_string_truncate(rig->log, 0);
	answer(rig, 10);
	answer(rig, 150);
	answer(rig, 150);	/* the second one finds no request */
	rig_expect_drop(rig, "no request");
	answer(rig, 20);	/* and no request waits for this one */
	rig_expect_drop(rig, "no request");
	rig_run(rig, 1000);
	g_assert_cmpuint(count(rig->log->str, '<'), ==, 2);
	g_assert_cmpuint(count(rig->log->str, '!'), ==, 0);
	g_assert_cmpuint(count(rig->log->str, '>'), ==, 200 - SEND_QUEUE_DEPTH);
	rig_free(rig);
}

/* What Linux's sorted list would do, for a thousand sends with few deadlines, some answered. */
struct expected {
	uint32_t timeout_ms;
	uint32_t tid;
};

static int compare_expected(const void *a, const void *b)
{
	const struct expected *x = a, *y = b;

	if (x->timeout_ms != y->timeout_ms)
		return x->timeout_ms < y->timeout_ms ? -1 : 1;
	return x->tid > y->tid ? -1 : 1;
}

static void test_deadline_order(void)
{
	enum { SENDS = 1000 };
	struct expected expected[SENDS];
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');
	g_autoptr(GString) happens = g_string_new(NULL);
	uint32_t state = 12345;

	rig->b.deaf = true;
	g_assert_cmpint(rig_register(file, &perf_client), ==, 0);
	for (uint32_t i = 0; i < SENDS; i++) {
		state = state * 1664525 + 1013904223;
		expected[i] = (struct expected){ 100 + (state >> 24) % 7, i };
		write_get(file, i, expected[i].timeout_ms, 0);
	}
	rig_run(rig, 1);
	g_string_truncate(rig->log, 0);
	for (uint32_t i = 0; i < SENDS; i += 3)
		answer(rig, i);
	rig_run(rig, 2);
	g_string_truncate(rig->log, 0);
	qsort(expected, SENDS, sizeof(expected[0]), compare_expected);
	for (uint32_t i = 0; i < SENDS; i++)
		if (expected[i].tid % 3)
			g_string_append_printf(happens, "%s%u:a!%x", happens->len ? " " : "",
					       expected[i].timeout_ms, expected[i].tid);
	rig_run(rig, 1000);
	rig_expect(rig, "order of deadlines", happens->str);
	rig_free(rig);
}

/* Several requests with the same TID: the response belongs to the first in Linux's lists. */
static void test_match_order(void)
{
	static const struct {
		const char *why;
		uint32_t timeouts_ms[3];	/* of the sends, in order; 0: no more */
		unsigned int waiting;		/* how many wait when the response comes, */
						/* the others have not yet completed */
		uint16_t left[3];		/* numbers of those left after one answer */
	} rows[] = {
		{ "the earliest deadline", { 300, 100, 200 }, 3, { 3, 1 } },
		{ "of equal ones the newest", { 100, 100, 100 }, 3, { 2, 1 } },
		{ "one that waits for ever comes last", { UINT32_MAX, 100 }, 2, { 0 } },
		{ "one that waits before those that do not yet", { 300, 100, 200 }, 1, { 2, 3 } },
		{ "of those the first", { 300, 100, 200 }, 0, { 2, 3 } },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct rig *rig = rig_new(9);
		struct rig_file *file = rig_open(rig, &rig->a, 'a');
		struct rig_mad mad = { .mgmt_class = MAD_CLASS_SUBN_ADM, .class_version = 2,
				       .tid = 1, .rmpp_flags = RMPP_FLAG_ACTIVE };
		uint8_t buf[RIG_HEADER_SIZE + MAD_SIZE];

		g_test_message("%s", rows[i].why);
		rig->b.deaf = true;
		g_assert_cmpint(rig_register(file, &sa_client), ==, 0);
		for (uint16_t k = 0; k < 3 && rows[i].timeouts_ms[k]; k++) {
			if (k == rows[i].waiting)
				rig_run(rig, 1);
			mad.attr_id = k + 1;
			g_assert_cmpint(rig_write(file, &mad, &(struct rig_route){
					.timeout_ms = rows[i].timeouts_ms[k] }), >, 0);
		}
		if (rows[i].waiting >= 2)
			rig_run(rig, 1);
		mad.method = MAD_METHOD_GET_RESP;
		mad.tid = UINT64_C(9) << 32 | 1;
		rig_inject(&rig->a, &mad, &(struct rig_route){ 0 });
		rig_run(rig, 2);
		file->reads = false;
		rig_run(rig, 1000);
		for (unsigned int k = 0; k < 3 && rows[i].left[k]; k++) {
			g_assert_cmpint(kmod_file_read(file->file, buf, sizeof(buf)), ==,
					RIG_HEADER_SIZE + MAD_HDR_SIZE);
			g_assert_cmpuint(get_be16(buf + RIG_HEADER_SIZE + MAD_ATTR_ID), ==,
					 rows[i].left[k]);
		}
		g_assert_cmpint(kmod_file_read(file->file, buf, sizeof(buf)), <, 0);
		rig_free(rig);
	}
}

/*
 * Requests with the same TID that wait for ever: as of others with a deadline, the response belongs
 * to the one that began to wait first, and of those of one instant to the newest.
 */
static void test_match_for_ever(void)
{
	enum { COUNT = 3 };
	static const uint16_t left[COUNT][COUNT] = { { 2, 3 }, { 1, 3 }, { 2, 1 } };
	static const int64_t written_ms[COUNT][COUNT] = { { 1, 5, 9 }, { 1, 1, 9 }, { 1, 1, 1 } };

	for (unsigned int i = 0; i < COUNT; i++) {
		struct rig *rig = rig_new(9);
		struct rig_file *file = rig_open(rig, &rig->a, 'a');
		struct rig_mad mad = { .mgmt_class = MAD_CLASS_SUBN_ADM, .class_version = 2,
				       .tid = 1, .rmpp_flags = RMPP_FLAG_ACTIVE };
		uint8_t buf[RIG_HEADER_SIZE + MAD_SIZE];

		rig->b.deaf = true;
		g_assert_cmpint(rig_register(file, &sa_client), ==, 0);
		for (unsigned int k = 0; k < COUNT; k++) {
			rig_run(rig, written_ms[i][k]);
			mad.attr_id = (uint16_t)(k + 1);
			g_assert_cmpint(rig_write(file, &mad, &(struct rig_route){
					.timeout_ms = UINT32_MAX }), >, 0);
		}
		rig_run(rig, 10);
		mad.method = MAD_METHOD_GET_RESP;
		mad.tid = UINT64_C(9) << 32 | 1;
		rig_inject(&rig->a, &mad, &(struct rig_route){ 0 });
		rig_run(rig, 11);
		file->reads = false;
		g_assert_cmpuint(kmod_port_expire(rig->a.port, mad.tid, mad.mgmt_class), ==, 2);
		for (unsigned int k = 0; k < 2; k++) {
			unsigned int attr;

			g_assert_cmpint(kmod_file_read(file->file, buf, sizeof(buf)), ==,
					RIG_HEADER_SIZE + MAD_HDR_SIZE);
			attr = get_be16(buf + RIG_HEADER_SIZE + MAD_ATTR_ID);
			g_assert_true(attr == left[i][0] || attr == left[i][1]);
		}
		rig_free(rig);
	}
}

/* A timer is armed for the first deadline only, and again only when that changes. */
static void test_timer_arms(void)
{
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	rig->b.deaf = true;
	g_assert_cmpint(rig_register(file, &perf_client), ==, 0);
	for (uint32_t i = 0; i < 100; i++)
		write_get(file, i, 100 + i / 2, 0);
	rig_run(rig, 1);
	g_assert_cmpuint(rig->arms, ==, 1);
	for (uint32_t i = 2; i < 100; i++)
		answer(rig, i);
	g_assert_cmpuint(rig->arms, ==, 1);
	write_get(file, 200, 50, 0);
	rig_run(rig, 2);
	g_assert_cmpuint(rig->arms, ==, 2);
	rig_run(rig, 1000);
	g_assert_cmpuint(rig->arms, ==, 3);
	rig_free(rig);
}

/* No time is quadratic in the number of outstanding sends. (This would otherwise take minutes.) */
static void test_many(void)
{
	enum { SENDS = 100000 };
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	rig_needs_stub("Linux looks for each answer in a list of all sends");
	rig->ops.trace = NULL;
	rig->b.deaf = true;
	g_assert_cmpint(rig_register(file, &perf_client), ==, 0);
	for (uint32_t i = 0; i < SENDS; i++)
		write_get(file, i, 100, 0);
	rig_run(rig, 50);
	g_string_truncate(rig->log, 0);
	for (uint32_t i = 0; i < SENDS; i++)
		answer(rig, i * 7919 % SENDS);	/* in another order; each once: coprime */
	rig_run(rig, 99);
	g_assert_cmpuint(count(rig->log->str, '<'), ==, SENDS);
	rig_run(rig, 1000);
	g_assert_cmpuint(count(rig->log->str, '!'), ==, 0);
	g_assert_cmpuint(rig->a.host->sends.count, ==, 0);
	rig_free(rig);
}

/*
 * An agent is removed with sends in every state: those that wait for the QP still go out, without a
 * report.
 */
static void test_flush(void)
{
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	rig->b.deaf = true;
	g_assert_cmpint(rig_register(file, &perf_client), ==, 0);
	write_get(file, 0xf000, 100, 3);
	rig_run(rig, 10);
	for (uint32_t i = 0; i < 200; i++)
		write_get(file, i, 100, 3);
	g_string_truncate(rig->log, 0);
	g_assert_cmpint(rig_unregister(file, file->agent_id), ==, 0);
	g_assert_cmpint(rig_register(file, &perf_client), ==, 0);
	write_get(file, 1, 100, 0);	/* no duplicate: it belongs to another agent */
	rig_run(rig, 10);
	g_assert_cmpuint(count(rig->log->str, '>'), ==, 200 - SEND_QUEUE_DEPTH + 1);
	g_string_truncate(rig->log, 0);
	rig_run(rig, 1000);
	rig_expect(rig, "flushed", "110:a!1");
	rig_free(rig);
}

/* The device is removed with sends in every state. */
static void test_removal(void)
{
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');
	struct kmod_port *port = rig->a.port;

	rig->b.deaf = true;
	g_assert_cmpint(rig_register(file, &perf_client), ==, 0);
	write_get(file, 0xf000, 100, 3);
	rig_run(rig, 10);
	for (uint32_t i = 0; i < 200; i++)
		write_get(file, i, 100, 3);
	rig->a.port = NULL;
	kmod_port_remove(port);
	g_string_truncate(rig->log, 0);
	rig_run(rig, 1000);
	rig_expect(rig, "removed", "");
	rig_free(rig);
}

/* Fabrics have tens of thousands of ports on which no agent ever registers. */
static void test_port_is_small(void)
{
	struct rig *rig = rig_new(9);
	struct rig_file *file;

	rig_needs_stub("its structs");
	g_assert_cmpuint(sizeof(struct kmod_port), <, 1024 - 64);
	g_assert_null(rig->a.port->agents);
	file = rig_open(rig, &rig->a, 'a');
	g_assert_cmpint(rig_register(file, &perf_client), ==, 0);
	g_assert_nonnull(rig->a.port->agents);
	rig_close(file);
	g_assert_null(rig->a.port->agents);
	rig_free(rig);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/kmod/send/overflow", test_overflow);
	g_test_add_func("/kmod/send/early-answer", test_early_answer);
	g_test_add_func("/kmod/send/deadline-order", test_deadline_order);
	g_test_add_func("/kmod/send/match-order", test_match_order);
	g_test_add_func("/kmod/send/match-for-ever", test_match_for_ever);
	g_test_add_func("/kmod/send/timer-arms", test_timer_arms);
	g_test_add_func("/kmod/send/many", test_many);
	g_test_add_func("/kmod/send/flush", test_flush);
	g_test_add_func("/kmod/send/removal", test_removal);
	g_test_add_func("/kmod/send/port-is-small", test_port_is_small);
	return leak_end(g_test_run());
}
