/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What programs register with the fabric's own SA: services and their leases, multicast groups and
 * how the switches forward them, and limits.
 */
#include <glib.h>
#include <string.h>

#include "sim/agents/sma.h"
#include "sim/fabric/fabric-sa.h"
#include "sim/fabric/switch.h"
#include "sim/fabric/trap.h"
#include "sim/sa/sa-answer.h"
#include "tests/rig/fabric-text.h"
#include "tests/rig/leak.h"
#include "tests/rig/rig.h"

/* H1 (LID 1: the SM's), H2 (2) and H3 (3) on S1 (4); H3 on S2 (5), behind it. */
static const char net[] =
	"Hca 1 \"H1\"\n[1] \"S1\"[1]\n\nHca 1 \"H2\"\n[1] \"S1\"[2]\n\n"
	"Hca 1 \"H3\"\n[1] \"S2\"[20]\n\n"
	"Switch 4 \"S1\"\n[1] \"H1\"[1]\n[2] \"H2\"[1]\n[3] \"S2\"[1]\n\n"
	"Switch 24 \"S2\"\n[1] \"S1\"[3]\n[20] \"H3\"[1]\n";

static struct umadrig_fabric *make(void)
{
	return fabric_of_text(net, "clock=virtual,sa=builtin");
}

static struct end_port *end_at(const struct umadrig_fabric *fabric, uint16_t lid)
{
	return subnet_end_by_lid(fabric_subnet(fabric, 0), lid);
}

/* ---- requests ---- */

struct asked {
	uint16_t lid;			/* who asks */
	uint8_t method;
	uint16_t attr_id;
	uint64_t mask;
	bool has_key;			/* the SM_Key */
};

static uint8_t mad[MAD_SIZE];		/* the next request: its record is filled in first */
static GByteArray *last;		/* answer */

static uint8_t *record(void)
{
	return mad + SA_DATA;
}

static uint16_t ask(struct umadrig_fabric *fabric, struct asked asked)
{
	uint8_t header[64] = { [RIG_QPN + 3] = 1 };
	struct sa_request request = {
		.subnet = fabric_subnet(fabric, 0), .from = end_at(fabric, asked.lid),
		.header = header,
	};

	g_clear_pointer(&last, g_byte_array_unref);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = MAD_CLASS_SUBN_ADM;
	mad[MAD_CLASS_VERSION] = 2;
	mad[MAD_METHOD] = asked.method;
	put_be16(mad + MAD_ATTR_ID, asked.attr_id);
	put_be64(mad + SA_SM_KEY, asked.has_key);
	put_be64(mad + SA_COMP_MASK, asked.mask);
	last = sa_answer(&request, mad, sizeof(mad));
	g_assert_nonnull(last);
	memset(mad, 0, sizeof(mad));
	return get_be16(last->data + MAD_STATUS);
}

static void put_gid(uint8_t *gid, const struct umadrig_fabric *fabric, uint16_t lid)
{
	put_be64(gid, end_at(fabric, lid)->gid_prefix);
	put_be64(gid + 8, end_at(fabric, lid)->guid);
}

#define C(number) SA_COMPONENT(number)

/* ---- services ---- */

enum {
	SERVICE_GID = 8, SERVICE_P_KEY = 24, SERVICE_LEASE = 28, SERVICE_KEY = 32,
	SERVICE_NAME = 48,
};

static void service(const struct umadrig_fabric *fabric, uint64_t id, uint16_t lid)
{
	put_be64(record(), id);
	put_gid(record() + SERVICE_GID, fabric, lid);
	put_be16(record() + SERVICE_P_KEY, 0xffff);
}

/* How many services there are. */
static unsigned int services(struct umadrig_fabric *fabric, bool has_key)
{
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_GET_TABLE, SA_SERVICE_RECORD, 0,
						    has_key }), ==, SA_OK);
	return (last->len - SA_DATA) / 176;
}

static const uint64_t NAMED = C(0) | C(1) | C(2);

