/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Who subscribes to traps with the fabric's own SA gets reports of them. */
#include "tests/sim/sa-asker.h"

#include "sim/agents/sma.h"
#include "sim/fabric/trap.h"

enum { LID_FIRST = 16, IS_GENERIC = 22, SUBSCRIBE = 23, TYPE = 24, TRAP_NUMBER = 26, QPN = 28 };
enum { PRODUCER = 33, NOTICE_TRAP = 4, NOTICE_ISSUER_LID = 6, NOTICE_GID = 16 };
enum { NOTICE_ISSUER_GID = 64 };
enum { CAP_SNMP = 1 << 17 };	/* IsSNMPTunnelingSupported */

/* Of a trap, 0xffff: of all, from wherever it comes. */
static void inform(uint8_t *info, uint16_t trap, bool subscribes)
{
	put_be16(info + LID_FIRST, 0xffff);
	info[IS_GENERIC] = 1;
	info[SUBSCRIBE] = subscribes;
	put_be16(info + TYPE, 0xffff);
	put_be16(info + TRAP_NUMBER, trap);
	put_be24(info + QPN, 1);
	put_be24(info + PRODUCER, 0xffffff);
}

/* H3 subscribes, or no longer: returns the status. */
static uint16_t send_inform(struct rig *rig, int fd, uint32_t agent, uint16_t trap, bool subscribes)
{
	const struct rig_get get = {
		.mgmt_class = MAD_CLASS_SUBN_ADM, .method = SA_SET, .attr = SA_INFORM_INFO,
		.dlid = 1, .tid = 9, .timeout_ms = 100,
	};
	uint8_t umad[RIG_UMAD];

	rig_fill(umad, agent, &get);
	inform(umad + RIG_HEADER + SA_DATA, trap, subscribes);
	g_assert_cmpint(rig->backend->send(fd, umad, sizeof(umad)), ==, sizeof(umad));
	g_assert_cmpint(rig_recv(rig, fd, umad, 1000), ==, RIG_UMAD);
	return get_be16(umad + RIG_HEADER + MAD_STATUS);
}

/* H3 makes the port with this LID Armed, then Active, as an SM would. */
static void activate(struct rig *rig, uint16_t lid)
{
	for (uint8_t state = PORT_ARMED; state <= PORT_ACTIVE; state++) {
		const struct kmod_source source = { .slid = 3 };
		uint8_t in[MAD_SIZE] = { 1, MAD_CLASS_SUBN_LID, 1, MAD_METHOD_GET }, out[MAD_SIZE];
		struct port *port = end_at(rig->fabric, lid)->port;

		put_be16(in + MAD_ATTR_ID, ATTR_PORT_INFO);
		put_be32(in + MAD_ATTR_MOD, port->num);
		sma_process(port, &source, in, out);
		out[MAD_METHOD] = MAD_METHOD_SET;
		mad_field_set(mad_field_must(MAD_CLASS_SUBN_LID, ATTR_PORT_INFO, "LinkState"),
			      out + SMP_DATA, state);
		mad_field_set(mad_field_must(MAD_CLASS_SUBN_LID, ATTR_PORT_INFO, "PhysLinkState"),
			      out + SMP_DATA, 0);
		memcpy(in, out, sizeof(in));
		sma_process(port, &source, in, out);
		g_assert_cmphex(get_be16(out + MAD_STATUS), ==, 0);
		g_assert_cmpuint(port->state, ==, state);
	}
}

