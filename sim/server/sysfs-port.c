/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A port in /sys: see sim/server/sysfs-port.h. The contents of its files are the kernel's, to the
 * byte.
 */
#include "sim/server/sysfs-port.h"

#include <stdio.h>
#include <string.h>

#include "sim/fabric/end-port.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/host/device.h"
#include "sim/server/sysfs-hfi1.h"
#include "sim/server/sysfs-hw-counters.h"

/* Writes the attributes that have changed, or all. */
static void put_attrs(struct sysfs_tree *tree, struct sysfs_port *at, bool all)
{
	const struct port_attr_field *field;
	char was[2 * PORT_ATTR_TEXT_SIZE], is[2 * PORT_ATTR_TEXT_SIZE];
	struct port_attr attr;

	device_port_attr(at->end, &attr);
	if (!all && memcmp(&attr, &at->attr, sizeof(attr)) == 0)
		return;
	for (size_t i = 0; (field = port_attr_field_at(i)); i++) {
		port_attr_print(&at->attr, field, was, sizeof(was));
		port_attr_print(&attr, field, is, sizeof(is));
		/* What the kernel does not tell has no file. */
		if (*is && (all || strcmp(was, is) != 0))
			sysfs_tree_put(tree, at->path, field->file, "%s\n", is);
	}
	at->attr = attr;
}

static GByteArray *port_tables(const struct end_port *end)
{
	GByteArray *tables = g_byte_array_new();

	g_byte_array_append(tables, (const guint8 *)end->attr.gids,
			    (guint)(end->attr.gid_count * sizeof(*end->attr.gids)));
	g_byte_array_append(tables, (const guint8 *)end->attr.pkeys,
			    (guint)(end->attr.pkey_count * sizeof(*end->attr.pkeys)));
	return tables;
}

static bool tables_changed(const struct sysfs_port *at)
{
	const struct kmod_port_attr *attr = &at->end->attr;
	size_t gids_size = attr->gid_count * sizeof(*attr->gids);
	size_t pkeys_size = attr->pkey_count * sizeof(*attr->pkeys);

	return at->tables->len != gids_size + pkeys_size ||
	       memcmp(at->tables->data, attr->gids, gids_size) != 0 ||
	       memcmp(at->tables->data + gids_size, attr->pkeys, pkeys_size) != 0;
}

/*
 * What ports other than RoCE's have: one type, and no network device, of which Linux says EINVAL.
 * Here that is an empty file. An entry that is not in use has neither.
 */
static void put_gid_attrs(struct sysfs_tree *tree, const char *port,
			  const struct kmod_port_attr *attr)
{
	static const uint8_t unused[16];
	g_autofree char *types = g_build_filename(port, "gid_attrs", "types", NULL);
	g_autofree char *ndevs = g_build_filename(port, "gid_attrs", "ndevs", NULL);
	char name[24];

	for (unsigned int i = 0; i < attr->gid_count; i++) {
		snprintf(name, sizeof(name), "%u", i);
		sysfs_tree_put(tree, types, name, "%s",
			       memcmp(attr->gids[i], unused, sizeof(unused)) != 0 ?
			       "IB/RoCE v1\n" : "");
	}
	for (unsigned int i = 0; i < attr->gid_count; i++) {
		snprintf(name, sizeof(name), "%u", i);
		sysfs_tree_put(tree, ndevs, name, "%s", "");
	}
}

static void put_gids(struct sysfs_tree *tree, const char *port, const struct kmod_port_attr *attr)
{
	g_autofree char *gids = g_build_filename(port, "gids", NULL);
	char name[24];

	for (unsigned int i = 0; i < attr->gid_count; i++) {
		const uint8_t *gid = attr->gids[i];

		snprintf(name, sizeof(name), "%u", i);
		sysfs_tree_put(tree, gids, name, "%04x:%04x:%04x:%04x:%04x:%04x:%04x:%04x\n",
			       get_be16(gid), get_be16(gid + 2), get_be16(gid + 4),
			       get_be16(gid + 6), get_be16(gid + 8), get_be16(gid + 10),
			       get_be16(gid + 12), get_be16(gid + 14));
	}
}

static void put_tables(struct sysfs_tree *tree, const struct sysfs_port *at)
{
	const struct kmod_port_attr *attr = &at->end->attr;
	g_autofree char *pkeys = g_build_filename(at->path, "pkeys", NULL);
	char name[24];

	put_gids(tree, at->path, attr);
	put_gid_attrs(tree, at->path, attr);
	for (size_t i = 0; i < attr->pkey_count; i++) {
		snprintf(name, sizeof(name), "%zu", i);
		sysfs_tree_put(tree, pkeys, name, "0x%04x\n", attr->pkeys[i]);
	}
}

/*
 * As if somebody read them all the time: as often as Linux then reads them of the device. (In the
 * usual lifespan of three jiffies nobody can tell: they are as late as all counters.)
 */
static bool is_hw_fresh(const struct sysfs_port *at)
{
	const int64_t now_ns = at->end->port->node->fabric->queue.now_ns;

	return at->lifespan_ms > SYSFS_HW_LIFESPAN_MS &&
	       now_ns <= at->hw_read_ns + at->lifespan_ms * NS_PER_MS;
}

