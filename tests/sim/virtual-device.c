/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Virtual functions as programs use them through libibumad: which devices there are, what a host
 * sets by "vf", and which MADs come to which of them.
 */
#include <errno.h>
#include <glib.h>
#include <infiniband/umad.h>
#include <stdlib.h>
#include <string.h>

#include "sim/api/umadrig.h"
#include "tests/rig/leak.h"

enum {
	SMI = 0x81, PERF = 0x04,
	METHOD_AT = 3, STATUS_AT = 4, TID_AT = 8, ATTR_AT = 16, MOD_AT = 20, PERF_PORT_AT = 64 + 1,
	SMP_DATA_AT = 64, MAD_BYTES = 256,
	GET = 1, SET = 2,
	PORT_COUNTERS = 0x12, VPORT_INFO = 0xffb1, VPORT_P_KEYS = 0xffb6,
	ANSWERED = 0,
};

struct umad_buffer {
	_Alignas(8) uint8_t bytes[64 + MAD_BYTES];
};

/* Where a MAD goes: 'guid' 0 has no GRH. */
struct target {
	uint16_t lid;
	uint64_t guid;
};

static struct umadrig_fabric *attach(const char *options)
{
	g_autofree char *spec = g_strdup_printf("generate:rail:2,1,4,vfs=2,host=host-1,"
						"clock=virtual%s", options);
	char message[512] = "";
	struct umadrig_fabric *fabric = umadrig_fabric_open(spec, message, sizeof(message));

	g_assert_cmpstr(message, ==, "");
	umadrig_attach(fabric);
	return fabric;
}

/* Does a command; its answer must contain 'expected'. */
static void command(struct umadrig_fabric *fabric, const char *line, int status,
		    const char *expected)
{
	char *text = NULL;

	g_assert_cmpint(umadrig_console(fabric, line, &text), ==, status);
	if (!strstr(text, expected))
		g_error("%s: %s", line, text);
	free(text);
}

/* Both hosts' first functions have GUIDs, 0x10a of host-0 and 0x10b of host-1, and are up. */
static struct umadrig_fabric *attach_up(const char *options)
{
	static const char *const lines[] = {
		"vf port \"host-0 mlx5_0\" 0 10a", "vf policy \"host-0 mlx5_0\" 0 up",
		"vf port \"host-1 mlx5_0\" 0 10b", "vf policy \"host-1 mlx5_0\" 0 follow",
		"vf port \"host-1 mlx5_0\" 1 0x20b", "vf policy \"host-1 mlx5_0\" 1 UP",
	};
	struct umadrig_fabric *fabric = attach(options);

	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++)
		command(fabric, lines[i], 0, "");
	return fabric;
}

/* ---- devices ---- */

static void test_devices(void)
{
	static const char *const expected[] = { "mlx5_0", "mlx5_1", "mlx5_2" };
	struct umadrig_fabric *fabric = attach("");
	char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
	umad_port_t pf, vf;
	umad_ca_t ca;

	g_assert_cmpint(umad_get_cas_names(names, UMAD_MAX_DEVICES), ==, G_N_ELEMENTS(expected));
	for (size_t i = 0; i < G_N_ELEMENTS(expected); i++)
		g_assert_cmpstr(names[i], ==, expected[i]);
	g_assert_cmpint(umad_get_ca("mlx5_1", &ca), ==, 0);
	g_assert_cmpint(ca.numports, ==, 1);
	g_assert_cmphex(ca.node_guid, ==, 0);
	g_assert_cmpstr(ca.ca_type, ==, "MT4126");	/* ConnectX Family mlx5Gen: 0x101e */
	umad_release_ca(&ca);
	g_assert_cmpint(umad_get_port("mlx5_0", 1, &pf), ==, 0);
	g_assert_cmpint(umad_get_port("mlx5_1", 1, &vf), ==, 0);
	g_assert_cmpuint(vf.base_lid, ==, pf.base_lid);
	g_assert_cmpuint(vf.sm_lid, ==, pf.sm_lid);
	g_assert_cmpuint(vf.rate, ==, pf.rate);
	g_assert_cmpuint(vf.state, ==, 1);
	g_assert_cmphex(vf.port_guid, ==, 0);
	umad_release_port(&vf);

	command(fabric, "vf port \"host-1 mlx5_0\" 0 0x10b", 0, "");
	command(fabric, "vf node \"host-1 mlx5_0\" 0 99", 0, "");
	command(fabric, "vf policy \"host-1 mlx5_0\" 0 Follow", 0, "");
	g_assert_cmpint(umad_get_port("mlx5_1", 1, &vf), ==, 0);
	g_assert_cmpuint(vf.state, ==, 4);
	g_assert_cmphex(GUINT64_FROM_BE(vf.port_guid), ==, 0x10b);
	g_assert_cmphex(vf.gid_prefix, ==, pf.gid_prefix);
	umad_release_port(&vf);
	umad_release_port(&pf);
	g_assert_cmpint(umad_get_ca("mlx5_1", &ca), ==, 0);
	g_assert_cmphex(GUINT64_FROM_BE(ca.node_guid), ==, 0x99);
	umad_release_ca(&ca);
	umadrig_fabric_close(fabric);
}