static void test_services(void)
{
	struct umadrig_fabric *fabric = make();
	const struct asked set = { 1, SA_SET, SA_SERVICE_RECORD, C(0) | C(1) | C(2) | C(6), false };

	service(fabric, 0x1000, 1);
	memcpy(record() + SERVICE_NAME, "one", 3);
	memset(record() + SERVICE_KEY, 7, 16);
	g_assert_cmphex(ask(fabric, set), ==, SA_OK);
	g_assert_cmphex(last->data[MAD_METHOD], ==, MAD_METHOD_GET_RESP);
	g_assert_cmpstr((char *)last->data + SA_DATA + SERVICE_NAME, ==, "one");
	g_assert_cmphex(get_be32(last->data + SA_DATA + SERVICE_LEASE), ==, UINT32_MAX);
	/* Of the same name: in its place. */
	service(fabric, 0x1000, 1);
	memcpy(record() + SERVICE_NAME, "uno", 3);
	memset(record() + SERVICE_KEY, 7, 16);
	g_assert_cmphex(ask(fabric, set), ==, SA_OK);
	service(fabric, 0x1000, 2);
	g_assert_cmphex(ask(fabric, set), ==, SA_OK);
	g_assert_cmpuint(services(fabric, false), ==, 2);
	g_assert_cmpstr((char *)last->data + SA_DATA + SERVICE_NAME, ==, "uno");
	g_assert_cmphex(last->data[SA_DATA + SERVICE_KEY], ==, 0);
	services(fabric, true);
	g_assert_cmphex(last->data[SA_DATA + SERVICE_KEY], ==, 7);
	memcpy(record() + SERVICE_NAME, "uno", 3);
	g_assert_cmphex(ask(fabric, (struct asked){ 2, SA_GET, SA_SERVICE_RECORD, C(6), false }),
			==, SA_OK);

	service(fabric, 0x1000, 1);
	g_assert_cmphex(ask(fabric, (struct asked){ 1, SA_DELETE, SA_SERVICE_RECORD, NAMED,
						    false }), ==, SA_OK);
	g_assert_cmpuint(services(fabric, false), ==, 1);
	service(fabric, 0x1000, 1);
	g_assert_cmphex(ask(fabric, (struct asked){ 1, SA_DELETE, SA_SERVICE_RECORD, NAMED,
						    false }), ==, SA_NO_RECORDS);
	/* Without its ID, of no port, of a partition that the port is not in. */
	service(fabric, 0x1000, 1);
	g_assert_cmphex(ask(fabric, (struct asked){ 1, SA_SET, SA_SERVICE_RECORD, C(1), false }),
			==, SA_REQ_INVALID);
	put_be64(record(), 0x1000);
	g_assert_cmphex(ask(fabric, set), ==, SA_REQ_INVALID);
	service(fabric, 0x1000, 1);
	put_be16(record() + SERVICE_P_KEY, 0x8001);
	g_assert_cmphex(ask(fabric, set), ==, SA_REQ_INVALID);
	umadrig_fabric_close(fabric);
}

static void test_lease(void)
{
	struct umadrig_fabric *fabric = make();

	service(fabric, 1, 1);
	put_be32(record() + SERVICE_LEASE, 10);
	g_assert_cmphex(ask(fabric, (struct asked){ 1, SA_SET, SA_SERVICE_RECORD, NAMED | C(4),
						    false }), ==, SA_OK);
	service(fabric, 2, 1);
	g_assert_cmphex(ask(fabric, (struct asked){ 1, SA_SET, SA_SERVICE_RECORD, NAMED, false }),
			==, SA_OK);
	umadrig_step(fabric, 4 * NS_PER_S);
	g_assert_cmpuint(services(fabric, false), ==, 2);
	g_assert_cmpuint(get_be32(last->data + SA_DATA + SERVICE_LEASE), ==, 6);
	umadrig_step(fabric, 10 * NS_PER_S - 1);
	g_assert_cmpuint(services(fabric, false), ==, 2);
	g_assert_cmpuint(get_be32(last->data + SA_DATA + SERVICE_LEASE), ==, 1);
	umadrig_step(fabric, 10 * NS_PER_S);
	g_assert_cmpuint(services(fabric, false), ==, 1);
	g_assert_cmpuint(last->data[SA_DATA + 7], ==, 2);
	umadrig_fabric_close(fabric);
}

