/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Umad files by their paths: see lib/raw-device.h. */
#include <errno.h>
#include <unistd.h>

#include "lib/backend-list.h"
#include "lib/base/open-flags.h"
#include "lib/debug.h"
#include "lib/handle-table.h"
#include "lib/raw-device.h"
#include "lib/sysfs.h"

struct device {
	char ca_name[UMAD_BACKEND_NAME_SIZE];
	unsigned int portnum;
};

static int find(unsigned int number, struct device *ret)
{
	const struct umad_backend *backend = umad_backend_get();
	char dir[SYSFS_PATH_SIZE];
	struct umad_backend_ca ca;
	int r;

	/* What has no banner is real. */
	if (!backend || !backend->banner)
		return -EOPNOTSUPP;
	if (sysfs_path(dir, sizeof(dir), "%s/umad%u", umad_roots.infiniband_mad, number) < 0 ||
	    sysfs_read_text(dir, "ibdev", ret->ca_name, sizeof(ret->ca_name)) < 0 ||
	    sysfs_read_number(dir, "port", &ret->portnum) < 0)
		return -ENOENT;
	r = backend->get_ca(ret->ca_name, &ca);
	if (r == 0)
		umad_backend_ca_release(&ca);
	return r == 0 ? 0 : -ENOENT;
}

int raw_device_look(unsigned int number)
{
	struct device device;

	return find(number, &device);
}

int raw_device_open(unsigned int number, int flags)
{
	const struct umad_backend *backend = umad_backend_get();
	size_t header_size;
	struct device device;
	int fd, r = find(number, &device);

	if (r < 0)
		return r;
	fd = backend->open(device.ca_name, device.portnum, &header_size);
	umad_trace("umad%u, %s port %u: %d", number, device.ca_name, device.portnum, fd);
	if (fd < 0)
		return fd == -EINVAL || fd == -ENOENT ? -ENXIO : fd;
	r = umad_handle_add(fd, header_size);
	if (r == 0)
		r = open_flags_set(fd, flags);
	if (r < 0) {
		backend->close(fd);
		return r;
	}
	return fd;
}
