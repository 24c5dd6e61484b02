/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * backend-ib-umad.c: the real thing, sysfs and the kernel's character devices.
 *
 * It calls only libc's open, close, read, write, poll, ioctl and opendir: preload shims (umad2sim
 * of ibsim) replace those, so the choice is part of the contract.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <infiniband/umad.h>

#include "lib/backend-list.h"
#include "lib/registration-argument.h"
#include "lib/sysfs.h"
#include "lib/base/umad-command.h"

/* May 'name' be a device's? It becomes part of a path. */
static bool name_is_valid(const char *name)
{
	return name[0] != '\0' && name[0] != '.' && !strchr(name, '/') &&
	       strlen(name) < UMAD_BACKEND_NAME_SIZE;
}

/* Is it a device for MADs: a CA, switch or router? iWARP and usNIC devices are not. */
static bool node_type_is_ib(unsigned int node_type)
{
	return node_type >= 1 && node_type <= 3;
}

static int ib_umad_list_cas(char (**ret_names)[UMAD_BACKEND_NAME_SIZE], size_t *ret_count)
{
	char (*names)[UMAD_BACKEND_NAME_SIZE] = NULL, (*grown)[UMAD_BACKEND_NAME_SIZE];
	char dir[SYSFS_PATH_SIZE];
	size_t count = 0, room = 0;
	struct dirent *entry;
	unsigned int node_type;
	int r = 0;
	DIR *d;

	d = opendir(umad_roots.infiniband);
	if (!d)
		return -errno;
	while (errno = 0, (entry = readdir(d))) {
		if (!name_is_valid(entry->d_name) ||
		    sysfs_path(dir, sizeof(dir), "%s/%s", umad_roots.infiniband,
			       entry->d_name) < 0 ||
		    sysfs_read_number(dir, "node_type", &node_type) < 0 ||
		    !node_type_is_ib(node_type))
			continue;
		if (count == room) {
			room = room ? 2 * room : 8;
			grown = realloc(names, room * sizeof(*names));
			if (!grown) {
				errno = ENOMEM;
				break;
			}
			names = grown;
		}
		strcpy(names[count++], entry->d_name);
	}
	r = -errno;
	closedir(d);
	if (r < 0) {
		free(names);
		return r;
	}
	*ret_names = names;
	*ret_count = count;
	return 0;
}

/*
 * Some of the attributes may be unreadable (the rate of a port without a cable, for example): those
 * stay 0 or empty. Only if none could be read, there is no such device or port.
 */
struct tally {
	unsigned int read;
	int first_error;
};

static void tally_add(struct tally *tally, int r)
{
	if (r >= 0)
		tally->read++;
	else if (tally->first_error == 0)
		tally->first_error = r;
}

static int ib_umad_get_ca(const char *ca_name, struct umad_backend_ca *ret)
{
	struct umad_backend_ca ca = { .node_type = 0 };
	char dir[SYSFS_PATH_SIZE], ports[SYSFS_PATH_SIZE];
	struct tally tally = { 0 };
	int r;

	if (!name_is_valid(ca_name) ||
	    sysfs_path(dir, sizeof(dir), "%s/%s", umad_roots.infiniband, ca_name) < 0 ||
	    sysfs_path(ports, sizeof(ports), "%s/ports", dir) < 0)
		return -ENOENT;
	strcpy(ca.name, ca_name);
	tally_add(&tally, sysfs_read_number(dir, "node_type", &ca.node_type));
	tally_add(&tally, sysfs_read_guid(dir, "node_guid", &ca.node_guid));
	tally_add(&tally, sysfs_read_guid(dir, "sys_image_guid", &ca.sys_image_guid));
	if (tally.read == 0)
		return tally.first_error;
	/* Not every driver has these (soft-RoCE has neither hca_type nor hw_rev). */
	sysfs_read_text(dir, "fw_ver", ca.fw_ver, sizeof(ca.fw_ver));
	sysfs_read_text(dir, "hw_rev", ca.hw_rev, sizeof(ca.hw_rev));
	sysfs_read_text(dir, "hca_type", ca.hca_type, sizeof(ca.hca_type));
	r = sysfs_list_numbers(ports, "", &ca.port_nums, &ca.port_count);
	if (r == -ENOMEM)
		return r;
	*ret = ca;
	return 0;
}

