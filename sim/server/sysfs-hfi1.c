/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What hfi1 has besides, as files: see sim/server/sysfs-hfi1.h. */
#include "config.h"

#include "sim/server/sysfs-hfi1.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "sim/fabric/node.h"

enum {
	SERVICE_CHANNELS = 32, SERVICE_LEVELS = 32, VIRTUAL_LANES = 16,
	DATA_VLS = 8, MANAGEMENT_VL = 15,
	MAD_MTU = 2048,			/* of VL 15: MAX_MAD_PACKET */
	SETTING_SIZE = 4 + 2 + 32 * 6,	/* of opa_congestion_setting_attr_shadow */
	TABLE_SIZE = 2,			/* the limit alone: no table is set */
	CONTEXTS = 160,			/* that receive */
	NAME_SIZE = 24,
};

/*
 * How a counter's name goes on: each virtual lane has one, or 32 bits are behind it, as the driver
 * writes them.
 */
enum { OF_VLS = 1, BITS_32 = 2 };

static const struct {
	const char *name;
	unsigned int kind;
	const char *source;		/* the port's counter that it is; NULL: none */
} counters[] = {
	{ "TxUnVLErr", BITS_32, NULL },
	{ "TxInvalLen", BITS_32, NULL },
	{ "TxMMLenErr", BITS_32, NULL },
	{ "TxUnderrun", BITS_32, NULL },
	{ "TxFlowStall", BITS_32, NULL },
	{ "TxDropped", BITS_32, NULL },
	{ "TxHdrErr", BITS_32, NULL },
	{ "TxPkt", 0, "port_xmit_packets" },
	{ "TxWords", 0, "port_xmit_data" },
	{ "TxWait", 0, "port_xmit_wait" },
	{ "TxFlitVL", OF_VLS, NULL },
	{ "TxPktVL", OF_VLS, NULL },
	{ "TxWaitVL", OF_VLS, NULL },
	{ "RxPkt", 0, "port_rcv_packets" },
	{ "RxWords", 0, "port_rcv_data" },
	{ "SwLinkDown", BITS_32, "link_downed" },
	{ "SwLinkUp", BITS_32, NULL },
	{ "UnknownFrame", 0, NULL },
	{ "XmitDscd", BITS_32, "port_xmit_discards" },
	{ "XmitDscdVl", OF_VLS | BITS_32, NULL },
	{ "XmitCstrErr", 0, "port_xmit_constraint_errors" },
	{ "RcvCstrErr", 0, "port_rcv_constraint_errors" },
	{ "LoopPkts", 0, NULL },
	{ "RcResend", 0, NULL },
	{ "RnrNak", 0, NULL },
	{ "OtherNak", 0, NULL },
	{ "RcTimeOut", 0, NULL },
	{ "PktDrop", 0, NULL },
	{ "DmaWait", 0, NULL },
	{ "RcSeqNak", 0, NULL },
	{ "RcDupRew", 0, NULL },	/* so in the driver */
	{ "RdmaSeq", 0, NULL },
	{ "Unaligned", 0, NULL },
	{ "SeqNak", 0, NULL },
	{ "RcCrWait", 0, NULL },
	{ "RcAcks", 0, NULL },
	{ "RcQacks", 0, NULL },
	{ "RcDelayComp", 0, NULL },
};

bool sysfs_is_hfi1(const struct node *node)
{
	return node->device_name && g_str_has_prefix(node->device_name, "hfi1_");
}

/* ---- directories ---- */

/* One file for each number from 0 on. */
static void put_numbers(struct sysfs_tree *tree, const char *port, const char *directory,
			unsigned int count,
			unsigned int (*value)(unsigned int at, unsigned int mtu), unsigned int mtu)
{
	g_autofree char *path = g_build_filename(port, directory, NULL);
	char name[NAME_SIZE];

	for (unsigned int i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "%u", i);
		sysfs_tree_put(tree, path, name, "%u\n", value(i, mtu));
	}
}

