/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Dispatch in kmod-stub: which agent gets a MAD that arrives, or what answers it. Rows name the
 * statements of doc/linux-mad.md that they show.
 */
#include <errno.h>
#include <string.h>

#include "tests/rig/kmod-rig.h"
#include "tests/rig/leak.h"

#define PERF .qpn = 1, .mgmt_class = MAD_CLASS_PERF
#define SA .qpn = 1, .mgmt_class = MAD_CLASS_SUBN_ADM, .class_version = 2
#define VENDOR .qpn = 1, .mgmt_class = 0x30, .class_version = 1

/* What the driver does with a MAD in a row. */
static unsigned int driver_fails(const uint8_t *in, uint8_t *out)
{
	(void)in;
	(void)out;
	return KMOD_MAD_FAILURE;
}

static unsigned int driver_consumes(const uint8_t *in, uint8_t *out)
{
	(void)in;
	(void)out;
	return KMOD_MAD_SUCCESS | KMOD_MAD_CONSUMED;
}

static unsigned int driver_replies(const uint8_t *in, uint8_t *out)
{
	memcpy(out, in, MAD_SIZE);
	out[MAD_METHOD] = MAD_METHOD_GET_RESP;
	put_be16(out + MAD_STATUS, MAD_STATUS_BAD_FIELD);
	return KMOD_MAD_SUCCESS | KMOD_MAD_REPLY;
}

/*
 * File a at A sends requests (agent number 9 on its host); file b at B has the agents of 'taker'.
 * The MAD read must have the expected status.
 */
static const struct {
	int statement;
	const char *why;
	struct rig_registration taker;
	struct rig_mad mad;
	struct rig_route route;
	rig_driver_fn *driver;		/* of B */
	const char *happens;
	const char *drop;		/* part of the reason; NULL: nothing is dropped */
	uint16_t status;		/* of the last MAD read */
} dispatch_rows[] = {
	{ 52, "a Get that nobody takes is answered",
	  { SA }, { .tid = 1 }, { .timeout_ms = 100 }, NULL,
	  "0:A>1 1:B>1 2:a<1", NULL, 0x000c },
	{ 52, "a Set as well",
	  { SA }, { .tid = 1, .method = MAD_METHOD_SET }, { .timeout_ms = 100 }, NULL,
	  "0:A>1 1:B>1 2:a<1", NULL, 0x000c },
	{ 52, "with GRH the answer has one",
	  { SA }, { .tid = 1 }, { .timeout_ms = 100, .grh = true }, NULL,
	  "0:A>1 1:B>1 2:a<1", NULL, 0x000c },
	{ 52, "not what the driver has failed",
	  { SA }, { .tid = 1 }, { .timeout_ms = 100 }, driver_fails,
	  "0:A>1 100:a!1", "refused by the driver", 0 },
	{ 52, "what the driver has failed still finds its agent",
	  { PERF, .class_version = 1, .methods = RIG_GET }, { .tid = 1 }, { .timeout_ms = 100 },
	  driver_fails, "0:A>1 1:b<1 100:a!1", NULL, 0 },
	{ 52, "the driver answers before any agent",
	  { PERF, .class_version = 1, .methods = RIG_GET }, { .tid = 1 }, { .timeout_ms = 100 },
	  driver_replies, "0:A>1 1:B>1 2:a<1", NULL, MAD_STATUS_BAD_FIELD },
	{ 52, "what the driver consumes is gone",
	  { PERF, .class_version = 1, .methods = RIG_GET }, { .tid = 1 }, { .timeout_ms = 100 },
	  driver_consumes, "0:A>1 100:a!1", NULL, 0 },
	{ 53, "another method that nobody takes is dropped",
	  { SA }, { .tid = 1, .method = MAD_METHOD_GET_TABLE },
	  { .timeout_ms = 100, .retries = 1 }, NULL,
	  "0:A>1 100:A>1 200:a!1", "no agent for class 0x04 method 0x12", 0 },
	{ 55, "an OUI that is registered",
	  { VENDOR, .oui = 0x001405, .methods = RIG_GET },
	  { .tid = 1, .mgmt_class = 0x30, .oui = 0x001405 }, { 0 }, NULL, "0:A>1 1:b<1", NULL, 0 },
	{ 55, "another OUI: a Get is answered",
	  { VENDOR, .oui = 0x001405, .methods = RIG_GET },
	  { .tid = 1, .mgmt_class = 0x30, .oui = 0x001406 }, { .timeout_ms = 100 }, NULL,
	  "0:A>1 1:B>1 2:a<1", NULL, 0x000c },
	{ 55, "another OUI: a Trap is dropped",
	  { VENDOR, .oui = 0x001405, .methods = RIG_TRAP },
	  { .tid = 1, .mgmt_class = 0x30, .oui = 0x001406, .method = MAD_METHOD_TRAP }, { 0 }, NULL,
	  "0:A>1", "no agent", 0 },
	{ 57, "an SMP on QP1",
	  { SA }, { .tid = 1, .mgmt_class = MAD_CLASS_SUBN_LID }, { .qpn = 1, .qpn_set = true },
	  NULL, "0:A>1", "QP0 only", 0 },
	{ 57, "SA on QP0",
	  { SA, .methods = RIG_GET }, { .tid = 1, .mgmt_class = MAD_CLASS_SUBN_ADM,
					.class_version = 2 },
	  { .qpn = 0, .qpn_set = true }, NULL, "0:A>1", "not for QP0", 0 },
	{ 57, "a QP that is none",
	  { SA }, { .tid = 1 }, { .qpn = 2, .qpn_set = true }, NULL, "0:A>1", "no such QP", 0 },
	{ 58, "connection management with Get",
	  { SA }, { .tid = 1, .mgmt_class = MAD_CLASS_CM, .class_version = 2, .attr_id = 0x10 },
	  { 0 }, NULL, "0:A>1", "connection management", 0 },
	{ 58, "its ClassPortInfo is like any other",
	  { SA }, { .tid = 1, .mgmt_class = MAD_CLASS_CM, .class_version = 2, .attr_id = 1 },
	  { .timeout_ms = 100 }, NULL, "0:A>1 1:B>1 2:a<1", NULL, 0x000c },
	{ 59, "base version 2",
	  { SA }, { .tid = 1, .base_version = 2 }, { 0 }, NULL, "0:A>1", "base version", 0 },
	{ 60, "a response to nobody",
	  { SA }, { .tid = UINT64_C(77) << 32 | 1, .method = MAD_METHOD_GET_RESP }, { 0 }, NULL,
	  "0:A>1", "no agent", 0 },
	{ 0, "the class version counts",
	  { PERF, .class_version = 1, .methods = RIG_GET }, { .tid = 1, .class_version = 2 },
	  { .timeout_ms = 100 }, NULL, "0:A>1 1:B>1 2:a<1", NULL, 0x000c },
	{ 0, "classes from 0x50 on are nobody's",
	  { .mgmt_class = MAD_CLASS_SUBN_DR, .class_version = 1, .methods = RIG_TRAP },
	  { .tid = 1, .mgmt_class = 0x50, .method = MAD_METHOD_TRAP }, { 0 }, NULL,
	  "0:A>1", "no agent", 0 },
};

