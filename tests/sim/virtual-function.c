/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Virtual functions inside: what the physical port's SMA says of them and takes for them, what they
 * share with it, and which HCAs can have any.
 */
#include "config.h"

#include "sim/console/console.h"
#include "sim/fabric/route.h"
#include "sim/fabric/subnet.h"
#include "sim/fabric/virtual-function.h"
#include "sim/host/device.h"
#include "sim/host/fabric-check.h"
#include "sim/host/power.h"
#include "sim/run/open.h"
#include "sim/sa/sa-request.h"
#include "sim/topology/write.h"
#include "tests/rig/leak.h"
#include "tests/rig/sma-rig.h"

enum { VFS = 3 };

static struct node *pf_of(struct umadrig_fabric *fabric)
{
	struct node *pf = fabric_node(fabric, "host-1 mlx5_0");

	g_assert_nonnull(pf);
	g_assert_nonnull(pf->functions);
	return pf;
}

/* The fabric of most tests: two hosts with an HCA each, of which the second has three VFs. */
static struct umadrig_fabric *open_vfs(const char *more)
{
	g_autofree char *options = g_strconcat("rail:2,1,4,vfs=3:host-1", more, NULL);

	return open_generated(options);
}

static void check(const struct umadrig_fabric *fabric)
{
	size_t work = 0;
	const char *broken = fabric_check(fabric, &work);

	g_assert_cmpstr(broken, ==, NULL);
}

/* ---- what is asked in band ---- */

static const struct row {
	const char *name;
	uint16_t attr;
	uint32_t modifier;
	const char *write;	/* NULL: a Get */
	unsigned int status;
	const char *then;	/* what the answer has */
} rows[] = {
	{ "of a port", ATTR_VIRTUALIZATION_INFO, 0, NULL, 0,
	  "VPortCap=3 VPortIndexTop=3 VirtualizationEnable=0 VPortStateChange=0 "
	  "VirtualizationRevision=1" },
	{ "one for all", ATTR_VIRTUALIZATION_INFO, 1, NULL, 0x1c, "VPortCap=0" },
	{ "vport 0 is the port", ATTR_VPORT_INFO, 0, NULL, 0,
	  "VPortState=2 LidRequired=0 GuidCap=8 CapMask=9 VPortLid=0" },
	{ "a vport without a GUID", ATTR_VPORT_INFO, 1, NULL, 0,
	  "VPortState=1 LidRequired=0 GuidCap=8 VPortGuid=0 VPortLid=0 LidByVPortIndex=0" },
	{ "the last one", ATTR_VPORT_INFO, 3, NULL, 0, "VPortState=1" },
	{ "none behind it", ATTR_VPORT_INFO, 4, NULL, 0x1c, "GuidCap=0" },
	{ "its node", ATTR_VNODE_INFO, 1, NULL, 0,
	  "VPartitionCap=32 VLocalPort=1 VNumPorts=1 VNodeGuid=0" },
	{ "no such node", ATTR_VNODE_INFO, 4, NULL, 0x1c, "VNumPorts=0" },
	{ "P_Keys", ATTR_VPORT_P_KEY_TABLE, 0x10000, NULL, 0, "P_Key0=0xffff P_Key1=0" },
	{ "P_Keys of no vport", ATTR_VPORT_P_KEY_TABLE, 0x40000, NULL, 0x1c, "P_Key0=0" },
	{ "P_Keys beyond", ATTR_VPORT_P_KEY_TABLE, 0x10001, NULL, 0x1c, "P_Key0=0" },
	{ "GUIDs", ATTR_VPORT_GUID_INFO, 0x10000, NULL, 0, "GUID0=0 GUID1=0" },

	{ "it is enabled", ATTR_VIRTUALIZATION_INFO, 0, "VirtualizationEnable=1", 0,
	  "VirtualizationEnable=1 VPortCap=3" },
	{ "what is down stays down", ATTR_VPORT_INFO, 1, "VPortState=3", 0x1c, "VPortState=1" },
	{ "a LID", ATTR_VPORT_INFO, 2, "VPortLid=77", 0, "VPortLid=77" },
	{ "another vport's LID", ATTR_VPORT_INFO, 3, "LidByVPortIndex=2", 0,
	  "VPortLid=0 LidByVPortIndex=2" },
	{ "that of none", ATTR_VPORT_INFO, 3, "LidByVPortIndex=4", 0x1c, "LidByVPortIndex=2" },
	{ "a LID of a group", ATTR_VPORT_INFO, 3, "VPortLid=0xc000", 0x1c, "VPortLid=0" },
	{ "P_Keys are set", ATTR_VPORT_P_KEY_TABLE, 0x20000, "P_Key0=0xffff P_Key1=0x8005", 0,
	  "P_Key1=0x8005" },
	{ "another vport's are not", ATTR_VPORT_P_KEY_TABLE, 0x10000, NULL, 0, "P_Key1=0" },
	{ "nor the port's", ATTR_P_KEY_TABLE, 0, NULL, 0, "P_Key1=0" },
	{ "an alias", ATTR_VPORT_GUID_INFO, 0x20000, "GUID0=5 GUID1=6", 0, "GUID0=0 GUID1=6" },
	{ "VNodeInfo is read only", ATTR_VNODE_INFO, 1, "VNodeGuid=1", 0x0c, "VNodeGuid=1" },
};

