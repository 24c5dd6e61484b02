/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/rdma-answer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/netlink.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_netlink.h>
#include <rdma/rdma_user_cm.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/filter/verbs-values-read.h"
#include "lib/backend.h"
#include "lib/base/umad-command.h"

enum { DRIVER_ABI = 1, DEVICES_MAX = 1024 };

struct device {
	char name[UMAD_BACKEND_NAME_SIZE];
	struct verbs_device values;
};

/* A message of the program's, and where its answers go. */
struct asked {
	int shown;
	GArray *devices;		/* the host's, of struct device, in the order of indices */
	bool has_listed;		/* a message before it has asked for a list */
	struct nlmsghdr head;
	const uint8_t *bytes;		/* of all of it */
	uint32_t portid;
	rdma_reply_fn *reply;
	void *context;
};

/* ---- messages ---- */

static GByteArray *begin(const struct asked *asked, uint16_t type, uint16_t flags)
{
	const struct nlmsghdr head = {
		.nlmsg_type = type, .nlmsg_flags = flags, .nlmsg_seq = asked->head.nlmsg_seq,
		.nlmsg_pid = asked->portid,
	};
	GByteArray *message = g_byte_array_new();

	return g_byte_array_append(message, (const guint8 *)&head, sizeof(head));
}

static void pad(GByteArray *message)
{
	static const uint8_t zeros[NLA_ALIGNTO];

	if (message->len % NLA_ALIGNTO)
		g_byte_array_append(message, zeros, NLA_ALIGNTO - message->len % NLA_ALIGNTO);
}

static void put(GByteArray *message, uint16_t type, const void *data, size_t size)
{
	const struct nlattr head = {
		.nla_len = (uint16_t)(sizeof(head) + size), .nla_type = type,
	};

	g_byte_array_append(message, (const guint8 *)&head, sizeof(head));
	g_byte_array_append(message, data, (guint)size);
	pad(message);
}

static void put_u8(GByteArray *message, uint16_t type, uint64_t value)
{
	const uint8_t byte = (uint8_t)value;

	put(message, type, &byte, sizeof(byte));
}

static void put_u32(GByteArray *message, uint16_t type, uint64_t value)
{
	const uint32_t word = (uint32_t)value;

	put(message, type, &word, sizeof(word));
}

static void put_u64(GByteArray *message, uint16_t type, uint64_t value)
{
	put(message, type, &value, sizeof(value));
}

static void put_text(GByteArray *message, uint16_t type, const char *text)
{
	put(message, type, text, strlen(text) + 1);
}

/* Sends it. */
static void end(const struct asked *asked, GByteArray *message)
{
	const uint32_t size = message->len;

	memcpy(message->data + offsetof(struct nlmsghdr, nlmsg_len), &size, sizeof(size));
	asked->reply(asked->context, message->data, message->len);
	g_byte_array_unref(message);
}

/* NLMSG_DONE behind a list. */
static void end_list(const struct asked *asked)
{
	const int32_t result = 0;
	GByteArray *message = begin(asked, NLMSG_DONE, NLM_F_MULTI);

	g_byte_array_append(message, (const guint8 *)&result, sizeof(result));
	end(asked, message);
}

/* An error, or with 0 an acknowledgement: each has the header that it is about. */
static void end_with(const struct asked *asked, int err)
{
	const struct nlmsgerr told = { .error = err, .msg = asked->head };
	GByteArray *message = begin(asked, NLMSG_ERROR, 0);

	g_byte_array_append(message, (const guint8 *)&told, sizeof(told));
	end(asked, message);
}

/* ---- attributes of a message ---- */

/* NULL: there is none of at least 'size' bytes. */
static const uint8_t *find(const struct asked *asked, uint16_t type, size_t size, size_t *ret_size)
{
	size_t at = NLMSG_HDRLEN;

	while (at + NLA_HDRLEN <= asked->head.nlmsg_len) {
		struct nlattr attribute;
		size_t length;

		memcpy(&attribute, asked->bytes + at, sizeof(attribute));
		length = attribute.nla_len;
		if (length < NLA_HDRLEN || at + length > asked->head.nlmsg_len)
			return NULL;
		if ((attribute.nla_type & NLA_TYPE_MASK) == type && length - NLA_HDRLEN >= size) {
			*ret_size = length - NLA_HDRLEN;
			return asked->bytes + at + NLA_HDRLEN;
		}
		at += NLA_ALIGN(length);
	}
	return NULL;
}