static void test_dispatch(void)
{
	const struct rig_registration client = { PERF, .class_version = 1 };

	for (size_t i = 0; i < G_N_ELEMENTS(dispatch_rows); i++) {
		g_autofree char *name = g_strdup_printf("statement %d: %s",
							dispatch_rows[i].statement,
							dispatch_rows[i].why);
		struct rig *rig = rig_new(9);
		struct rig_file *a = rig_open(rig, &rig->a, 'a');
		struct rig_file *b = rig_open(rig, &rig->b, 'b');

		g_assert_cmpint(rig_register(a, &client), ==, 0);
		g_assert_cmpint(rig_register(b, &dispatch_rows[i].taker), ==, 0);
		rig->b.driver = dispatch_rows[i].driver;
		g_assert_cmpint(rig_write(a, &dispatch_rows[i].mad, &dispatch_rows[i].route), >, 0);
		rig_run(rig, 1000);
		rig_expect(rig, name, dispatch_rows[i].happens);
		if (dispatch_rows[i].drop)
			rig_expect_drop(rig, dispatch_rows[i].drop);
		g_assert_cmpstr(rig->dropped->str, ==, "");
		if (a->last_size == RIG_HEADER_SIZE + MAD_SIZE)
			g_assert_cmphex(get_be16(a->last + RIG_HEADER_SIZE + MAD_STATUS), ==,
					dispatch_rows[i].status);
		rig_free(rig);
	}
}

