/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * tests/lib/umad-device.c: the ib_umad backend and the choice of CA and port, on made-up sysfs
 * trees.
 *
 * The device files are FIFOs: what is sent comes back, and since no ioctl works on them they behave
 * like the oldest kernels, with headers of 56 bytes.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/umad.h>

#include "tests/rig/leak.h"
#include "tests/rig/umad-tree.h"

/* Which umad device a handle is: the N of .../umadN. */
static int device_of(int fd)
{
	char link[64], target[512];
	ssize_t length;
	char *name;

	g_snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, target, sizeof(target) - 1);
	g_assert_cmpint(length, >, 0);
	target[length] = '\0';
	name = strrchr(target, '/');
	g_assert_true(g_str_has_prefix(name, "/umad"));
	return atoi(name + 5);
}

/* Before any open succeeds, since from then on the ABI is known. */
static void test_abi(void)
{
	static const struct {
		const char *version;	/* NULL: no such file */
		int result;
	} rows[] = {
		{ NULL, -EOPNOTSUPP },
		{ "4\n", -EOPNOTSUPP },
		{ "x\n", -EOPNOTSUPP },
		{ "5\n", 0 },		/* loaded meanwhile: a failure is not remembered */
		{ NULL, 0 },		/* a success is */
	};

	umad_tree_begin();
	umad_tree_add("mlx5_0/1:4,5,IB");
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		int fd;

		umad_tree_remove("infiniband_mad/abi_version");
		if (rows[i].version)
			umad_tree_put("infiniband_mad/abi_version", "%s", rows[i].version);
		fd = umad_open_port("mlx5_0", 1);
		g_assert_cmpint(MIN(fd, 0), ==, rows[i].result);
		if (fd >= 0)
			g_assert_cmpint(umad_close_port(fd), ==, 0);
		if (!rows[i].version)
			umad_tree_put("infiniband_mad/abi_version", "5\n");
	}
	umad_tree_end();
}

/* Without ib_umad: initialising works (ibstat relies on it), and there are no devices. */
static void test_nothing(void)
{
	char names[2][UMAD_CA_NAME_LEN] = { "untouched", "" };
	umad_port_t port;
	umad_ca_t ca;

	umad_tree_begin();
	umad_tree_remove("infiniband");
	g_assert_cmpint(umad_init(), ==, 0);
	g_assert_cmpint(umad_get_cas_names(names, 2), ==, 0);
	g_assert_cmpstr(names[0], ==, "untouched");
	errno = ENOTTY;
	g_assert_null(umad_get_ca_device_list());
	g_assert_cmpint(errno, ==, 0);
	g_assert_cmpint(umad_get_ca(NULL, &ca), ==, -ENODEV);
	g_assert_cmpint(umad_get_port(NULL, 0, &port), ==, -ENODEV);
	g_assert_cmpint(errno, ==, ENODEV);
	g_assert_cmpint(umad_open_port(NULL, 0), ==, -ENODEV);
	g_assert_cmpint(umad_open_port("mlx5_0", 0), ==, -ENODEV);
	g_assert_cmpint(umad_open_port("mlx5_0", 1), ==, -EINVAL);
	g_assert_cmpint(umad_get_port("mlx5_0", 1, &port), ==, -EIO);
	g_assert_cmpint(umad_get_ca("mlx5_0", &ca), ==, -ENOENT);
	g_assert_cmpint(umad_done(), ==, 0);

	/* A subsystem that exists but cannot be read is an error. */
	umad_tree_put("infiniband", "not a directory\n");
	g_assert_cmpint(umad_get_cas_names(names, 2), ==, -1);
	g_assert_null(umad_get_ca_device_list());
	g_assert_cmpint(errno, ==, ENOTDIR);
	umad_tree_end();
}

