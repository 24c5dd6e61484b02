/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Devices, their files and their attributes: what stands for <linux/device.h>, <linux/cdev.h>,
 * <linux/fs.h>, <linux/poll.h> and <linux/sched.h>.
 *
 * A character device belongs to the port that is its parent's; a program opens it through
 * kmod_file_open() and kmod_issm_open(). Attributes are read by struct kernel_file's attribute().
 *
 * Left out: the tree of sysfs, device numbers (any will do), uevents, name spaces, 32-bit programs.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_LINUX_DEVICES_H
#define UMADRIG_KMOD_STUB_LINUX_LINUX_DEVICES_H

#include <sys/epoll.h>

#include "kmod-stub/linux/linux-lists.h"
#include "kmod-stub/linux/linux-locks.h"
#include "kmod-stub/linux/linux-memory.h"
#include "kmod-stub/linux/linux-types.h"

struct poll_table_struct;
struct cdev;

struct inode {
	struct cdev *i_cdev;
};

struct file {
	unsigned int f_flags;
	void *private_data;
};

struct file_operations {
	void *owner;
	loff_t (*llseek)(struct file *file, loff_t to, int whence);
	ssize_t (*read)(struct file *file, char *buf, size_t count, loff_t *pos);
	ssize_t (*write)(struct file *file, const char *buf, size_t count, loff_t *pos);
	__poll_t (*poll)(struct file *file, struct poll_table_struct *table);
	long (*unlocked_ioctl)(struct file *file, unsigned int request, unsigned long arg);
	long (*compat_ioctl)(struct file *file, unsigned int request, unsigned long arg);
	int (*open)(struct inode *inode, struct file *file);
	int (*release)(struct inode *inode, struct file *file);
};

#define no_llseek NULL
#define poll_wait(file, queue, table) do { } while (0)
#define stream_open(inode, file) 0
#define nonseekable_open(inode, file) 0

struct net;

struct nsproxy {
	struct net *net_ns;
};

struct task_struct {
	char comm[16];
	struct nsproxy *nsproxy;
};

extern struct task_struct *const linux_task;
#define current linux_task

struct attribute {
	const char *name;
};

struct attribute_group {
	struct attribute **attrs;
};

/* 'show' has the kernel's type, which differs: const or not. */
struct device_attribute {
	struct attribute attr;
	void (*show)(void);
};

struct class_attribute {
	struct attribute attr;
	void (*show)(void);
	const char *string;
};

#define DEVICE_ATTR_RO(name_) \
	struct device_attribute dev_attr_##name_ = { { #name_ }, (void (*)(void))name_##_show }
#define CLASS_ATTR_RO(name_) \
	struct class_attribute class_attr_##name_ = \
		{ { #name_ }, (void (*)(void))name_##_show, NULL }
#define ATTRIBUTE_GROUPS(name) \
	static const struct attribute_group name##_group = { name##_attrs }; \
	static const struct attribute_group *name##_groups[] = { &name##_group, NULL }

struct class {
	const char *name;
	void *owner;
	const void *devnode;		/* a function: names of files, which nobody asks for */
	const struct attribute_group **class_groups, **dev_groups;
};

int class_register(struct class *class);
void class_unregister(struct class *class);

struct device {
	struct device *parent;
	struct class *class;
	void (*release)(struct device *device);
	void *driver_data;
	dev_t devt;
	refcount_t references;
	char name[64];
};

void device_initialize(struct device *device);
struct device *get_device(struct device *device);
void put_device(struct device *device);
int dev_set_name(struct device *device, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static inline const char *dev_name(const struct device *device)
{
	return device->name;
}

static inline void dev_set_drvdata(struct device *device, void *data)
{
	device->driver_data = data;
}

static inline void *dev_get_drvdata(const struct device *device)
{
	return device->driver_data;
}

struct cdev {
	const struct file_operations *ops;
	void *owner;
	struct device *device;		/* while it is added */
	struct list_head entry;		/* of its port */
};

static inline void cdev_init(struct cdev *cdev, const struct file_operations *ops)
{
	cdev->ops = ops;
	cdev->device = NULL;
}

int cdev_device_add(struct cdev *cdev, struct device *device);
void cdev_device_del(struct cdev *cdev, struct device *device);

#undef MKDEV
#define MKDEV(major, minor) ((dev_t)(major) << 20 | (minor))
#define register_chrdev_region(first, count, name) 0
#define alloc_chrdev_region(first, minor, count, name) ((void)(*(first) = MKDEV(240, minor)), 0)
#define unregister_chrdev_region(first, count) do { } while (0)

char *kasprintf(gfp_t flags, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
