/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The files of a host's devices: see sim/server/sysfs-view.h. Their contents are the kernel's, to
 * the byte.
 *
 * When anything of a node has changed (node_changed()), its view compares the present values with
 * those in the files, and writes the files that differ.
 */
#include "config.h"

#include "sim/server/sysfs-view.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/fabric/end-port.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/host/device.h"
#include "sim/host/issm-path.h"
#include "sim/server/sysfs-counters.h"
#include "sim/server/sysfs-hw-counters.h"
#include "sim/server/sysfs-journal.h"
#include "sim/system/private-directory.h"

enum {
	UMAD_MAJOR = 231, ISSM_MINOR = 64,	/* Linux: issmN has the minor number 64 + N */
	UMAD_ABI = 5,
};

struct port_view {
	struct end_port *end;
	char *path;			/* .../ports/1 */
	struct port_attr attr;		/* as its files say */
	GByteArray *tables;		/* GIDs and P_Keys */
	uint64_t counters[SYSFS_COUNTERS];
	uint32_t rx_writes;		/* the one of hw_counters that moves */
};

/* The values of a device that may change. Compared as bytes, too. */
struct device_values {
	uint64_t node_guid, sys_image_guid;
	char description[64 + 1];
};

struct device_view {
	struct node *node;
	char *path;			/* .../infiniband/H1 */
	bool is_there;			/* it has not been pulled out */
	uint64_t seen;			/* node->changed of what is shown */
	struct device_values values;
};

struct sysfs_view {
	bool is_kept;			/* set by sysfs_view_keep() */
	struct umadrig_host *host;
	char *directory;
	char *classes;
	GArray *devices;		/* of struct device_view */
	GArray *ports;			/* of struct port_view: N of umadN and issmN */
	unsigned int written;		/* files written since it was made */
	int err;			/* of the first file that could not be written */
	struct sysfs_journal journal;
};

/* ---- files ---- */

static void failed(struct sysfs_view *view, const char *path)
{
	if (view->err)
		return;
	view->err = errno ? errno : EIO;
	fprintf(stderr, "umadrig: %s: %s (what --sysfs shows is not right any more)\n", path,
		g_strerror(view->err));
}

/* What happens to a path below the classes is in the journal. */
static void note(struct sysfs_view *view, const char *path, bool is_removed)
{
	sysfs_journal_note(&view->journal, path + strlen(view->classes) + 1, is_removed);
}

static void take_away(struct sysfs_view *view, const char *path)
{
	remove_tree(path);
	note(view, path, true);
}

/*
 * Writes a file beside the tree and renames it, so that it never appears there half written or
 * under another name.
 */
static void put_bytes(struct sysfs_view *view, const char *path, const char *name,
		      const void *bytes, size_t size)
{
	g_autofree char *to = g_build_filename(path, name, NULL);
	g_autofree char *beside = g_build_filename(view->directory, "next", NULL);
	ssize_t written = -1;
	int fd;

	errno = 0;
	fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0444);
	if (fd >= 0) {
		written = write(fd, bytes, size);
		close(fd);
	}
	view->written++;
	if (written != (ssize_t)size || rename(beside, to) < 0)
		failed(view, to);
	else
		note(view, to, false);
}

static void put(struct sysfs_view *view, const char *path, const char *name, const char *format,
		...) G_GNUC_PRINTF(4, 5);

static void put(struct sysfs_view *view, const char *path, const char *name, const char *format,
		...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	put_bytes(view, path, name, text, strlen(text));
}

static char *make_directory(struct sysfs_view *view, const char *path, const char *name)
{
	char *made = g_build_filename(path, name, NULL);

	if (mkdir(made, 0755) < 0 && errno != EEXIST)
		failed(view, made);
	return made;
}

/* ---- ports ---- */

/* Writes the attributes that have changed, or all. */
static void put_attrs(struct sysfs_view *view, struct port_view *at, bool all)
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
			put(view, at->path, field->file, "%s\n", is);
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

static bool tables_changed(const struct port_view *at)
{
	const struct kmod_port_attr *attr = &at->end->attr;
	size_t gids_size = attr->gid_count * sizeof(*attr->gids);
	size_t pkeys_size = attr->pkey_count * sizeof(*attr->pkeys);

	return at->tables->len != gids_size + pkeys_size ||
	       memcmp(at->tables->data, attr->gids, gids_size) != 0 ||
	       memcmp(at->tables->data + gids_size, attr->pkeys, pkeys_size) != 0;
}

