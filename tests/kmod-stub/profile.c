/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What differs between the kernels that kmod-stub can be: the gate for unexpected responses, dead
 * files, queue lengths, the order of one expiry, flow control of requests.
 */
#include <errno.h>
#include <poll.h>

#include "tests/rig/kmod-rmpp-rig.h"
#include "tests/rig/leak.h"

enum { READABLE = POLLIN | POLLRDNORM, WRITABLE = POLLOUT | POLLWRNORM };

static const struct rig_registration perf_client = { .qpn = 1, .mgmt_class = MAD_CLASS_PERF,
						     .class_version = 1 };

static void test_names(void)
{
	static const struct {
		const char *name;
		bool known;
		enum kmod_profile profile;
	} rows[] = {
		{ "linux-6.1", true, KMOD_LINUX_6_1 },
		{ "linux-5.10", true, KMOD_LINUX_5_10 },
		{ "linux-6.12", true, KMOD_LINUX_6_12 },
		{ "linux-6.17", true, KMOD_LINUX_6_17 },
		{ "linux-7.2", true, KMOD_LINUX_7_2 },
		{ "linux", false, KMOD_LINUX_6_1 },
		{ "", false, KMOD_LINUX_6_1 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		enum kmod_profile profile = KMOD_PROFILE_COUNT;

		g_assert_cmpint(kmod_profile_find(rows[i].name, &profile), ==, rows[i].known);
		g_assert_cmpint(profile, ==,
				rows[i].known ? rows[i].profile : KMOD_PROFILE_COUNT);
		if (rows[i].known)
			g_assert_cmpstr(kmod_profile_name(profile), ==, rows[i].name);
	}
	g_assert_null(kmod_profile_name(KMOD_PROFILE_COUNT));
}

static void test_releases(void)
{
	static const struct {
		const char *release;
		bool known;
		enum kmod_profile profile;
	} rows[] = {
		{ "6.1.192-2 (2026-07-30)", true, KMOD_LINUX_6_1 },
		{ "6.1.183", true, KMOD_LINUX_6_1 },
		{ "6.1.182", true, KMOD_LINUX_6_12 },
		{ "6.1.0-13-amd64", true, KMOD_LINUX_6_12 },
		{ "6.11.0-rc3", true, KMOD_LINUX_6_12 },
		{ "6.12.95+deb12-amd64", true, KMOD_LINUX_6_12 },
		{ "6.12.107+deb13-amd64", true, KMOD_LINUX_6_1 },
		{ "6.12", true, KMOD_LINUX_6_12 },
		{ "6.16.7", true, KMOD_LINUX_6_12 },
		{ "6.17.13+deb13-amd64", true, KMOD_LINUX_6_17 },
		{ "7.0.13+deb14-amd64", true, KMOD_LINUX_6_17 },
		{ "7.1.8+deb14-amd64", true, KMOD_LINUX_7_2 },
		{ "7.2.13+deb14-amd64", true, KMOD_LINUX_7_2 },
		{ "7.3.4", true, KMOD_LINUX_7_2 },
		{ "5.10.19", true, KMOD_LINUX_5_10 },
		{ "5.10.223-1", true, KMOD_LINUX_6_12 },
		{ "5.11.22", true, KMOD_LINUX_5_10 },
		{ "6.0.9", true, KMOD_LINUX_6_12 },
		{ "5.9.16", false, KMOD_LINUX_6_1 },
		{ "4.19.0", false, KMOD_LINUX_6_1 },
		{ "6", false, KMOD_LINUX_6_1 },
		{ "6.", false, KMOD_LINUX_6_1 },
		{ "next", false, KMOD_LINUX_6_1 },
		{ "", false, KMOD_LINUX_6_1 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		enum kmod_profile profile = KMOD_PROFILE_COUNT;

		g_test_message("%s", rows[i].release);
		g_assert_cmpint(kmod_profile_of_release(rows[i].release, &profile), ==,
				rows[i].known);
		g_assert_cmpint(profile, ==,
				rows[i].known ? rows[i].profile : KMOD_PROFILE_COUNT);
	}
}

static const struct rmpp_row gate[] = {
	{ 76, "the final ACK is lost, no gate: it is said again", .loses = "A>K3",
	  .profile = KMOD_LINUX_5_10, .steps = { ASKS(10000, 0), ANSWERS(1, 500, 0, 3) },
	  .happens = "0:A>1 1:b<256 1:B>D1F/560 2:A>K1/65 3:B>D2/0 3:B>D3L/120 4:A>K3/65~ 4:a<556 "
		     "2003:B>D2/0 2003:B>D3L/120 2004:A>K3/65 2004:A>K3/65" },
	{ 75, "with the gate it is not", .loses = "A>K3", .until_ms = 3000,
	  .steps = { ASKS(10000, 0), ANSWERS(1, 500, 0, 3) },
	  .happens = "0:A>1 1:b<256 1:B>D1F/560 2:A>K1/65 3:B>D2/0 3:B>D3L/120 4:A>K3/65~ 4:a<556 "
		     "2003:B>D2/0 2003:B>D3L/120" },
	{ 75, "nor with the gate of 7.2", .loses = "A>K3", .until_ms = 3000,
	  .profile = KMOD_LINUX_7_2, .steps = { ASKS(10000, 0), ANSWERS(1, 500, 0, 3) },
	  .happens = "0:A>1 1:b<256 1:B>D1F/560 2:A>K1/65 3:B>D2/0 3:B>D3L/120 4:A>K3/65~ 4:a<556 "
		     "2003:B>D2/0 2003:B>D3L/120" },
	{ 96, "no gate: a duplicate of a complete response is acknowledged for 10 s",
	  .profile = KMOD_LINUX_6_17,
	  .steps = { ASKS(1000, 0), ANSWERS(1, 400, 0, 0),
		     ARRIVES(9000, 'a', FROM_B, LAST, DATA(2, 220)),
		     ARRIVES(10005, 'a', FROM_B, LAST, DATA(2, 220)) },
	  .happens = "0:A>1 1:b<256 1:B>D1F/440 2:A>K1/65 3:B>D2L/220 4:A>K2/65 4:a<456 "
		     "9000:A>K2/65" },
	{ 96, "no gate: nor has 6.12 one",
	  .profile = KMOD_LINUX_6_12,
	  .steps = { ASKS(1000, 0), ANSWERS(1, 400, 0, 0),
		     ARRIVES(9000, 'a', FROM_B, LAST, DATA(2, 220)),
		     ARRIVES(10005, 'a', FROM_B, LAST, DATA(2, 220)) },
	  .happens = "0:A>1 1:b<256 1:B>D1F/440 2:A>K1/65 3:B>D2L/220 4:A>K2/65 4:a<456 "
		     "9000:A>K2/65" },
	{ 97, "no gate: a response that nobody waits for is taken, until it is too late",
	  .profile = KMOD_LINUX_5_10, .steps = { ARRIVES(0, 'a', FROM_B, FIRST, DATA(1, 440)) },
	  .happens = "0:A>K1/65 40000:A>X118" },
	{ 97, "and complete it ends here",
	  .profile = KMOD_LINUX_5_10, .steps = { ARRIVES(0, 'a', FROM_B, FIRST, DATA(1, 440)),
						 ARRIVES(1, 'a', FROM_B, LAST, DATA(2, 220)) },
	  .happens = "0:A>K1/65 1:A>K2/65" },
};

static void test_gate(void)
{
	rmpp_rows_run(gate, G_N_ELEMENTS(gate));
}

/* Statement 45 and its past. */
static void test_dead_files(void)
{
	static const struct {
		enum kmod_profile profile;
		int write_error;
		int empty_error;		/* of a write from a slot without an agent */
		unsigned int revents;		/* with a MAD in the queue, */
		unsigned int revents_empty;	/* and without */
		long read;
		int read_error;			/* of the second read */
	} rows[] = {
		{ KMOD_LINUX_6_1, -EIO, -EIO, POLLERR, POLLERR, -EIO, -EIO },
		{ KMOD_LINUX_6_12, -EIO, -EIO, POLLERR, POLLERR, -EIO, -EIO },
		{ KMOD_LINUX_6_17, -EIO, -EIO, POLLERR, POLLERR, -EIO, -EIO },
		{ KMOD_LINUX_7_2, -EIO, -EIO, POLLERR, POLLERR, -EIO, -EIO },
		{ KMOD_LINUX_5_10, -EINVAL, -EINVAL, READABLE | WRITABLE, WRITABLE,
		  RIG_HEADER_SIZE + MAD_HDR_SIZE, -EAGAIN },
	};
	const struct rig_mad mad = { .tid = 1 };

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct rig *rig = rig_new_profile(9, rows[i].profile);
		struct rig_file *file = rig_open(rig, &rig->a, 'a');
		struct kmod_port *port = rig->a.port;
		uint8_t buf[RIG_HEADER_SIZE + MAD_SIZE] = { 0 };

		g_test_message("%s", kmod_profile_name(rows[i].profile));
		file->reads = false;
		rig->b.deaf = true;
		g_assert_cmpint(rig_register(file, &perf_client), ==, 0);
		g_assert_cmpint(rig_write(file, &mad, &(struct rig_route){ .timeout_ms = 1 }), >,
				0);
		rig_run(rig, 10);
		g_assert_cmpint(rig_write_bytes(file, 7, &(struct rig_route){ 0 }, buf, MAD_SIZE),
				==, rows[i].empty_error);
		rig->a.port = NULL;
		kmod_port_remove(port);
		g_assert_cmpint(rig_write(file, &mad, &(struct rig_route){ 0 }), ==,
				rows[i].write_error);
		g_assert_true(kmod_file_readable(file->file));
		g_assert_cmphex(kmod_file_poll(file->file), ==, rows[i].revents);
		g_assert_cmpint(kmod_file_read(file->file, buf, sizeof(buf)), ==, rows[i].read);
		g_assert_cmpint(kmod_file_read(file->file, buf, sizeof(buf)), ==,
				rows[i].read_error);
		g_assert_cmpint(kmod_file_readable(file->file), ==,
				rows[i].read_error != -EAGAIN);
		g_assert_cmphex(kmod_file_poll(file->file), ==, rows[i].revents_empty);
		g_assert_cmpint(rig_register(file, &perf_client), ==, -EPIPE);
		rig_free(rig);
	}
}

/* Later kernels drop a MAD if more than 200000 are queued. */
static void test_queue_limit(void)
{
	static const struct {
		enum kmod_profile profile;
		unsigned int kept;
	} rows[] = {
		{ KMOD_LINUX_6_17, 200001 }, { KMOD_LINUX_7_2, 200001 },
		{ KMOD_LINUX_5_10, 200010 },
	};
	const struct rig_registration server = { .qpn = 1, .mgmt_class = MAD_CLASS_PERF,
						 .class_version = 1, .methods = RIG_GET };

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct rig *rig = rig_new_profile(9, rows[i].profile);
		struct rig_file *file = rig_open(rig, &rig->a, 'a');
		uint8_t buf[RIG_HEADER_SIZE + MAD_SIZE];
		unsigned int kept = 0;

		g_test_message("%s", kmod_profile_name(rows[i].profile));
		rig->ops.trace = NULL;
		file->reads = false;
		g_assert_cmpint(rig_register(file, &server), ==, 0);
		for (unsigned int k = 0; k < 200010; k++)
			rig_inject(&rig->a, &(struct rig_mad){ .tid = k },
				   &(struct rig_route){ 0 });
		while (kmod_file_read(file->file, buf, sizeof(buf)) > 0)
			kept++;
		g_assert_cmpuint(kept, ==, rows[i].kept);
		rig_free(rig);
	}
}

