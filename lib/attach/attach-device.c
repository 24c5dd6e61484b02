/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * attach-device.c: the devices and ports that a fabric server has for the calling thread's host.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/attach/call.h"
#include "lib/attach/attach-device.h"
#include "lib/attach/attach-handle.h"
#include "lib/attach/issm-link.h"

int attach_set_port_name(struct attach_port_name *name, const char *ca_name, unsigned int portnum,
			 unsigned int parts)
{
	if (strlen(ca_name) >= sizeof(name->ca_name))
		return -ENAMETOOLONG;
	memset(name, 0, sizeof(*name));
	strcpy(name->ca_name, ca_name);
	name->portnum = portnum;
	name->parts = parts;
	return 0;
}

/*
 * Calls 'op' for a device or port; '*ret_reply' becomes what follows the reply, malloc'd, and
 * '*ret_fd' the descriptor that came along (-1: none).
 */
static long look_up_with(enum attach_op op, const struct attach_port_name *name,
			 uint8_t **ret_reply, size_t *ret_size, int *ret_fd)
{
	struct attach_exchange exchange = {
		.call.op = op,
		.data = name,
		.size = name ? sizeof(*name) : 0,
		.fd = -1,
		.reply = malloc(ATTACH_REPLY_MAX),
		.reply_room = ATTACH_REPLY_MAX,
	};
	long r;

	if (!exchange.reply)
		return -ENOMEM;
	r = attach_call(&exchange);
	if (r < 0) {
		if (exchange.reply_fd >= 0)
			close(exchange.reply_fd);
		free(exchange.reply);
		return r;
	}
	*ret_reply = exchange.reply;
	*ret_size = exchange.reply_size;
	*ret_fd = exchange.reply_fd;
	return r;
}

/* The same without a descriptor. */
static long look_up(enum attach_op op, const struct attach_port_name *name, uint8_t **ret_reply,
		    size_t *ret_size)
{
	int fd;
	long r = look_up_with(op, name, ret_reply, ret_size, &fd);

	if (r >= 0 && fd >= 0)
		close(fd);
	return r;
}

int attach_list_cas(char (**ret_names)[UMAD_BACKEND_NAME_SIZE], size_t *ret_count)
{
	char (*names)[UMAD_BACKEND_NAME_SIZE];
	uint8_t *reply;
	size_t size;
	long r = look_up(ATTACH_LIST_CAS, NULL, &reply, &size);

	if (r < 0)
		return (int)r;
	*ret_count = size / sizeof(*names);
	names = (char (*)[UMAD_BACKEND_NAME_SIZE])(void *)reply;
	for (size_t i = 0; i < *ret_count; i++)
		names[i][UMAD_BACKEND_NAME_SIZE - 1] = '\0';
	if (*ret_count == 0) {
		free(reply);
		names = NULL;
	}
	*ret_names = names;
	return 0;
}

static void copy_text(char to[UMAD_BACKEND_NAME_SIZE], const char from[UMAD_BACKEND_NAME_SIZE])
{
	memcpy(to, from, UMAD_BACKEND_NAME_SIZE);
	to[UMAD_BACKEND_NAME_SIZE - 1] = '\0';
}

static int unpack_ca(const uint8_t *reply, size_t size, struct umad_backend_ca *ret)
{
	struct umad_backend_ca ca = { .node_type = 0 };
	struct attach_ca packed;
	size_t numbers_size;

	if (size < sizeof(packed))
		return -EIO;
	memcpy(&packed, reply, sizeof(packed));
	numbers_size = packed.port_count * sizeof(*ca.port_nums);
	if (size - sizeof(packed) != numbers_size)
		return -EIO;
	copy_text(ca.name, packed.name);
	copy_text(ca.fw_ver, packed.fw_ver);
	copy_text(ca.hw_rev, packed.hw_rev);
	copy_text(ca.hca_type, packed.hca_type);
	ca.node_type = packed.node_type;
	ca.node_guid = packed.node_guid;
	ca.sys_image_guid = packed.sys_image_guid;
	ca.port_count = packed.port_count;
	ca.port_nums = malloc(numbers_size ? numbers_size : 1);
	if (!ca.port_nums)
		return -ENOMEM;
	memcpy(ca.port_nums, reply + sizeof(packed), numbers_size);
	*ret = ca;
	return 0;
}