static void put_tables(struct sysfs_view *view, const struct port_view *at)
{
	const struct kmod_port_attr *attr = &at->end->attr;
	g_autofree char *gids = make_directory(view, at->path, "gids");
	g_autofree char *pkeys = make_directory(view, at->path, "pkeys");
	char name[24];

	for (size_t i = 0; i < attr->gid_count; i++) {
		const uint8_t *gid = attr->gids[i];

		snprintf(name, sizeof(name), "%zu", i);
		put(view, gids, name, "%04x:%04x:%04x:%04x:%04x:%04x:%04x:%04x\n", get_be16(gid),
		    get_be16(gid + 2), get_be16(gid + 4), get_be16(gid + 6), get_be16(gid + 8),
		    get_be16(gid + 10), get_be16(gid + 12), get_be16(gid + 14));
	}
	for (size_t i = 0; i < attr->pkey_count; i++) {
		snprintf(name, sizeof(name), "%zu", i);
		put(view, pkeys, name, "0x%04x\n", attr->pkeys[i]);
	}
}

static void put_hw_counters(struct sysfs_view *view, struct port_view *at, bool all)
{
	uint32_t rx_writes = sysfs_hw_rx_writes(at->end->port);
	g_autofree char *path = NULL;
	const char *file;

	if (!sysfs_hw_counter_file(at->end, 0) || (rx_writes == at->rx_writes && !all))
		return;
	path = make_directory(view, at->path, "hw_counters");
	for (unsigned int i = 0; all && (file = sysfs_hw_counter_file(at->end, i)); i++)
		put(view, path, file, "0\n");
	if (all)
		put(view, path, "lifespan", SYSFS_HW_LIFESPAN "\n");
	if (rx_writes || !all)
		put(view, path, SYSFS_HW_RX_WRITES, "%" G_GUINT32_FORMAT "\n", rx_writes);
	at->rx_writes = rx_writes;
}

/* Writes the counters that have changed, or all. */
static void put_counters(struct sysfs_view *view, struct port_view *at, bool all)
{
	g_autofree char *path = make_directory(view, at->path, "counters");
	uint64_t values[SYSFS_COUNTERS];

	sysfs_counters_read(at->end->port, values);
	for (unsigned int i = 0; i < SYSFS_COUNTERS; i++) {
		if (values[i] != at->counters[i] || all)
			put(view, path, sysfs_counter_file(i), "%" G_GUINT64_FORMAT "\n",
			    values[i]);
		at->counters[i] = values[i];
	}
	put_hw_counters(view, at, all);
}

unsigned int sysfs_view_refresh_counters(struct sysfs_view *view)
{
	unsigned int before = view->written;

	for (guint i = 0; i < view->ports->len; i++) {
		struct port_view *at = &g_array_index(view->ports, struct port_view, i);

		if (!at->end->port->node->removed)
			put_counters(view, at, false);
	}
	return view->written - before;
}

bool sysfs_view_moves(const struct sysfs_view *view)
{
	for (guint i = 0; i < view->ports->len; i++) {
		const struct port *port =
			g_array_index(view->ports, struct port_view, i).end->port;

		if (!port->node->removed && sysfs_counters_move(port))
			return true;
	}
	return false;
}

static void refresh_port(struct sysfs_view *view, struct port_view *at)
{
	put_attrs(view, at, false);
	if (tables_changed(at)) {
		g_byte_array_unref(at->tables);
		at->tables = port_tables(at->end);
		put_tables(view, at);
	}
}

static char *umad_path(const struct sysfs_view *view, const char *kind, guint number)
{
	return g_strdup_printf("%s/infiniband_mad/%s%u", view->classes, kind, number);
}

/* umadN or issmN. */
static void put_umad(struct sysfs_view *view, const char *kind, guint number, unsigned int minor)
{
	const struct end_port *end = g_array_index(view->ports, struct port_view, number).end;
	g_autofree char *path = umad_path(view, kind, number);

	if (mkdir(path, 0755) < 0)
		failed(view, path);
	put(view, path, "ibdev", "%s\n", end->port->node->device_name);
	put(view, path, "port", "%u\n", end->port->num);
	put(view, path, "dev", "%u:%u\n", UMAD_MAJOR, minor + number);
}