static void test_names(void)
{
	char names[4][UMAD_CA_NAME_LEN];
	struct umad_device_node *list, *node;

	umad_tree_begin();
	/* Sorted byte by byte; RNICs and usNICs (node type 4 and up) have no MADs. */
	umad_tree_add("mlx5_2/1:4,5,IB mlx5_10/1:4,5,IB Zed/1:4,5,IB iw=4/1:4,5,Eth sw=2/0:4,5,IB "
		      "a_name_of_20_letters/1:4,5,IB");
	umad_tree_put("infiniband/plain-file", "1\n");
	g_assert_cmpint(umad_get_cas_names(names, 4), ==, 4);
	g_assert_cmpstr(names[0], ==, "Zed");
	g_assert_cmpstr(names[1], ==, "mlx5_10");
	g_assert_cmpstr(names[2], ==, "mlx5_2");
	g_assert_cmpstr(names[3], ==, "sw");
	g_strlcpy(names[2], "untouched", sizeof(names[2]));
	g_assert_cmpint(umad_get_cas_names(names, 2), ==, 2);
	g_assert_cmpstr(names[2], ==, "untouched");
	g_assert_cmpint(umad_get_cas_names(names, 0), ==, 0);
	g_assert_cmpint(umad_get_cas_names(NULL, 0), ==, 0);
	g_assert_cmpint(umad_get_cas_names(names, -1), ==, 0);
	g_assert_cmpint(umad_get_cas_names(NULL, 1), ==, -1);

	/* The list has room for every name. */
	list = umad_get_ca_device_list();
	g_assert_cmpint(errno, ==, 0);
	node = list;
	for (size_t i = 0; i < 5; i++, node = node->next) {
		static const char *const expected[] = { "Zed", "a_name_of_20_letters", "mlx5_10",
							"mlx5_2", "sw" };

		g_assert_cmpstr(node->ca_name, ==, expected[i]);
	}
	g_assert_null(node);
	umad_free_ca_device_list(list);
	umad_free_ca_device_list(NULL);
	umad_tree_end();
}

static void test_sort(void)
{
	struct umad_device_node c = { NULL, "c" }, a = { &c, "a" }, b = { &a, "b" };
	struct umad_device_node *head = &b, *none = NULL;

	g_assert_cmpint(umad_sort_ca_device_list(&head, 2), ==, EINVAL);
	g_assert_true(head == &b && b.next == &a);
	g_assert_cmpint(umad_sort_ca_device_list(&head, 3), ==, 0);
	g_assert_true(head == &a && a.next == &b && b.next == &c && !c.next);
	g_assert_cmpint(umad_sort_ca_device_list(&head, 0), ==, 0);
	g_assert_true(head == &a);
	g_assert_cmpint(umad_sort_ca_device_list(&none, 0), ==, 0);
	g_assert_cmpint(umad_sort_ca_device_list(&none, 2), ==, EINVAL);
	g_assert_cmpint(umad_sort_ca_device_list(NULL, 0), ==, EINVAL);
}

/* The ports, the query, and the device (in the order of the ports) that it selects. */
struct choice_row {
	const char *ports;
	const char *ca_name;
	int portnum;
	int device, smi_device;		/* negative: the errno of umad_open_port(), _smi_port() */
};