static void test_in_band(void)
{
	struct umadrig_fabric *fabric = open_vfs(",state=cold");
	struct port *port = &pf_of(fabric)->ports[1];

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		uint8_t data[SMP_DATA_SIZE] = { 0 };
		const struct row *row = &rows[i];

		if (row->write) {
			ask(port, GET, row->attr, row->modifier, 0, data);
			each_field(row->attr, row->write, data, true, row->name);
		}
		g_assert_cmphex(ask(port, row->write ? SET : GET, row->attr, row->modifier, 0,
				    data), ==, row->status);
		each_field(row->attr, row->then, data, false, row->name);
	}
	check(fabric);
	fabric_free(fabric);
}

/* VNodeDescription is what the function's device is called. */
static void test_description(void)
{
	struct umadrig_fabric *fabric = open_vfs("");
	struct node *pf = pf_of(fabric);
	char data[SMP_DATA_SIZE + 1] = "";

	for (unsigned int vport = 1; vport <= VFS; vport++) {
		memset(data, 0, sizeof(data));
		g_assert_cmphex(ask(&pf->ports[1], GET, ATTR_VNODE_DESCRIPTION, vport, 0,
				    (uint8_t *)data), ==, 0);
		g_assert_cmpstr(data, ==, node_description(pf->functions->at[vport - 1].node));
	}
	g_assert_cmphex(ask(&pf->ports[1], GET, ATTR_VNODE_DESCRIPTION, VFS + 1, 0,
			    (uint8_t *)data), ==, 0x1c);
	fabric_free(fabric);
}

/* An HCA without virtual functions has none of these attributes, and does not say so either. */
static void test_others(void)
{
	struct umadrig_fabric *fabric = open_vfs(",state=cold");
	struct port *with = &pf_of(fabric)->ports[1];
	struct port *without = port_of(fabric, "host-0 mlx5_0", 1);
	uint8_t data[SMP_DATA_SIZE] = { 0 };

	for (uint16_t attr = ATTR_VIRTUALIZATION_INFO; attr <= ATTR_VPORT_P_KEY_TABLE; attr++)
		g_assert_cmphex(ask(without, GET, attr, 0, 0, data), ==, 0x0c);
	ask(without, GET, ATTR_PORT_INFO, 1, 0, data);
	g_assert_cmphex(mad_field_get(mad_field_must(1, ATTR_PORT_INFO, "CapabilityMask2"), data) &
			4, ==, 0);
	ask(with, GET, ATTR_PORT_INFO, 1, 0, data);
	g_assert_cmphex(mad_field_get(mad_field_must(1, ATTR_PORT_INFO, "CapabilityMask2"), data) &
			4, ==, 4);
	fabric_free(fabric);
}

