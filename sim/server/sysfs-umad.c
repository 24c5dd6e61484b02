/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadN and issmN in /sys: see sim/server/sysfs-umad.h.
 */
#include "sim/server/sysfs-umad.h"

#include "lib/base/umad-command.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port.h"
#include "sim/host/kernel.h"
#include "sim/kernels/built-kernel.h"
#include "sim/server/sysfs-card.h"
#include "sim/server/sysfs-udev.h"

enum {
	ISSM_MINOR = 64,	/* Linux: issmN has the minor number 64 + N */
};

/* What the kernel of the host says, where it was built of Linux's files, or else 'usual'. */
static void put_kernels(struct sysfs_tree *tree, const struct umadrig_host *host, const char *path,
			struct end_port *end, const char *kind, const char *name, const char *usual)
{
	const struct kmod_kernel *kernel = host->kernel;
	g_autofree char *whole = g_strconcat(kind ? kind : name, kind ? "/" : NULL, name, NULL);
	struct kmod_port *port = end && built_kernel_of(kernel) ? end_port_kmod(end) : NULL;
	char text[256];

	if ((end && !port) ||
	    built_kernel_attribute(kernel, port, whole, text, sizeof(text)) < 0)
		g_snprintf(text, sizeof(text), "%s\n", usual);
	sysfs_tree_put(tree, path, name, "%s", text);
}

/* umadN or issmN. */
static void put_umad(struct sysfs_tree *tree, const struct umadrig_host *host,
		     const struct sysfs_umad *umad, const char *kind, unsigned int minor,
		     int64_t now_ns)
{
	g_autofree char *name = g_strdup_printf("%s%u", kind, umad->number);
	g_autofree char *card = sysfs_card_path(umad->card);
	g_autofree char *path = g_build_filename(card, "infiniband_mad", name, NULL);
	const struct port *port = umad->end->port;
	g_autofree char *num = g_strdup_printf("%u", port->num);

	put_kernels(tree, host, path, umad->end, kind, "ibdev", port->node->device_name);
	put_kernels(tree, host, path, umad->end, kind, "port", num);
	sysfs_tree_put(tree, path, "dev", "%u:%u\n", UMAD_MAJOR, minor + umad->number);
	sysfs_tree_put(tree, path, "uevent", "MAJOR=%u\nMINOR=%u\nDEVNAME=infiniband/%s\n",
		       UMAD_MAJOR, minor + umad->number, name);
	sysfs_tree_link(tree, path, "device", card);
	sysfs_tree_link(tree, path, "subsystem", "class/infiniband_mad");
	sysfs_tree_link(tree, "class/infiniband_mad", name, path);
	if (minor == 0)
		sysfs_udev_put_umad(tree, umad->number, port->node, port->num, now_ns);
	else
		sysfs_udev_put_issm(tree, minor + umad->number);
}

static void take_away_umad(struct sysfs_tree *tree, const struct sysfs_umad *umad,
			   const char *kind, unsigned int minor)
{
	g_autofree char *name = g_strdup_printf("%s%u", kind, umad->number);
	g_autofree char *card = sysfs_card_path(umad->card);
	g_autofree char *link = g_build_filename("class/infiniband_mad", name, NULL);
	g_autofree char *path = g_build_filename(card, "infiniband_mad", name, NULL);

	sysfs_tree_take_away(tree, link);
	sysfs_tree_take_away(tree, path);
	sysfs_udev_take_away(tree, minor + umad->number);
}

void sysfs_umad_put(struct sysfs_tree *tree, const struct umadrig_host *host,
		    const struct sysfs_umad *umad, int64_t now_ns)
{
	put_umad(tree, host, umad, "umad", 0, now_ns);
	if (!umad->end->no_issm)
		put_umad(tree, host, umad, "issm", ISSM_MINOR, now_ns);
}

void sysfs_umad_take_away(struct sysfs_tree *tree, const struct sysfs_umad *umad)
{
	take_away_umad(tree, umad, "umad", 0);
	if (!umad->end->no_issm)
		take_away_umad(tree, umad, "issm", ISSM_MINOR);
}

void sysfs_umad_put_base(struct sysfs_tree *tree, const struct umadrig_host *host)
{
	put_kernels(tree, host, "class/infiniband_mad", NULL, NULL, "abi_version", "5");
}
