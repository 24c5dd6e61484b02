/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A host with planarized HCAs, as programs use it through libibumad: which devices form a pair, and
 * what each of them takes.
 */
#include <errno.h>
#include <glib.h>
#include <infiniband/umad.h>
#include <string.h>

#include "sim/api/umadrig.h"
#include "tests/rig/leak.h"

enum {
	SMI = 0x81, SMI_LID = 0x01, PERF = 0x04, SA = 0x03,
	METHOD_AT = 3, TID_AT = 8, ATTR_AT = 16, STATUS_AT = 4,
	MAD_BYTES = 256, PORTS = 4,
	LOCAL_PORT_AT = 64 + 36,	/* NodeInfo */
};

struct umad_buffer {
	_Alignas(8) uint8_t bytes[64 + MAD_BYTES];
};

static const char two_hcas[] = "generate:rail:2,2,4,speed=XDR,planes=4,clock=virtual";

static struct umadrig_fabric *attach(const char *spec)
{
	char message[512] = "";
	struct umadrig_fabric *fabric = umadrig_fabric_open(spec, message, sizeof(message));

	g_assert_cmpstr(message, ==, "");
	umadrig_attach(fabric);
	return fabric;
}

/* ---- devices ---- */

static void test_pairs(void)
{
	struct umadrig_fabric *fabric = attach(two_hcas);
	struct umad_ca_pair pairs[8];

	g_assert_cmpint(umad_get_smi_gsi_pairs(pairs, G_N_ELEMENTS(pairs)), ==, 2);
	g_assert_cmpstr(pairs[0].gsi_name, ==, "mlx5_0");
	g_assert_cmpstr(pairs[0].smi_name, ==, "smi0");
	g_assert_cmpstr(pairs[1].gsi_name, ==, "mlx5_1");
	g_assert_cmpstr(pairs[1].smi_name, ==, "smi1");
	g_assert_cmpuint(pairs[1].gsi_preferred_port, ==, 1);
	g_assert_cmpuint(pairs[1].smi_preferred_port, ==, 1);
	umadrig_fabric_close(fabric);
}

static void test_by_name(void)
{
	static const struct {
		const char *name;
		uint8_t port;
		unsigned int smi_port;	/* of smi1; 0: there is no such pair */
	} rows[] = {
		{ "mlx5_1", 0, 1 }, { "mlx5_1", 1, 1 }, { "mlx5_1", 2, 0 }, { "smi1", 0, 1 },
		{ "smi1", 3, 3 }, { "smi1", 5, 0 }, { "smi2", 0, 0 },
	};
	struct umadrig_fabric *fabric = attach(two_hcas);

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct umad_ca_pair pair;
		int ret = umad_get_smi_gsi_pair_by_ca_name(rows[i].name, rows[i].port, &pair, 1);

		g_assert_cmpint(ret == 0, ==, rows[i].smi_port != 0);
		if (ret)
			continue;
		g_assert_cmpstr(pair.gsi_name, ==, "mlx5_1");
		g_assert_cmpstr(pair.smi_name, ==, "smi1");
		g_assert_cmpuint(pair.gsi_preferred_port, ==, 1);
		g_assert_cmpuint(pair.smi_preferred_port, ==, rows[i].smi_port);
	}
	umadrig_fabric_close(fabric);
}

/* Linux (mlx5): all is the port's, except the rate; CapabilityMask says what the device is for. */
static void test_ports(void)
{
	struct umadrig_fabric *fabric = attach(two_hcas);
	umad_port_t gsi, smi;
	umad_ca_t ca;

	g_assert_cmpint(umad_get_ca("mlx5_1", &ca), ==, 0);
	g_assert_cmpint(ca.numports, ==, 1);
	umad_release_ca(&ca);
	g_assert_cmpint(umad_get_ca("smi1", &ca), ==, 0);
	g_assert_cmpint(ca.numports, ==, PORTS);
	umad_release_ca(&ca);
	g_assert_cmpint(umad_get_port("mlx5_1", 1, &gsi), ==, 0);
	g_assert_cmpuint(gsi.rate, ==, 800);
	g_assert_cmphex(GUINT32_FROM_BE(gsi.capmask) & 0x10402, ==, 0x10400);
	g_assert_cmpint(umad_get_port("mlx5_1", 2, &smi), <, 0);
	for (int num = 1; num <= PORTS; num++) {
		g_assert_cmpint(umad_get_port("smi1", num, &smi), ==, 0);
		g_assert_cmpuint(smi.rate, ==, 200);
		g_assert_cmpuint(smi.state, ==, gsi.state);
		g_assert_cmpuint(smi.base_lid, ==, gsi.base_lid);
		g_assert_cmpuint(smi.sm_lid, ==, gsi.sm_lid);
		g_assert_cmphex(smi.port_guid, ==, gsi.port_guid);
		g_assert_cmphex(GUINT32_FROM_BE(smi.capmask) & 0x10402, ==, 0);
		umad_release_port(&smi);
	}
	umad_release_port(&gsi);
	umadrig_fabric_close(fabric);
}

