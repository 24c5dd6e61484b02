/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Ports and files of a tap: see lib/tap-port.h.
 */
#include "lib/tap-port.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/backend-list.h"
#include "lib/base/monotonic.h"
#include "lib/base/user-header.h"
#include "lib/base/wire.h"
#include "lib/sysfs.h"

enum {
	FILES_MAX = 4096,	/* of higher descriptors the port is found as of one by dup */
	AGENT_MAX = 32,
	FRESH_NS = 1000000000,
};

struct tap_port {
	struct tap_port *next;
	char dir[SYSFS_PATH_SIZE];	/* "": unknown */
	size_t header_size;
	dev_t device;			/* where the device's file is, and */
	ino_t inode;			/* which one; 0: unknown */
	_Atomic uint64_t prefix, guid;
	_Atomic uint32_t lid;
	_Atomic int64_t lid_read_ns;
};

static struct {
	struct tap_port *_Atomic port;	/* NULL: not opened here */
	_Atomic uint32_t rmpp_agents;	/* bits of agents */
} files[FILES_MAX];

static struct tap_port *_Atomic ports;
static struct tap_port unknown = { .header_size = USER_HEADER_SIZE };

static bool is_file(int fd)
{
	return fd >= 0 && fd < FILES_MAX;
}

/* ---- ports ---- */

static void read_gid(struct tap_port *port)
{
	uint64_t prefix = 0, guid = 0;

	sysfs_read_gid(port->dir, "gids/0", &prefix, &guid);
	atomic_store(&port->prefix, prefix);
	atomic_store(&port->guid, guid);
}

static bool is_same(const struct tap_port *a, const struct tap_port *b)
{
	return strcmp(a->dir, b->dir) == 0 && a->header_size == b->header_size &&
	       a->device == b->device && a->inode == b->inode;
}

/* The port that is known already, or a new one: of 'like', which is not kept. */
static struct tap_port *port_get(const struct tap_port *like)
{
	struct tap_port *port, *head = atomic_load(&ports);

	for (port = head; port; port = port->next)
		if (is_same(port, like))
			return port;
	port = calloc(1, sizeof(*port));
	if (!port)
		return NULL;
	memcpy(port->dir, like->dir, sizeof(port->dir));
	port->header_size = like->header_size;
	port->device = like->device;
	port->inode = like->inode;
	atomic_store(&port->lid_read_ns, INT64_MIN / 2);
	/* Two threads may add the same port: either will do. */
	do
		port->next = head;
	while (!atomic_compare_exchange_weak(&ports, &head, port));
	return port;
}

void tap_port_opened(int fd, const char *ca_name, unsigned int portnum, size_t header_size)
{
	struct tap_port like = { .header_size = header_size }, *port;
	struct stat status;

	if (sysfs_path(like.dir, sizeof(like.dir), "%s/%s/ports/%u", umad_roots.infiniband,
		       ca_name, portnum) < 0)
		like.dir[0] = '\0';
	if (fstat(fd, &status) == 0) {
		like.device = status.st_dev;
		like.inode = status.st_ino;
	}
	port = port_get(&like);
	if (port)
		read_gid(port);
	if (!is_file(fd))
		return;
	atomic_store(&files[fd].rmpp_agents, 0);
	atomic_store(&files[fd].port, port);
}

void tap_port_closed(int fd)
{
	if (is_file(fd))
		atomic_store(&files[fd].port, NULL);
}

struct tap_port *tap_port_find(int fd)
{
	struct tap_port *port = is_file(fd) ? atomic_load(&files[fd].port) : NULL;
	struct stat status;

	if (port)
		return port;
	if (fstat(fd, &status) < 0)
		return &unknown;
	for (port = atomic_load(&ports); port; port = port->next)
		if (port->inode && port->inode == status.st_ino && port->device == status.st_dev)
			return port;
	return &unknown;
}

size_t tap_port_header_size(const struct tap_port *port)
{
	return port->header_size;
}

uint16_t tap_port_lid(struct tap_port *port)
{
	int64_t now_ns = monotonic_ns();
	unsigned int lid;

	if (port->dir[0] && now_ns - atomic_load(&port->lid_read_ns) > FRESH_NS) {
		if (sysfs_read_number(port->dir, "lid", &lid) == 0)
			atomic_store(&port->lid, lid);
		/* Then only: another thread that finds it fresh takes the LID as it is. */
		atomic_store(&port->lid_read_ns, now_ns);
	}
	return (uint16_t)atomic_load(&port->lid);
}

void tap_port_gid(struct tap_port *port, uint8_t *gid)
{
	put_be64(gid, atomic_load(&port->prefix));
	put_be64(gid + 8, atomic_load(&port->guid));
}

/* ---- agents ---- */

void tap_port_set_rmpp(int fd, uint32_t agent, bool is_kernels)
{
	uint32_t bit = agent < AGENT_MAX ? UINT32_C(1) << agent : 0;

	if (!is_file(fd))
		return;
	if (is_kernels)
		atomic_fetch_or(&files[fd].rmpp_agents, bit);
	else
		atomic_fetch_and(&files[fd].rmpp_agents, ~bit);
}

enum tap_rmpp tap_port_rmpp(int fd, uint32_t agent)
{
	if (!is_file(fd) || !atomic_load(&files[fd].port))
		return TAP_RMPP_UNKNOWN;
	if (agent < AGENT_MAX && atomic_load(&files[fd].rmpp_agents) >> agent & 1)
		return TAP_RMPP_KERNEL;
	return TAP_RMPP_PROGRAM;
}