/* A client that registers without end does not use up the memory of all. */
static void test_service_limit(void)
{
	struct umadrig_fabric *fabric = make();
	const struct asked set = { 1, SA_SET, SA_SERVICE_RECORD, NAMED, false };

	for (unsigned int i = 0; i < 65536; i++) {
		service(fabric, i, 1);
		g_assert_cmphex(ask(fabric, set), ==, SA_OK);
	}
	service(fabric, 65536, 1);
	g_assert_cmphex(ask(fabric, set), ==, SA_NO_RESOURCES);
	service(fabric, 0, 1);
	g_assert_cmphex(ask(fabric, set), ==, SA_OK);
	service(fabric, 0, 1);
	g_assert_cmphex(ask(fabric, (struct asked){ 1, SA_DELETE, SA_SERVICE_RECORD, NAMED,
						    false }), ==, SA_OK);
	service(fabric, 65536, 1);
	g_assert_cmphex(ask(fabric, set), ==, SA_OK);
	umadrig_fabric_close(fabric);
}

/* ---- groups ---- */

enum { PORT_GID = 16, Q_KEY = 32, MLID = 36, MTU = 38, P_KEY = 40, STATE = 48 };
enum { FULL = 1, SENDER = 4 };

static const uint64_t MEMBER = C(0) | C(1) | C(16);
static const uint64_t GROUP = C(2) | C(6) | C(7) | C(12) | C(13);

static void member(const struct umadrig_fabric *fabric, uint32_t mgid, uint16_t lid, uint8_t state)
{
	if (mgid) {
		put_be64(record(), 0xff12401bffff0000);
		put_be32(record() + 12, mgid);
	}
	put_gid(record() + PORT_GID, fabric, lid);
	put_be32(record() + Q_KEY, 0x0b1b);	/* the broadcasts' */
	put_be16(record() + P_KEY, 0xffff);
	record()[STATE] = state;
}

static uint16_t join(struct umadrig_fabric *fabric, uint32_t mgid, uint16_t lid, uint8_t state)
{
	member(fabric, mgid, lid, state);
	return ask(fabric, (struct asked){ lid, SA_SET, SA_MEMBER_RECORD, MEMBER | GROUP, false });
}

static uint16_t leave(struct umadrig_fabric *fabric, uint32_t mgid, uint16_t lid, uint8_t state)
{
	member(fabric, mgid, lid, state);
	return ask(fabric, (struct asked){ lid, SA_DELETE, SA_MEMBER_RECORD, MEMBER, false });
}

static unsigned int members(struct umadrig_fabric *fabric, bool has_key)
{
	g_assert_cmphex(ask(fabric, (struct asked){ 2, SA_GET_TABLE, SA_MEMBER_RECORD, 0,
						    has_key }), ==, SA_OK);
	return (last->len - SA_DATA) / 56;
}

/* Ports of a switch, as a mask, by which it forwards to the LID. */
static uint32_t forwards(const struct umadrig_fabric *fabric, uint16_t switch_lid, uint16_t mlid)
{
	const struct switch_part *sw = end_at(fabric, switch_lid)->port->node->sw;
	uint32_t ports = 0;

	for (unsigned int i = 0; sw->mft && i <= end_at(fabric, switch_lid)->port->node->port_count
	     / 16; i++)
		ports |= (uint32_t)sw->mft[i * sw->mft_cap + mlid - 0xc000U] << 16 * i;
	return ports;
}