/* Expects a report of the trap, and answers it if 'answers'. */
static void expect_report(struct rig *rig, int fd, uint32_t agent, uint16_t trap,
			  uint64_t guid, bool answers)
{
	uint8_t umad[RIG_UMAD];
	const uint8_t *notice = umad + RIG_HEADER + SA_DATA;

	g_assert_cmpint(rig_recv(rig, fd, umad, 300), ==, RIG_UMAD);
	g_assert_cmphex(umad[RIG_HEADER + MAD_METHOD], ==, SA_REPORT);
	g_assert_cmpuint(get_be16(notice + NOTICE_TRAP), ==, trap);
	g_assert_cmphex(get_be64(notice + NOTICE_GID + 8), ==, guid);
	if (!answers)
		return;
	umad[RIG_HEADER + MAD_METHOD] = SA_REPORT_RESP;
	rig_put_u32(umad, RIG_ID, agent);
	rig_put_u32(umad, RIG_TIMEOUT, 0);
	put_be32(umad + RIG_QKEY, QKEY_GSI);
	g_assert_cmpint(rig->backend->send(fd, umad, sizeof(umad)), ==, sizeof(umad));
}

void test_reports(void)
{
	struct rig rig = rig_open_text(sa_asker_net, ",clock=virtual,sa=builtin");
	int fd = rig_open_port(&rig, "H3", "sim0", 1);
	uint32_t agent = rig_register(&rig, fd, MAD_CLASS_SUBN_ADM, 1 << SA_REPORT);
	const struct end_port *h2 = end_at(rig.fabric, 2);
	uint8_t umad[RIG_UMAD];

	g_assert_cmphex(send_inform(&rig, fd, agent, 66, true), ==, SA_OK);
	g_assert_cmphex(send_inform(&rig, fd, agent, 65, true), ==, SA_OK);
	g_assert_cmpint(umadrig_link_set(rig.fabric, "H2", 1, false), ==, 0);
	/* Once, and three times more as long as nobody answers. */
	for (unsigned int i = 0; i < 4; i++)
		expect_report(&rig, fd, agent, 65, h2->guid, false);
	g_assert_cmpint(rig_recv(&rig, fd, umad, 1000), ==, -ETIMEDOUT);
	g_assert_cmpint(umadrig_node_set(rig.fabric, "H2", false), ==, 0);
	g_assert_cmpint(umadrig_link_set(rig.fabric, "H1", 1, false), ==, 0);
	g_assert_cmpint(rig_recv(&rig, fd, umad, 2000), ==, -ETIMEDOUT);
	rig.backend->close(fd);
	rig_close(&rig);
}

void test_reports_answered(void)
{
	struct rig rig = rig_open_text(sa_asker_net, ",clock=virtual,sa=builtin");
	int fd = rig_open_port(&rig, "H3", "sim0", 1);
	uint32_t agent = rig_register(&rig, fd, MAD_CLASS_SUBN_ADM, 1 << SA_REPORT);
	const struct end_port *h2 = end_at(rig.fabric, 2);
	uint8_t umad[RIG_UMAD];

	g_assert_cmphex(send_inform(&rig, fd, agent, 65, true), ==, SA_OK);
	g_assert_cmphex(send_inform(&rig, fd, agent, 65, true), ==, SA_OK);
	g_assert_cmpint(umadrig_node_set(rig.fabric, "H2", false), ==, 0);
	expect_report(&rig, fd, agent, 65, h2->guid, true);
	g_assert_cmpint(rig_recv(&rig, fd, umad, 1000), ==, -ETIMEDOUT);
	g_assert_cmphex(send_inform(&rig, fd, agent, 65, false), ==, SA_OK);
	g_assert_cmphex(send_inform(&rig, fd, agent, 65, false), ==, SA_REQ_INVALID);
	rig.backend->close(fd);
	rig_close(&rig);
}