static void show_port(struct sysfs_view *view, guint number)
{
	struct port_view *at = &g_array_index(view->ports, struct port_view, number);

	if (mkdir(at->path, 0755) < 0)
		failed(view, at->path);
	put_umad(view, "umad", number, 0);
	if (!at->end->no_issm)
		put_umad(view, "issm", number, ISSM_MINOR);
	put_attrs(view, at, true);
	g_clear_pointer(&at->tables, g_byte_array_unref);
	at->tables = port_tables(at->end);
	put_tables(view, at);
	put_counters(view, at, true);
}

static void hide_port(struct sysfs_view *view, guint number)
{
	g_autofree char *umad = umad_path(view, "umad", number);
	g_autofree char *issm = umad_path(view, "issm", number);

	take_away(view, umad);
	if (!g_array_index(view->ports, struct port_view, number).end->no_issm)
		take_away(view, issm);
}

/* ---- devices ---- */

static void put_guid(struct sysfs_view *view, const char *path, const char *name, uint64_t guid)
{
	put(view, path, name, "%04x:%04x:%04x:%04x\n", (unsigned int)(guid >> 48),
	    (unsigned int)(guid >> 32 & 0xffff), (unsigned int)(guid >> 16 & 0xffff),
	    (unsigned int)(guid & 0xffff));
}

static struct device_values device_values(const struct node *node)
{
	struct device_values values;

	if (node->planes)
		node = node->planes->hca;
	memset(&values, 0, sizeof(values));
	values.node_guid = node->node_guid;
	values.sys_image_guid = node->sys_image_guid;
	g_strlcpy(values.description, node_description(node), sizeof(values.description));
	return values;
}