static void test_groups(void)
{
	struct umadrig_fabric *fabric = make();

	/* That of IPoIB's broadcasts is there. */
	g_assert_cmpuint(members(fabric, false), ==, 1);
	g_assert_cmphex(get_be64(last->data + SA_DATA), ==, 0xff12401bffff0000);
	g_assert_cmphex(join(fabric, 1, 2, FULL), ==, SA_OK);
	g_assert_cmphex(get_be16(last->data + SA_DATA + MLID), ==, 0xc001);
	g_assert_cmphex(last->data[SA_DATA + STATE], ==, 0x21);
	g_assert_cmphex(last->data[SA_DATA + MTU], ==, 0x85);
	g_assert_cmphex(forwards(fabric, 4, 0xc001), ==, 1 << 2);
	g_assert_cmphex(join(fabric, 1, 3, FULL), ==, SA_OK);
	g_assert_cmphex(forwards(fabric, 4, 0xc001), ==, 1 << 2 | 1 << 3);
	g_assert_cmphex(forwards(fabric, 5, 0xc001), ==, 1 << 1 | 1 << 20);
	/* One that only sends gets nothing. */
	g_assert_cmphex(join(fabric, 1, 1, SENDER), ==, SA_OK);
	g_assert_cmphex(forwards(fabric, 4, 0xc001), ==, 1 << 2 | 1 << 3);
	/* Groups are seen by all, members with the SM_Key. */
	g_assert_cmpuint(members(fabric, false), ==, 2);
	g_assert_cmphex(get_be64(last->data + SA_DATA + 56 + PORT_GID), ==, 0);
	g_assert_cmpuint(members(fabric, true), ==, 3);
	g_assert_cmphex(last->data[SA_DATA + 2 * 56 + STATE], ==, 0x24);

	g_assert_cmphex(leave(fabric, 1, 2, SENDER), ==, SA_REQ_INVALID);
	g_assert_cmphex(leave(fabric, 1, 2, FULL), ==, SA_OK);
	g_assert_cmphex(forwards(fabric, 4, 0xc001), ==, 1 << 3);
	g_assert_cmphex(forwards(fabric, 5, 0xc001), ==, 1 << 1 | 1 << 20);
	g_assert_cmphex(leave(fabric, 1, 2, FULL), ==, SA_REQ_INVALID);
	/* With its last full member the group is gone; the one that sends does not keep it. */
	g_assert_cmphex(join(fabric, 1, 3, SENDER), ==, SA_OK);
	g_assert_cmphex(leave(fabric, 1, 3, FULL), ==, SA_OK);
	g_assert_cmphex(last->data[SA_DATA + STATE], ==, 0x20);
	g_assert_cmphex(forwards(fabric, 5, 0xc001), ==, 0);
	g_assert_cmpuint(members(fabric, false), ==, 1);
	umadrig_fabric_close(fabric);
}

static void test_joins_refused(void)
{
	struct umadrig_fabric *fabric = make();

	member(fabric, 1, 2, FULL);
	g_assert_cmphex(ask(fabric, (struct asked){ 2, SA_SET, SA_MEMBER_RECORD, MEMBER, false }),
			==, SA_INSUFFICIENT_COMPONENTS);
	g_assert_cmphex(join(fabric, 1, 2, SENDER), ==, SA_REQ_INVALID);
	g_assert_cmphex(join(fabric, 1, 2, 0), ==, SA_REQ_INVALID);
	member(fabric, 1, 2, FULL);
	record()[0] = 0xfe;
	g_assert_cmphex(ask(fabric, (struct asked){ 2, SA_SET, SA_MEMBER_RECORD, MEMBER | GROUP,
						    false }), ==, SA_REQ_INVALID);
	/* An MTU that the port does not have. */
	member(fabric, 1, 2, FULL);
	record()[MTU] = 0x05;
	g_assert_cmphex(ask(fabric, (struct asked){ 2, SA_SET, SA_MEMBER_RECORD,
						    MEMBER | GROUP | C(4) | C(5), false }), ==,
			SA_REQ_INVALID);
	/* Another Q_Key than the group's. */
	g_assert_cmphex(join(fabric, 1, 2, FULL), ==, SA_OK);
	member(fabric, 1, 3, FULL);
	put_be32(record() + Q_KEY, 5);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_SET, SA_MEMBER_RECORD, MEMBER | GROUP,
						    false }), ==, SA_REQ_INVALID);
	/* IPoIB's groups have the broadcasts' Q_Key, where there are broadcasts. */
	member(fabric, 9, 3, FULL);
	put_be32(record() + Q_KEY, 5);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_SET, SA_MEMBER_RECORD, MEMBER | GROUP,
						    false }), ==, SA_REQ_INVALID);
	member(fabric, 9, 3, FULL);
	record()[1] = 0x15;
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_SET, SA_MEMBER_RECORD, MEMBER | GROUP,
						    false }), ==, SA_REQ_INVALID);
	/* What is left out, and a GID of another subnet. */
	member(fabric, 1, 2, FULL);
	g_assert_cmphex(ask(fabric, (struct asked){ 2, SA_DELETE, SA_MEMBER_RECORD, C(0) | C(1),
						    false }), ==, SA_INSUFFICIENT_COMPONENTS);
	member(fabric, 1, 2, FULL);
	put_be64(record() + PORT_GID, 0xfec0000000000000);
	g_assert_cmphex(ask(fabric, (struct asked){ 2, SA_DELETE, SA_MEMBER_RECORD, MEMBER,
						    false }), ==, SA_INVALID_GID);
	/* Only the port itself takes back what it has joined. */
	member(fabric, 1, 2, FULL);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_DELETE, SA_MEMBER_RECORD, MEMBER,
						    false }), ==, SA_REQ_INVALID);
	/* A proxy's members are anybody's of the partition. */
	member(fabric, 1, 1, FULL);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_SET, SA_MEMBER_RECORD, MEMBER, false }),
			==, SA_OK);
	member(fabric, 1, 1, FULL);
	g_assert_cmphex(ask(fabric, (struct asked){ 2, SA_DELETE, SA_MEMBER_RECORD, MEMBER,
						    false }), ==, SA_OK);
	/* The SA makes up an MGID. */
	g_assert_cmphex(join(fabric, 0, 2, FULL), ==, SA_OK);
	g_assert_cmphex(get_be32(last->data + SA_DATA), ==, 0xff12a01b);
	umadrig_fabric_close(fabric);
}

