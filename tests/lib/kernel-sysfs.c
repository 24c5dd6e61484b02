/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "tests/lib/kernel-sysfs.h"

#include <glib.h>
#include <stdarg.h>

#include "tests/rig/umad-tree.h"

static void put(const char *dir, const char *file, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
static void put(const char *dir, const char *file, const char *format, ...)
{
	g_autofree char *path = g_strdup_printf("%s/%s", dir, file);
	g_autofree char *value = NULL;
	va_list args;

	va_start(args, format);
	value = g_strdup_vprintf(format, args);
	va_end(args);
	umad_tree_put(path, "%s\n", value);
}

static char *groups(uint64_t value)
{
	return g_strdup_printf("%04x:%04x:%04x:%04x", (unsigned int)(value >> 48),
			       (unsigned int)(value >> 32 & 0xffff),
			       (unsigned int)(value >> 16 & 0xffff),
			       (unsigned int)(value & 0xffff));
}

void kernel_sysfs_put_port(const struct umad_backend *sim, const char *top, const char *ca_name,
			   unsigned int portnum, unsigned int number)
{
	g_autofree char *dir = g_strdup_printf("%s/infiniband/%s/ports/%u", top, ca_name, portnum);
	g_autofree char *mad = g_strdup_printf("%s/infiniband_mad/umad%u", top, number);
	g_autofree char *prefix = NULL, *guid = NULL;
	const struct port_attr_field *field;
	struct umad_backend_port port;
	char text[2 * PORT_ATTR_TEXT_SIZE];

	g_assert_cmpint(sim->get_port(ca_name, portnum, UMAD_BACKEND_PORT_STATE |
				      UMAD_BACKEND_PORT_PKEYS, &port), ==, 0);
	prefix = groups(port.attr.gid_prefix);
	guid = groups(port.attr.port_guid);
	for (size_t i = 0; (field = port_attr_field_at(i)); i++) {
		port_attr_print(&port.attr, field, text, sizeof(text));
		put(dir, field->file, "%s", text);
	}
	put(dir, "gids/0", "%s:%s", prefix, guid);
	for (size_t i = 0; i < port.pkey_count; i++) {
		g_autofree char *file = g_strdup_printf("pkeys/%zu", i);

		put(dir, file, "0x%04x", port.pkeys[i]);
	}
	put(mad, "ibdev", "%s", ca_name);
	put(mad, "port", "%u", portnum);
	umad_backend_port_release(&port);
}

void kernel_sysfs_put_ca(const char *top, const struct umad_backend_ca *ca)
{
	g_autofree char *dir = g_strdup_printf("%s/infiniband/%s", top, ca->name);
	g_autofree char *guid = groups(ca->node_guid), *image = groups(ca->sys_image_guid);

	put(dir, "node_type", "%u: X", ca->node_type);
	put(dir, "node_guid", "%s", guid);
	put(dir, "sys_image_guid", "%s", image);
	put(dir, "fw_ver", "%s", ca->fw_ver);
	put(dir, "hw_rev", "%s", ca->hw_rev);
	if (ca->hca_type[0])
		put(dir, "hca_type", "%s", ca->hca_type);
}