/* Statement 52 again: the answer is the request with method and status changed, sent back. */
static void test_unsupported_answer(void)
{
	const struct rig_registration client = { PERF, .class_version = 1 };
	const struct rig_route route = { .timeout_ms = 100, .grh = true };
	uint8_t mad[MAD_SIZE];
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	g_assert_cmpint(rig_register(file, &client), ==, 0);
	rig_mad_bytes(&(struct rig_mad){ .tid = 5, .method = MAD_METHOD_SET, .attr_id = 0x12 },
		      mad);
	for (unsigned int i = MAD_HDR_SIZE; i < MAD_SIZE; i++)
		mad[i] = (uint8_t)i;
	g_assert_cmpint(rig_write_bytes(file, 0, &route, mad, MAD_SIZE), >, 0);
	rig_run(rig, 10);
	mad[MAD_METHOD] = MAD_METHOD_GET_RESP;
	put_be16(mad + MAD_STATUS, 0x000c);
	put_be32(mad + MAD_TID, 9);
	g_assert_cmpmem(file->last + RIG_HEADER_SIZE, MAD_SIZE, mad, MAD_SIZE);
	g_assert_cmpuint(rig->wire_addr.slid, ==, 2);
	g_assert_cmpuint(rig->wire_addr.dlid, ==, 1);
	g_assert_true(rig->wire_addr.has_grh);
	g_assert_cmpuint(rig->wire_addr.hop_limit, ==, 0xff);
	g_assert_cmpmem(rig->wire_addr.dgid, 16, rig->a.gids[0], 16);
	g_assert_cmpmem(rig->wire_addr.sgid, 16, rig->b.gids[0], 16);
	g_assert_cmphex(rig->wire_addr.qkey, ==, QKEY_GSI);
	rig_free(rig);
}

/* Statement 56: a Trap and its TrapRepress. */
static void test_trap(void)
{
	const struct rig_registration listener = { SA, .methods = RIG_TRAP };
	const struct rig_registration sender = { SA };
	const struct rig_mad trap = { .mgmt_class = MAD_CLASS_SUBN_ADM, .class_version = 2,
				      .method = MAD_METHOD_TRAP, .tid = 1 };
	struct rig_mad repress = trap;
	struct rig *rig = rig_new(9);
	struct rig_file *a = rig_open(rig, &rig->a, 'a');
	struct rig_file *b = rig_open(rig, &rig->b, 'b');

	g_assert_cmpint(rig_register(a, &sender), ==, 0);
	g_assert_cmpint(rig_register(b, &listener), ==, 0);
	g_assert_cmpint(rig_write(a, &trap, &(struct rig_route){ .timeout_ms = 100 }), >, 0);
	rig_run(rig, 1);
	repress.method = MAD_METHOD_TRAP_REPRESS;
	repress.tid = get_be64(b->last + RIG_HEADER_SIZE + MAD_TID);
	g_assert_cmpint(rig_write(b, &repress, &(struct rig_route){ 0 }), >, 0);
	rig_run(rig, 1000);
	rig_expect(rig, "statement 56", "0:A>1 1:b<1 1:B>1 2:a<1");
	rig_free(rig);
}

/* Only the agent's number routes a response: even to an agent of the host's other port. */
static void test_other_port_of_host(void)
{
	const struct rig_registration client = { PERF, .class_version = 1 };
	struct rig *rig = rig_new(9);
	struct kmod_port *second = kmod_port_new(rig->a.host, &rig->a.attr, &rig->a, "A[2]");
	struct rig_port at = rig->a;
	struct rig_file *file;

	rig->b.deaf = true;
	at.port = second;
	file = rig_open(rig, &at, 'a');
	g_assert_cmpint(rig_register(file, &client), ==, 0);
	g_assert_cmpint(rig_write(file, &(struct rig_mad){ .tid = 1 },
				  &(struct rig_route){ .timeout_ms = 100, .lid = 2 }), >, 0);
	rig_inject(&rig->a, &(struct rig_mad){ .method = MAD_METHOD_GET_RESP,
					       .tid = UINT64_C(9) << 32 | 1 },
		   &(struct rig_route){ 0 });
	rig_run(rig, 1000);
	rig_expect(rig, "response at the other port", "0:A>1 0:a<1");
	rig_close(file);
	kmod_port_remove(second);
	rig_free(rig);
}

/* ... whose GIDs then decide whether the response belongs to the request. */
static void test_gid_of_other_port(void)
{
	static const struct rig_registration client = { PERF, .class_version = 1 };
	static const struct {
		uint8_t dgid_end;	/* last byte of the GID that the response is sent to */
		const char *happens;
	} rows[] = { { 0x55, "0:A>1 0:a<1" }, { 1, "0:A>1 100:a!1" } };

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct rig *rig = rig_new(9);
		struct rig_port at = rig->a, arrival = rig->a;
		struct rig_file *file;

		rig->b.deaf = true;
		at.gids[0][15] = 0x55;
		at.attr.gids = (const uint8_t (*)[16])at.gids;
		at.port = kmod_port_new(rig->a.host, &at.attr, &rig->a, "A[2]");
		file = rig_open(rig, &at, 'a');
		g_assert_cmpint(rig_register(file, &client), ==, 0);
		g_assert_cmpint(rig_write(file, &(struct rig_mad){ .tid = 1 },
					  &(struct rig_route){ .timeout_ms = 100, .grh = true }),
				>, 0);
		arrival.gids[0][15] = rows[i].dgid_end;
		rig_inject(&arrival, &(struct rig_mad){ .method = MAD_METHOD_GET_RESP,
							.tid = UINT64_C(9) << 32 | 1 },
			   &(struct rig_route){ .grh = true });
		rig_run(rig, 1000);
		rig_expect(rig, "response to a GID", rows[i].happens);
		rig_close(file);
		kmod_port_remove(at.port);
		rig_free(rig);
	}
}