/* Reads the P_Key table: entry N is the file pkeys/N, 0 if there is none. */
static int read_pkeys(const char *dir, struct umad_backend_port *port)
{
	char pkeys_dir[SYSFS_PATH_SIZE], file[16];
	unsigned int *indexes, value;
	size_t count;
	int r;

	if (sysfs_path(pkeys_dir, sizeof(pkeys_dir), "%s/pkeys", dir) < 0)
		return -ENAMETOOLONG;
	r = sysfs_list_numbers(pkeys_dir, "", &indexes, &count);
	if (r < 0)
		return r;
	/* A P_Key index has 16 bits, so a larger number is no index. */
	while (count > 0 && indexes[count - 1] > UINT16_MAX)
		count--;
	if (count > 0) {
		port->pkey_count = indexes[count - 1] + 1;
		port->pkeys = calloc(port->pkey_count, sizeof(*port->pkeys));
		r = port->pkeys ? 0 : -ENOMEM;
	}
	for (size_t i = 0; i < count && r == 0; i++) {
		snprintf(file, sizeof(file), "%u", indexes[i]);
		if (sysfs_read_number(pkeys_dir, file, &value) == 0)
			port->pkeys[indexes[i]] = (uint16_t)value;
	}
	free(indexes);
	return r;
}

/* A missing text does no harm: it has a default. */
static void read_attr(const char *dir, const struct port_attr_field *field, struct port_attr *attr,
		      struct tally *tally)
{
	unsigned int number = 0;

	if (field->form != PORT_ATTR_TEXT) {
		tally_add(tally, sysfs_read_number(dir, field->file, &number));
		*port_attr_number(attr, field) = number;
	} else if (sysfs_read_text(dir, field->file, port_attr_text(attr, field),
				   PORT_ATTR_TEXT_SIZE) < 0) {
		strcpy(port_attr_text(attr, field), field->without);
	}
}

/* Reads the attributes by which a port is chosen, or all. */
static void read_attrs(const char *dir, struct port_attr *attr, bool all, struct tally *tally)
{
	const struct port_attr_field *field;

	for (size_t i = 0; (field = port_attr_field_at(i)); i++)
		if (all || field->part == UMAD_BACKEND_PORT_LINK)
			read_attr(dir, field, attr, tally);
	if (all)
		tally_add(tally, sysfs_read_gid(dir, "gids/0", &attr->gid_prefix,
						&attr->port_guid));
}

static int ib_umad_get_port(const char *ca_name, unsigned int portnum, unsigned int parts,
			    struct umad_backend_port *ret)
{
	struct umad_backend_port port = { .attr.portnum = portnum };
	struct tally tally = { 0 };
	char dir[SYSFS_PATH_SIZE];

	if (!name_is_valid(ca_name) ||
	    sysfs_path(dir, sizeof(dir), "%s/%s/ports/%u", umad_roots.infiniband, ca_name,
		       portnum) < 0)
		return -ENOENT;
	read_attrs(dir, &port.attr, parts & UMAD_BACKEND_PORT_STATE, &tally);
	if (tally.read == 0)
		return tally.first_error;
	/* A port whose P_Keys cannot be read is a port without P_Keys. */
	if ((parts & UMAD_BACKEND_PORT_PKEYS) && read_pkeys(dir, &port) == -ENOMEM) {
		umad_backend_port_release(&port);
		return -ENOMEM;
	}
	*ret = port;
	return 0;
}