/*
 * At one expiry a and c are sent again, b and d are reported: the newest first, but up to 6.11 each
 * in its turn. (The wake shows which; the log is read after everything.)
 */
static void test_expiry(void)
{
	static const struct {
		enum kmod_profile profile;
		int sent_before_report;
	} rows[] = {
		{ KMOD_LINUX_6_1, 2 }, { KMOD_LINUX_6_12, 2 }, { KMOD_LINUX_6_17, 2 },
		{ KMOD_LINUX_7_2, 2 }, { KMOD_LINUX_5_10, 0 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct rig *rig = rig_new_profile(9, rows[i].profile);
		struct rig_file *file = rig_open(rig, &rig->a, 'a');

		g_test_message("%s", kmod_profile_name(rows[i].profile));
		rig->b.deaf = true;
		g_assert_cmpint(rig_register(file, &perf_client), ==, 0);
		for (uint32_t tid = 0xa; tid <= 0xd; tid++)
			g_assert_cmpint(rig_write(file, &(struct rig_mad){ .tid = tid },
						  &(struct rig_route){ .timeout_ms = 100,
								       .retries = tid % 2 == 0 }),
					>, 0);
		rig_run(rig, 99);
		g_string_truncate(rig->log, 0);
		rig->sent = 0;
		rig->sent_at_wake = -1;
		rig_run(rig, 150);
		rig_expect(rig, "one expiry", "100:A>c 100:A>a 100:a!d 100:a!b");
		g_assert_cmpint(rig->sent_at_wake, ==, rows[i].sent_before_report);
		rig_free(rig);
	}
}

/* ---- flow control ---- */

#define SA_CLIENT .qpn = 1, .mgmt_class = MAD_CLASS_SUBN_ADM, .class_version = 2

static void write_gets(struct rig_file *file, uint8_t mgmt_class, unsigned int count,
		       uint32_t timeout_ms, uint32_t retries)
{
	for (unsigned int i = 1; i <= count; i++)
		g_assert_cmpint(rig_write(file, &(struct rig_mad){ .mgmt_class = mgmt_class,
								   .class_version = 2, .tid = i },
					  &(struct rig_route){ .timeout_ms = timeout_ms,
							       .retries = retries }), >, 0);
}

/* Expects 'word' in the log at 'at_ms' this many times. */
static unsigned int count_words(const struct rig *rig, int at_ms, const char *word)
{
	g_autofree char *start = g_strdup_printf("%d:%s", at_ms, word);
	g_auto(GStrv) words = g_strsplit(rig->log->str, " ", -1);
	unsigned int count = 0;

	for (unsigned int i = 0; words[i]; i++)
		count += g_str_has_prefix(words[i], start);
	return count;
}

/* Statement 110. */
static void test_flow(void)
{
	struct rig *rig = rig_new_profile(9, KMOD_LINUX_6_17);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	rig->b.deaf = true;
	g_assert_cmpint(rig_register(file, &(struct rig_registration){ SA_CLIENT }), ==, 0);
	write_gets(file, MAD_CLASS_SUBN_ADM, 20, 1000, 0);
	g_assert_cmpuint(count_words(rig, 0, "A>"), ==, 16);
	rig_run(rig, 999);
	g_assert_cmpuint(count_words(rig, 0, "A>"), ==, 16);
	g_string_truncate(rig->log, 0);
	rig_run(rig, 1000);
	rig_expect(rig, "statement 110", "1000:A>11 1000:A>12 1000:A>13 1000:A>14 1000:a!10 "
		   "1000:a!f 1000:a!e 1000:a!d 1000:a!c 1000:a!b 1000:a!a 1000:a!9 1000:a!8 "
		   "1000:a!7 1000:a!6 1000:a!5 1000:a!4 1000:a!3 1000:a!2 1000:a!1");
	rig_run(rig, 5000);
	rig_expect(rig, "the rest", "2000:a!14 2000:a!13 2000:a!12 2000:a!11");
	rig_free(rig);
}

/* Which agents are limited, and to how many requests; what does not count. */
static void test_flow_limits(void)
{
	static const struct {
		const char *why;
		enum kmod_profile profile;
		struct rig_registration client;
		uint8_t mgmt_class;
		uint32_t timeout_ms;
		unsigned int out;		/* of 200 */
	} rows[] = {
		{ "SA", KMOD_LINUX_6_17, { SA_CLIENT }, MAD_CLASS_SUBN_ADM, 100, 16 },
		{ "SA of 7.2", KMOD_LINUX_7_2, { SA_CLIENT }, MAD_CLASS_SUBN_ADM, 100, 16 },
		{ "not with other kernels", KMOD_LINUX_6_1, { SA_CLIENT }, MAD_CLASS_SUBN_ADM, 100,
		  200 },
		{ "nor with 6.12", KMOD_LINUX_6_12, { SA_CLIENT }, MAD_CLASS_SUBN_ADM, 100, 200 },
		{ "not where no answer is expected", KMOD_LINUX_6_17, { SA_CLIENT },
		  MAD_CLASS_SUBN_ADM, 0, 200 },
		{ "not another class, whoever sends it", KMOD_LINUX_6_17, { SA_CLIENT },
		  MAD_CLASS_PERF, 100, 200 },
		{ "an agent without class", KMOD_LINUX_6_17, { .qpn = 1 }, MAD_CLASS_SUBN_ADM, 100,
		  128 },
		{ "CM", KMOD_LINUX_6_17, { .qpn = 1, .mgmt_class = MAD_CLASS_CM,
					   .class_version = 2 }, MAD_CLASS_CM, 100, 128 },
		{ "SMPs", KMOD_LINUX_6_17, { .mgmt_class = MAD_CLASS_SUBN_LID,
					     .class_version = 1 }, MAD_CLASS_SUBN_LID, 100, 128 },
		{ "not other classes' agents", KMOD_LINUX_6_17,
		  { .qpn = 1, .mgmt_class = MAD_CLASS_PERF, .class_version = 1 },
		  MAD_CLASS_SUBN_ADM, 100, 200 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct rig *rig = rig_new_profile(9, rows[i].profile);
		struct rig_file *file = rig_open(rig, &rig->a, 'a');

		g_test_message("%s", rows[i].why);
		rig->b.deaf = true;
		g_assert_cmpint(rig_register(file, &rows[i].client), ==, 0);
		write_gets(file, rows[i].mgmt_class, 200, rows[i].timeout_ms, 0);
		rig_run(rig, 50);
		g_assert_cmpuint(count_words(rig, 0, "A>"), ==, rows[i].out);
		rig_free(rig);
	}
}

static void answer(struct rig *rig, uint32_t tid)
{
	rig_inject(&rig->a, &(struct rig_mad){ .mgmt_class = MAD_CLASS_SUBN_ADM, .class_version = 2,
					       .method = MAD_METHOD_GET_RESP,
					       .tid = UINT64_C(9) << 32 | tid },
		   &(struct rig_route){ 0 });
}

static void write_get(struct rig_file *file, uint32_t tid, uint16_t lid)
{
	g_assert_cmpint(rig_write(file, &(struct rig_mad){ .mgmt_class = MAD_CLASS_SUBN_ADM,
							   .class_version = 2, .tid = tid },
				  &(struct rig_route){ .lid = lid, .timeout_ms = 1000 }), >, 0);
}

/*
 * A response makes room; a response to one that still waits ends it, and it is never transmitted.
 */
static void test_flow_answers(void)
{
	struct rig *rig = rig_new_profile(9, KMOD_LINUX_6_17);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	rig->b.deaf = true;
	g_assert_cmpint(rig_register(file, &(struct rig_registration){ SA_CLIENT }), ==, 0);
	write_gets(file, MAD_CLASS_SUBN_ADM, 20, 1000, 0);
	rig_run(rig, 10);
	g_string_truncate(rig->log, 0);
	answer(rig, 18);
	answer(rig, 17);
	answer(rig, 20);
	rig_run(rig, 20);
	answer(rig, 1);
	answer(rig, 18);
	rig_run(rig, 30);
	answer(rig, 2);
	rig_run(rig, 40);
	rig_expect(rig, "answers", "10:a<12 10:a<11 10:a<14 20:A>13 20:a<1 30:a<2");
	g_assert_cmpint(rig_unregister(file, file->agent_id), ==, 0);
	rig_run(rig, 5000);
	rig_expect(rig, "unregistered with a backlog", "");
	rig_free(rig);
}

/*
 * The RMPP header is looked at for agents that have RMPP: to any other it is data, and a MAD whose
 * data look like a segment counts.
 */
static void test_flow_without_rmpp(void)
{
	struct rig *rig = rig_new_profile(9, KMOD_LINUX_7_2);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	rig->b.deaf = true;
	g_assert_cmpint(rig_register(file, &(struct rig_registration){ SA_CLIENT }), ==, 0);
	for (unsigned int i = 1; i <= 20; i++)
		g_assert_cmpint(rig_write(file, &(struct rig_mad){
			.mgmt_class = MAD_CLASS_SUBN_ADM, .class_version = 2, .tid = i,
			.rmpp_flags = RMPP_FLAG_ACTIVE, .rmpp_first = true, .segment = 1,
		}, &(struct rig_route){ .timeout_ms = 1000 }), >, 0);
	rig_run(rig, 50);
	g_assert_cmpuint(count_words(rig, 0, "A>"), ==, 16);
	rig_free(rig);
}

/*
 * An answer that comes while its request is still in the QP makes room at once: for the next
 * request if none waits; those that do wait go when that request has left the QP, in order.
 */
static void test_flow_early_answer(void)
{
	struct rig *rig = rig_new_profile(9, KMOD_LINUX_7_2);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	rig->b.deaf = true;
	g_assert_cmpint(rig_register(file, &(struct rig_registration){ SA_CLIENT }), ==, 0);
	write_gets(file, MAD_CLASS_SUBN_ADM, 16, 1000, 0);
	g_string_truncate(rig->log, 0);
	answer(rig, 3);
	write_get(file, 0x21, 0);
	rig_expect(rig, "room for the next", "0:A>21");
	write_get(file, 0x22, 0);
	rig_expect(rig, "no more than that", "");
	answer(rig, 4);
	write_get(file, 0x23, 0);
	rig_expect(rig, "behind one that waits", "");
	rig_run(rig, 10);
	rig_expect(rig, "once the request has left", "0:a<3 0:a<4 0:A>22");
	answer(rig, 5);
	rig_run(rig, 20);
	rig_expect(rig, "in order", "10:A>23 10:a<5");
	rig_free(rig);
}

/*
 * An answer to a request that waits lets out the next one, if an answer before it has made room: it
 * does not have to wait until that one's request has left the QP.
 */
static void test_flow_held_answer(void)
{
	struct rig *rig = rig_new_profile(9, KMOD_LINUX_7_2);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	rig->b.deaf = true;
	g_assert_cmpint(rig_register(file, &(struct rig_registration){ SA_CLIENT }), ==, 0);
	write_gets(file, MAD_CLASS_SUBN_ADM, 16, 1000, 0);
	for (unsigned int tid = 0x21; tid <= 0x24; tid++)
		write_get(file, tid, 0);
	answer(rig, 3);
	g_string_truncate(rig->log, 0);
	answer(rig, 0x21);
	rig_expect(rig, "the next one goes", "0:A>22");
	answer(rig, 0x23);
	rig_expect(rig, "no more than there is room for", "");
	rig_free(rig);
}

/* An SMP of one hop that goes out of port 1, or its answer. */
static void directed(bool is_answer, uint32_t hi_tid, uint8_t smp[MAD_SIZE])
{
	rig_mad_bytes(&(struct rig_mad){
		.mgmt_class = MAD_CLASS_SUBN_DR, .tid = (uint64_t)hi_tid << 32 | 0x99,
		.method = is_answer ? MAD_METHOD_GET_RESP : MAD_METHOD_GET,
		.status = is_answer ? SMP_DIRECTION : 0,
	}, smp);
	smp[SMP_HOP_CNT] = 1;
	smp[SMP_HOP_PTR] = is_answer ? 2 : 0;
	put_be16(smp + SMP_DR_SLID, LID_PERMISSIVE);
	put_be16(smp + SMP_DR_DLID, LID_PERMISSIVE);
	smp[SMP_INITIAL_PATH + 1] = 1;
	smp[SMP_RETURN_PATH + 1] = 1;
}

/*
 * A request and a response may have the same TID, and the answer to a directed route belongs to
 * either. It ends the one that waits in the backlog rather than the one in the QP; the former is
 * never sent.
 */
static void test_flow_same_tid(void)
{
	struct rig *rig = rig_new_profile(9, KMOD_LINUX_7_2);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');
	const struct rig_route route = { .lid = LID_PERMISSIVE, .timeout_ms = 1000 };
	uint8_t smp[MAD_SIZE];

	rig->b.deaf = true;
	g_assert_cmpint(rig_register(file, &(struct rig_registration){ 0 }), ==, 0);
	write_gets(file, MAD_CLASS_SUBN_LID, 127, 1000, 0);
	directed(false, 9, smp);
	g_assert_cmpint(rig_write_bytes(file, file->agent_id, &route, smp, MAD_SIZE), >, 0);
	directed(true, 9, smp);
	g_assert_cmpint(rig_write_bytes(file, file->agent_id, &route, smp, MAD_SIZE), >, 0);
	g_string_truncate(rig->log, 0);
	smp[SMP_HOP_PTR] = 1;
	rig_inject_bytes(&rig->a, smp, &(struct rig_route){ .lid = LID_PERMISSIVE });
	rig_run(rig, 10);
	rig_inject_bytes(&rig->a, smp, &(struct rig_route){ .lid = LID_PERMISSIVE });
	rig_run(rig, 20);
	rig_expect(rig, "first the one that waits", "0:a<99 10:a<99");
	rig_free(rig);
}

/* A retry goes out at once if none waits; a message in segments is not counted. */
static void test_flow_alone(void)
{
	struct rig *rig = rig_new_profile(9, KMOD_LINUX_6_17);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');
	const struct rig_registration client = { SA_CLIENT, .rmpp_version = 1 };
	const struct rig_mad message = { .mgmt_class = MAD_CLASS_SUBN_ADM, .class_version = 2,
					 .method = RMPP_METHOD_GET_MULTI, .tid = 0x20 };

	rig->b.deaf = true;
	g_assert_cmpint(rig_register(file, &client), ==, 0);
	write_gets(file, MAD_CLASS_SUBN_ADM, 16, 100, 1);
	g_assert_cmpint(rig_write_message(file, &message, &(struct rig_route){ .timeout_ms = 500 },
					  100), >, 0);
	rig_run(rig, 150);
	g_assert_cmpuint(count_words(rig, 0, "A>"), ==, 17);
	g_assert_cmpuint(count_words(rig, 100, "A>"), ==, 16);
	rig_run(rig, 1000);
	g_assert_cmpuint(count_words(rig, 200, "a!"), ==, 16);
	g_assert_cmpuint(count_words(rig, 500, "a!"), ==, 1);
	rig_free(rig);
}

/* A retry waits behind those that have not been sent at all. */
static void test_flow_retries(void)
{
	struct rig *rig = rig_new_profile(9, KMOD_LINUX_6_17);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	rig->b.deaf = true;
	g_assert_cmpint(rig_register(file, &(struct rig_registration){ SA_CLIENT }), ==, 0);
	write_gets(file, MAD_CLASS_SUBN_ADM, 18, 100, 1);
	rig_run(rig, 50);
	g_string_truncate(rig->log, 0);
	rig_run(rig, 100);
	rig_expect(rig, "first expiry",
		   "100:A>11 100:A>12 100:A>10 100:A>f 100:A>e 100:A>d 100:A>c 100:A>b "
		   "100:A>a 100:A>9 100:A>8 100:A>7 100:A>6 100:A>5 100:A>4 100:A>3");
	rig_run(rig, 1000);
	g_assert_cmpuint(count_words(rig, 200, "A>"), ==, 4);
	g_assert_cmpuint(count_words(rig, 200, "a!"), ==, 14);
	g_assert_cmpuint(count_words(rig, 300, "a!"), ==, 4);
	rig_free(rig);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/kmod/profile/names", test_names);
	g_test_add_func("/kmod/profile/releases", test_releases);
	g_test_add_func("/kmod/profile/gate", test_gate);
	g_test_add_func("/kmod/profile/dead-files", test_dead_files);
	g_test_add_func("/kmod/profile/queue-limit", test_queue_limit);
	g_test_add_func("/kmod/profile/expiry", test_expiry);
	g_test_add_func("/kmod/profile/flow", test_flow);
	g_test_add_func("/kmod/profile/flow-limits", test_flow_limits);
	g_test_add_func("/kmod/profile/flow-answers", test_flow_answers);
	g_test_add_func("/kmod/profile/flow-without-rmpp", test_flow_without_rmpp);
	g_test_add_func("/kmod/profile/flow-early-answer", test_flow_early_answer);
	g_test_add_func("/kmod/profile/flow-held-answer", test_flow_held_answer);
	g_test_add_func("/kmod/profile/flow-same-tid", test_flow_same_tid);
	g_test_add_func("/kmod/profile/flow-alone", test_flow_alone);
	g_test_add_func("/kmod/profile/flow-retries", test_flow_retries);
	return leak_end(g_test_run());
}