static const struct choice_row choice_rows[] = {
	/* The first active InfiniBand port by name, in whatever order they were made. */
	{ "b/1:4,5,IB a/1:4,5,IB", NULL, 0, 1, 1 },
	{ "a/1:2,5,IB a/2:4,5,IB", NULL, 0, 1, 1 },
	{ "a/1:2,5,IB b/1:4,5,IB", NULL, 0, 1, 1 },
	/* LinkUp before other states, and Disabled never. */
	{ "a/1:1,2,IB b/1:2,5,IB", NULL, 0, 1, 1 },
	{ "a/1:1,3,IB b/1:1,2,IB", NULL, 0, 1, 1 },
	{ "a/1:1,3,IB a/2:1,3,IB", NULL, 0, -ENODEV, -ENODEV },
	/*
	 * InfiniBand, even down, before Ethernet, even active; Ethernet if there is nothing else.
	 */
	{ "a/1:4,5,Eth b/1:1,2,IB", NULL, 0, 1, 1 },
	{ "a/1:1,2,Eth b/1:4,5,Eth", NULL, 0, 1, -ENODEV },
	/* Without link_layer it is InfiniBand. */
	{ "a/1:4,5,Eth b/1:4,5,none", NULL, 0, 1, 1 },
	/* Only a port number is a filter, even for a switch. */
	{ "a/1:4,5,IB b/1:4,5,IB b/2:4,5,IB", NULL, 2, 2, 2 },
	{ "a/1:4,5,IB", NULL, 2, -ENODEV, -ENODEV },
	{ "a=2/0:4,5,IB b/1:4,5,IB", NULL, 1, 1, 1 },
	{ "a=2/0:1,2,IB b/1:2,5,IB", NULL, 0, 0, 0 },
	/* Only a name is a filter too. */
	{ "a/1:4,5,IB b/1:2,5,IB b/2:4,5,IB", "b", 0, 2, 2 },
	{ "a/1:4,5,IB b/1:1,3,IB", "b", 0, -ENODEV, -ENODEV },
	{ "a/1:4,5,IB sw=2/0:4,5,IB", "sw", 0, 1, 1 },
	{ "a/1:4,5,IB", "b", 0, -ENODEV, -ENODEV },
	/* Both together are taken as they are. */
	{ "a/1:4,5,IB a/2:1,3,IB", "a", 2, 1, 1 },
	{ "a/1:4,5,IB", "a", 2, -EINVAL, -EINVAL },
	{ "a/1:4,5,IB", "b", 1, -EINVAL, -EINVAL },
	{ "a/1:4,5,IB", "a", -1, -EINVAL, -EINVAL },
	{ "a/1:4,5,IB", NULL, -1, -EINVAL, -EINVAL },
	{ "a/1:4,5,IB", "", 1, -EINVAL, -EINVAL },
	{ "a/1:4,5,IB", "../infiniband/a", 1, -EINVAL, -EINVAL },
	{ "a/1:4,5,IB", ".", 1, -EINVAL, -EINVAL },
	/* IsSMDisabled, bit 10 of the capability mask, and Ethernet: no SMI, in every form. */
	{ "a/1:4,5,IB,400 b/1:2,5,IB", NULL, 0, 0, 1 },
	{ "a/1:4,5,IB,400 a/2:4,5,IB", "a", 0, 0, 1 },
	{ "a/1:4,5,IB,400", "a", 1, 0, -EINVAL },
	{ "a/1:4,5,Eth", "a", 1, 0, -EINVAL },
	{ "a/1:4,5,IB,400 b/1:4,5,IB", NULL, 1, 0, 1 },
};

static void check_open(int (*open_port)(const char *, int), const struct choice_row *row,
		       int expected)
{
	int fd = open_port(row->ca_name, row->portnum);

	if (expected < 0) {
		g_assert_cmpint(fd, ==, expected);
		g_assert_cmpint(errno, ==, -expected);
		return;
	}
	g_assert_cmpint(fd, >=, 0);
	g_assert_cmpint(device_of(fd), ==, expected);
	g_assert_cmpint(fcntl(fd, F_GETFD) & FD_CLOEXEC, ==, FD_CLOEXEC);
	g_assert_cmpint(fcntl(fd, F_GETFL) & (O_ACCMODE | O_NONBLOCK), ==, O_RDWR | O_NONBLOCK);
	g_assert_cmpint(umad_get_fd(fd), ==, fd);
	g_assert_cmpint(umad_close_port(fd), ==, 0);
}

static void test_choice(gconstpointer data)
{
	const struct choice_row *row = data;

	umad_tree_begin();
	umad_tree_add(row->ports);
	check_open(umad_open_port, row, row->device);
	check_open(umad_open_smi_port, row, row->smi_device);
	umad_tree_end();
}