/* Does umad device 'id' belong to this port? 1, 0, or -errno if its attributes cannot be read. */
static int umad_id_is_port(unsigned int id, const char *ca_name, unsigned int portnum)
{
	char dir[SYSFS_PATH_SIZE], name[UMAD_BACKEND_NAME_SIZE];
	unsigned int number;
	int r;

	r = sysfs_path(dir, sizeof(dir), "%s/umad%u", umad_roots.infiniband_mad, id);
	if (r == 0)
		r = sysfs_read_text(dir, "ibdev", name, sizeof(name));
	if (r < 0)
		return r;
	if (strcmp(name, ca_name) != 0)
		return 0;
	r = sysfs_read_number(dir, "port", &number);
	return r < 0 ? r : number == portnum;
}

/*
 * Where a port's device was found last: the name's hash, and the device's number plus 1. This is
 * only where to look first, because devices come and go.
 */
static _Atomic uint64_t hints[64];

static uint32_t hash_port(const char *ca_name, unsigned int portnum)
{
	uint32_t hash = 2166136261;	/* FNV-1a */

	for (; *ca_name; ca_name++)
		hash = (hash ^ (uint8_t)*ca_name) * 16777619;
	return (hash ^ portnum) * 16777619;
}

/* Lists the devices, since there are some after number 'first'. */
static int find_listed(const char *ca_name, unsigned int portnum, unsigned int first,
		       unsigned int *ret_id)
{
	unsigned int *ids;
	size_t count, i;
	int r;

	r = sysfs_list_numbers(umad_roots.infiniband_mad, "umad", &ids, &count);
	if (r < 0)
		return r == -ENOMEM ? r : -EINVAL;
	for (i = 0; i < count; i++)
		if (ids[i] > first && umad_id_is_port(ids[i], ca_name, portnum) > 0)
			break;
	r = i < count ? 0 : -EINVAL;
	if (r == 0)
		*ret_id = ids[i];
	free(ids);
	return r;
}

/*
 * Finds the number N of the port's /dev/infiniband/umadN. Usually they are numbered from 0 without
 * gaps, and the directory need not be listed.
 */
static int find_umad_id(const char *ca_name, unsigned int portnum, unsigned int *ret_id)
{
	const uint32_t hash = hash_port(ca_name, portnum);
	_Atomic uint64_t *hint = &hints[hash % 64];
	uint64_t known = atomic_load_explicit(hint, memory_order_relaxed);
	unsigned int id = (uint32_t)known - 1;
	int r;

	if ((uint32_t)known == 0 || known >> 32 != hash ||
	    umad_id_is_port(id, ca_name, portnum) <= 0) {
		for (id = 0; (r = umad_id_is_port(id, ca_name, portnum)) == 0; id++)
			;
		if (r < 0)
			r = find_listed(ca_name, portnum, id, &id);
		if (r < 0)
			return r;
		atomic_store_explicit(hint, (uint64_t)hash << 32 | (id + 1),
				      memory_order_relaxed);
	}
	*ret_id = id;
	return 0;
}

static int ib_umad_issm_path(const char *ca_name, unsigned int portnum, char *path, size_t size)
{
	char whole[SYSFS_PATH_SIZE];
	unsigned int id;
	int r;

	r = find_umad_id(ca_name, portnum, &id);
	if (r == 0)
		r = sysfs_path(whole, sizeof(whole), "%s/issm%u", umad_roots.dev, id);
	if (r == 0 && strlen(whole) >= size)
		r = -ENAMETOOLONG;
	if (r == 0)
		strcpy(path, whole);
	return r;
}

/*
 * The ABI of ib_umad. Success is remembered, because a loaded module does not change; failure is
 * not, because the module may be loaded at any time. The reason is reported once.
 */