static void test_group_limit(void)
{
	struct umadrig_fabric *fabric = make();

	for (uint32_t i = 1; i < 1024; i++)
		g_assert_cmphex(join(fabric, i, 2, FULL), ==, SA_OK);
	g_assert_cmphex(join(fabric, 1024, 2, FULL), ==, SA_NO_RESOURCES);
	g_assert_cmphex(leave(fabric, 7, 2, FULL), ==, SA_OK);
	g_assert_cmphex(join(fabric, 1024, 2, FULL), ==, SA_OK);
	g_assert_cmphex(get_be16(last->data + SA_DATA + MLID), ==, 0xc007);
	umadrig_fabric_close(fabric);
}

static void test_group_path(void)
{
	struct umadrig_fabric *fabric = make();

	g_assert_cmphex(join(fabric, 1, 2, FULL), ==, SA_OK);
	put_be64(record() + 8, 0xff12401bffff0000);
	put_be32(record() + 20, 1);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_GET, SA_PATH_RECORD, C(2), false }), ==,
			SA_OK);
	g_assert_cmphex(get_be16(last->data + SA_DATA + 40), ==, 0xc001);
	g_assert_cmphex(last->data[SA_DATA + 54], ==, 0x85);
	/* From a port that is a member, and one that is not; with another P_Key. */
	for (uint16_t lid = 1; lid <= 2; lid++) {
		put_be64(record() + 8, 0xff12401bffff0000);
		put_be32(record() + 20, 1);
		put_gid(record() + 24, fabric, lid);
		put_be16(record() + 42, lid);
		g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_GET, SA_PATH_RECORD, C(2) | C(3),
							    false }), ==,
				lid == 2 ? SA_OK : SA_NO_RECORDS);
		put_be64(record() + 8, 0xff12401bffff0000);
		put_be32(record() + 20, 1);
		put_be16(record() + 42, lid);
		g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_GET, SA_PATH_RECORD, C(2) | C(5),
							    false }), ==,
				lid == 2 ? SA_OK : SA_NO_RECORDS);
	}
	put_be64(record() + 8, 0xff12401bffff0000);
	put_be32(record() + 20, 1);
	put_be16(record() + 50, 0x8001);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_GET, SA_PATH_RECORD, C(2) | C(13),
						    false }), ==, SA_NO_RECORDS);
	put_be64(record() + 8, 0xff12401bffff0000);
	put_be32(record() + 20, 2);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_GET, SA_PATH_RECORD, C(2), false }), ==,
			SA_NO_RECORDS);
	umadrig_fabric_close(fabric);
}

