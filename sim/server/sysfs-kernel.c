/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Messages and uevents of a kernel as files: see sim/server/sysfs-kernel.h.
 */
#include "config.h"

#include "sim/server/sysfs-kernel.h"

#include <stdio.h>
#include <string.h>

#include "kmod-stub/kmod.h"
#include "lib/base/kernel-ring.h"
#include "lib/base/sysfs-place.h"
#include "lib/base/wire.h"
#include "sim/server/sysfs-card.h"
#include "sim/server/udev-message.h"

static void put_count(struct sysfs_tree *tree, const char *ring, uint64_t count)
{
	sysfs_tree_put(tree, ring, KERNEL_RING_COUNT, "%" G_GUINT64_FORMAT "\n", count);
}

/* The count comes last: who sees it finds the record. */
static void put_record(struct sysfs_tree *tree, const char *ring, uint64_t *count,
		       const GString *record)
{
	g_autoptr(GString) bytes = g_string_new(NULL);
	char name[24];

	g_string_printf(bytes, "%" G_GUINT64_FORMAT "\n", *count);
	g_string_append_len(bytes, record->str, (gssize)record->len);
	snprintf(name, sizeof(name), "%u", (unsigned int)(*count % KERNEL_RING_SLOTS));
	sysfs_tree_put_bytes(tree, ring, name, bytes->str, MIN(bytes->len, KERNEL_RECORD_MAX));
	put_count(tree, ring, ++*count);
}

void sysfs_kernel_put_base(struct sysfs_tree *tree)
{
	put_count(tree, KERNEL_MESSAGES, 0);
	put_count(tree, KERNEL_EVENTS, 0);
}

/* ---- messages ---- */

static int64_t time_us(const struct sysfs_kernel *kernel, const struct kernel_message *message)
{
	return (kernel->boot_ns + message->at_ns) / NS_PER_US;
}

/* Linux: with what dev_printk() adds for programs that look for a device's messages. */
void sysfs_kernel_print_record(const struct sysfs_kernel *kernel, uint64_t number,
			       const struct kernel_message *message, unsigned int card,
			       GString *record)
{
	g_autofree char *path = sysfs_card_path(card);
	const char *address = strrchr(path, '/') + 1;

	g_string_append_printf(record, "%d,%" G_GUINT64_FORMAT ",%" G_GINT64_FORMAT ",-;"
			       SYSFS_DRIVER " %s: %s\n SUBSYSTEM=pci\n DEVICE=+pci:%s\n",
			       (int)message->level, number, time_us(kernel, message), address,
			       message->text, address);
}

void sysfs_kernel_print_line(const struct sysfs_kernel *kernel,
			     const struct kernel_message *message, unsigned int card,
			     GString *lines)
{
	g_autofree char *path = sysfs_card_path(card);
	int64_t us = time_us(kernel, message);

	g_string_append_printf(lines, "<%d>[%5" G_GINT64_FORMAT ".%06d] " SYSFS_DRIVER " %s: %s\n",
			       (int)message->level, us / G_USEC_PER_SEC,
			       (int)(us % G_USEC_PER_SEC), strrchr(path, '/') + 1, message->text);
}

void sysfs_kernel_put_message(struct sysfs_tree *tree, struct sysfs_kernel *kernel,
			      const struct kernel_message *message, unsigned int card)
{
	g_autoptr(GString) record = g_string_new(NULL);

	sysfs_kernel_print_record(kernel, kernel->messages, message, card, record);
	put_record(tree, KERNEL_MESSAGES, &kernel->messages, record);
}

/* ---- uevents ---- */

void sysfs_kernel_keep_events(struct sysfs_kernel *kernel)
{
	if (!kernel->latest)
		kernel->latest = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
}

GBytes *sysfs_kernel_event(const struct sysfs_kernel *kernel, uint64_t number)
{
	uint64_t first = kernel->events - (kernel->latest ? kernel->latest->len : 0);

	if (number < first || number >= kernel->events)
		return NULL;
	return kernel->latest->pdata[number - first];
}

void sysfs_kernel_clear(struct sysfs_kernel *kernel)
{
	g_clear_pointer(&kernel->latest, g_ptr_array_unref);
}

static void keep(struct sysfs_kernel *kernel, const GString *record)
{
	if (!kernel->latest)
		return;
	if (kernel->latest->len == KERNEL_RING_SLOTS)
		g_ptr_array_remove_index(kernel->latest, 0);
	g_ptr_array_add(kernel->latest, g_bytes_new(record->str, record->len));
}

/* Linux: what has happened to a device. */
enum sysfs_action {
	SYSFS_ADD,
	SYSFS_REMOVE,
	SYSFS_BIND,	/* of a PCI device: a driver has it */
	SYSFS_UNBIND,
};

/* Of a PCI device, whose driver is known from bind to unbind, and its modalias not at unbind. */
static bool is_told(enum sysfs_action action, const char *line)
{
	if (g_str_has_prefix(line, "DRIVER="))
		return action == SYSFS_BIND;
	return action != SYSFS_UNBIND || !g_str_has_prefix(line, "MODALIAS=");
}

/* A text with its terminating zero, as all of an event are. */
static void add(GString *record, const char *name, const char *value)
{
	g_string_append_printf(record, "%s%s", name, value);
	g_string_append_c(record, '\0');
}