/* False: it is not there. */
static bool find_u32(const struct asked *asked, uint16_t type, uint32_t *ret)
{
	size_t size;
	const uint8_t *at = find(asked, type, sizeof(*ret), &size);

	if (at)
		memcpy(ret, at, sizeof(*ret));
	return at;
}

static bool has_text(const struct asked *asked, uint16_t type, const char *text)
{
	size_t size;
	const uint8_t *at = find(asked, type, 1, &size);

	return at && size == strlen(text) + 1 && memcmp(at, text, size) == 0;
}

/* ---- devices ---- */

static int compare_devices(const void *a, const void *b)
{
	const struct device *left = a, *right = b;

	return left->values.index < right->values.index ? -1 :
	       left->values.index > right->values.index;
}

static GArray *list_devices(int shown)
{
	GArray *devices = g_array_new(false, false, sizeof(struct device));
	int fd = openat(shown, VERBS_VALUES, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *directory = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	while (directory && devices->len < DEVICES_MAX && (entry = readdir(directory))) {
		struct device device;

		if (entry->d_name[0] == '.' || strlen(entry->d_name) >= sizeof(device.name))
			continue;
		strcpy(device.name, entry->d_name);
		if (verbs_values_read_device(shown, device.name, &device.values) == 0)
			g_array_append_val(devices, device);
	}
	if (directory)
		closedir(directory);
	else if (fd >= 0)
		close(fd);
	g_array_sort(devices, compare_devices);
	return devices;
}

/* False: the message names none that is there. */
static bool find_device(const struct asked *asked, struct device *ret)
{
	const GArray *devices = asked->devices;
	uint32_t index;

	if (!find_u32(asked, RDMA_NLDEV_ATTR_DEV_INDEX, &index))
		return false;
	for (guint i = 0; i < devices->len; i++) {
		const struct device *device = &g_array_index(devices, struct device, i);

		if (device->values.index != index)
			continue;
		*ret = *device;
		return true;
	}
	return false;
}

static void put_handle(GByteArray *message, const struct device *device)
{
	put_u32(message, RDMA_NLDEV_ATTR_DEV_INDEX, device->values.index);
	put_text(message, RDMA_NLDEV_ATTR_DEV_NAME, device->name);
}

static void tell_device(const struct asked *asked, const struct device *device, uint16_t flags)
{
	const struct verbs_device *values = &device->values;
	GByteArray *message = begin(asked, RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET),
				    flags);
	g_autofree char *version = g_strdup_printf(
		"%u.%u.%u", (unsigned int)(values->fw_ver >> 32 & UINT16_MAX),
		(unsigned int)(values->fw_ver >> 16 & UINT16_MAX),
		(unsigned int)(values->fw_ver & UINT16_MAX));

	put_handle(message, device);
	put_u32(message, RDMA_NLDEV_ATTR_PORT_INDEX, values->port_count);
	put_u64(message, RDMA_NLDEV_ATTR_CAP_FLAGS, 0);
	put_text(message, RDMA_NLDEV_ATTR_FW_VERSION, version);
	put_u64(message, RDMA_NLDEV_ATTR_NODE_GUID, values->node_guid);
	put_u64(message, RDMA_NLDEV_ATTR_SYS_IMAGE_GUID, values->sys_image_guid);
	put_u8(message, RDMA_NLDEV_ATTR_DEV_NODE_TYPE, values->node_type);
	put_u8(message, RDMA_NLDEV_ATTR_DEV_DIM, 0);
	put_text(message, RDMA_NLDEV_ATTR_DEV_PROTOCOL, "ib");
	end(asked, message);
}

/* 0 or -errno. */
static int get_device(const struct asked *asked)
{
	struct device device;

	if (!find_device(asked, &device))
		return -EINVAL;
	tell_device(asked, &device, 0);
	return 0;
}

static int list_all(const struct asked *asked)
{
	for (guint i = 0; i < asked->devices->len; i++)
		tell_device(asked, &g_array_index(asked->devices, struct device, i), NLM_F_MULTI);
	end_list(asked);
	return 0;
}