/* ---- states ---- */

/* VPortState of vports 0 to 3, as the two bytes that an SM reads. */
static unsigned int states(struct node *pf)
{
	uint8_t data[SMP_DATA_SIZE] = { 0 };

	g_assert_cmphex(ask(&pf->ports[1], GET, ATTR_VPORT_STATE, 0, 0, data), ==, 0);
	return get_be16(data);
}

static uint64_t state_change(struct node *pf)
{
	uint8_t data[SMP_DATA_SIZE] = { 0 };

	ask(&pf->ports[1], GET, ATTR_VIRTUALIZATION_INFO, 0, 0, data);
	return mad_field_get(mad_field_must(1, ATTR_VIRTUALIZATION_INFO, "VPortStateChange"), data);
}

static unsigned int set_state(struct node *pf, uint32_t vport, unsigned int state)
{
	const struct mad_field *field = mad_field_must(1, ATTR_VPORT_INFO, "VPortState");
	uint8_t data[SMP_DATA_SIZE] = { 0 };

	ask(&pf->ports[1], GET, ATTR_VPORT_INFO, vport, 0, data);
	mad_field_set(field, data, state);
	return ask(&pf->ports[1], SET, ATTR_VPORT_INFO, vport, 0, data);
}

/* A vport is Down until its policy says otherwise; then an SM brings it up, step by step. */
static void test_states(void)
{
	struct umadrig_fabric *fabric = open_vfs(",state=cold");
	struct node *pf = pf_of(fabric);
	struct virtual_function *at = pf->functions->at;
	uint8_t data[SMP_DATA_SIZE] = { 0 };

	g_assert_cmphex(states(pf), ==, 0x2111);
	g_assert_cmpuint(state_change(pf), ==, 0);
	function_set_policy(&at[0], FUNCTION_UP);
	function_set_policy(&at[1], FUNCTION_FOLLOW);
	/* The port is in Init: what follows it is still down. */
	g_assert_cmphex(states(pf), ==, 0x2211);
	g_assert_cmpuint(state_change(pf), ==, 1);
	mad_field_set(mad_field_must(1, ATTR_VIRTUALIZATION_INFO, "VPortStateChange"), data, 1);
	ask(&pf->ports[1], SET, ATTR_VIRTUALIZATION_INFO, 0, 0, data);
	g_assert_cmpuint(state_change(pf), ==, 0);

	g_assert_cmphex(set_state(pf, 1, PORT_ACTIVE), ==, 0x1c);
	g_assert_cmphex(set_state(pf, 1, PORT_ARMED), ==, 0);
	g_assert_cmphex(set_state(pf, 1, PORT_ACTIVE), ==, 0);
	g_assert_cmphex(states(pf), ==, 0x2411);
	g_assert_cmphex(set_state(pf, 1, PORT_DOWN), ==, 0);
	g_assert_cmphex(states(pf), ==, 0x2211);
	pf->ports[1].state = PORT_ACTIVE;
	g_assert_cmphex(states(pf), ==, 0x4221);
	function_set_policy(&at[0], FUNCTION_DOWN);
	g_assert_cmphex(states(pf), ==, 0x4121);
	fabric_free(fabric);
}

/* A block of VPortState has 128 of them. */
static void test_blocks(void)
{
	struct umadrig_fabric *fabric = open_generated("rail:2,1,4,vfs=200:host-1");
	struct node *pf = pf_of(fabric);
	uint8_t data[SMP_DATA_SIZE] = { 0 };

	function_set_policy(&pf->functions->at[127], FUNCTION_UP);
	g_assert_cmphex(ask(&pf->ports[1], GET, ATTR_VPORT_STATE, 1, 0, data), ==, 0);
	g_assert_cmphex(data[0], ==, 0x41);
	g_assert_cmphex(data[(200 - 128) / 2], ==, 0x10);
	g_assert_cmphex(ask(&pf->ports[1], GET, ATTR_VPORT_STATE, 2, 0, data), ==, 0x1c);
	fabric_free(fabric);
}