static void add_file(GString *record, const struct sysfs_tree *tree, enum sysfs_action action,
		     const char *path)
{
	g_autofree char *file = g_build_filename(tree->root, path, "uevent", NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(file, &text, NULL, NULL))
		return;
	lines = g_strsplit(text, "\n", -1);
	for (unsigned int i = 0; lines[i]; i++)
		if (*lines[i] && is_told(action, lines[i]))
			add(record, "", lines[i]);
}

/* The kernel's message, and what udev says of it now: the next moment its database may differ. */
static void put_messages(struct sysfs_tree *tree, struct sysfs_kernel *kernel,
			 const GString *message)
{
	g_autoptr(GByteArray) udev = udev_message(tree->root, message->str, message->len);
	g_autoptr(GString) record = g_string_new(NULL);

	g_string_set_size(record, KERNEL_EVENT_HEAD);
	put_be32((uint8_t *)record->str, (uint32_t)message->len);
	g_string_append_len(record, message->str, (gssize)message->len);
	g_string_append_len(record, (const char *)udev->data, (gssize)udev->len);
	keep(kernel, record);
	put_record(tree, KERNEL_EVENTS, &kernel->events, record);
}

static void put_event(struct sysfs_tree *tree, struct sysfs_kernel *kernel,
		      enum sysfs_action action, const char *path, const char *subsystem)
{
	static const char *const actions[] = {
		[SYSFS_ADD] = "add", [SYSFS_REMOVE] = "remove",
		[SYSFS_BIND] = "bind", [SYSFS_UNBIND] = "unbind",
	};
	g_autofree char *devpath = g_strconcat("/", path, NULL);
	g_autofree char *number = g_strdup_printf("%" G_GUINT64_FORMAT, kernel->events + 1);
	g_autofree char *head = g_strconcat(actions[action], "@", NULL);
	g_autoptr(GString) message = g_string_new(NULL);

	add(message, head, devpath);
	add(message, "ACTION=", actions[action]);
	add(message, "DEVPATH=", devpath);
	add(message, "SUBSYSTEM=", subsystem);
	add_file(message, tree, action, path);
	add(message, "SEQNUM=", number);
	put_messages(tree, kernel, message);
}

/* Of a character device of the adapter. */
static void put_node(struct sysfs_tree *tree, struct sysfs_kernel *kernel,
		     const struct sysfs_adapter *adapter, enum sysfs_action action,
		     const char *subsystem, const char *kind, unsigned int number)
{
	g_autofree char *card = sysfs_card_path(adapter->card);
	g_autofree char *path = g_strdup_printf("%s/%s/%s%u", card, subsystem, kind, number);

	put_event(tree, kernel, action, path, subsystem);
}

/* Linux: ib_umad makes umadN and then issmN, and removes them in the other order. */
static void put_ports(struct sysfs_tree *tree, struct sysfs_kernel *kernel,
		      const struct sysfs_adapter *adapter, enum sysfs_action action)
{
	for (unsigned int i = 0; i < adapter->port_count; i++) {
		unsigned int number = adapter->umad + i;

		if (action == SYSFS_REMOVE && adapter->has_issm)
			put_node(tree, kernel, adapter, action, "infiniband_mad", "issm", number);
		put_node(tree, kernel, adapter, action, "infiniband_mad", "umad", number);
		if (action == SYSFS_ADD && adapter->has_issm)
			put_node(tree, kernel, adapter, action, "infiniband_mad", "issm", number);
	}
}

static void put_verbs(struct sysfs_tree *tree, struct sysfs_kernel *kernel,
		      const struct sysfs_adapter *adapter, enum sysfs_action action)
{
	if (adapter->uverbs >= 0)
		put_node(tree, kernel, adapter, action, "infiniband_verbs", "uverbs",
			 (unsigned int)adapter->uverbs);
}

/*
 * Linux: ib_core tells its clients of an adapter in the order in which their modules were loaded,
 * ib_uverbs before ib_umad, and the other way round at its end. The adapter's own event is the last
 * one: all of it is there, or has gone. Nothing tells of ports and their states.
 */
void sysfs_kernel_announce(struct sysfs_tree *tree, struct sysfs_kernel *kernel,
			   const struct sysfs_adapter *adapter, bool is_added)
{
	g_autofree char *card = sysfs_card_path(adapter->card);

	if (is_added) {
		if (adapter->has_card)
			put_event(tree, kernel, SYSFS_ADD, card, "pci");
		put_verbs(tree, kernel, adapter, SYSFS_ADD);
		put_ports(tree, kernel, adapter, SYSFS_ADD);
		put_event(tree, kernel, SYSFS_ADD, adapter->path, "infiniband");
		if (adapter->has_card)
			put_event(tree, kernel, SYSFS_BIND, card, "pci");
		return;
	}
	put_ports(tree, kernel, adapter, SYSFS_REMOVE);
	put_verbs(tree, kernel, adapter, SYSFS_REMOVE);
	put_event(tree, kernel, SYSFS_REMOVE, adapter->path, "infiniband");
	if (adapter->has_card) {
		put_event(tree, kernel, SYSFS_UNBIND, card, "pci");
		put_event(tree, kernel, SYSFS_REMOVE, card, "pci");
	}
}