/* ---- ports ---- */

static void tell_port(const struct asked *asked, const struct device *device, unsigned int portnum,
		      const struct verbs_port *port, uint16_t flags)
{
	GByteArray *message = begin(asked, RDMA_NL_GET_TYPE(RDMA_NL_NLDEV,
							    RDMA_NLDEV_CMD_PORT_GET), flags);

	put_handle(message, device);
	put_u32(message, RDMA_NLDEV_ATTR_PORT_INDEX, portnum);
	if (!port->is_ethernet) {
		put_u64(message, RDMA_NLDEV_ATTR_CAP_FLAGS,
			(port->cap_mask & UINT32_MAX) | port->cap_mask2 << 32);
		put_u64(message, RDMA_NLDEV_ATTR_SUBNET_PREFIX, port->gid_prefix);
		put_u32(message, RDMA_NLDEV_ATTR_LID, port->lid);
		put_u32(message, RDMA_NLDEV_ATTR_SM_LID, port->sm_lid);
		put_u8(message, RDMA_NLDEV_ATTR_LMC, port->lmc);
	}
	put_u8(message, RDMA_NLDEV_ATTR_PORT_STATE, port->state);
	put_u8(message, RDMA_NLDEV_ATTR_PORT_PHYS_STATE, port->phys_state);
	end(asked, message);
}

static int get_port(const struct asked *asked)
{
	struct device device;
	struct verbs_port port;
	uint32_t portnum;

	if (!find_device(asked, &device) ||
	    !find_u32(asked, RDMA_NLDEV_ATTR_PORT_INDEX, &portnum) ||
	    verbs_values_read_port(asked->shown, device.name, portnum, &port) < 0)
		return -EINVAL;
	tell_port(asked, &device, portnum, &port, 0);
	return 0;
}

/* Of a device, whose ports are numbered from 1 on, or a switch's port 0. */
static int list_ports(const struct asked *asked)
{
	struct device device;
	struct verbs_port port;

	if (!find_device(asked, &device))
		return -EINVAL;
	for (unsigned int num = 0; num <= MAX(device.values.port_count, 1); num++)
		if (verbs_values_read_port(asked->shown, device.name, num, &port) == 0)
			tell_port(asked, &device, num, &port, NLM_F_MULTI);
	end_list(asked);
	return 0;
}

/* ---- others ---- */

static int get_system(const struct asked *asked)
{
	GByteArray *message = begin(asked, RDMA_NL_GET_TYPE(RDMA_NL_NLDEV,
							    RDMA_NLDEV_CMD_SYS_GET), 0);

	/* All namespaces share the devices; memory that is registered survives fork(2). */
	put_u8(message, RDMA_NLDEV_SYS_ATTR_NETNS_MODE, 1);
	put_u8(message, RDMA_NLDEV_SYS_ATTR_COPY_ON_FORK, 1);
	end(asked, message);
	return 0;
}

/* The number as the kernel writes those of devices in 64 bits. */
static uint64_t device_number(unsigned int major, unsigned int minor)
{
	return (minor & 0xff) | major << 8 | (uint64_t)(minor & ~0xffu) << 12;
}

/* It is of no device. */
static int get_cm(const struct asked *asked)
{
	GByteArray *message = begin(asked, RDMA_NL_GET_TYPE(RDMA_NL_NLDEV,
							    RDMA_NLDEV_CMD_GET_CHARDEV), 0);

	put_u64(message, RDMA_NLDEV_ATTR_CHARDEV, device_number(RDMA_CM_MAJOR, RDMA_CM_MINOR));
	put_u64(message, RDMA_NLDEV_ATTR_CHARDEV_ABI, RDMA_USER_CM_ABI_VERSION);
	put_text(message, RDMA_NLDEV_ATTR_CHARDEV_NAME, "rdma_cm");
	end(asked, message);
	return 0;
}

