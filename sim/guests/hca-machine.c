/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The kernel of this machine: see sim/guests/hca-machine.h.
 */
#include "sim/guests/hca-machine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/guests/guest-kernel.h"
#include "sim/guests/guest-port.h"
#include "sim/host/power.h"
#include "sim/time/clock.h"

enum { READ_ROOM = 16 * UMADRIG_HCA_UP_MAX };

static struct hca_machine *of_kernel(const struct kmod_kernel *kernel)
{
	return container_of((struct kmod_kernel *)(uintptr_t)kernel, struct hca_machine, kernel);
}

/* ---- messages down ---- */

static bool is_packet(uint8_t type)
{
	return type == UMADRIG_HCA_MAD || type == UMADRIG_HCA_DATAGRAM;
}

/* An HCA may go, and a question be given up, before this is there. */
static void say_refused(const struct hca_machine *machine, uint8_t type, int err)
{
	if (!is_packet(type) && err != ENODEV && err != ENOENT)
		fprintf(stderr, "umadrig: %s refuses a message of type %d: %s\n", machine->path,
			type, g_strerror(err));
}

static int send_down(struct hca_driver *driver, const struct umadrig_hca_header *header,
		     const void *payload, size_t size)
{
	struct hca_machine *machine = container_of(driver, struct hca_machine, driver);
	struct umadrig_hca_header whole = *header;
	uint8_t bytes[UMADRIG_HCA_DOWN_MAX];
	ssize_t ret;

	g_assert(sizeof(whole) + size <= sizeof(bytes));
	if (machine->fd < 0)
		return -ENODEV;
	whole.version = UMADRIG_HCA_VERSION;
	whole.length = GUINT32_TO_LE((uint32_t)(sizeof(whole) + size));
	memcpy(bytes, &whole, sizeof(whole));
	if (size > 0)
		memcpy(bytes + sizeof(whole), payload, size);
	do
		ret = write(machine->fd, bytes, sizeof(whole) + size);
	while (ret < 0 && errno == EINTR);
	if (ret >= 0)
		return 0;
	say_refused(machine, header->type, errno);
	return errno == EAGAIN ? -ENOBUFS : -errno;
}

/* ---- messages up ---- */

/* One message; its length, or -errno. */
static int take_one(struct hca_machine *machine, const uint8_t *bytes, size_t size)
{
	struct umadrig_hca_header header;
	uint32_t length;
	int ret;

	if (size < sizeof(header))
		return -EPROTO;
	memcpy(&header, bytes, sizeof(header));
	length = GUINT32_FROM_LE(header.length);
	if (header.version != UMADRIG_HCA_VERSION)
		return -EPROTONOSUPPORT;
	if (length < sizeof(header) || length > size)
		return -EPROTO;
	ret = hca_driver_up(&machine->driver, &header, bytes + sizeof(header),
			    length - sizeof(header));
	return ret < 0 ? ret : (int)length;
}

int hca_machine_take(struct hca_machine *machine)
{
	uint8_t bytes[READ_ROOM];
	ssize_t size = read(machine->fd, bytes, sizeof(bytes));

	if (size < 0)
		return errno == EINTR || errno == EAGAIN ? 0 : -errno;
	if (size == 0)
		return -EPIPE;
	for (size_t at = 0; at < (size_t)size;) {
		int ret = take_one(machine, bytes + at, (size_t)size - at);

		if (ret < 0)
			return ret;
		at += (size_t)ret;
	}
	return 0;
}

bool hca_machine_is_up(const struct hca_machine *machine)
{
	return machine->driver.is_ready && !hca_driver_has_to_come(&machine->driver);
}

bool hca_machine_describe(const struct hca_machine *machine, GString *text)
{
	bool all = true;

	for (unsigned int i = 0; i < machine->driver.hca_count; i++) {
		const struct hca_slot *hca = &machine->driver.hca[i];

		g_string_append_printf(text, "%s of %s ", hca->node->device_name,
				       node_host(hca->node)->name);
		if (hca->state == HCA_THERE)
			g_string_append_printf(text, "is %s here\n", hca->name);
		else
			g_string_append_printf(text, "has not come: %s\n",
					       g_strerror(hca->err ? hca->err : ENODEV));
		all = all && hca->state == HCA_THERE;
	}
	return all;
}

/* ---- as a kernel of hosts ---- */

static struct kmod_host *host_new(const struct kmod_kernel *kernel, const struct kmod_ops *ops,
				  void *ctx, enum kmod_profile profile, uint32_t first_hi_tid)
{
	(void)profile;
	(void)first_hi_tid;
	return guest_host_new(kernel, &of_kernel(kernel)->driver, ops, ctx);
}

/* Programs of these hosts are this machine's, and have its own device files. */
static int file_open(struct kmod_port *port, void *owner, struct kmod_file **ret_file)
{
	(void)port;
	(void)owner;
	(void)ret_file;
	return -EBUSY;
}

static int issm_open(struct kmod_port *port)
{
	(void)port;
	return -EBUSY;
}

static void issm_close(struct kmod_port *port)
{
	(void)port;
}

static void power(struct umadrig_host *host, bool on)
{
	for (unsigned int i = 0; i < host->node_count; i++) {
		if (on)
			node_return(host->nodes[i]);
		else
			node_remove(host->nodes[i]);
	}
	if (on)
		hca_driver_show(host);
}

/* ---- its hosts ---- */

static const struct kmod_kernel *usual_kernel(const struct umadrig_fabric *fabric)
{
	return fabric->options.kernel ? fabric->options.kernel : &kmod_stub;
}