/* get_port, get_ca and issm_path choose as open does. */
static void test_choice_of_others(void)
{
	umad_port_t port;
	umad_ca_t ca;
	char path[256];

	umad_tree_begin();
	umad_tree_add("a/1:4,5,Eth b/1:2,5,IB b/2:4,5,IB");
	g_assert_cmpint(umad_get_port(NULL, 0, &port), ==, 0);
	g_assert_cmpstr(port.ca_name, ==, "b");
	g_assert_cmpint(port.portnum, ==, 2);
	g_assert_cmpuint(port.pkeys_size, ==, 2);
	umad_release_port(&port);
	g_assert_cmpint(umad_get_ca(NULL, &ca), ==, 0);
	g_assert_cmpstr(ca.ca_name, ==, "b");
	umad_release_ca(&ca);
	g_assert_cmpint(umad_get_issm_path(NULL, 0, path, sizeof(path)), ==, 0);
	g_assert_cmpstr(path, ==, umad_tree_path("dev/issm2"));
	g_assert_cmpint(umad_get_issm_path("b", 1, path, sizeof(path)), ==, 0);
	g_assert_cmpstr(path, ==, umad_tree_path("dev/issm1"));
	/* A path cut short would be another port's. */
	g_strlcpy(path, "untouched", sizeof(path));
	g_assert_cmpint(umad_get_issm_path("b", 1, path,
					   (int)strlen(umad_tree_path("dev/issm1"))), ==, -EINVAL);
	g_assert_cmpstr(path, ==, "untouched");
	g_assert_cmpint(umad_get_issm_path("b", 3, path, sizeof(path)), ==, -EINVAL);
	g_assert_cmpint(umad_get_issm_path("c", 0, path, sizeof(path)), ==, -ENODEV);
	g_assert_cmpint(umad_get_issm_path("b", 1, path, 0), ==, -EINVAL);
	umad_tree_end();
}

static void test_port(void)
{
	umad_port_t port;

	umad_tree_begin();
	umad_tree_add("mlx5_0/1:4,5,IB");
	memset(&port, 0xff, sizeof(port));
	g_assert_cmpint(umad_get_port("mlx5_0", 1, &port), ==, 0);
	g_assert_cmpstr(port.ca_name, ==, "mlx5_0");
	g_assert_cmpint(port.ca_name[UMAD_CA_NAME_LEN - 1], ==, 0);
	g_assert_cmpint(port.portnum, ==, 1);
	g_assert_cmpuint(port.base_lid, ==, 17);
	g_assert_cmpuint(port.lmc, ==, 0);
	g_assert_cmpuint(port.sm_lid, ==, 1);
	g_assert_cmpuint(port.sm_sl, ==, 3);
	g_assert_cmpuint(port.state, ==, 4);
	g_assert_cmpuint(port.phys_state, ==, 5);
	g_assert_cmpuint(port.rate, ==, 2);
	g_assert_cmphex(be32toh(port.capmask), ==, 0x02010000);
	g_assert_cmphex(be64toh(port.gid_prefix), ==, UINT64_C(0xfe80000000000000));
	g_assert_cmphex(be64toh(port.port_guid), ==, 0x101);
	g_assert_cmpuint(port.pkeys_size, ==, 2);
	g_assert_cmphex(port.pkeys[0], ==, 0xffff);
	g_assert_cmphex(port.pkeys[1], ==, 0x8001);
	g_assert_cmpstr(port.link_layer, ==, "InfiniBand");
	g_assert_cmpint(umad_release_port(&port), ==, 0);
	g_assert_null(port.pkeys);
	g_assert_cmpuint(port.pkeys_size, ==, 0);
	g_assert_cmpint(umad_release_port(&port), ==, 0);
	g_assert_cmpint(umad_release_port(NULL), ==, -ENODEV);
	g_assert_cmpint(umad_get_port("mlx5_0", 1, NULL), ==, -EINVAL);

	memset(&port, 0xff, sizeof(port));
	g_assert_cmpint(umad_get_port("mlx5_0", 2, &port), ==, -EIO);
	for (size_t i = 0; i < sizeof(port); i++)
		g_assert_cmphex(((uint8_t *)&port)[i], ==, 0xff);
	umad_tree_end();
}

/*
 * An attribute that is missing or damaged is 0 or empty, and does not affect the rest of port or
 * CA.
 */
static void test_damage(void)
{
	static const char *const files[] = {
		"ports/1/rate", "ports/1/state", "ports/1/phys_state", "ports/1/lid",
		"ports/1/lid_mask_count", "ports/1/sm_lid", "ports/1/sm_sl", "ports/1/cap_mask",
		"ports/1/gids/0", "ports/1/pkeys/0", "ports/1/link_layer", "node_guid",
		"sys_image_guid", "fw_ver", "hw_rev", "hca_type",
	};

	for (size_t i = 0; i < 2 * G_N_ELEMENTS(files); i++) {
		char path[128];
		umad_ca_t ca;

		umad_tree_begin();
		umad_tree_add("mlx5_0/1:4,5,IB mlx5_0/2:4,5,IB");
		g_snprintf(path, sizeof(path), "infiniband/mlx5_0/%s", files[i / 2]);
		umad_tree_remove(path);
		if (i % 2)
			umad_tree_put(path, "::nonsense\n");
		g_assert_cmpint(umad_get_ca("mlx5_0", &ca), ==, 0);
		g_assert_cmpint(ca.numports, ==, 2);
		g_assert_nonnull(ca.ports[1]);
		g_assert_nonnull(ca.ports[2]);
		g_assert_cmphex(be64toh(ca.ports[2]->port_guid), ==, 0x102);
		umad_release_ca(&ca);
		umad_tree_end();
	}
}