static int get_chardev(const struct asked *asked)
{
	struct device device;
	GByteArray *message;
	char name[24];

	if (has_text(asked, RDMA_NLDEV_ATTR_CHARDEV_TYPE, "rdma_cm"))
		return get_cm(asked);
	if (!find_device(asked, &device) ||
	    !has_text(asked, RDMA_NLDEV_ATTR_CHARDEV_TYPE, "uverbs"))
		return -EINVAL;
	if (device.values.uverbs == 0)
		return -ENOENT;
	snprintf(name, sizeof(name), "uverbs%u", (unsigned int)device.values.uverbs - 1);
	message = begin(asked, RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET_CHARDEV), 0);
	put_u64(message, RDMA_NLDEV_ATTR_CHARDEV,
		device_number(UMAD_MAJOR, UVERBS_MINOR +
			      (unsigned int)device.values.uverbs - 1));
	put_u64(message, RDMA_NLDEV_ATTR_CHARDEV_ABI, DRIVER_ABI);
	put_text(message, RDMA_NLDEV_ATTR_CHARDEV_NAME, name);
	put_u32(message, RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID, RDMA_DRIVER_MLX5);
	end(asked, message);
	return 0;
}

/* ---- all ---- */

static const struct command {
	uint16_t number;
	int (*get)(const struct asked *asked);
	int (*list)(const struct asked *asked);		/* NULL: there is no list */
} commands[] = {
	{ RDMA_NLDEV_CMD_GET, get_device, list_all },
	{ RDMA_NLDEV_CMD_PORT_GET, get_port, list_ports },
	{ RDMA_NLDEV_CMD_SYS_GET, get_system, NULL },
	{ RDMA_NLDEV_CMD_GET_CHARDEV, get_chardev, NULL },
};

/* What changes something needs a right that no program has here. */
static int refuse(unsigned int number)
{
	static const uint16_t changes[] = {
		RDMA_NLDEV_CMD_SET, RDMA_NLDEV_CMD_NEWLINK, RDMA_NLDEV_CMD_DELLINK,
		RDMA_NLDEV_CMD_SYS_SET, RDMA_NLDEV_CMD_STAT_SET, RDMA_NLDEV_CMD_STAT_DEL,
	};

	for (size_t i = 0; i < G_N_ELEMENTS(changes); i++)
		if (changes[i] == number)
			return -EPERM;
	return number < RDMA_NLDEV_NUM_OPS ? -EOPNOTSUPP : -EINVAL;
}

/* Linux: of each socket one list is made at a time. */
static int list(struct asked *asked, const struct command *command)
{
	if (asked->has_listed)
		return -EBUSY;
	asked->has_listed = true;
	return command->list(asked);
}

static int answer(struct asked *asked)
{
	unsigned int number = RDMA_NL_GET_OP(asked->head.nlmsg_type);

	if (RDMA_NL_GET_CLIENT(asked->head.nlmsg_type) != RDMA_NL_NLDEV)
		return -EINVAL;
	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
		if (commands[i].number != number)
			continue;
		if ((asked->head.nlmsg_flags & NLM_F_DUMP) && commands[i].list)
			return list(asked, &commands[i]);
		return commands[i].get(asked);
	}
	return refuse(number);
}

/* An error is always told, success if the program wants to know; a list has an end of its own. */
static void answer_one(struct asked *asked)
{
	bool is_list = asked->head.nlmsg_flags & NLM_F_DUMP;
	int r;

	if (!(asked->head.nlmsg_flags & NLM_F_REQUEST) ||
	    asked->head.nlmsg_type < NLMSG_MIN_TYPE)
		return;
	r = answer(asked);
	if (r < 0 || ((asked->head.nlmsg_flags & NLM_F_ACK) && !is_list))
		end_with(asked, r);
}

void rdma_answer(int shown, const uint8_t *bytes, size_t size, uint32_t portid,
		 rdma_reply_fn *reply, void *context)
{
	g_autoptr(GArray) devices = list_devices(shown);
	struct asked asked = {
		.shown = shown, .devices = devices, .portid = portid, .reply = reply,
		.context = context,
	};

	while (size >= sizeof(asked.head)) {
		size_t length;

		memcpy(&asked.head, bytes, sizeof(asked.head));
		length = asked.head.nlmsg_len;
		if (length < sizeof(asked.head) || length > size)
			return;
		asked.bytes = bytes;
		answer_one(&asked);
		length = MIN(NLMSG_ALIGN(length), size);
		bytes += length;
		size -= length;
	}
}