/* Linux: a function has no QP0, so no agent of subnet management. */
static void test_agents(void)
{
	struct umadrig_fabric *fabric = attach("");
	int fd = umad_open_port("mlx5_2", 1);

	g_assert_cmpint(fd, >=, 0);
	g_assert_cmpint(umad_register(fd, SMI, 1, 0, NULL), <, 0);
	g_assert_cmpint(errno, ==, EPROTONOSUPPORT);
	g_assert_cmpint(umad_register(fd, PERF, 1, 0, NULL), >=, 0);
	g_assert_cmpint(umad_close_port(fd), ==, 0);
	umadrig_fabric_close(fabric);
}

/* ---- the console ---- */

static void test_console(void)
{
	struct umadrig_fabric *fabric = attach_up("");

	command(fabric, "vf list \"host-1 mlx5_0\"", 0,
		"vf 0\tmlx5_1\tnode 0x0000000000000000\tport 0x000000000000010b\tpolicy Follow\t"
		"Active\tlid ");
	command(fabric, "vf list", 0, "vf 1\tmlx5_2\tnode 0x0000000000000000\t"
		"port 0x0000000000000000\tpolicy Down\tDown");
	command(fabric, "json vf list \"host-0 mlx5_0\"", 0,
		"\"vf\": 0, \"device\": \"mlx5_1\", \"node_guid\": \"0x0000000000000000\", "
		"\"port_guid\": \"0x000000000000010a\", \"policy\": \"Up\", \"state\": \"Active\", "
		"\"lid\": ");
	command(fabric, "vf policy \"host-1 mlx5_0\" 2 up", -EINVAL,
		"expected the number of a virtual function, from 0 to 1");
	command(fabric, "vf policy \"host-1 mlx5_0\" 1 sideways", -EINVAL,
		"expected down, up or follow");
	command(fabric, "vf port \"host-1 mlx5_0\" 1 x", -EINVAL, "expected a GUID");
	command(fabric, "vf port leaf-0 1 1", -ENOENT, "");
	/* By its device, too. */
	command(fabric, "vf policy mlx5_0 0 down", 0, "");
	command(fabric, "vf list mlx5_0", 0, "policy Down\tDown");
	command(fabric, "vf list mlx5_1", -EINVAL, "has no virtual functions");
	umadrig_fabric_close(fabric);
}

/* As by sriov_numvfs: devices and vports go and come; what was set of them stays. */
static void test_count(void)
{
	struct umadrig_fabric *fabric = attach_up("");
	char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
	int fd = umad_open_port("mlx5_1", 1);
	umad_port_t vf;

	g_assert_cmpint(fd, >=, 0);
	command(fabric, "vf count mlx5_0 1", -EBUSY, "0' has to come first");
	command(fabric, "vf count mlx5_0 3", -EINVAL, "how many virtual functions, up to 2");
	command(fabric, "vf count mlx5_0 2", 0, "");
	command(fabric, "vf count mlx5_0 0", 0, "");
	g_assert_cmpint(umad_get_cas_names(names, UMAD_MAX_DEVICES), ==, 1);
	g_assert_cmpint(umad_get_port("mlx5_1", 1, &vf), <, 0);
	g_assert_cmpint(umad_register(fd, PERF, 1, 0, NULL), <, 0);
	g_assert_cmpint(umad_close_port(fd), ==, 0);
	command(fabric, "vf count mlx5_0 1", 0, "");
	g_assert_cmpint(umad_get_cas_names(names, UMAD_MAX_DEVICES), ==, 2);
	g_assert_cmpint(umad_get_port("mlx5_1", 1, &vf), ==, 0);
	g_assert_cmphex(GUINT64_FROM_BE(vf.port_guid), ==, 0x10b);
	g_assert_cmpuint(vf.state, ==, 4);
	umad_release_port(&vf);
	command(fabric, "vf list mlx5_0", 0, "vf 0");
	command(fabric, "vf policy mlx5_0 1 down", 0, "");
	umadrig_fabric_close(fabric);
}

/* ---- MADs ---- */

