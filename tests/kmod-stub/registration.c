/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Registration in kmod-stub: what is accepted, and the numbers of agents. Rows name the
 * statements of doc/linux-mad.md that they show.
 */
#include <errno.h>

#include "kmod-stub/kmod-host.h"
#include "tests/rig/kmod-rig.h"
#include "tests/rig/leak.h"

enum { REGISTRATIONS_MAX = 10 };

#define GSI .qpn = 1
#define PERF .qpn = 1, .mgmt_class = MAD_CLASS_PERF
#define SA .qpn = 1, .mgmt_class = MAD_CLASS_SUBN_ADM, .class_version = 2
#define VENDOR .qpn = 1, .mgmt_class = 0x30, .class_version = 1

struct attempt {
	struct rig_registration words;
	int expected;		/* 0 or -errno */
	bool last;
};

static const struct {
	int statement;
	const char *why;
	struct attempt attempts[REGISTRATIONS_MAX];
} registration_rows[] = {
	{ 46, "a method of a class and version has one owner",
	  { { { PERF, .class_version = 1, .methods = RIG_GET }, 0, false },
	    { { PERF, .class_version = 1, .methods = RIG_GET }, -EINVAL, false },
	    { { PERF, .class_version = 1, .methods = RIG_GET | RIG_SET }, -EINVAL, false },
	    { { PERF, .class_version = 1, .methods = RIG_SET }, 0, false },
	    { { PERF, .class_version = 2, .methods = RIG_GET }, 0, true } } },
	{ 46, "an empty mask never collides",
	  { { { PERF, .class_version = 1 }, 0, false },
	    { { PERF, .class_version = 1, .methods = RIG_GET }, 0, false },
	    { { PERF, .class_version = 1 }, 0, true } } },
	{ 47, "eight OUIs a class",
	  { { { VENDOR, .oui = 1, .methods = RIG_GET }, 0, false },
	    { { VENDOR, .oui = 2, .methods = RIG_GET }, 0, false },
	    { { VENDOR, .oui = 3, .methods = RIG_GET }, 0, false },
	    { { VENDOR, .oui = 4, .methods = RIG_GET }, 0, false },
	    { { VENDOR, .oui = 5, .methods = RIG_GET }, 0, false },
	    { { VENDOR, .oui = 6, .methods = RIG_GET }, 0, false },
	    { { VENDOR, .oui = 7, .methods = RIG_GET }, 0, false },
	    { { VENDOR, .oui = 8, .methods = RIG_GET }, 0, false },
	    { { VENDOR, .oui = 9, .methods = RIG_GET }, -ENOMEM, false },
	    { { VENDOR, .oui = 1, .methods = RIG_GET }, -EINVAL, true } } },
	{ 47, "no OUI at all",
	  { { { VENDOR, .methods = RIG_GET }, -EINVAL, true } } },
	{ 48, "classes and QPs",
	  { { { GSI, .mgmt_class = 0x50, .class_version = 1 }, -EINVAL, false },
	    { { GSI, .mgmt_class = 0xff, .class_version = 1 }, -EINVAL, false },
	    { { .mgmt_class = MAD_CLASS_SUBN_DR, .class_version = 1 }, 0, false },
	    { { .mgmt_class = MAD_CLASS_SUBN_LID, .class_version = 1 }, 0, false },
	    { { GSI, .mgmt_class = MAD_CLASS_SUBN_DR, .class_version = 1 }, -EINVAL, false },
	    { { GSI, .mgmt_class = MAD_CLASS_SUBN_LID, .class_version = 1 }, -EINVAL, false },
	    { { .mgmt_class = MAD_CLASS_PERF, .class_version = 1 }, -EINVAL, false },
	    { { .qpn = 2, .mgmt_class = MAD_CLASS_PERF, .class_version = 1 }, -EINVAL, true } } },
	{ 49, "class versions and RMPP versions",
	  { { { PERF, .class_version = 0x82 }, 0, false },
	    { { PERF, .class_version = 0x83 }, -EINVAL, false },
	    { { SA, .rmpp_version = 2 }, -EINVAL, false },
	    { { SA, .rmpp_version = 1 }, 0, false },
	    { { PERF, .class_version = 1, .rmpp_version = 1 }, -EINVAL, false },
	    { { GSI, .rmpp_version = 1 }, 0, true } } },
	{ 50, "RMPP by the user needs a class",
	  { { { GSI, .flags = 1 }, -EINVAL, false },
	    { { SA, .flags = 1 }, 0, false },
	    { { SA, .flags = 1, .rmpp_version = 1 }, 0, false },
	    { { PERF, .class_version = 1, .flags = 1 }, 0, true } } },
	{ 41, "unknown flags (the rig checks that the known ones are written back)",
	  { { { SA, .flags = 2 }, -EINVAL, false }, { { SA, .flags = 3 }, -EINVAL, true } } },
	{ 42, "an OUI has 24 bits; without a class nobody looks",
	  { { { VENDOR, .oui = 0x01000000, .version2 = true }, -EINVAL, false },
	    { { GSI, .oui = 0x01000000, .version2 = true }, 0, false },
	    { { VENDOR, .oui = 0x001405, .version2 = true }, 0, true } } },
};