static void test_ca(void)
{
	umad_ca_t ca;

	umad_tree_begin();
	umad_tree_add("mlx5_0/1:4,5,IB mlx5_0/2:1,2,IB");
	umad_tree_put("infiniband/mlx5_0/fw_ver", "a very long version of the firmware\n");
	umad_tree_put("infiniband/mlx5_0/ports/README", "not a port\n");
	memset(&ca, 0xff, sizeof(ca));
	g_assert_cmpint(umad_get_ca("mlx5_0", &ca), ==, 0);
	g_assert_cmpstr(ca.ca_name, ==, "mlx5_0");
	g_assert_cmpuint(ca.node_type, ==, 1);
	g_assert_cmpint(ca.numports, ==, 2);
	g_assert_cmpstr(ca.fw_ver, ==, "a very long version");
	g_assert_cmpstr(ca.hw_ver, ==, "a0");
	g_assert_cmpstr(ca.ca_type, ==, "MT4123");
	g_assert_cmphex(be64toh(ca.node_guid), ==, 0x100);
	g_assert_cmphex(be64toh(ca.system_guid), ==, 0x10100);
	g_assert_null(ca.ports[0]);
	g_assert_cmpuint(ca.ports[1]->state, ==, 4);
	g_assert_cmpuint(ca.ports[2]->state, ==, 1);
	for (size_t i = 3; i < UMAD_CA_MAX_PORTS; i++)
		g_assert_null(ca.ports[i]);
	g_assert_cmpint(umad_release_ca(&ca), ==, 0);
	g_assert_null(ca.ports[1]);
	g_assert_cmpint(umad_release_ca(&ca), ==, 0);
	g_assert_cmpint(umad_release_ca(NULL), ==, -ENODEV);
	g_assert_cmpint(umad_get_ca(NULL, NULL), ==, -EINVAL);

	memset(&ca, 0xff, sizeof(ca));
	g_assert_cmpint(umad_get_ca("nosuch", &ca), ==, -ENOENT);
	for (size_t i = 0; i < sizeof(ca); i++)
		g_assert_cmphex(((uint8_t *)&ca)[i], ==, 0xff);
	umad_tree_end();
}