/* Expects a report of a trap that this port has sent. */
static void expect_trap(struct rig *rig, int fd, uint32_t agent, uint16_t trap,
			const struct end_port *issuer)
{
	uint8_t umad[RIG_UMAD];
	const uint8_t *notice = umad + RIG_HEADER + SA_DATA;

	g_assert_cmpint(rig_recv(rig, fd, umad, 300), ==, RIG_UMAD);
	g_assert_cmphex(umad[RIG_HEADER + MAD_METHOD], ==, SA_REPORT);
	g_assert_cmpuint(get_be16(notice + NOTICE_TRAP), ==, trap);
	g_assert_cmpuint(get_be16(notice + NOTICE_ISSUER_LID), ==, issuer->attr.lid);
	g_assert_cmphex(get_be64(notice + NOTICE_ISSUER_GID + 8), ==, issuer->guid);
	umad[RIG_HEADER + MAD_METHOD] = SA_REPORT_RESP;
	rig_put_u32(umad, RIG_ID, agent);
	rig_put_u32(umad, RIG_TIMEOUT, 0);
	put_be32(umad + RIG_QKEY, QKEY_GSI);
	g_assert_cmpint(rig->backend->send(fd, umad, sizeof(umad)), ==, sizeof(umad));
}

/* Traps of ports are forwarded, and repressed, so that each is reported once. */
void test_reports_of_traps(void)
{
	struct rig rig = rig_open_text(sa_asker_net, ",clock=virtual,sa=builtin");
	int fd = rig_open_port(&rig, "H3", "sim0", 1);
	uint32_t agent = rig_register(&rig, fd, MAD_CLASS_SUBN_ADM, 1 << SA_REPORT);
	struct end_port *h2 = end_at(rig.fabric, 2);
	struct port *far = h2->port->peer;
	uint8_t umad[RIG_UMAD], bad_key[MAD_SIZE] = { 1, MAD_CLASS_SUBN_LID, 1, MAD_METHOD_SET };

	h2->m_key = 5;
	h2->m_key_protect = 1;
	g_assert_cmphex(send_inform(&rig, fd, agent, 0xffff, true), ==, SA_OK);
	end_port_set_capability(h2, CAP_SNMP, !(h2->cap_mask & CAP_SNMP));
	expect_trap(&rig, fd, agent, 144, h2);
	/* A violation is not for those who lack the SM_Key; it is repressed all the same. */
	trap_m_key(h2, 3, bad_key);
	g_assert_cmpint(rig_recv(&rig, fd, umad, 60000), ==, -ETIMEDOUT);
	g_assert_cmpuint(h2->m_key_violations, ==, 0);
	g_assert_cmpint(umadrig_link_set(rig.fabric, "H2", 1, false), ==, 0);
	g_assert_cmpint(rig_recv(&rig, fd, umad, 300), ==, RIG_UMAD);
	g_assert_cmpuint(get_be16(umad + RIG_HEADER + SA_DATA + NOTICE_TRAP), ==, 65);
	expect_trap(&rig, fd, agent, 128, port_speaker(far));
	rig.backend->close(fd);
	rig_close(&rig);
}

/* A program on the SA's host that has registered for traps gets them, and the SA does not. */
void test_traps_to_program(void)
{
	struct rig rig = rig_open_text(sa_asker_net, ",clock=virtual,sa=builtin");
	int fd = rig_open_port(&rig, "H3", "sim0", 1), own = rig_open_port(&rig, "H1", "sim0", 1);
	uint32_t agent = rig_register(&rig, fd, MAD_CLASS_SUBN_ADM, 1 << SA_REPORT);
	struct end_port *h2 = end_at(rig.fabric, 2);
	uint8_t umad[RIG_UMAD];

	rig_register(&rig, own, MAD_CLASS_SUBN_LID, 1 << MAD_METHOD_TRAP);
	g_assert_cmphex(send_inform(&rig, fd, agent, 144, true), ==, SA_OK);
	end_port_set_capability(h2, CAP_SNMP, !(h2->cap_mask & CAP_SNMP));
	g_assert_cmpint(rig_recv(&rig, own, umad, 300), ==, RIG_UMAD);
	g_assert_cmphex(umad[RIG_HEADER + MAD_METHOD], ==, MAD_METHOD_TRAP);
	g_assert_cmpint(rig_recv(&rig, fd, umad, 300), ==, -ETIMEDOUT);
	rig.backend->close(own);
	rig.backend->close(fd);
	rig_close(&rig);
}