/* ---- what vports share with the port ---- */

static struct port_attr attr_of(struct umadrig_fabric *fabric, const char *device)
{
	struct end_port *end = device_port(fabric_host(fabric, "host-1"), device, 1);
	struct port_attr attr;

	g_assert_nonnull(end);
	device_port_attr(end, &attr);
	return attr;
}

static void test_shared(void)
{
	struct umadrig_fabric *fabric = open_vfs("");
	struct node *pf = pf_of(fabric);
	struct virtual_function *first = &pf->functions->at[0];
	struct port_attr port = attr_of(fabric, "mlx5_0"), vport = attr_of(fabric, "mlx5_1");

	g_assert_cmpuint(vport.lid, ==, port.lid);
	g_assert_cmpuint(vport.sm_lid, ==, port.sm_lid);
	g_assert_cmpstr(vport.rate, ==, port.rate);
	g_assert_cmpuint(vport.phys_state, ==, port.phys_state);
	g_assert_cmpuint(vport.state, ==, PORT_DOWN);
	g_assert_cmphex(vport.port_guid, ==, 0);
	function_set_port_guid(first, 0x1122);
	function_set_node_guid(first, 0x3344);
	function_set_policy(first, FUNCTION_FOLLOW);
	vport = attr_of(fabric, "mlx5_1");
	g_assert_cmphex(vport.port_guid, ==, 0x1122);
	g_assert_cmphex(vport.gid_prefix, ==, port.gid_prefix);
	g_assert_cmpuint(vport.state, ==, PORT_ACTIVE);
	g_assert_cmphex(first->node->node_guid, ==, 0x3344);
	/* Where the port goes, vports go. */
	end_port_set_lid(pf->ports[1].end, 40, 0);
	g_assert_cmpuint(attr_of(fabric, "mlx5_3").lid, ==, 40);
	function_set_lid(first, 50, 0);
	function_set_lid(&pf->functions->at[1], 0, 1);
	g_assert_cmpuint(attr_of(fabric, "mlx5_1").lid, ==, 50);
	g_assert_cmpuint(attr_of(fabric, "mlx5_2").lid, ==, 50);
	g_assert_cmpuint(attr_of(fabric, "mlx5_3").lid, ==, 40);
	check(fabric);
	fabric_free(fabric);
}

/* With vf-lids=yes they ask for LIDs; a warm fabric has given some, and its switches know them. */
static void test_lids(void)
{
	struct umadrig_fabric *cold = open_vfs(",vf-lids=yes,state=cold");
	struct umadrig_fabric *warm = open_vfs(",vf-lids=yes");
	struct node *pf = pf_of(warm);
	struct port *leaf = pf->ports[1].peer;
	uint8_t data[SMP_DATA_SIZE] = { 0 };

	ask(&pf_of(cold)->ports[1], GET, ATTR_VPORT_INFO, 1, 0, data);
	each_field(ATTR_VPORT_INFO, "LidRequired=1 VPortLid=0", data, false, "cold");
	for (uint32_t vport = 1; vport <= VFS; vport++) {
		uint16_t lid = pf->functions->at[vport - 1].lid;

		memset(data, 0, sizeof(data));
		ask(&pf->ports[1], GET, ATTR_VPORT_INFO, vport, 0, data);
		each_field(ATTR_VPORT_INFO, "LidRequired=1", data, false, "warm");
		g_assert_cmpuint(mad_field_get(mad_field_must(1, ATTR_VPORT_INFO, "VPortLid"),
					       data), ==, lid);
		g_assert_null(subnet_end_by_lid(pf->ports[1].end->subnet, lid));
		g_assert_true(functions_end_by_lid(pf->ports[1].end->subnet, lid) ==
			      pf->ports[1].end);
		g_assert_cmpuint(switch_egress(leaf->node, lid), ==, leaf->num);
	}
	check(warm);
	fabric_free(warm);
	fabric_free(cold);
}