/* As the driver begins: those of data VLs and of VL 15 lead there, the others to VL 0. */
static unsigned int vl_of(unsigned int sc, unsigned int mtu)
{
	(void)mtu;
	return sc < DATA_VLS || sc == MANAGEMENT_VL ? sc : 0;
}

/* Likewise: only a fabric manager of Omni-Path says otherwise. */
static unsigned int sc_of(unsigned int sl, unsigned int mtu)
{
	(void)mtu;
	return sl;
}

static unsigned int mtu_of(unsigned int vl, unsigned int mtu)
{
	return vl < DATA_VLS ? mtu : vl == MANAGEMENT_VL ? MAD_MTU : 0;
}

/* Congestion control is never on. */
static void put_congestion(struct sysfs_tree *tree, const char *port)
{
	static const uint8_t none[SETTING_SIZE];
	g_autofree char *path = g_build_filename(port, "CCMgtA", NULL);

	sysfs_tree_put(tree, path, "cc_prescan", "off\n");
	sysfs_tree_put_bytes(tree, path, "cc_setting_bin", none, SETTING_SIZE);
	sysfs_tree_put_bytes(tree, path, "cc_table_bin", none, TABLE_SIZE);
}

void sysfs_hfi1_put_port(struct sysfs_tree *tree, const char *path)
{
	put_congestion(tree, path);
	put_numbers(tree, path, "sc2vl", SERVICE_CHANNELS, vl_of, 0);
	put_numbers(tree, path, "sl2sc", SERVICE_LEVELS, sc_of, 0);
}

void sysfs_hfi1_put_mtu(struct sysfs_tree *tree, const char *path, unsigned int mtu_code)
{
	put_numbers(tree, path, "vl2mtu", VIRTUAL_LANES, mtu_of, 128U << mtu_code);
}

/* ---- counters ---- */

static void put_counter(struct sysfs_tree *tree, const char *path, unsigned int at, int vl,
			uint64_t value)
{
	g_autofree char *lane = vl >= 0 ? g_strdup_printf("%d", vl) : g_strdup("");
	g_autofree char *name = g_strconcat(counters[at].name, lane,
					    counters[at].kind & BITS_32 ? ",32" : "", NULL);

	sysfs_tree_put(tree, path, name, "%" G_GUINT64_FORMAT "\n", value);
}

/* Where the port's counter of that name is among its values. */
static unsigned int source_of(const char *file)
{
	unsigned int i = 0;

	while (strcmp(sysfs_counter_file(i), file) != 0)
		i++;
	return i;
}

static void put_others(struct sysfs_tree *tree, const char *path)
{
	char name[NAME_SIZE];

	for (unsigned int i = 0; i < G_N_ELEMENTS(counters); i++) {
		if (counters[i].source)
			continue;
		if (!(counters[i].kind & OF_VLS))
			put_counter(tree, path, i, -1, 0);
		for (int vl = 0; counters[i].kind & OF_VLS && vl <= DATA_VLS; vl++)
			put_counter(tree, path, i, vl == DATA_VLS ? MANAGEMENT_VL : vl, 0);
	}
	for (unsigned int i = 0; i < CONTEXTS; i++) {
		snprintf(name, sizeof(name), "RcvHdrOvr%u", i);
		sysfs_tree_put(tree, path, name, "0\n");
	}
}

void sysfs_hfi1_put_counters(struct sysfs_tree *tree, const char *path, const uint64_t *values,
			     const uint64_t *were, bool all)
{
	g_autofree char *directory = g_build_filename(path, "hw_counters", NULL);

	if (all)
		put_others(tree, directory);
	for (unsigned int i = 0; i < G_N_ELEMENTS(counters); i++) {
		unsigned int from = counters[i].source ? source_of(counters[i].source) : 0;

		if (counters[i].source && (all || values[from] != were[from]))
			put_counter(tree, directory, i, -1, values[from]);
	}
}