/* More than the fixed arrays hold: they are filled completely, and everything else works. */
static void test_limits(void)
{
	__be64 guids[16];
	umad_port_t port;
	umad_ca_t ca;
	char path[512];
	int fd;

	umad_tree_begin();
	umad_tree_add("big/1:4,5,IB big/2:4,5,IB big/9:4,5,IB big/10:4,5,IB big/12:4,5,IB");
	g_assert_cmpint(umad_get_ca("big", &ca), ==, 0);
	g_assert_cmpint(ca.numports, ==, 9);
	g_assert_nonnull(ca.ports[9]);
	umad_release_ca(&ca);
	g_assert_cmpint(umad_get_port("big", 12, &port), ==, 0);
	umad_release_port(&port);

	memset(guids, 0xff, sizeof(guids));
	g_assert_cmpint(umad_get_ca_portguids("big", guids, 16), ==, 13);
	g_assert_cmphex(be64toh(guids[0]), ==, 0);
	g_assert_cmphex(be64toh(guids[2]), ==, 0x102);
	g_assert_cmphex(be64toh(guids[3]), ==, 0);
	g_assert_cmphex(be64toh(guids[12]), ==, 0x10c);
	g_assert_cmphex(guids[13], ==, UINT64_MAX);
	/* opensm asks with room for 3, whatever the CA has. */
	memset(guids, 0xff, sizeof(guids));
	g_assert_cmpint(umad_get_ca_portguids(NULL, guids, 3), ==, 3);
	g_assert_cmphex(be64toh(guids[2]), ==, 0x102);
	g_assert_cmphex(guids[3], ==, UINT64_MAX);
	g_assert_cmpint(umad_get_ca_portguids("big", guids, 0), ==, 0);
	g_assert_cmpint(umad_get_ca_portguids("big", NULL, 16), ==, 0);
	g_assert_cmpint(umad_get_ca_portguids("nosuch", guids, 16), ==, -ENOENT);

	/* P_Keys with holes: the array is as long as the last index needs, and 0 in the holes. */
	umad_tree_remove("infiniband/big/ports/1/pkeys/1");
	umad_tree_put("infiniband/big/ports/1/pkeys/70", "0x8070\n");
	umad_tree_put("infiniband/big/ports/1/pkeys/99999", "0x1\n");
	g_assert_cmpint(umad_get_port("big", 1, &port), ==, 0);
	g_assert_cmpuint(port.pkeys_size, ==, 71);
	g_assert_cmphex(port.pkeys[1], ==, 0);
	g_assert_cmphex(port.pkeys[70], ==, 0x8070);
	umad_release_port(&port);

	/* umad numbers beyond any array, after holes. */
	umad_tree_add("far/1:4,5,IB");
	g_snprintf(path, sizeof(path), "%s", umad_tree_path("infiniband_mad/umad5"));
	g_assert_cmpint(rename(path, umad_tree_path("infiniband_mad/umad4711")), ==, 0);
	g_snprintf(path, sizeof(path), "%s", umad_tree_path("dev/umad5"));
	g_assert_cmpint(rename(path, umad_tree_path("dev/umad4711")), ==, 0);
	umad_tree_remove("infiniband_mad/umad2");
	fd = umad_open_port("far", 1);
	g_assert_cmpint(fd, >=, 0);
	g_assert_cmpint(device_of(fd), ==, 4711);
	g_assert_cmpint(umad_close_port(fd), ==, 0);
	g_assert_cmpint(umad_open_port("big", 9), ==, -EINVAL);	/* its device was umad2 */
	umad_tree_end();
}

/* More than any array of the usual library holds: 128 devices, 192 ports. */
static void test_many(void)
{
	enum { COUNT = 200 };
	static char names[COUNT + 1][UMAD_CA_NAME_LEN];
	static struct umad_ca_pair pairs[COUNT + 1];
	struct umad_device_node *list, *node;
	unsigned int count = 0;
	int fd;

	umad_tree_begin();
	for (int i = 0; i < COUNT; i++) {
		g_autofree char *ports = g_strdup_printf("d%03d/1:4,5,IB", i);

		umad_tree_add(ports);
	}
	g_assert_cmpint(umad_get_cas_names(names, COUNT + 1), ==, COUNT);
	g_assert_cmpstr(names[COUNT - 1], ==, "d199");
	list = umad_get_ca_device_list();
	for (node = list; node; node = node->next)
		count++;
	umad_free_ca_device_list(list);
	g_assert_cmpuint(count, ==, COUNT);
	g_assert_cmpint(umad_get_smi_gsi_pairs(pairs, COUNT + 1), ==, COUNT);
	g_assert_cmpstr(pairs[COUNT - 1].gsi_name, ==, "d199");
	fd = umad_open_port("d199", 1);
	g_assert_cmpint(device_of(fd), ==, 199);
	g_assert_cmpint(umad_close_port(fd), ==, 0);
	umad_tree_end();
}

/* A port's device is first looked up where it was before, and found where it is now. */
static void test_device_moves(void)
{
	int fd;

	umad_tree_begin();
	umad_tree_add("a/1:4,5,IB b/1:4,5,IB");
	for (int i = 0; i < 3; i++) {
		fd = umad_open_port("b", 1);
		g_assert_cmpint(device_of(fd), ==, i < 2);
		g_assert_cmpint(umad_close_port(fd), ==, 0);
		if (i == 1) {
			umad_tree_put("infiniband_mad/umad0/ibdev", "b\n");
			umad_tree_put("infiniband_mad/umad1/ibdev", "a\n");
		}
	}
	umad_tree_remove("infiniband_mad/umad0");
	g_assert_cmpint(umad_open_port("b", 1), ==, -EINVAL);
	umad_tree_end();
}

