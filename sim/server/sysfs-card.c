/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * PCI devices as files: see sim/server/sysfs-card.h.
 */
#include "config.h"

#include "sim/server/sysfs-card.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/sysfs-place.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"

enum {
	VENDOR_INTEL = 0x8086, VENDOR_MELLANOX_PCI = 0x15b3,	/* of PCI; the OUI is another */
	ROOT_PORT_DEVICE = 0x2030,
	CONNECT_IB = 0x1011, CONNECTX_6 = 0x101b, BLUEFIELD = 0xa2d0,
	CLASS_BRIDGE = 0x060400, CLASS_INFINIBAND = 0x020700, CLASS_ETHERNET = 0x020000,
	SLOTS = 32, FUNCTIONS = 8,	/* of a bus */
	RESOURCES = 13,			/* lines of the file: without any memory of its own */
};

/* What identifies one. */
struct pci_device {
	const char *address;
	const char *driver;		/* NULL: none */
	uint16_t vendor, device, subsystem;
	uint32_t class_code;
	uint8_t revision;
};

static void put_le16(uint8_t *at, unsigned int value)
{
	at[0] = (uint8_t)value;
	at[1] = (uint8_t)(value >> 8);
}

/* The first 64 bytes, which everybody may read (PCI 3.0, 6.1; PCI-to-PCI bridges 1.2, 3.2). */
static void put_config(struct sysfs_tree *tree, const char *path, const struct pci_device *pci)
{
	enum { SIZE = 64, COMMAND = 0x406, BUSES = 0x18, SUBSYSTEM = 0x2c };
	bool is_bridge = pci->class_code == CLASS_BRIDGE;
	uint8_t config[SIZE] = { 0 };

	put_le16(config, pci->vendor);
	put_le16(config + 2, pci->device);
	put_le16(config + 4, COMMAND);	/* memory, bus master, no INTx */
	config[8] = pci->revision;
	config[9] = (uint8_t)pci->class_code;
	put_le16(config + 10, pci->class_code >> 8);
	config[14] = is_bridge;
	if (is_bridge) {
		config[BUSES + 1] = SYSFS_CARDS_BUS;
		config[BUSES + 2] = SYSFS_CARDS_BUS;
	} else {
		put_le16(config + SUBSYSTEM, pci->vendor);
		put_le16(config + SUBSYSTEM + 2, pci->subsystem);
	}
	sysfs_tree_put_bytes(tree, path, "config", config, sizeof(config));
}

/* The text by which the kernel finds a driver. */
static char *modalias(const struct pci_device *pci)
{
	return g_strdup_printf("pci:v%08Xd%08Xsv%08Xsd%08Xbc%02Xsc%02Xi%02X", pci->vendor,
			       pci->device, pci->vendor, pci->subsystem, pci->class_code >> 16,
			       pci->class_code >> 8 & 0xff, pci->class_code & 0xff);
}

static void put_uevent(struct sysfs_tree *tree, const char *path, const struct pci_device *pci)
{
	g_autofree char *alias = modalias(pci);

	sysfs_tree_put(tree, path, "uevent", "%s%s%sPCI_CLASS=%X\nPCI_ID=%04X:%04X\n"
		       "PCI_SUBSYS_ID=%04X:%04X\nPCI_SLOT_NAME=%s\nMODALIAS=%s\n",
		       pci->driver ? "DRIVER=" : "", pci->driver ? pci->driver : "",
		       pci->driver ? "\n" : "", pci->class_code, pci->vendor, pci->device,
		       pci->vendor, pci->subsystem, pci->address, alias);
	sysfs_tree_put(tree, path, "modalias", "%s\n", alias);
}

static void put_resource(struct sysfs_tree *tree, const char *path)
{
	g_autoptr(GString) lines = g_string_new(NULL);

	for (unsigned int i = 0; i < RESOURCES; i++)
		g_string_append_printf(lines, "0x%016x 0x%016x 0x%016x\n", 0, 0, 0);
	sysfs_tree_put_bytes(tree, path, "resource", lines->str, lines->len);
}