static void put_lifespan(struct sysfs_tree *tree, const struct sysfs_port *at)
{
	g_autofree char *path = g_build_filename(at->path, "hw_counters", NULL);

	sysfs_tree_put_writable(tree, path, SYSFS_HW_LIFESPAN, "%u\n", at->lifespan_ms);
}

static void put_hw_counters(struct sysfs_tree *tree, struct sysfs_port *at, bool all)
{
	uint32_t rx_writes = sysfs_hw_rx_writes(at->end->port);
	g_autofree char *path = NULL;
	const char *file;

	if (sysfs_is_hfi1(at->end->port->node)) {
		if (all)
			put_lifespan(tree, at);
		return;
	}
	if (!sysfs_hw_counter_file(at->end, 0) ||
	    ((rx_writes == at->rx_writes || is_hw_fresh(at)) && !all))
		return;
	at->hw_read_ns = at->end->port->node->fabric->queue.now_ns;
	path = g_build_filename(at->path, "hw_counters", NULL);
	for (unsigned int i = 0; all && (file = sysfs_hw_counter_file(at->end, i)); i++)
		sysfs_tree_put(tree, path, file, "0\n");
	if (all)
		put_lifespan(tree, at);
	if (rx_writes || !all)
		sysfs_tree_put(tree, path, SYSFS_HW_RX_WRITES, "%" G_GUINT32_FORMAT "\n",
			       rx_writes);
	at->rx_writes = rx_writes;
}

void sysfs_port_set_lifespan(struct sysfs_tree *tree, struct sysfs_port *at,
			     unsigned int lifespan_ms)
{
	at->lifespan_ms = (lifespan_ms + SYSFS_HW_JIFFY_MS - 1) / SYSFS_HW_JIFFY_MS *
			  SYSFS_HW_JIFFY_MS;
	put_lifespan(tree, at);
}

bool sysfs_port_moves(const struct sysfs_port *at)
{
	const struct port *port = at->end->port;

	return sysfs_counters_move(port) ||
	       (!sysfs_is_hfi1(port->node) && sysfs_hw_counter_file(at->end, 0) &&
		sysfs_hw_rx_writes(port) != at->rx_writes);
}

/* Writes the counters that have changed, or all. */
static void put_counters(struct sysfs_tree *tree, struct sysfs_port *at, bool all)
{
	g_autofree char *path = g_build_filename(at->path, "counters", NULL);
	uint64_t values[SYSFS_COUNTERS];

	sysfs_counters_read(at->end->port, values);
	if (sysfs_is_hfi1(at->end->port->node))
		sysfs_hfi1_put_counters(tree, at->path, values, at->counters, all);
	for (unsigned int i = 0; i < SYSFS_COUNTERS; i++) {
		if (values[i] != at->counters[i] || all)
			sysfs_tree_put(tree, path, sysfs_counter_file(i),
				       "%" G_GUINT64_FORMAT "\n", values[i]);
		at->counters[i] = values[i];
	}
	put_hw_counters(tree, at, all);
}

/* Writes the values of a verbs device, if they have changed or in any case. */
static void put_verbs(struct sysfs_tree *tree, struct sysfs_port *at, bool all)
{
	struct verbs_port values = at->verbs;

	sysfs_verbs_read_port(at->end, &values);
	if (!all && memcmp(&values, &at->verbs, sizeof(values)) == 0)
		return;
	if (sysfs_is_hfi1(at->end->port->node) &&
	    (all || values.mtu_active != at->verbs.mtu_active))
		sysfs_hfi1_put_mtu(tree, at->path, (unsigned int)values.mtu_active);
	at->verbs = values;
	sysfs_verbs_put_port(tree, at->end, &values);
}

/* Which of the tables is another one now? */
static void count_table_changes(struct sysfs_port *at)
{
	const struct kmod_port_attr *attr = &at->end->attr;
	size_t gids_size = attr->gid_count * sizeof(*attr->gids);
	size_t pkeys_size = attr->pkey_count * sizeof(*attr->pkeys);

	at->verbs.gid_changes += at->tables->len < gids_size ||
				 memcmp(at->tables->data, attr->gids, gids_size) != 0;
	at->verbs.pkey_changes += at->tables->len != gids_size + pkeys_size ||
				  memcmp(at->tables->data + gids_size, attr->pkeys,
					 pkeys_size) != 0;
}

void sysfs_port_refresh(struct sysfs_tree *tree, struct sysfs_port *at)
{
	put_attrs(tree, at, false);
	if (tables_changed(at)) {
		count_table_changes(at);
		g_byte_array_unref(at->tables);
		at->tables = port_tables(at->end);
		put_tables(tree, at);
		put_verbs(tree, at, true);
	} else {
		put_verbs(tree, at, false);
	}
}

void sysfs_port_refresh_counters(struct sysfs_tree *tree, struct sysfs_port *at)
{
	put_counters(tree, at, false);
}

void sysfs_port_put(struct sysfs_tree *tree, struct sysfs_port *at)
{
	put_attrs(tree, at, true);
	g_clear_pointer(&at->tables, g_byte_array_unref);
	at->tables = port_tables(at->end);
	put_tables(tree, at);
	if (sysfs_is_hfi1(at->end->port->node))
		sysfs_hfi1_put_port(tree, at->path);
	put_counters(tree, at, true);
	put_verbs(tree, at, true);
}

void sysfs_port_clear(void *data)
{
	struct sysfs_port *at = data;

	g_free(at->path);
	g_clear_pointer(&at->tables, g_byte_array_unref);
}