static void put_values(struct sysfs_view *view, const struct device_view *device)
{
	put_guid(view, device->path, "node_guid", device->values.node_guid);
	put_guid(view, device->path, "sys_image_guid", device->values.sys_image_guid);
	put(view, device->path, "node_desc", "%s\n", device->values.description);
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
static void put_vpd(struct sysfs_view *view, const char *path)
{
	static const char name[] = "ConnectX-7 bridge to NVLink switches, simulated";
	enum { NAME = 0x82, READ_ONLY = 0x90, END = 0x78, CHECKSUM_SIZE = 4 };
	g_autoptr(GByteArray) vpd = g_byte_array_new(), words = g_byte_array_new();
	g_autoptr(GByteArray) title = g_byte_array_new();
	g_autofree char *device = make_directory(view, path, "device");
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
	put_bytes(view, device, "vpd", vpd->data, vpd->len);
}

static void show_device(struct sysfs_view *view, struct device_view *device)
{
	static const char *const types[] = { "<unknown>", "CA", "switch", "router" };
	struct umad_backend_ca ca;

	if (device_describe(device->node, &ca) < 0)
		return;
	free(ca.port_nums);
	if (mkdir(device->path, 0755) < 0)
		failed(view, device->path);
	g_free(make_directory(view, device->path, "ports"));
	put(view, device->path, "node_type", "%u: %s\n", ca.node_type,
	    ca.node_type < G_N_ELEMENTS(types) ? types[ca.node_type] : types[0]);
	put(view, device->path, "fw_ver", "%s\n", ca.fw_ver);
	put(view, device->path, "hw_rev", "%s\n", ca.hw_rev);
	if (ca.hca_type[0])
		put(view, device->path, "hca_type", "%s\n", ca.hca_type);
	if (device->node->switch_management)
		put_vpd(view, device->path);
	device->values = device_values(device->node);
	put_values(view, device);
}

/*
 * A device that is pulled out disappears with its umad devices; one that is put back appears again.
 */
static void refresh_device(struct sysfs_view *view, struct device_view *device)
{
	struct device_values values = device_values(device->node);

	if (device->is_there && memcmp(&values, &device->values, sizeof(values)) != 0) {
		device->values = values;
		put_values(view, device);
	}
	if (device->is_there != device->node->removed)
		return;
	device->is_there = !device->node->removed;
	if (device->is_there)
		show_device(view, device);
	for (guint i = 0; i < view->ports->len; i++) {
		if (g_array_index(view->ports, struct port_view, i).end->port->node != device->node)
			continue;
		if (device->is_there)
			show_port(view, i);
		else
			hide_port(view, i);
	}
	if (!device->is_there)
		take_away(view, device->path);
}

static void add_device(struct sysfs_view *view, struct node *node)
{
	struct device_view device = {
		.node = node,
		.path = g_build_filename(view->classes, "infiniband", node->device_name, NULL),
	};

	g_array_append_val(view->devices, device);
	for (unsigned int num = 0; num <= node->port_count; num++) {
		struct port_view at = {
			.end = node->ports[num].end,
			.path = g_strdup_printf("%s/ports/%u", device.path, num),
		};

		if (at.end)
			g_array_append_val(view->ports, at);
		else
			g_free(at.path);
	}
}

static void refresh_ports(struct sysfs_view *view, const struct node *node)
{
	for (guint i = 0; i < view->ports->len; i++) {
		struct port_view *at = &g_array_index(view->ports, struct port_view, i);

		if (at->end->port->node == node && !node->removed)
			refresh_port(view, at);
	}
}

unsigned int sysfs_view_refresh(struct sysfs_view *view, bool all)
{
	unsigned int compared = 0;

	for (guint i = 0; i < view->devices->len; i++) {
		struct device_view *device = &g_array_index(view->devices, struct device_view, i);

		if (device->seen == device->node->changed && !all)
			continue;
		/* Looking at an issm path may itself change the node. */
		device->seen = device->node->changed;
		refresh_device(view, device);
		refresh_ports(view, device->node);
		compared++;
	}
	return compared;
}

/* ---- coming and going ---- */

static void clear_port(void *data)
{
	struct port_view *at = data;

	g_free(at->path);
	g_clear_pointer(&at->tables, g_byte_array_unref);
}

static void clear_device(void *data)
{
	g_free(((struct device_view *)data)->path);
}

struct sysfs_view *sysfs_view_new(struct umadrig_host *host, const char *directory)
{
	struct sysfs_view *view;
	g_autofree char *infiniband = NULL, *mad = NULL;

	if (mkdir(directory, 0700) < 0)
		return NULL;
	view = g_new0(struct sysfs_view, 1);
	view->host = host;
	view->directory = g_strdup(directory);
	sysfs_journal_init(&view->journal);
	view->classes = make_directory(view, directory, "class");
	view->devices = g_array_new(false, false, sizeof(struct device_view));
	g_array_set_clear_func(view->devices, clear_device);
	view->ports = g_array_new(false, false, sizeof(struct port_view));
	g_array_set_clear_func(view->ports, clear_port);
	infiniband = make_directory(view, view->classes, "infiniband");
	mad = make_directory(view, view->classes, "infiniband_mad");
	put(view, mad, "abi_version", "%d\n", UMAD_ABI);
	for (guint i = 0; i < host->node_count; i++)
		add_device(view, host->nodes[i]);
	sysfs_view_refresh(view, true);
	if (view->err) {
		int err = view->err;

		sysfs_view_free(view);
		errno = err;
		return NULL;
	}
	return view;
}

void sysfs_view_free(struct sysfs_view *view)
{
	if (!view)
		return;
	remove_tree(view->directory);
	g_array_unref(view->ports);
	g_array_unref(view->devices);
	sysfs_journal_clear(&view->journal);
	g_free(view->classes);
	g_free(view->directory);
	g_free(view);
}

const struct umadrig_host *sysfs_view_host(const struct sysfs_view *view)
{
	return view->host;
}

const char *sysfs_view_path(const struct sysfs_view *view)
{
	return view->classes;
}

void sysfs_view_keep(struct sysfs_view *view)
{
	view->is_kept = true;
}

bool sysfs_view_is_kept(const struct sysfs_view *view)
{
	return view->is_kept;
}

uint64_t sysfs_view_last_change(const struct sysfs_view *view)
{
	return view->journal.last;
}

void sysfs_view_put_changes(const struct sysfs_view *view, uint64_t since, GByteArray *bytes)
{
	sysfs_journal_put(&view->journal, since, view->classes, bytes);
}