/* A port whose link comes back is in Init: it is in service once somebody has made it active. */
void test_reports_back(void)
{
	struct rig rig = rig_open_text(sa_asker_net, ",clock=virtual,sa=builtin");
	int fd = rig_open_port(&rig, "H3", "sim0", 1);
	uint32_t agent = rig_register(&rig, fd, MAD_CLASS_SUBN_ADM, 1 << SA_REPORT);
	const struct end_port *h2 = end_at(rig.fabric, 2);
	uint8_t umad[RIG_UMAD];

	g_assert_cmphex(send_inform(&rig, fd, agent, 64, true), ==, SA_OK);
	g_assert_cmpint(umadrig_link_set(rig.fabric, "H2", 1, false), ==, 0);
	g_assert_cmpint(umadrig_link_set(rig.fabric, "H2", 1, true), ==, 0);
	g_assert_cmpint(rig_recv(&rig, fd, umad, 1000), ==, -ETIMEDOUT);
	activate(&rig, 2);
	expect_report(&rig, fd, agent, 64, h2->guid, true);
	g_assert_cmpint(rig_recv(&rig, fd, umad, 1000), ==, -ETIMEDOUT);
	rig.backend->close(fd);
	rig_close(&rig);
}

static uint16_t ask_inform(struct umadrig_fabric *fabric, uint16_t trap, bool subscribes,
			   bool has_key)
{
	inform(record(), trap, subscribes);
	return ask(fabric, (struct asked){ 3, SA_SET, SA_INFORM_INFO, 0, has_key });
}

void test_subscriptions(void)
{
	struct umadrig_fabric *fabric = make();
	const struct asked list = { 2, SA_GET_TABLE, SA_INFORM_INFO_RECORD, 0, false };

	/* IBA: security traps are for those who know the SM_Key. */
	g_assert_cmphex(ask_inform(fabric, 256, true, false), ==, SA_REQ_INVALID);
	g_assert_cmphex(ask_inform(fabric, 256, true, true), ==, SA_OK);
	/* Of a LID that nobody has, and of a port that is not there. */
	inform(record(), 65, true);
	put_be16(record() + LID_FIRST, 99);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_SET, SA_INFORM_INFO, 0, false }), ==,
			SA_REQ_INVALID);
	inform(record(), 65, true);
	put_be64(record(), 0xfe80000000000000);
	put_be64(record() + 8, 0x99);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_SET, SA_INFORM_INFO, 0, false }), ==,
			SA_REQ_INVALID);
	inform(record(), 65, true);
	record()[SUBSCRIBE] = 2;
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_SET, SA_INFORM_INFO, 0, false }), ==,
			SA_REQ_INVALID);
	g_assert_cmphex(ask(fabric, list), ==, SA_OK);
	g_assert_cmpuint(last->len - SA_DATA, ==, 64);
	g_assert_cmphex(get_be64(last->data + SA_DATA + 8), ==, end_at(fabric, 3)->guid);
	g_assert_cmpuint(get_be16(last->data + SA_DATA + 24 + TRAP_NUMBER), ==, 256);
	g_assert_cmpuint(get_be24(last->data + SA_DATA + 24 + QPN), ==, 0);
	for (uint16_t i = 1; i < 4096; i++)
		g_assert_cmphex(ask_inform(fabric, (uint16_t)(1000 + i), true, false), ==, SA_OK);
	g_assert_cmphex(ask_inform(fabric, 65, true, false), ==, SA_NO_RESOURCES);
	g_assert_cmphex(ask_inform(fabric, 1001, false, false), ==, SA_OK);
	g_assert_cmphex(ask_inform(fabric, 65, true, false), ==, SA_OK);
	umadrig_fabric_close(fabric);
}