/* ---- subscriptions ---- */

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

static void test_reports(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual,sa=builtin");
	int fd = rig_open_port(&rig, "H3", "sim0", 1);
	uint32_t agent = rig_register(&rig, fd, MAD_CLASS_SUBN_ADM, 1 << SA_REPORT);
	const struct end_port *h2 = end_at(rig.fabric, 2);
	uint8_t umad[RIG_UMAD];
	char *text = NULL;

	g_assert_cmphex(send_inform(&rig, fd, agent, 66, true), ==, SA_OK);
	g_assert_cmphex(send_inform(&rig, fd, agent, 65, true), ==, SA_OK);
	g_assert_cmpint(umadrig_console(rig.fabric, "link down H2[1]", &text), ==, 0);
	g_clear_pointer(&text, free);
	/* Once, and three times more as long as nobody answers. */
	for (unsigned int i = 0; i < 4; i++)
		expect_report(&rig, fd, agent, 65, h2->guid, false);
	g_assert_cmpint(rig_recv(&rig, fd, umad, 1000), ==, -ETIMEDOUT);
	g_assert_cmpint(umadrig_console(rig.fabric, "node off H2", &text), ==, 0);
	g_clear_pointer(&text, free);
	g_assert_cmpint(umadrig_console(rig.fabric, "link down H1[1]", &text), ==, 0);
	g_clear_pointer(&text, free);
	g_assert_cmpint(rig_recv(&rig, fd, umad, 2000), ==, -ETIMEDOUT);
	rig.backend->close(fd);
	rig_close(&rig);
}

static void test_reports_answered(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual,sa=builtin");
	int fd = rig_open_port(&rig, "H3", "sim0", 1);
	uint32_t agent = rig_register(&rig, fd, MAD_CLASS_SUBN_ADM, 1 << SA_REPORT);
	const struct end_port *h2 = end_at(rig.fabric, 2);
	uint8_t umad[RIG_UMAD];
	char *text = NULL;

	g_assert_cmphex(send_inform(&rig, fd, agent, 65, true), ==, SA_OK);
	g_assert_cmphex(send_inform(&rig, fd, agent, 65, true), ==, SA_OK);
	g_assert_cmpint(umadrig_console(rig.fabric, "node off H2", &text), ==, 0);
	g_clear_pointer(&text, free);
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
static void test_reports_of_traps(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual,sa=builtin");
	int fd = rig_open_port(&rig, "H3", "sim0", 1);
	uint32_t agent = rig_register(&rig, fd, MAD_CLASS_SUBN_ADM, 1 << SA_REPORT);
	struct end_port *h2 = end_at(rig.fabric, 2);
	struct port *far = h2->port->peer;
	uint8_t umad[RIG_UMAD], bad_key[MAD_SIZE] = { 1, MAD_CLASS_SUBN_LID, 1, MAD_METHOD_SET };
	char *text = NULL;

	h2->m_key = 5;
	h2->m_key_protect = 1;
	g_assert_cmphex(send_inform(&rig, fd, agent, 0xffff, true), ==, SA_OK);
	end_port_set_capability(h2, CAP_SNMP, !(h2->cap_mask & CAP_SNMP));
	expect_trap(&rig, fd, agent, 144, h2);
	/* A violation is not for those who lack the SM_Key; it is repressed all the same. */
	trap_m_key(h2, 3, bad_key);
	g_assert_cmpint(rig_recv(&rig, fd, umad, 60000), ==, -ETIMEDOUT);
	g_assert_cmpuint(h2->m_key_violations, ==, 0);
	g_assert_cmpint(umadrig_console(rig.fabric, "link down H2[1]", &text), ==, 0);
	g_clear_pointer(&text, free);
	g_assert_cmpint(rig_recv(&rig, fd, umad, 300), ==, RIG_UMAD);
	g_assert_cmpuint(get_be16(umad + RIG_HEADER + SA_DATA + NOTICE_TRAP), ==, 65);
	expect_trap(&rig, fd, agent, 128, port_speaker(far));
	rig.backend->close(fd);
	rig_close(&rig);
}

/* A program on the SA's host that has registered for traps gets them, and the SA does not. */
static void test_traps_to_program(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual,sa=builtin");
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
static void test_reports_back(void)
{
	struct rig rig = rig_open_text(net, ",clock=virtual,sa=builtin");
	int fd = rig_open_port(&rig, "H3", "sim0", 1);
	uint32_t agent = rig_register(&rig, fd, MAD_CLASS_SUBN_ADM, 1 << SA_REPORT);
	const struct end_port *h2 = end_at(rig.fabric, 2);
	uint8_t umad[RIG_UMAD];
	char *text = NULL;

	g_assert_cmphex(send_inform(&rig, fd, agent, 64, true), ==, SA_OK);
	g_assert_cmpint(umadrig_console(rig.fabric, "link down H2[1]", &text), ==, 0);
	g_clear_pointer(&text, free);
	g_assert_cmpint(umadrig_console(rig.fabric, "link up H2[1]", &text), ==, 0);
	g_clear_pointer(&text, free);
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

static void test_subscriptions(void)
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

/* ---- alias GUIDs ---- */

enum { GUIDS = 8 };

/* Asks for 'guid' as alias 'index' of a port, or takes it away: returns what it has become. */
static uint64_t alias(struct umadrig_fabric *fabric, uint8_t method, uint16_t lid,
		      unsigned int index, uint64_t guid)
{
	put_be16(record(), lid);
	put_be64(record() + GUIDS + index * 8U, guid);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, method, SA_GUID_INFO_RECORD,
						    C(0) | C(1) | C(4 + index), false }),
			==, SA_OK);
	return get_be64(last->data + SA_DATA + GUIDS + index * 8U);
}