static int check_abi(unsigned int *ret_version)
{
	static atomic_uint known_version;
	static atomic_bool told;
	unsigned int version = atomic_load(&known_version);
	int r;

	if (version == 0) {
		r = sysfs_read_number(umad_roots.infiniband_mad, IB_UMAD_ABI_FILE, &version);
		if (r < 0) {
			if (!atomic_exchange(&told, true))
				fprintf(stderr, "umad: cannot read %s/%s (%s): is ib_umad loaded? "
					"('modprobe ib_umad' loads it)\n",
					umad_roots.infiniband_mad, IB_UMAD_ABI_FILE, strerror(-r));
			return -EOPNOTSUPP;
		}
	}
	if (version < IB_UMAD_ABI_VERSION) {
		if (!atomic_exchange(&told, true))
			fprintf(stderr, "umad: ib_umad has ABI version %u, %u or later is needed\n",
				version, IB_UMAD_ABI_VERSION);
		return -EOPNOTSUPP;
	}
	atomic_store(&known_version, version);
	*ret_version = version;
	return 0;
}

static int ib_umad_ioctl(int fd, unsigned long request, void *arg)
{
	int r;

	do
		r = ioctl(fd, request, arg);
	while (r < 0 && errno == EINTR);
	return r < 0 ? -errno : 0;
}

static int ib_umad_open(const char *ca_name, unsigned int portnum, size_t *ret_header_size)
{
	char path[SYSFS_PATH_SIZE];
	unsigned int version, id;
	int fd, r;

	r = check_abi(&version);
	if (r == 0)
		r = find_umad_id(ca_name, portnum, &id);
	if (r == 0)
		r = sysfs_path(path, sizeof(path), "%s/umad%u", umad_roots.dev, id);
	if (r < 0)
		return r;
	do
		fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	while (fd < 0 && errno == EINTR);
	if (fd < 0)
		return -errno;
	/* ABI 5 has the 64-byte header on request; a later one can only have it always. */
	*ret_header_size = version > IB_UMAD_ABI_VERSION ||
			   ib_umad_ioctl(fd, UMAD_COMMAND_ENABLE_PKEY, NULL) == 0 ? 64 : 56;
	return fd;
}

static int ib_umad_close(int fd)
{
	/* Linux closes the file even if it returns EINTR or EIO, so only EBADF is a failure. */
	return close(fd) < 0 && errno == EBADF ? -EBADF : 0;
}

static int ib_umad_register_agent(int fd, struct umad_backend_reg *reg)
{
	union registration_argument argument;
	unsigned long command = registration_argument_pack(reg, &argument);
	int r = ib_umad_ioctl(fd, command, &argument);

	registration_argument_answered(&argument, r, reg);
	return r;
}

static int ib_umad_unregister_agent(int fd, uint32_t id)
{
	return ib_umad_ioctl(fd, UMAD_COMMAND_UNREGISTER_AGENT, &id);
}

static long ib_umad_send(int fd, const void *umad, size_t size)
{
	long n;

	do
		n = write(fd, umad, size);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

static long ib_umad_recv(int fd, void *umad, size_t size)
{
	long n = read(fd, umad, size);

	/* umad2sim's read() returns -EWOULDBLOCK itself instead of setting errno. */
	return n == -1 ? -errno : n;
}

static int ib_umad_poll(int fd, int timeout_ms)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	int n = poll(&pfd, 1, timeout_ms);

	return n > 0 ? pfd.revents : n < 0 ? -errno : 0;
}

const struct umad_backend umad_backend_ib_umad = {
	.abi = UMAD_BACKEND_ABI,
	.name = "ib_umad",
	.list_cas = ib_umad_list_cas,
	.get_ca = ib_umad_get_ca,
	.get_port = ib_umad_get_port,
	.issm_path = ib_umad_issm_path,
	.open = ib_umad_open,
	.close = ib_umad_close,
	.register_agent = ib_umad_register_agent,
	.unregister_agent = ib_umad_unregister_agent,
	.send = ib_umad_send,
	.recv = ib_umad_recv,
	.poll = ib_umad_poll,
};