static void put_pci(struct sysfs_tree *tree, const char *path, const struct pci_device *pci)
{
	static const struct {
		const char *file, *text;
	} same[] = {
		{ "numa_node", "0\n" }, { "local_cpus", "ffffffff\n" },
		{ "local_cpulist", "0-31\n" }, { "irq", "0\n" }, { "enable", "1\n" },
		{ "max_link_speed", "32.0 GT/s PCIe\n" }, { "max_link_width", "16\n" },
		{ "current_link_speed", "32.0 GT/s PCIe\n" }, { "current_link_width", "16\n" },
	};

	sysfs_tree_put(tree, path, "vendor", "0x%04x\n", pci->vendor);
	sysfs_tree_put(tree, path, "device", "0x%04x\n", pci->device);
	sysfs_tree_put(tree, path, "subsystem_vendor", "0x%04x\n", pci->vendor);
	sysfs_tree_put(tree, path, "subsystem_device", "0x%04x\n", pci->subsystem);
	sysfs_tree_put(tree, path, "class", "0x%06x\n", pci->class_code);
	sysfs_tree_put(tree, path, "revision", "0x%02x\n", pci->revision);
	for (size_t i = 0; i < G_N_ELEMENTS(same); i++)
		sysfs_tree_put(tree, path, same[i].file, "%s", same[i].text);
	put_config(tree, path, pci);
	put_resource(tree, path);
	put_uevent(tree, path, pci);
	sysfs_tree_link(tree, path, "subsystem", "bus/pci");
	if (pci->driver) {
		g_autofree char *driver = g_build_filename(SYSFS_PCI_DRIVERS, pci->driver, NULL);

		sysfs_tree_link(tree, path, "driver", driver);
		sysfs_tree_link(tree, driver, pci->address, path);
	}
	sysfs_tree_link(tree, SYSFS_PCI_DEVICES, pci->address, path);
}

/*
 * What an endpoint has besides, as mlx5 sets it up. Linux prints a driver_override that is none as
 * printf() does.
 */