/* For the fabric's own SA the GIDs and LIDs of vports lead to the port. */
static void test_sa(void)
{
	struct umadrig_fabric *fabric = open_vfs(",vf-lids=yes");
	struct node *pf = pf_of(fabric);
	struct end_port *port = pf->ports[1].end;
	uint8_t gid[16] = { 0xfe, 0x80 };

	put_be64(gid + 8, 0x77);
	g_assert_null(sa_end_by_gid(port->subnet, gid));
	function_set_port_guid(&pf->functions->at[1], 0x77);
	g_assert_true(sa_end_by_gid(port->subnet, gid) == port);
	g_assert_true(sa_end_by_lid(port->subnet, pf->functions->at[1].lid) == port);
	g_assert_null(sa_end_by_lid(port->subnet, (uint16_t)(fabric->lid_top + 1)));
	node_remove(pf);
	g_assert_null(sa_end_by_gid(port->subnet, gid));
	fabric_free(fabric);
}

/* ---- descriptions ---- */

/* What a fabric is written as makes the same again; the text says what is wrong with it. */
static void test_described(void)
{
	static const char text[] = "vfs=0\nvfs=x\nvfs=2000\nvfs=2\ncaguid=0x10\n"
				   "Ca 1 \"A\"\n[1] \"S\"[1]\n\n"
				   "vfs=5\nswitchguid=0x20\nSwitch 2 \"S\"\n[1] \"A\"[1]\n";
	static const char *const told[] = {
		"vfs '0' is not a number from 1 to 1024; ignored", "vfs 'x' is not a number",
		"vfs '2000' is not a number", "vfs=5, and 'S' is no CA; ignored",
	};
	GArray *diagnostics = NULL;
	struct topology *topology = topology_parse(text, strlen(text), "text", &diagnostics);
	struct umadrig_options options = { .virtual_clock = true, .seed = 1, .first_hi_tid = 1 };
	struct umadrig_fabric *fabric;
	char message[512] = "";
	g_autoptr(GString) written = g_string_new(NULL);

	g_assert_nonnull(topology);
	for (size_t i = 0; i < G_N_ELEMENTS(told); i++) {
		bool found = false;

		for (guint at = 0; at < diagnostics->len; at++)
			found |= strstr(g_array_index(diagnostics, struct topology_diagnostic,
						      at).message, told[i]) != NULL;
		if (!found)
			g_error("not told: %s", told[i]);
	}
	topology_diagnostics_free(diagnostics);
	fabric = fabric_new(topology, &options, message, sizeof(message));
	topology_free(topology);
	g_assert_cmpuint(fabric_node(fabric, "A")->functions->count, ==, 2);
	topology = fabric_topology(fabric);
	topology_write_ibnetdiscover(topology, written);
	g_assert_nonnull(strstr(written->str, "\nvfs=2\n"));
	g_string_truncate(written, 0);
	topology_write_json(topology, written);
	g_assert_nonnull(strstr(written->str, "\"vfs\": 2"));
	topology_free(topology);
	fabric_free(fabric);
}

/* ---- power ---- */

static void test_power(void)
{
	struct umadrig_fabric *fabric = open_vfs("");
	struct umadrig_host *host = fabric_host(fabric, "host-1");
	struct node *pf = pf_of(fabric), *first = pf->functions->at[0].node;

	g_assert_true(host_device(host, "mlx5_1") == first);
	/* Unbound alone, it stays away whatever happens to the others. */
	node_remove(first);
	g_assert_null(host_device(host, "mlx5_1"));
	g_assert_nonnull(host_device(host, "mlx5_2"));
	function_set_policy(&pf->functions->at[1], FUNCTION_UP);
	g_assert_null(host_device(host, "mlx5_1"));
	node_return(first);
	g_assert_true(host_device(host, "mlx5_1") == first);
	/* With the HCA all are gone; then they are as after power-up. */
	function_set_port_guid(&pf->functions->at[0], 9);
	node_remove(pf);
	g_assert_null(host_device(host, "mlx5_0"));
	g_assert_null(host_device(host, "mlx5_3"));
	check(fabric);
	node_return(pf);
	g_assert_nonnull(host_device(host, "mlx5_3"));
	g_assert_cmphex(attr_of(fabric, "mlx5_1").port_guid, ==, 0);
	g_assert_cmpuint(attr_of(fabric, "mlx5_2").state, ==, PORT_DOWN);
	check(fabric);
	fabric_free(fabric);
}