/* The LID of the port that has this GUID, by its path; 0: none. */
static uint16_t lid_of(struct umadrig_fabric *fabric, uint64_t guid)
{
	put_be64(record() + 8, UINT64_C(0xfe80000000000000));
	put_be64(record() + 16, guid);
	if (ask(fabric, (struct asked){ 3, SA_GET, SA_PATH_RECORD, C(2), false }) != SA_OK)
		return 0;
	return get_be16(last->data + SA_DATA + 40);
}

/* Of no port, of no block, of which is not said. */
static void refuse_aliases(struct umadrig_fabric *fabric)
{
	put_be16(record(), 99);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_SET, SA_GUID_INFO_RECORD,
						    C(0) | C(1) | C(5), false }), ==,
			SA_NO_RECORDS);
	put_be16(record(), 2);
	record()[2] = 1;
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_SET, SA_GUID_INFO_RECORD,
						    C(0) | C(1) | C(5), false }), ==,
			SA_NO_RECORDS);
	put_be16(record(), 2);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_SET, SA_GUID_INFO_RECORD, C(0) | C(5),
						    false }), ==, SA_INSUFFICIENT_COMPONENTS);
}

static void test_aliases(void)
{
	struct umadrig_fabric *fabric = make();
	uint64_t own = end_at(fabric, 2)->guid, given;

	g_assert_cmphex(alias(fabric, SA_SET, 2, 1, 0x1234), ==, 0x1234);
	g_assert_cmpuint(lid_of(fabric, 0x1234), ==, 2);
	g_assert_cmphex(alias(fabric, SA_SET, 2, 1, 0x1234), ==, 0x1234);
	/* Of the SA's choice; the port's own; and one that another port has. */
	given = alias(fabric, SA_SET, 2, 2, 0);
	g_assert_cmphex(given, !=, 0);
	g_assert_cmpuint(lid_of(fabric, given), ==, 2);
	g_assert_cmphex(alias(fabric, SA_SET, 1, 1, 0), !=, given);
	/* What it is already, if that is the SA's choice. */
	g_assert_cmphex(alias(fabric, SA_SET, 2, 2, 0), ==, given);
	put_be16(record(), 2);
	put_be64(record() + GUIDS, 0x99);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_SET, SA_GUID_INFO_RECORD,
						    C(0) | C(1) | C(4), false }), ==,
			SA_REQ_INVALID);
	g_assert_cmpuint(lid_of(fabric, own), ==, 2);
	g_assert_cmphex(alias(fabric, SA_SET, 1, 3, 0x1234), ==, 0);
	g_assert_cmphex(alias(fabric, SA_SET, 1, 3, own), ==, 0);
	/* The answer is the whole block. */
	g_assert_cmphex(get_be64(last->data + SA_DATA + GUIDS), ==, end_at(fabric, 1)->guid);
	g_assert_cmpuint(lid_of(fabric, 0x1234), ==, 2);
	put_be16(record(), 2);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_GET, SA_GUID_INFO_RECORD, C(0), false }),
			==, SA_OK);
	g_assert_cmphex(get_be64(last->data + SA_DATA + GUIDS), ==, own);
	g_assert_cmphex(get_be64(last->data + SA_DATA + GUIDS + 8), ==, 0x1234);
	g_assert_cmphex(alias(fabric, SA_DELETE, 2, 1, 0x1234), ==, 0);
	g_assert_cmpuint(lid_of(fabric, 0x1234), ==, 0);
	put_be16(record(), 2);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_DELETE, SA_GUID_INFO_RECORD,
						    C(0) | C(1) | C(4), false }), ==,
			SA_REQ_INVALID);
	g_assert_cmpuint(lid_of(fabric, own), ==, 2);
	refuse_aliases(fabric);
	umadrig_fabric_close(fabric);
}