static void put_endpoint(struct sysfs_tree *tree, const char *path)
{
	static const struct {
		const char *file, *text;
	} same[] = {
		{ "ari_enabled", "1\n" }, { "broken_parity_status", "0\n" },
		{ "consistent_dma_mask_bits", "64\n" }, { "d3cold_allowed", "1\n" },
		{ "dma_mask_bits", "64\n" }, { "driver_override", "(null)\n" },
		{ "msi_bus", "1\n" }, { "power_state", "D0\n" },
		{ "reset_method", "flr bus\n" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(same); i++)
		sysfs_tree_put(tree, path, same[i].file, "%s", same[i].text);
}

/* ---- what the kernel has ---- */

static void put_modules(struct sysfs_tree *tree)
{
	static const struct {
		const char *module, *holders[4];	/* who uses it */
	} modules[] = {
		{ "ib_core", { "ib_umad", "ib_uverbs", "mlx5_ib" } },
		{ "ib_umad", { NULL } },
		{ "ib_uverbs", { "mlx5_ib" } },
		{ "mlx5_core", { "mlx5_ib" } },
		{ "mlx5_ib", { NULL } },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(modules); i++) {
		g_autofree char *path = g_build_filename("module", modules[i].module, NULL);
		g_autofree char *holders = g_build_filename(path, "holders", NULL);
		unsigned int count = 0;

		for (; modules[i].holders[count]; count++) {
			const char *name = modules[i].holders[count];
			g_autofree char *holder = g_build_filename("module", name, NULL);

			sysfs_tree_link(tree, holders, name, holder);
		}
		sysfs_tree_put(tree, path, "initstate", "live\n");
		sysfs_tree_put(tree, path, "refcnt", "%u\n", count);
		sysfs_tree_put(tree, path, "taint", "\n");
	}
}

void sysfs_card_put_base(struct sysfs_tree *tree)
{
	static const struct pci_device root_port = {
		.address = SYSFS_ROOT_PORT, .vendor = VENDOR_INTEL, .device = ROOT_PORT_DEVICE,
		.class_code = CLASS_BRIDGE,
	};

	put_modules(tree);
	sysfs_tree_link(tree, SYSFS_PCI_DRIVERS "/" SYSFS_DRIVER, "module", "module/" SYSFS_DRIVER);
	sysfs_tree_link(tree, "module/" SYSFS_DRIVER "/drivers", "pci:" SYSFS_DRIVER,
			SYSFS_PCI_DRIVERS "/" SYSFS_DRIVER);
	put_pci(tree, SYSFS_PCI_BUS "/" SYSFS_ROOT_PORT, &root_port);
}

/* ---- adapters ---- */

/* Each in a slot of its own, as long as there are any. */
static char *card_address(unsigned int number)
{
	return g_strdup_printf("0000:%02x:%02x.%x", SYSFS_CARDS_BUS + number / (SLOTS * FUNCTIONS),
			       number % SLOTS, number / SLOTS % FUNCTIONS);
}

unsigned int sysfs_card_routing_id(unsigned int number)
{
	unsigned int bus = SYSFS_CARDS_BUS + number / (SLOTS * FUNCTIONS);

	return (bus * SLOTS + number % SLOTS) * FUNCTIONS + number / SLOTS % FUNCTIONS;
}

char *sysfs_card_path(unsigned int number)
{
	g_autofree char *address = card_address(number);

	return g_build_filename(SYSFS_PCI_BUS "/" SYSFS_ROOT_PORT, address, NULL);
}

/* A resource of PCI's vital product data (PCI 3.0, appendix I): tag, length, and data. */
static void append_resource(GByteArray *vpd, uint8_t tag, const GByteArray *data)
{
	const uint8_t head[] = { tag, (uint8_t)(data->len & 0xff), (uint8_t)(data->len >> 8) };

	g_byte_array_append(vpd, head, sizeof(head));
	g_byte_array_append(vpd, data->data, data->len);
}

static void append_keyword(GByteArray *data, const char *keyword, const char *text)
{
	uint8_t size = (uint8_t)strlen(text);

	g_byte_array_append(data, (const guint8 *)keyword, 2);
	g_byte_array_append(data, &size, 1);
	g_byte_array_append(data, (const guint8 *)text, size);
}

/* Programs look for SMDL=SW_MNG in it. A checksum ends it: all bytes up to there add up to 0. */
static void put_vpd(struct sysfs_tree *tree, const char *path)
{
	static const char name[] = "ConnectX-7 bridge to NVLink switches, simulated";
	enum { NAME = 0x82, READ_ONLY = 0x90, END = 0x78, CHECKSUM_SIZE = 4 };
	g_autoptr(GByteArray) vpd = g_byte_array_new(), words = g_byte_array_new();
	g_autoptr(GByteArray) title = g_byte_array_new();
	uint8_t end = END, sum = 0, checksum[CHECKSUM_SIZE] = { 'R', 'V', 1, 0 };

	g_byte_array_append(title, (const guint8 *)name, sizeof(name) - 1);
	append_resource(vpd, NAME, title);
	append_keyword(words, "VA", "MLX:MN=MLNX:CSKU=V2:UUID=V3:PCI=V0:MODL=CX7:SMDL=SW_MNG");
	g_byte_array_append(words, checksum, sizeof(checksum));
	append_resource(vpd, READ_ONLY, words);
	for (guint i = 0; i < vpd->len; i++)
		sum = (uint8_t)(sum + vpd->data[i]);
	vpd->data[vpd->len - 1] = (uint8_t)-sum;
	g_byte_array_append(vpd, &end, 1);
	sysfs_tree_put_bytes(tree, path, "vpd", vpd->data, vpd->len);
}

static bool is_ethernet(const struct node *node)
{
	for (unsigned int num = 0; num <= node->port_count; num++)
		if (node->ports[num].end && node->ports[num].end->attr.link_is_ethernet)
			return true;
	return false;
}

uint16_t sysfs_card_device_id(const struct node *node)
{
	uint16_t id = node->device_id;

	/* Those that mlx5 drives: Connect-IB and its successors; BlueField. */
	if ((id >= CONNECT_IB && id < CONNECT_IB + 32) || (id & 0xfff0) == BLUEFIELD)
		return id;
	return CONNECTX_6;
}

void sysfs_card_put(struct sysfs_tree *tree, unsigned int number, const struct node *node)
{
	g_autofree char *address = card_address(number), *path = sysfs_card_path(number);
	const struct pci_device pci = {
		.address = address, .driver = SYSFS_DRIVER,
		.vendor = VENDOR_MELLANOX_PCI, .device = sysfs_card_device_id(node),
		.subsystem = sysfs_card_device_id(node), .revision = (uint8_t)node->revision,
		.class_code = is_ethernet(node) ? CLASS_ETHERNET : CLASS_INFINIBAND,
	};

	put_pci(tree, path, &pci);
	put_endpoint(tree, path);
	if (node->switch_management)
		put_vpd(tree, path);
}

void sysfs_card_take_away(struct sysfs_tree *tree, unsigned int number)
{
	g_autofree char *address = card_address(number), *path = sysfs_card_path(number);
	g_autofree char *device = g_build_filename(SYSFS_PCI_DEVICES, address, NULL);
	g_autofree char *driven = g_build_filename(SYSFS_PCI_DRIVERS "/" SYSFS_DRIVER, address,
						   NULL);

	sysfs_tree_take_away(tree, device);
	sysfs_tree_take_away(tree, driven);
	sysfs_tree_take_away(tree, path);
}