/*
 * The GID that a request was sent from has gone: it is sent again without it, and no response
 * matches.
 */
static void test_gid_gone(void)
{
	static const struct rig_registration client = { PERF, .class_version = 1 };
	static const uint8_t none[16];
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	rig->b.deaf = true;
	g_assert_cmpint(rig_register(file, &client), ==, 0);
	g_assert_cmpint(rig_write(file, &(struct rig_mad){ .tid = 1 }, &(struct rig_route){
				  .timeout_ms = 100, .retries = 1, .grh = true }), >, 0);
	rig->a.attr.gid_count = 0;
	rig_run(rig, 100);
	g_assert_cmpmem(rig->wire_addr.sgid, 16, none, 16);
	rig_inject(&rig->a, &(struct rig_mad){ .method = MAD_METHOD_GET_RESP,
					       .tid = UINT64_C(9) << 32 | 1 },
		   &(struct rig_route){ .grh = true });
	rig_expect_drop(rig, "no request");
	rig_run(rig, 1000);
	rig_expect(rig, "GID gone", "0:A>1 100:A>1 200:a!1");
	rig_free(rig);
}

/* Each of the 128 methods has its bit. */
static void test_high_methods(void)
{
	static const struct {
		uint8_t method;
		const char *happens;
	} rows[] = { { 0x40, "0:a<1" }, { 0x7f, "0:a<1" }, { 0x00, "" }, { 0x3f, "" } };

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct rig *rig = rig_new(9);
		struct rig_file *file = rig_open(rig, &rig->a, 'a');
		/* Methods 0x40 and 0x7f. */
		struct ib_user_mad_reg_req req = {
			.method_mask = { [2] = 1, [3] = 0x80000000 }, .qpn = 1,
			.mgmt_class = MAD_CLASS_PERF, .mgmt_class_version = 1,
		};
		uint8_t mad[MAD_SIZE];

		g_test_message("method 0x%02x", rows[i].method);
		g_assert_cmpint(kmod_file_ioctl(file->file, UMAD_COMMAND_REGISTER_AGENT, &req), ==,
				0);
		rig_mad_bytes(&(struct rig_mad){ .tid = 1 }, mad);
		mad[MAD_METHOD] = rows[i].method;
		rig_inject_bytes(&rig->a, mad, &(struct rig_route){ 0 });
		rig_run(rig, 0);
		rig_expect(rig, "high methods", rows[i].happens);
		rig_free(rig);
	}
}

/* Linux: class 0x81 is in slot 0 of the table, where a MAD of class 0 finds it. */
static void test_class_0(void)
{
	const struct rig_registration taker = { .mgmt_class = MAD_CLASS_SUBN_DR,
						.class_version = 1, .methods = RIG_TRAP };
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');
	uint8_t mad[MAD_SIZE];

	g_assert_cmpint(rig_register(file, &taker), ==, 0);
	rig_mad_bytes(&(struct rig_mad){ .tid = 1, .method = MAD_METHOD_TRAP }, mad);
	mad[MAD_CLASS] = 0;
	rig_inject_bytes(&rig->a, mad, &(struct rig_route){ 0 });
	rig_run(rig, 0);
	rig_expect(rig, "class 0", "0:a<1");
	rig_free(rig);
}