int attach_get_ca(const char *ca_name, struct umad_backend_ca *ret)
{
	struct attach_port_name name;
	uint8_t *reply;
	size_t size;
	long r;

	if (attach_set_port_name(&name, ca_name, 0, 0) < 0)
		return -ENOENT;
	r = look_up(ATTACH_GET_CA, &name, &reply, &size);
	if (r < 0)
		return (int)r;
	r = unpack_ca(reply, size, ret);
	free(reply);
	return (int)r;
}

static int unpack_port(const uint8_t *reply, size_t size, struct umad_backend_port *ret)
{
	const struct port_attr_field *field;
	struct umad_backend_port port = { .pkeys = NULL };
	size_t pkeys_size;

	if (size < sizeof(port.attr) || (size - sizeof(port.attr)) % sizeof(*port.pkeys) != 0)
		return -EIO;
	memcpy(&port.attr, reply, sizeof(port.attr));
	for (size_t i = 0; (field = port_attr_field_at(i)); i++)
		if (field->form == PORT_ATTR_TEXT)
			port_attr_text(&port.attr, field)[PORT_ATTR_TEXT_SIZE - 1] = '\0';
	pkeys_size = size - sizeof(port.attr);
	if (pkeys_size > 0) {
		port.pkeys = malloc(pkeys_size);
		if (!port.pkeys)
			return -ENOMEM;
		memcpy(port.pkeys, reply + sizeof(port.attr), pkeys_size);
		port.pkey_count = pkeys_size / sizeof(*port.pkeys);
	}
	*ret = port;
	return 0;
}

int attach_get_port(const char *ca_name, unsigned int portnum, unsigned int parts,
		    struct umad_backend_port *ret)
{
	struct attach_port_name name;
	uint8_t *reply;
	size_t size;
	long r;

	if (attach_set_port_name(&name, ca_name, portnum, parts) < 0)
		return -ENOENT;
	r = look_up(ATTACH_GET_PORT, &name, &reply, &size);
	if (r < 0)
		return (int)r;
	r = unpack_port(reply, size, ret);
	free(reply);
	return (int)r;
}

/* Puts the path that the server named, or the way through 'fd', into 'path'; takes 'fd'. */
static int put_issm_path(const uint8_t *text, size_t length, int fd, char *path, size_t size)
{
	int r = length < size ? 0 : -ENAMETOOLONG;

	if (r == 0) {
		memcpy(path, text, length);
		path[length] = '\0';
		if (fd >= 0 && !issm_link_is_needed(path, fd)) {
			close(fd);
			fd = -1;
		}
	}
	if (r == 0 && fd >= 0)
		return issm_link_make(fd, path, size);
	if (fd >= 0)
		close(fd);
	return r;
}

int attach_issm_path(const char *ca_name, unsigned int portnum, char *path, size_t size)
{
	struct attach_port_name name;
	uint8_t *reply;
	size_t length;
	long r;
	int fd;

	if (attach_set_port_name(&name, ca_name, portnum, 0) < 0)
		return -EINVAL;
	r = look_up_with(ATTACH_ISSM_PATH, &name, &reply, &length, &fd);
	if (r < 0)
		return (int)r;
	r = put_issm_path(reply, length, fd, path, size);
	free(reply);
	return (int)r;
}

/* Without a server nothing is shown. */
void attach_issm_changed(void)
{
	struct attach_exchange exchange = { .call.op = ATTACH_ISSM_LOOK, .fd = -1 };

	attach_call(&exchange);
}

int attach_sysfs(char *path, size_t size)
{
	struct attach_exchange exchange = {
		.call = { .op = ATTACH_SYSFS, .argument = ATTACH_SYSFS_UNSEEN }, .fd = -1,
		.reply = path, .reply_room = size - 1,
	};
	long r = attach_call(&exchange);

	if (exchange.reply_fd >= 0)
		close(exchange.reply_fd);
	if (r < 0)
		return (int)r;
	path[exchange.reply_size] = '\0';
	return 0;
}