static int check_host(const struct hca_machine *machine, const struct umadrig_host *host,
		      unsigned int hcas, char *reterr, size_t reterr_size)
{
	const char *why = hca_driver_objection(host);

	if (!why && g_ptr_array_find(machine->hosts, host, NULL))
		why = "it is named twice";
	else if (!why && (host->power || host->kmod || host->kernel != usual_kernel(host->fabric)))
		why = "it has a kernel already";
	else if (!why && hcas + host->node_count > UMADRIG_HCA_HCAS_MAX)
		why = "these hosts have more HCAs together than a driver, which is 64";
	if (!why)
		return 0;
	g_snprintf(reterr, reterr_size, "%s cannot have its HCAs from %s: %s", host->name,
		   machine->path, why);
	return -EINVAL;
}

static int find_hosts(struct hca_machine *machine, struct umadrig_fabric *fabric, const char *names,
		      char *reterr, size_t reterr_size)
{
	g_auto(GStrv) list = g_strsplit(names, ",", -1);
	unsigned int hcas = 0;

	for (char **name = list; *name; name++) {
		struct umadrig_host *host = fabric_host(fabric, *name);
		int ret;

		if (!host) {
			fabric_no_host(fabric, *name, reterr, reterr_size);
			return -ENOENT;
		}
		ret = check_host(machine, host, hcas, reterr, reterr_size);
		if (ret < 0)
			return ret;
		hcas += host->node_count;
		g_ptr_array_add(machine->hosts, host);
	}
	return 0;
}

static void take_hosts(struct hca_machine *machine)
{
	for (guint i = 0; i < machine->hosts->len; i++) {
		struct umadrig_host *host = g_ptr_array_index(machine->hosts, i);

		host->kernel = &machine->kernel;
		host->power = power;
		hca_driver_take(&machine->driver, host);
		hca_driver_show(host);
	}
}

/* ---- the device ---- */

static int connect_to(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd, err;

	if (strlen(path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	strcpy(address.sun_path, path);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if (connect(fd, (const struct sockaddr *)&address, sizeof(address)) == 0)
		return fd;
	err = -errno;
	close(fd);
	return err;
}

/* A descriptor, or -errno; -ENOTTY: it is nothing of the kind. */
static int open_device(const char *path)
{
	struct stat status;
	int fd;

	if (stat(path, &status) < 0)
		return -errno;
	if (S_ISSOCK(status.st_mode))
		return connect_to(path);
	if (!S_ISCHR(status.st_mode))
		return -ENOTTY;
	fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static const char *cure_of(int err)
{
	if (err == ENOENT || err == ENXIO || err == ENODEV)
		return "; its driver is not loaded: 'modprobe umadrig_hca' as root; "
		       "umadrig-hca(4) says how it is built";
	if (err == EACCES || err == EPERM)
		return "; only root may be the fabric of a machine: use sudo(8)";
	if (err == EBUSY)
		return "; another program is the fabric of this machine already: end that first";
	if (err == ECONNREFUSED)
		return "; nobody listens there";
	return "";
}

static int say_closed(const char *path, int err, char *reterr, size_t reterr_size)
{
	if (err == ENOTTY)
		g_snprintf(reterr, reterr_size, "%s is neither a character device nor a socket; "
			   "that of the driver umadrig_hca is " HCA_MACHINE_DEVICE, path);
	else
		g_snprintf(reterr, reterr_size, "%s: %s%s", path, g_strerror(err), cure_of(err));
	return -err;
}

static void dispose(struct hca_machine *machine)
{
	if (machine->fd >= 0)
		close(machine->fd);
	g_ptr_array_free(machine->hosts, true);
	g_free(machine->path);
	g_free(machine);
}

int hca_machine_open(struct umadrig_fabric *fabric, const char *names, const char *path,
		     char *reterr, size_t reterr_size)
{
	struct hca_machine *machine = g_new0(struct hca_machine, 1);
	int ret;

	machine->path = g_strdup(path);
	machine->fd = -1;
	machine->hosts = g_ptr_array_new();
	machine->kernel = guest_kernel;
	machine->kernel.name = "umadrig_hca";
	machine->kernel.host_new = host_new;
	machine->kernel.file_open = file_open;
	machine->kernel.issm_open = issm_open;
	machine->kernel.issm_close = issm_close;
	machine->driver.fabric = fabric;
	machine->driver.send = send_down;
	machine->driver.keeps_hcas = true;
	ret = find_hosts(machine, fabric, names, reterr, reterr_size);
	if (ret == 0) {
		machine->fd = open_device(path);
		if (machine->fd < 0)
			ret = say_closed(path, -machine->fd, reterr, reterr_size);
	}
	if (ret < 0) {
		dispose(machine);
		return ret;
	}
	fabric->machine = machine;
	take_hosts(machine);
	return 0;
}

void hca_machine_end(struct hca_machine *machine, int err)
{
	const char *why = err == -EPIPE ? "has gone" :
			  err == -EPROTONOSUPPORT ? "speaks as another version of umadrig does: "
			  "build and load the driver of this one, see umadrig-hca(4)" :
			  err == -EPROTO ? "says what makes no sense" : g_strerror(-err);

	fprintf(stderr, "umadrig: %s %s; its hosts are without power now\n", machine->path, why);
	hca_machine_stop(machine->driver.fabric);
	for (guint i = 0; i < machine->hosts->len; i++)
		power(g_ptr_array_index(machine->hosts, i), false);
}

void hca_machine_stop(struct umadrig_fabric *fabric)
{
	struct hca_machine *machine = fabric->machine;

	if (!machine)
		return;
	if (machine->fd >= 0)
		close(machine->fd);
	machine->fd = -1;
	hca_driver_end(&machine->driver);
}

void hca_machine_free(struct umadrig_fabric *fabric)
{
	if (fabric->machine)
		dispose(g_steal_pointer(&fabric->machine));
}