/* A device that cannot be opened is -EIO, and errno has the reason. */
static void test_open_fails(void)
{
	umad_tree_begin();
	umad_tree_add("mlx5_0/1:4,5,IB");
	umad_tree_remove("dev/umad0");
	g_assert_cmpint(umad_open_port("mlx5_0", 1), ==, -EIO);
	g_assert_cmpint(errno, ==, ENOENT);
	umad_tree_end();
}

/*
 * With headers of 56 bytes on the file the program still sees 64. The FIFO gives back what was sent
 * to it, so a MAD that goes out and comes in unchanged was converted twice; what is in the FIFO in
 * between shows how.
 */
static void test_old_header(void)
{
	union {
		struct ib_user_mad umad;
		uint8_t bytes[64 + 256];
	} buf, sent, raw;
	int fd, length = 256;

	umad_tree_begin();
	umad_tree_add("mlx5_0/1:4,5,IB");
	fd = umad_open_port("mlx5_0", 1);
	g_assert_cmpint(fd, >=, 0);
	g_assert_cmpuint(umad_size(), ==, 64);
	memset(&buf, 0, sizeof(buf));
	umad_set_addr(&buf, 0x1234, 1, 3, 0x1b);
	umad_set_pkey(&buf, 7);
	buf.umad.addr.flow_label = htobe32(0xabcde);
	buf.umad.length = 56 + 256;
	for (size_t i = 0; i < 256; i++)
		buf.bytes[64 + i] = (uint8_t)i;
	g_assert_cmpint(umad_send(fd, 5, &buf, 256, 100, 2), ==, 0);
	sent = buf;
	g_assert_cmpuint(buf.umad.addr.pkey_index, ==, 7);

	g_assert_cmpint(read(fd, &raw, sizeof(raw)), ==, 56 + 256);
	g_assert_cmpmem(raw.bytes, 56, sent.bytes, 56);
	g_assert_cmpmem(raw.bytes + 56, 256, sent.bytes + 64, 256);
	g_assert_cmpint(write(fd, &raw, 56 + 256), ==, 56 + 256);

	memset(&buf, 0xff, sizeof(buf));
	g_assert_cmpint(umad_recv(fd, &buf, &length, 1000), ==, 5);
	g_assert_cmpint(length, ==, 256);
	g_assert_cmpuint(buf.umad.length, ==, 64 + 256);
	g_assert_cmpuint(umad_get_pkey(&buf), ==, 0);
	sent.umad.addr.pkey_index = 0;
	sent.umad.length = 64 + 256;
	g_assert_cmpmem(&buf, sizeof(buf), &sent, sizeof(sent));

	/* On failure nothing is changed. */
	length = 256;
	g_assert_cmpint(umad_recv(fd, &buf, &length, 0), ==, -EWOULDBLOCK);
	g_assert_cmpint(length, ==, 256);
	g_assert_cmpmem(&buf, sizeof(buf), &sent, sizeof(sent));
	g_assert_cmpint(umad_close_port(fd), ==, 0);
	umad_tree_end();
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/umad-device/abi", test_abi);
	g_test_add_func("/umad-device/nothing", test_nothing);
	g_test_add_func("/umad-device/names", test_names);
	g_test_add_func("/umad-device/sort", test_sort);
	for (size_t i = 0; i < G_N_ELEMENTS(choice_rows); i++) {
		char name[160];

		g_snprintf(name, sizeof(name), "/umad-device/choice/%zu", i);
		g_test_add_data_func(name, &choice_rows[i], test_choice);
	}
	g_test_add_func("/umad-device/choice-of-others", test_choice_of_others);
	g_test_add_func("/umad-device/port", test_port);
	g_test_add_func("/umad-device/ca", test_ca);
	g_test_add_func("/umad-device/damage", test_damage);
	g_test_add_func("/umad-device/limits", test_limits);
	g_test_add_func("/umad-device/many", test_many);
	g_test_add_func("/umad-device/device-moves", test_device_moves);
	g_test_add_func("/umad-device/open-fails", test_open_fails);
	g_test_add_func("/umad-device/old-header", test_old_header);
	return leak_end(g_test_run());
}