/* Linux: an agent for a QP that the device has not is refused; SMs have their issm with QP0. */
static void test_agents(void)
{
	static const struct {
		const char *device;
		int port;
		bool smi, gsi;
	} rows[] = {
		{ "mlx5_0", 1, false, true }, { "smi0", 1, true, false },
		{ "smi0", 4, true, false },
	};
	struct umadrig_fabric *fabric = attach(two_hcas);
	char path[256];

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		int fd = umad_open_port(rows[i].device, rows[i].port);

		g_assert_cmpint(fd, >=, 0);
		errno = 0;
		g_assert_cmpint(umad_register(fd, SMI, 1, 0, NULL) >= 0, ==, rows[i].smi);
		g_assert_cmpint(errno, ==, rows[i].smi ? 0 : EPROTONOSUPPORT);
		g_assert_cmpint(umad_register(fd, SMI_LID, 1, 0, NULL) >= 0, ==, rows[i].smi);
		errno = 0;
		g_assert_cmpint(umad_register(fd, PERF, 1, 0, NULL) >= 0, ==, rows[i].gsi);
		g_assert_cmpint(errno, ==, rows[i].gsi ? 0 : EPROTONOSUPPORT);
		g_assert_cmpint(umad_register(fd, SA, 2, 1, NULL) >= 0, ==, rows[i].gsi);
		g_assert_cmpint(umad_close_port(fd), ==, 0);
		g_assert_cmpint(umad_get_issm_path(rows[i].device, rows[i].port, path,
						   sizeof(path)) == 0, ==, rows[i].smi);
	}
	g_assert_cmpint(umad_open_smi_port("mlx5_0", 0), <, 0);
	umadrig_fabric_close(fabric);
}

/* ---- MADs ---- */

/* Sends a Get by a device, and returns the response's status; its bytes replace the request's. */
static int ask(const char *device, int port, int mgmt_class, struct umad_buffer *buffer,
	       uint16_t attr, uint16_t lid)
{
	int fd = umad_open_port(device, port), length = MAD_BYTES;
	int agent = umad_register(fd, mgmt_class, 1, 0, NULL);
	uint8_t *mad = umad_get_mad(buffer->bytes);

	g_assert_cmpint(agent, >=, 0);
	mad[0] = mad[2] = 1;
	mad[1] = (uint8_t)mgmt_class;
	mad[METHOD_AT] = 1;
	mad[TID_AT + 7] = 1;
	mad[ATTR_AT] = (uint8_t)(attr >> 8);
	mad[ATTR_AT + 1] = (uint8_t)attr;
	umad_set_addr(buffer->bytes, lid, mgmt_class == PERF, 0,
		      mgmt_class == PERF ? (int)0x80010000 : 0);
	g_assert_cmpint(umad_send(fd, agent, buffer->bytes, MAD_BYTES, 100, 0), ==, 0);
	g_assert_cmpint(umad_recv(fd, buffer->bytes, &length, -1), ==, agent);
	g_assert_cmpint(umad_close_port(fd), ==, 0);
	if (umad_status(buffer->bytes))
		return umad_status(buffer->bytes);
	return (mad[STATUS_AT] & 0x7f) << 8 | mad[STATUS_AT + 1];
}

/* NodeInfo along "0,PLANE,...": of the node itself, and of the other host's HCA. */
static void test_smps(void)
{
	struct umadrig_fabric *fabric = attach("generate:rail:2,1,4,speed=XDR,planes=4,"
					       "clock=virtual");

	for (int plane = 1; plane <= PORTS; plane++) {
		static const uint8_t turn[] = { 0, 2 };	/* host-1 is at port 2 of the leaf */

		for (unsigned int hops = 0; hops <= 2; hops += 2) {
			struct umad_buffer buffer = { 0 };
			uint8_t *mad = umad_get_mad(buffer.bytes);

			mad[7] = (uint8_t)hops;
			memset(mad + 32, 0xff, 4);
			mad[129] = (uint8_t)plane;
			mad[130] = turn[1];
			g_assert_cmpint(ask("smi0", plane, SMI, &buffer, 0x11, 0xffff), ==, 0);
			g_assert_cmpuint(mad[64 + 2], ==, 1);		/* a CA */
			g_assert_cmpuint(mad[64 + 3], ==, PORTS);
			g_assert_cmpuint(mad[LOCAL_PORT_AT], ==, plane);
			g_assert_cmphex(mad[64 + 19], ==, hops ? 0x30 : 0x20);
		}
	}
	umadrig_fabric_close(fabric);
}

/* GMPs leave by the plane that leads to their DLID, be it another HCA or a plane's switch. */
static void test_gmps(void)
{
	/* Its own, the other host's, and those of the switch of each plane. */
	static const uint16_t lids[] = { 3, 4, 1, 5, 7, 9 };
	struct umadrig_fabric *fabric = attach("generate:rail:2,1,4,speed=XDR,planes=4,"
					       "clock=virtual");

	for (size_t i = 0; i < G_N_ELEMENTS(lids); i++) {
		struct umad_buffer buffer = { 0 };
		uint8_t *mad = umad_get_mad(buffer.bytes);

		mad[65] = 1;	/* PortSelect */
		g_assert_cmpint(ask("mlx5_0", 1, PERF, &buffer, 0x12, lids[i]), ==, 0);
	}
	/* A LID of no plane is nowhere. */
	g_assert_cmpint(ask("mlx5_0", 1, PERF, &(struct umad_buffer){ 0 }, 0x12, 99), ==,
			ETIMEDOUT);
	umadrig_fabric_close(fabric);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_setenv("UMAD_BACKEND", "sim:@", true);
	g_test_add_func("/plane-pairs/pairs", test_pairs);
	g_test_add_func("/plane-pairs/by-name", test_by_name);
	g_test_add_func("/plane-pairs/ports", test_ports);
	g_test_add_func("/plane-pairs/agents", test_agents);
	g_test_add_func("/plane-pairs/smps", test_smps);
	g_test_add_func("/plane-pairs/gmps", test_gmps);
	return leak_end(g_test_run());
}