/* Linux makes the reader's address from the GRH: if it cannot, the MAD is dropped. */
static void test_unknown_dgid(void)
{
	const struct rig_registration server = { PERF, .class_version = 1, .methods = RIG_TRAP };
	const struct rig_route stray = { .grh = true, .gid_index = 1 };	/* an empty entry */
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	g_assert_cmpint(rig_register(file, &server), ==, 0);
	rig_inject(&rig->a, &(struct rig_mad){ .tid = 1, .method = MAD_METHOD_TRAP }, &stray);
	rig_expect_drop(rig, "GRH to a GID that is not this port's");
	rig_inject(&rig->a, &(struct rig_mad){ .tid = 1 }, &stray);
	rig_expect_drop(rig, "no way back");
	/* Unless it is the SA's well-known GUID, which is valid everywhere. */
	rig->a.attr.gid_count = 1;
	put_be64(rig->a.gids[1] + 8, UINT64_C(0x0200000000000002));
	rig_inject(&rig->a, &(struct rig_mad){ .tid = 2, .method = MAD_METHOD_TRAP }, &stray);
	rig_run(rig, 0);
	rig_expect(rig, "unknown DGID", "0:a<2");
	g_assert_cmpuint(file->last[33], ==, 0);
	rig_free(rig);
}

/* To its own LID: through the QP, the wire and the dispatch, even to the sender itself. */
static void test_loopback(void)
{
	const struct rig_registration server = { PERF, .class_version = 1, .methods = RIG_GET };
	struct rig *rig = rig_new(9);
	struct rig_file *file = rig_open(rig, &rig->a, 'a');

	rig->a.loops = true;
	g_assert_cmpint(rig_register(file, &server), ==, 0);
	g_assert_cmpint(rig_write(file, &(struct rig_mad){ .tid = 1 },
				  &(struct rig_route){ .timeout_ms = 100, .lid = 1 }), >, 0);
	rig_run(rig, 5);
	g_assert_cmpint(rig_write(file, &(struct rig_mad){ .method = MAD_METHOD_GET_RESP,
							   .tid = UINT64_C(9) << 32 | 1 },
				  &(struct rig_route){ .lid = 1 }), >, 0);
	rig_run(rig, 1000);
	rig_expect(rig, "to oneself", "0:A>1 1:a<1 5:A>1 6:a<1");
	rig_free(rig);
}

/* An agent that does its own RMPP gets every segment, though the first has ended the request. */
static void test_user_rmpp(void)
{
	static const struct {
		const char *why;
		struct rig_registration client;
		uint8_t rmpp_flags;
		const char *happens;
	} rows[] = {
		{ "statement 106", { SA, .flags = 1, .rmpp_version = 1 }, RMPP_FLAG_ACTIVE,
		  "0:A>1 2:a<1 2:a<1 2:a<1" },
		{ "statement 107", { SA }, RMPP_FLAG_ACTIVE, "0:A>1 2:a<1 2:a<1 2:a<1" },
		{ "statement 107, not Active", { SA }, 0, "0:A>1 2:a<1" },
		{ "RMPP by the kernel, not Active", { SA, .rmpp_version = 1 }, 0, "0:A>1 2:a<1" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct rig *rig = rig_new(9);
		struct rig_file *file = rig_open(rig, &rig->a, 'a');
		struct rig_mad mad = { .mgmt_class = MAD_CLASS_SUBN_ADM, .class_version = 2,
				       .method = MAD_METHOD_GET_TABLE, .tid = 1 };

		rig->b.deaf = true;
		g_assert_cmpint(rig_register(file, &rows[i].client), ==, 0);
		g_assert_cmpint(rig_write(file, &mad, &(struct rig_route){ .timeout_ms = 100 }),
				>, 0);
		rig_run(rig, 2);
		mad.method |= MAD_METHOD_RESPONSE;
		mad.tid = UINT64_C(9) << 32 | 1;
		mad.rmpp_flags = rows[i].rmpp_flags;
		for (unsigned int segment = 0; segment < 3; segment++)
			rig_inject(&rig->a, &mad, &(struct rig_route){ 0 });
		rig_run(rig, 1000);
		rig_expect(rig, rows[i].why, rows[i].happens);
		rig_free(rig);
	}
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/kmod/dispatch/statements", test_dispatch);
	g_test_add_func("/kmod/dispatch/unsupported-answer", test_unsupported_answer);
	g_test_add_func("/kmod/dispatch/trap", test_trap);
	g_test_add_func("/kmod/dispatch/other-port-of-host", test_other_port_of_host);
	g_test_add_func("/kmod/dispatch/gid-of-other-port", test_gid_of_other_port);
	g_test_add_func("/kmod/dispatch/gid-gone", test_gid_gone);
	g_test_add_func("/kmod/dispatch/high-methods", test_high_methods);
	g_test_add_func("/kmod/dispatch/class-0", test_class_0);
	g_test_add_func("/kmod/dispatch/unknown-dgid", test_unknown_dgid);
	g_test_add_func("/kmod/dispatch/loopback", test_loopback);
	g_test_add_func("/kmod/dispatch/user-rmpp", test_user_rmpp);
	return leak_end(g_test_run());
}