static void test_registration(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(registration_rows); i++) {
		struct rig *rig = rig_new(1);
		struct rig_file *file = rig_open(rig, &rig->a, 'a');
		const struct attempt *attempt = registration_rows[i].attempts;

		g_test_message("statement %d: %s", registration_rows[i].statement,
			       registration_rows[i].why);
		for (bool more = true; more; attempt++) {
			g_assert_cmpint(rig_register(file, &attempt->words), ==,
					attempt->expected);
			more = !attempt->last;
		}
		rig_free(rig);
	}
}

/* The number of an agent, as its next request carries it on the wire. */
static uint32_t hi_tid_of(struct rig_file *file)
{
	const struct rig_mad get = { .tid = UINT64_C(0xffffffff00000001) };
	const struct rig_route route = { 0 };

	g_assert_cmpint(rig_write(file, &get, &route), ==, RIG_HEADER_SIZE + MAD_SIZE);
	rig_run(file->at->rig, rig_now_ms(file->at->rig));
	return get_be32(file->at->rig->wire_mad + MAD_TID);
}

/* Statement 51, and the wrap of the counter. */
static void test_numbers(void)
{
	static const struct {
		uint32_t first;
		uint32_t expected[3];	/* with a failure before the last */
	} rows[] = {
		{ 7, { 7, 8, 10 } },
		{ 0xfffffe, { 0xfffffe, 0xffffff, 2 } },
		{ 0xffffff, { 0xffffff, 1, 3 } },
	};
	const struct rig_registration get = { PERF, .class_version = 1, .methods = RIG_GET };
	const struct rig_registration none = { PERF, .class_version = 1 };
	const struct rig_registration bad = { PERF, .class_version = 0x83 };

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct rig *rig = rig_new(rows[i].first);
		struct rig_file *file = rig_open(rig, &rig->a, 'a');

		rig->b.deaf = true;
		g_assert_cmpint(rig_register(file, &get), ==, 0);
		g_assert_cmphex(hi_tid_of(file), ==, rows[i].expected[0]);
		g_assert_cmpint(rig_register(file, &none), ==, 0);
		g_assert_cmphex(hi_tid_of(file), ==, rows[i].expected[1]);
		g_assert_cmpint(rig_register(file, &bad), ==, -EINVAL);	/* uses up no number */
		g_assert_cmpint(rig_register(file, &get), ==, -EINVAL);	/* but this does */
		g_assert_cmpint(rig_register(file, &none), ==, 0);
		g_assert_cmphex(hi_tid_of(file), ==, rows[i].expected[2]);
		rig_free(rig);
	}
}

/* Numbers in use are skipped; the table of agents keeps its order while they come and go. */
static void test_numbers_in_use(void)
{
	const struct rig_registration none = { PERF, .class_version = 1 };
	struct rig *rig = rig_new(0xfffff8);
	struct rig_file *kept = rig_open(rig, &rig->a, 'k');
	struct rig_file *other = rig_open(rig, &rig->a, 'o');
	uint32_t expected = 0xfffff8;

	rig->b.deaf = true;
	/* 32 kept agents: 0xfffff8 to 0xffffff and 1 to 24, every fourth given up again. */
	for (unsigned int i = 0; i < 32; i++) {
		g_assert_cmpint(rig_register(kept, &none), ==, 0);
		g_assert_cmphex(hi_tid_of(kept), ==, expected);
		expected = expected == 0xffffff ? 1 : expected + 1;
	}
	for (uint32_t id = 0; id < 32; id += 4)
		g_assert_cmpint(rig_unregister(kept, id), ==, 0);
	for (unsigned int i = 0; i < 1000; i++) {
		g_assert_cmpint(rig_register(other, &none), ==, 0);
		g_assert_cmphex(hi_tid_of(other), ==, expected++);
		g_assert_cmpint(rig_unregister(other, other->agent_id), ==, 0);
	}
	for (uint32_t id = 1; id < 32; id += id % 4 == 3 ? 2 : 1) {
		kept->agent_id = id;
		g_assert_cmphex(hi_tid_of(kept), ==, id < 8 ? 0xfffff8 + id : id - 7);
	}
	rig_free(rig);
}