static void put_16(uint8_t *at, unsigned int value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

static uint16_t lid_of(const char *device)
{
	umad_port_t port;
	uint16_t lid;

	g_assert_cmpint(umad_get_port(device, 1, &port), ==, 0);
	lid = (uint16_t)port.base_lid;
	umad_release_port(&port);
	return lid;
}

/*
 * Asks the PMA at 'target' for PortCounters by a device of host-1: ANSWERED or ETIMEDOUT. The
 * counters replace 'counters' (40 bytes).
 */
static int ask_counters(const char *device, const struct target *target, uint8_t *counters)
{
	int fd = umad_open_port(device, 1), length = MAD_BYTES;
	int agent = umad_register(fd, PERF, 1, 0, NULL), status;
	struct umad_buffer buffer = { 0 };
	uint8_t *mad = umad_get_mad(buffer.bytes);

	g_assert_cmpint(agent, >=, 0);
	mad[0] = mad[2] = 1;
	mad[1] = PERF;
	mad[METHOD_AT] = GET;
	mad[TID_AT + 7] = 1;
	put_16(mad + ATTR_AT, PORT_COUNTERS);
	mad[PERF_PORT_AT] = 1;
	umad_set_addr(buffer.bytes, target->lid, 1, 0, (int)0x80010000);
	if (target->guid) {
		ib_mad_addr_t *addr = umad_get_mad_addr(buffer.bytes);

		addr->grh_present = 1;
		addr->gid[0] = 0xfe;
		addr->gid[1] = 0x80;
		for (unsigned int i = 0; i < 8; i++)
			addr->gid[8 + i] = (uint8_t)(target->guid >> (56 - 8 * i));
	}
	g_assert_cmpint(umad_send(fd, agent, buffer.bytes, MAD_BYTES, 100, 0), ==, 0);
	g_assert_cmpint(umad_recv(fd, buffer.bytes, &length, -1), ==, agent);
	g_assert_cmpint(umad_close_port(fd), ==, 0);
	status = umad_status(buffer.bytes);
	if (status == 0)
		g_assert_cmphex(mad[STATUS_AT] << 8 | mad[STATUS_AT + 1], ==, 0);
	if (counters)
		memcpy(counters, mad + SMP_DATA_AT, 40);
	return status;
}

static int ask(const char *device, uint16_t lid, uint64_t guid)
{
	const struct target target = { lid, guid };

	return ask_counters(device, &target, NULL);
}

/* PortXmitPkts of PortCounters: 32 bits at 36. */
static unsigned int sent(const char *device, uint16_t lid, uint64_t guid)
{
	const struct target target = { lid, guid };
	uint8_t counters[40];

	g_assert_cmpint(ask_counters(device, &target, counters), ==, ANSWERED);
	return (unsigned int)(counters[32] << 24 | counters[33] << 16 | counters[34] << 8 |
			      counters[35]);
}

/* By GID: the other host's function, its own host's, and the HCA itself. */
static void test_by_gid(void)
{
	struct umadrig_fabric *fabric = attach_up("");
	uint16_t own = lid_of("mlx5_0"), other;
	char *text = NULL;

	g_assert_cmpint(umadrig_console(fabric, "json vf list \"host-0 mlx5_0\"", &text), ==, 0);
	other = (uint16_t)g_ascii_strtoull(strstr(text, "\"lid\": ") + strlen("\"lid\": "), NULL,
					   10);
	free(text);
	g_assert_cmpint(ask("mlx5_0", other, 0x10a), ==, ANSWERED);
	g_assert_cmpint(ask("mlx5_1", other, 0x10a), ==, ANSWERED);
	g_assert_cmpint(ask("mlx5_1", own, 0x20b), ==, ANSWERED);
	g_assert_cmpint(ask("mlx5_0", own, 0x20b), ==, ANSWERED);
	/* No vport has that one. */
	g_assert_cmpint(ask("mlx5_1", other, 0x30a), ==, ETIMEDOUT);
	/*
	 * Without a GRH the answer comes to the LID that all share, and is for the HCA itself: but
	 * the host's kernel finds the agent by the TID, whichever port that is at.
	 */
	g_assert_cmpint(ask("mlx5_1", other, 0), ==, ANSWERED);
	g_assert_cmpint(ask("mlx5_0", other, 0), ==, ANSWERED);
	/* A vport counts its own packets: an answer to each of two requests before this one. */
	g_assert_cmpuint(sent("mlx5_0", other, 0x10a), ==, 2);
	umadrig_fabric_close(fabric);
}

/* A vport that is down neither sends nor receives, and the one that follows goes with the port. */
static void test_down(void)
{
	struct umadrig_fabric *fabric = attach_up("");
	uint16_t own = lid_of("mlx5_0");

	g_assert_cmpint(ask("mlx5_1", own, 0x20b), ==, ANSWERED);
	command(fabric, "vf policy mlx5_0 1 down", 0, "");
	g_assert_cmpint(ask("mlx5_1", own, 0x20b), ==, ETIMEDOUT);
	g_assert_cmpint(ask("mlx5_2", own, 0x10b), ==, ETIMEDOUT);
	command(fabric, "vf policy mlx5_0 1 up", 0, "");
	g_assert_cmpint(ask("mlx5_1", own, 0x20b), ==, ANSWERED);
	umadrig_fabric_close(fabric);
}

/* With LIDs of their own no GRH is needed. */
static void test_by_lid(void)
{
	struct umadrig_fabric *fabric = attach_up(",vf-lids=yes");
	uint16_t own = lid_of("mlx5_1");

	g_assert_cmpuint(own, !=, lid_of("mlx5_0"));
	g_assert_cmpuint(own + 1, ==, lid_of("mlx5_2"));
	g_assert_cmpint(ask("mlx5_1", lid_of("mlx5_0"), 0), ==, ANSWERED);
	g_assert_cmpint(ask("mlx5_0", own, 0), ==, ANSWERED);
	/* That of host-0's first function is before its second's, which is before ours. */
	g_assert_cmpint(ask("mlx5_1", (uint16_t)(own - 2), 0), ==, ANSWERED);
	g_assert_cmpint(ask("mlx5_0", (uint16_t)(own - 2), 0), ==, ANSWERED);
	umadrig_fabric_close(fabric);
}

/* ---- the SM's side ---- */

/* An SMP to the own HCA by its PF; its data (64 bytes) are replaced. */
static void smp(int method, uint16_t attr, uint32_t modifier, uint8_t *data)
{
	int fd = umad_open_port("mlx5_0", 1), length = MAD_BYTES;
	int agent = umad_register(fd, SMI, 1, 0, NULL);
	struct umad_buffer buffer = { 0 };
	uint8_t *mad = umad_get_mad(buffer.bytes);

	g_assert_cmpint(agent, >=, 0);
	mad[0] = mad[2] = 1;
	mad[1] = SMI;
	mad[METHOD_AT] = (uint8_t)method;
	mad[TID_AT + 7] = 1;
	put_16(mad + ATTR_AT, attr);
	put_16(mad + MOD_AT, modifier >> 16);
	put_16(mad + MOD_AT + 2, modifier & 0xffff);
	memset(mad + 32, 0xff, 4);
	memcpy(mad + SMP_DATA_AT, data, 64);
	umad_set_addr(buffer.bytes, 0xffff, 0, 0, 0);
	g_assert_cmpint(umad_send(fd, agent, buffer.bytes, MAD_BYTES, 100, 0), ==, 0);
	g_assert_cmpint(umad_recv(fd, buffer.bytes, &length, -1), ==, agent);
	g_assert_cmpint(umad_close_port(fd), ==, 0);
	g_assert_cmpint(umad_status(buffer.bytes), ==, 0);
	g_assert_cmphex((mad[STATUS_AT] & 0x7f) << 8 | mad[STATUS_AT + 1], ==, 0);
	memcpy(data, mad + SMP_DATA_AT, 64);
}

/* P_Keys change under a vport: what has another one is dropped there, and counted there alone. */
static void test_p_keys(void)
{
	struct umadrig_fabric *fabric = attach_up("");
	uint16_t own = lid_of("mlx5_0");
	uint8_t data[64] = { 0x80, 0x05 };
	umad_port_t port;

	g_assert_cmpint(ask("mlx5_1", own, 0x20b), ==, ANSWERED);
	smp(SET, VPORT_P_KEYS, 2 << 16, data);
	g_assert_cmpint(umad_get_port("mlx5_2", 1, &port), ==, 0);
	g_assert_cmphex(port.pkeys[0], ==, 0x8005);
	umad_release_port(&port);
	g_assert_cmpint(umad_get_port("mlx5_1", 1, &port), ==, 0);
	g_assert_cmphex(port.pkeys[0], ==, 0xffff);
	umad_release_port(&port);
	g_assert_cmpint(ask("mlx5_1", own, 0x20b), ==, ETIMEDOUT);
	memset(data, 0, sizeof(data));
	smp(GET, VPORT_INFO, 2, data);
	g_assert_cmphex(data[4] << 8 | data[5], ==, 1);
	memset(data, 0, sizeof(data));
	smp(GET, VPORT_INFO, 1, data);
	g_assert_cmphex(data[4] << 8 | data[5], ==, 0);
	umadrig_fabric_close(fabric);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_setenv("UMAD_BACKEND", "sim:@", true);
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/virtual-device/devices", test_devices);
	g_test_add_func("/virtual-device/agents", test_agents);
	g_test_add_func("/virtual-device/console", test_console);
	g_test_add_func("/virtual-device/count", test_count);
	g_test_add_func("/virtual-device/by-gid", test_by_gid);
	g_test_add_func("/virtual-device/down", test_down);
	g_test_add_func("/virtual-device/by-lid", test_by_lid);
	g_test_add_func("/virtual-device/p-keys", test_p_keys);
	return leak_end(g_test_run());
}