/* ---- who can have any ---- */

static void test_refused(void)
{
	static const struct {
		const char *spec, *why;
	} refused[] = {
		{ "rail:2,1,4,vfs=0", "vfs=0: expected a number from 1 to 1024" },
		{ "rail:2,1,4,vfs=1025", "expected a number" },
		{ "rail:2,1,4,vfs=4:", "and where they are, such as 4 or 4:H1" },
		{ "rail:2,1,4,vfs=x:host-1", "expected a number" },
		{ "rail:2,1,4,vfs=4:host-9", "there is no node or host 'host-9'" },
		{ "rail:2,1,4,vfs=4:host-1,vfs=4:host-1 mlx5_0", "has virtual functions already" },
		{ "rail:2,1,4,speed=XDR,planes=4,vfs=1", "no HCA is there" },
		{ "rail:2,1,4,speed=XDR,planes=4,vfs=1:host-1 mlx5_0", "planarized" },
		{ "rail:2,1,4,quirk=roce,vfs=1:host-1 mlx5_0", "is RoCE" },
		{ "text:quirk=roce", "A has virtual functions, which a RoCE port here has not" },
		{ "text:quirk=planarized:A", "A has virtual functions, which one with planes" },
		{ "rail:2,1,4,vf-lids=perhaps", "expected yes or no" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(refused); i++) {
		g_autofree char *spec = g_strdup_printf("generate:%s,clock=virtual",
							refused[i].spec);
		char message[512] = "";

		if (g_str_has_prefix(refused[i].spec, "text:"))
			g_assert_null(fabric_parse("vfs=1\nCa 2 \"A\"\n[1] \"B\"[1]\n\nCa 1 "
						   "\"B\"\n[1] \"A\"[1]\n",
						   refused[i].spec + strlen("text:"), message,
						   sizeof(message)));
		else
			g_assert_null(fabric_open(spec, false, message, sizeof(message)));
		if (!strstr(message, refused[i].why))
			g_error("%s: %s", refused[i].spec, message);
	}
}

/* A thousand of them are made, of all HCAs of a fabric, each with a name of its own on its host. */
static void test_many(void)
{
	struct umadrig_fabric *fabric = open_generated("fat-tree:50,8,vfs=20");
	unsigned int functions = 0;

	for (guint i = 0; i < fabric->hosts->len; i++) {
		struct umadrig_host *host = g_ptr_array_index(fabric->hosts, i);

		for (unsigned int at = 0; at < host->node_count; at++) {
			functions += host->nodes[at]->vport != 0;
			g_assert_true(host_device(host, host->nodes[at]->device_name) ==
				      host->nodes[at]);
		}
		/* The host's name still means its HCA. */
		g_assert_false(fabric_node(fabric, host->name)->vport);
	}
	g_assert_cmpuint(functions, ==, 1000);
	check(fabric);
	fabric_free(fabric);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/virtual-function/in-band", test_in_band);
	g_test_add_func("/virtual-function/description", test_description);
	g_test_add_func("/virtual-function/others", test_others);
	g_test_add_func("/virtual-function/states", test_states);
	g_test_add_func("/virtual-function/blocks", test_blocks);
	g_test_add_func("/virtual-function/shared", test_shared);
	g_test_add_func("/virtual-function/lids", test_lids);
	g_test_add_func("/virtual-function/sa", test_sa);
	g_test_add_func("/virtual-function/described", test_described);
	g_test_add_func("/virtual-function/power", test_power);
	g_test_add_func("/virtual-function/refused", test_refused);
	g_test_add_func("/virtual-function/many", test_many);
	return leak_end(g_test_run());
}
