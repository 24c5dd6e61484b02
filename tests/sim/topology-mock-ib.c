/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Profiles of mock-ib. A row is a file (given), its last node, how many there are, and the messages
 * (then).
 */
#include "config.h"

#include <string.h>

#include "sim/topology/load.h"
#include "tests/rig/topology-dump.h"

#define SAYS_MAX 4
#define GONE "0 fatal no node is left"

/* As they are shipped. */
#define SHIPPED "# Mock NVML Configuration\nversion: \"1.0\"\nsystem:\n  name: \"1.2\"\n" \
	"  # L1 -> GPU gpu0 L2, as cables in topologies of ibdm\n" \
	"infiniband:\n  enabled: true\n  hca_type: \"MT4123\"                # ConnectX-6\n" \
	"  fw_version: \"20.36.1010\"\n  hw_rev: \"0x0\"\n  board_id: \"MT_0000000223\"\n" \
	"  link_layer: \"InfiniBand\"\n  rate_gbps: 200                    # HDR\n" \
	"  port_state: \"ACTIVE\"\n  phys_state: \"LinkUp\"\n  hcas_per_gpu: 1\n" \
	"  guid_prefix: \"a288c2:0300:ab\"\n  node_desc_template: \"{node_name} mlx5_{idx}\"\n"
#define REST "\n# PCIe\npcie_topology:\n  root_complexes:\n    - id: \"pci0000:00\"\n"

static const struct row {
	const char *name;
	const char *given;
	const char *last;		/* NULL: nothing was loaded */
	unsigned int nodes;
	const char *says[SAYS_MAX];
} rows[] = {
	{ "as shipped", SHIPPED REST,
	  "ca H-a288c2030000020e/1 a288c2030000020e 'host-1 mlx5_7' ids 2c9,101b,a288c2030000020e:"
	  " 1>S-0002c90200000007.2@4xHDR(a288c2030000020f)=28",
	  8 + 4 + 16, { "9 warning fw_version and board_id are not taken over" } },
	{ "nothing but the block", "infiniband:\n",
	  "ca H-a088c2030000020e/1 a088c2030000020e 'host-1 mlx5_7' ids 2c9,1021,a088c2030000020e:"
	  " 1>S-0002c90200000007.2@4xNDR(a088c2030000020f)=28", 8 + 4 + 16, { NULL } },
	{ "all other values", "infiniband: # ours\n\n  hca_type: MT4131\n  hw_rev: 2\n"
	  "  rate_gbps: '800'\n  hca_count: 2\n  hcas_per_gpu: 2\n  guid_prefix: 00AA:BB-\n",
	  NULL, 0, { "8 error guid_prefix: expected eight hexadecimal digits", GONE } },
	{ "fewer and faster adapters of many nodes", "infiniband:\n  hca_type: MT4131\n"
	  "  rate_gbps: '800'\n\thca_count: 2\n  guid_prefix: 00AABBCC\n  nodes: 70\n"
	  "  node_desc_template: {node_name} mlx5_bond{idx}x\nother: 1\n",
	  "ca H-00aabbcc00008a02/1 aabbcc00008a02 'host-69 mlx5_bond1x' ids "
	  "2c9,1023,aabbcc00008a02: 1>S-0002c90200000005.23@4xXDR(aabbcc00008a03)=150",
	  6 + 4 + 140, { NULL } },
	{ "no adapters", "infiniband:\n  enabled: false\n", NULL, 0,
	  { "2 error enabled: 'false': such nodes have no adapter; write true", GONE } },
	{ "types", "infiniband:\n  hca_type: ConnectX-7\n  hca_type: MT99999\n", NULL, 0,
	  { "2 error expected MT and the PCI device number", "3 error not 'MT99999'", GONE } },
	{ "rates", "infiniband:\n  rate_gbps: 40\n  hw_rev: -1\n", NULL, 0,
	  { "2 error rate_gbps: '40': four lanes have 100, 200, 400 or 800",
	    "3 error hw_rev: expected a number from 0 to 4294967295, not '-1'", GONE } },
	{ "RoCE", "infiniband:\n  link_layer: Ethernet\n", NULL, 0,
	  { "2 error quirk=roce", GONE } },
	{ "states", "infiniband:\n  port_state: DOWN\n  phys_state: Polling\n", NULL, 0,
	  { "2 error write ACTIVE; state=cold", "3 error write LinkUp; quirk=port-down", GONE } },
	{ "descriptions", "infiniband:\n  node_desc_template: \"{idx} {node_name}\"\n"
	  "  node_desc_template: \"{node_name} ib{idx}\"\n", NULL, 0,
	  { "2 error expected {node_name}, a blank and a device with {idx}", "3 error ib{idx}",
	    GONE } },
	{ "too much", "infiniband:\n  hcas_per_gpu: 3\n  hca_count: 17\n  nodes: 50000\n", NULL, 0,
	  { "2 error from 1 to 2", "3 error from 0 to 16", "4 error from 1 to 49151", GONE } },
	{ "more than a subnet", "infiniband:\n  nodes: 7000\n", NULL, 0,
	  { "1 error 7000 nodes with 8 adapters: ", GONE } },
	{ "what is no key and value",
	  "infiniband:\n  - a\n  hca_type:MT1\n  board_id: [a]\n", NULL, 0,
	  { "2 error '- a' is not understood: write KEY: VALUE", "3 error not understood",
	    "4 error write the value behind the colon", GONE } },
	{ "a block in a line", "infiniband: { hca_count: 2 }  # two\n", NULL, 0,
	  { "1 error '{ hca_count: 2 }' is not understood: write each key of infiniband in a line",
	    GONE } },
	{ "quotes", "infiniband:\n  board_id: \"a\n  board_id: \"\\x41\"\n  board_id:\n", NULL, 0,
	  { "2 error not understood", "3 error not understood", "4 error not understood", GONE } },
	{ "another key", "infiniband:\n  switches: 4\n  nodes: 0\n", NULL, 0,
	  { "2 error 'switches' is no key of infiniband: correct it, or leave it out",
	    "3 error from 1 to 49151", GONE } },
	{ "twice", "infiniband:\ninfiniband:\n", NULL, 0,
	  { "2 error comes again after line 1", GONE } },
	{ "guids of nothing", "infiniband:\n  guid_prefix: 00000000\n", NULL, 0,
	  { "2 error 0 is the GUID of nothing", GONE } },
	{ "a block of another name", "infinibands:\n  nodes: 1\n", NULL, 0,
	  { "0 fatal no fabric found" } },
};

static void test_row(const void *data)
{
	const struct row *row = data;
	GArray *diagnostics;
	struct topology *topology = topology_parse(row->given, strlen(row->given), "given",
						   &diagnostics);
	g_autofree char *got = topology ? topology_dump(topology) : NULL;

	topology_check_says(row->says, SAYS_MAX, diagnostics);
	g_assert_cmpint(!topology, ==, !row->last);
	if (topology) {
		got[strlen(got) - 1] = '\0';
		g_assert_cmpstr(strrchr(got, '\n') + 1, ==, row->last);
		g_assert_cmpuint(topology->nodes->len, ==, row->nodes);
	}
	topology_diagnostics_free(diagnostics);
	topology_free(topology);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *path = g_strdup_printf("/topology-mock-ib/%s", rows[i].name);

		g_test_add_data_func(path, &rows[i], test_row);
	}
	return g_test_run();
}
