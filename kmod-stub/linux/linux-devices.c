/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Devices, clients and attributes: see linux-devices.h and linux-verbs.h.
 */
#include "kmod-stub/linux/linux-devices.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kmod-stub/linux/linux-attributes.h"
#include "kmod-stub/linux/linux-port.h"
#include "kmod-stub/linux/linux-text.h"
#include "kmod-stub/linux/linux-verbs.h"

static struct nsproxy nsproxy;
static struct task_struct task = { "umadrig", &nsproxy };
struct task_struct *const linux_task = &task;

/* ---- devices ---- */

void device_initialize(struct device *device)
{
	refcount_set(&device->references, 1);
}

struct device *get_device(struct device *device)
{
	refcount_inc(&device->references);
	return device;
}

void put_device(struct device *device)
{
	if (refcount_dec_and_test(&device->references) && device->release)
		device->release(device);
}

int dev_set_name(struct device *device, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(device->name, sizeof(device->name), format, args);
	va_end(args);
	return 0;
}

char *kasprintf(gfp_t flags, const char *format, ...)
{
	va_list args;
	char *text;
	int length;

	va_start(args, format);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	text = kmalloc((size_t)length + 1, flags);
	if (!text)
		return NULL;
	va_start(args, format);
	vsnprintf(text, (size_t)length + 1, format, args);
	va_end(args);
	return text;
}

/* ---- their files ---- */

int cdev_device_add(struct cdev *cdev, struct device *device)
{
	cdev->device = get_device(device);
	list_add_tail(&cdev->entry, &linux_device_port(device)->cdevs);
	return 0;
}

void cdev_device_del(struct cdev *cdev, struct device *device)
{
	list_del(&cdev->entry);
	cdev->device = NULL;
	put_device(device);
}

/* ---- attributes ---- */

static struct class *the_class;

int class_register(struct class *class)
{
	the_class = class;
	return 0;
}

void class_unregister(struct class *class)
{
	if (the_class == class)
		the_class = NULL;
}

static struct attribute *find(const struct attribute_group **groups, const char *name)
{
	for (; groups && *groups; groups++)
		for (struct attribute **at = (*groups)->attrs; *at; at++)
			if (strcmp((*at)->name, name) == 0)
				return *at;
	return NULL;
}

typedef ssize_t (*device_show)(struct device *device, struct device_attribute *attr, char *buf);
typedef ssize_t (*class_show)(struct class *class, struct class_attribute *attr, char *buf);

static ssize_t show_class(const char *name, char *page)
{
	struct attribute *attr = the_class ? find(the_class->class_groups, name) : NULL;
	struct class_attribute *its;

	if (!attr)
		return -ENOENT;
	its = container_of(attr, struct class_attribute, attr);
	return ((class_show)its->show)(the_class, its, page);
}

static ssize_t show_device(struct device *device, const char *name, char *page)
{
	struct attribute *attr = device->class ? find(device->class->dev_groups, name) : NULL;
	struct device_attribute *its;

	if (!attr)
		return -ENOENT;
	its = container_of(attr, struct device_attribute, attr);
	return ((device_show)its->show)(device, its, page);
}

/* "umad/ibdev" of the port's devices. */
static ssize_t show_path(const struct kmod_port *port, const char *path, char *page)
{
	size_t size = strcspn(path, "/");
	char kind[8] = "";
	struct cdev *cdev;

	if (size == 0 || size >= sizeof(kind) || !path[size])
		return -ENOENT;
	memcpy(kind, path, size);
	cdev = linux_port_cdev(port, kind);
	return cdev ? show_device(cdev->device, path + size + 1, page) : -ENOENT;
}

long linux_attribute(const struct kmod_port *port, const char *name, char *buf, size_t size)
{
	struct linux_entry entry = linux_enter(port ? port->host : NULL);
	char page[LINUX_PAGE];
	ssize_t length = port ? show_path(port, name, page) : show_class(name, page);

	linux_leave(entry);
	if (length < 0)
		return length;
	snprintf(buf, size, "%.*s", (int)length, page);
	return (size_t)length < size ? length : (long)size - 1;
}

/* ---- clients ---- */

static struct ib_client *clients[LINUX_CLIENTS_MAX];

int ib_register_client(struct ib_client *client)
{
	for (unsigned int i = 0; i < LINUX_CLIENTS_MAX; i++) {
		if (clients[i])
			continue;
		clients[i] = client;
		return 0;
	}
	return -ENOMEM;
}

void ib_unregister_client(struct ib_client *client)
{
	for (unsigned int i = 0; i < LINUX_CLIENTS_MAX; i++)
		if (clients[i] == client)
			clients[i] = NULL;
}

void ib_set_client_data(struct ib_device *device, struct ib_client *client, void *data)
{
	for (unsigned int i = 0; i < LINUX_CLIENTS_MAX; i++)
		if (clients[i] == client)
			device->client_data[i] = data;
}

void linux_clients_add(struct ib_device *device)
{
	for (unsigned int i = 0; i < LINUX_CLIENTS_MAX; i++) {
		const struct ib_client *client = clients[i];

		if (client)
			device->client_added[i] = !client->add || client->add(device) == 0;
	}
}

void linux_clients_remove(struct ib_device *device)
{
	for (unsigned int i = LINUX_CLIENTS_MAX; i-- > 0;) {
		const struct ib_client *client = clients[i];

		if (client && client->remove && device->client_added[i])
			client->remove(device, device->client_data[i]);
	}
}

/* ---- protection domains and completion queues ---- */

struct ib_pd *linux_pd_new(struct ib_device *device, struct linux_place place)
{
	struct ib_pd *pd = linux_alloc(sizeof(*pd), true, GFP_KERNEL, "a PD", place);

	if (!pd)
		return ERR_PTR(-ENOMEM);
	pd->device = device;
	return pd;
}

struct ib_cq *linux_cq_new(struct ib_device *device, void *context, struct linux_place place)
{
	struct ib_cq *cq = linux_alloc(sizeof(*cq), true, GFP_KERNEL, "a CQ", place);

	if (!cq)
		return ERR_PTR(-ENOMEM);
	cq->device = device;
	cq->cq_context = context;
	return cq;
}

static bool is_idle(const void *cq)
{
	return !linux_processors_run(cq, NULL);
}

/* Its completions are over. */
void linux_cq_free(struct ib_cq *cq, const char *file, int line)
{
	linux_may_sleep("ib_free_cq", file, line);
	if (linux_processors_on && !linux_processors_wait(is_idle, cq))
		linux_stop("%s:%d: ib_free_cq() would wait for ever", linux_short_name(file), line);
	linux_free(cq, file, line);
}