/* The counter has wrapped: numbers in use are skipped. */
static void test_numbers_wrapped(void)
{
	const struct rig_registration none = { PERF, .class_version = 1 };
	struct rig *rig = rig_new(5);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	rig_needs_stub("its counter is set");
	rig->b.deaf = true;
	for (unsigned int i = 0; i < 3; i++)
		g_assert_cmpint(rig_register(file, &none), ==, 0);
	g_assert_cmpint(rig_unregister(file, 1), ==, 0);
	rig->a.host->next_hi_tid = 5;
	g_assert_cmpint(rig_register(file, &none), ==, 0);
	g_assert_cmphex(hi_tid_of(file), ==, 6);
	g_assert_cmpint(rig_register(file, &none), ==, 0);
	g_assert_cmphex(hi_tid_of(file), ==, 8);
	/* After the last number comes the first. */
	rig->a.host->next_hi_tid = 0xffffff;
	g_assert_cmpint(rig_register(file, &none), ==, 0);
	g_assert_cmphex(hi_tid_of(file), ==, 0xffffff);
	rig->a.host->next_hi_tid = 0xffffff;
	g_assert_cmpint(rig_register(file, &none), ==, 0);
	g_assert_cmphex(hi_tid_of(file), ==, 1);
	rig_free(rig);
}

/* RoCE: no QP0. */
static void test_no_smi(void)
{
	const struct rig_registration smi = { .mgmt_class = MAD_CLASS_SUBN_LID,
					      .class_version = 1 };
	const struct rig_registration sends_only = { .qpn = 0 };
	const struct rig_registration gsi = { PERF, .class_version = 1 };
	struct rig *rig = rig_new(1);
	struct rig_file *file;

	kmod_port_remove(rig->a.port);
	rig->a.attr.has_smi = false;
	rig->a.attr.link_is_ethernet = true;
	rig->a.port = kmod_port_new(rig->a.host, &rig->a.attr, &rig->a, "A[1]");
	file = rig_open(rig, &rig->a, 'a');
	g_assert_cmpint(rig_register(file, &smi), ==, -EPROTONOSUPPORT);
	g_assert_cmpint(rig_register(file, &sends_only), ==, -EPROTONOSUPPORT);
	g_assert_cmpint(rig_register(file, &gsi), ==, 0);
	rig_inject(&rig->a, &(struct rig_mad){ .mgmt_class = MAD_CLASS_SUBN_LID },
		   &(struct rig_route){ 0 });
	rig_expect_drop(rig, "no QP0");
	rig_free(rig);
}

/* A device of the type SMI: no QP1, and so no agent of class 0, which sends only, either. */
static void test_no_gsi(void)
{
	const struct rig_registration smi = { .mgmt_class = MAD_CLASS_SUBN_LID,
					      .class_version = 1 };
	const struct rig_registration sends_only = { .qpn = 1 };
	const struct rig_registration gsi = { PERF, .class_version = 1 };
	struct rig *rig = rig_new(1);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	rig->a.attr.no_gsi = true;
	g_assert_cmpint(rig_register(file, &smi), ==, 0);
	g_assert_cmpint(rig_register(file, &sends_only), ==, -EPROTONOSUPPORT);
	g_assert_cmpint(rig_register(file, &gsi), ==, -EPROTONOSUPPORT);
	rig_inject(&rig->a, &(struct rig_mad){ .mgmt_class = MAD_CLASS_PERF },
		   &(struct rig_route){ 0 });
	rig_expect_drop(rig, "no QP1");
	rig_free(rig);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/kmod/registration/statements", test_registration);
	g_test_add_func("/kmod/registration/numbers", test_numbers);
	g_test_add_func("/kmod/registration/numbers-in-use", test_numbers_in_use);
	g_test_add_func("/kmod/registration/numbers-wrapped", test_numbers_wrapped);
	g_test_add_func("/kmod/registration/no-smi", test_no_smi);
	g_test_add_func("/kmod/registration/no-gsi", test_no_gsi);
	return leak_end(g_test_run());
}