/* An alias stays as long as it is a member of a group. */
static void test_alias_in_group(void)
{
	struct umadrig_fabric *fabric = make();

	g_assert_cmphex(join(fabric, 1, 2, FULL), ==, SA_OK);
	g_assert_cmphex(alias(fabric, SA_SET, 2, 1, 0x1234), ==, 0x1234);
	member(fabric, 1, 2, FULL);
	put_be64(record() + PORT_GID + 8, 0x1234);
	g_assert_cmphex(ask(fabric, (struct asked){ 2, SA_SET, SA_MEMBER_RECORD, MEMBER, false }),
			==, SA_OK);
	put_be16(record(), 2);
	g_assert_cmphex(ask(fabric, (struct asked){ 3, SA_DELETE, SA_GUID_INFO_RECORD,
						    C(0) | C(1) | C(5), false }), ==, SA_DENIED);
	g_assert_cmpuint(lid_of(fabric, 0x1234), ==, 2);
	member(fabric, 1, 2, FULL);
	put_be64(record() + PORT_GID + 8, 0x1234);
	g_assert_cmphex(ask(fabric, (struct asked){ 2, SA_DELETE, SA_MEMBER_RECORD, MEMBER,
						    false }), ==, SA_OK);
	g_assert_cmphex(alias(fabric, SA_DELETE, 2, 1, 0), ==, 0);
	g_assert_cmpuint(lid_of(fabric, 0x1234), ==, 0);
	umadrig_fabric_close(fabric);
}

int main(int argc, char **argv)
{
	int ret;

	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/sa-store/services", test_services);
	g_test_add_func("/sa-store/lease", test_lease);
	g_test_add_func("/sa-store/service-limit", test_service_limit);
	g_test_add_func("/sa-store/groups", test_groups);
	g_test_add_func("/sa-store/joins-refused", test_joins_refused);
	g_test_add_func("/sa-store/group-limit", test_group_limit);
	g_test_add_func("/sa-store/group-path", test_group_path);
	g_test_add_func("/sa-store/reports", test_reports);
	g_test_add_func("/sa-store/reports-answered", test_reports_answered);
	g_test_add_func("/sa-store/reports-of-traps", test_reports_of_traps);
	g_test_add_func("/sa-store/traps-to-program", test_traps_to_program);
	g_test_add_func("/sa-store/reports-back", test_reports_back);
	g_test_add_func("/sa-store/subscriptions", test_subscriptions);
	g_test_add_func("/sa-store/aliases", test_aliases);
	g_test_add_func("/sa-store/alias-in-group", test_alias_in_group);
	ret = leak_end(g_test_run());
	g_clear_pointer(&last, g_byte_array_unref);
	return ret;
}
