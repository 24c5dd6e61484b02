/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A kernel for tests: see tests/rig/echo-kernel.h.
 */
#include "tests/rig/echo-kernel.h"

#include <errno.h>
#include <glib.h>
#include <poll.h>
#include <string.h>

#include "lib/base/user-header.h"

/* Not as kmod-stub has them: whoever takes one for the other's reads what is not there. */
struct kmod_host {
	const struct kmod_kernel *kernel;
	void *ctx;
	const struct kmod_ops *ops;
	unsigned int ports;
};

struct kmod_port {
	const struct kmod_kernel *kernel;
	void *wire;
	const struct kmod_port_attr *attr;
	struct kmod_file *file;
	struct kmod_host *host;
	bool removed;
};

struct kmod_file {
	const struct kmod_kernel *kernel;
	void *owner;
	struct packet *first;
	struct kmod_port *port;
};

struct kmod_message {
	const struct kmod_kernel *kernel;
	size_t done;
	uint8_t bytes[USER_HEADER_SIZE + MAD_SIZE];
};

static char calls[1024];

static void note(const char *call)
{
	g_strlcat(calls, call, sizeof(calls));
	g_assert_cmpuint(g_strlcat(calls, " ", sizeof(calls)), <, sizeof(calls));
}

const char *echo_kernel_calls(void)
{
	static char last[sizeof(calls)];

	memcpy(last, calls, sizeof(calls));
	calls[0] = '\0';
	return last;
}

static struct kmod_host *echo_host_new(const struct kmod_kernel *kernel, const struct kmod_ops *ops,
				       void *ctx, enum kmod_profile profile, uint32_t first_hi_tid)
{
	struct kmod_host *host = g_new0(struct kmod_host, 1);

	note("host_new");
	g_assert_cmpint(profile, ==, KMOD_LINUX_6_1);
	g_assert_cmpuint(first_hi_tid, >, 0);
	*host = (struct kmod_host){ .kernel = kernel, .ctx = ctx, .ops = ops };
	return host;
}

static void echo_host_free(struct kmod_host *host)
{
	note("host_free");
	g_assert_cmpuint(host->ports, ==, 0);
	g_free(host);
}

/* Nothing to break: what it has is counted by the test. */
static const char *echo_host_check(const struct kmod_host *host, size_t *work)
{
	*work += host != NULL;
	return NULL;
}

static const char *echo_port_check(const struct kmod_port *port, size_t *work)
{
	*work += port != NULL;
	return NULL;
}

static void echo_host_vary(struct kmod_host *host, const struct kmod_variant *variant)
{
	(void)host, (void)variant;
	note("host_vary");
}

static void echo_host_trim(struct kmod_host *host)
{
	(void)host;
	note("host_trim");
}

static struct kmod_port *echo_port_new(struct kmod_host *host, const struct kmod_port_attr *attr,
				       void *wire, const char *name)
{
	struct kmod_port *port = g_new0(struct kmod_port, 1);

	(void)name;
	note("port_new");
	*port = (struct kmod_port){ .kernel = host->kernel, .wire = wire, .attr = attr,
				    .host = host };
	host->ports++;
	return port;
}

static void port_put(struct kmod_port *port)
{
	if (!port->removed || port->file)
		return;
	port->host->ports--;
	g_free(port);
}

static void echo_port_remove(struct kmod_port *port)
{
	note("port_remove");
	port->removed = true;
	port_put(port);
}

static void echo_port_receive(struct kmod_port *port, struct packet *packet)
{
	const struct kmod_ops *ops = port->host->ops;
	struct packet **at = port->file ? &port->file->first : NULL;

	note("port_receive");
	if (!at) {
		packet_free(ops->pool, packet);
		return;
	}
	while (*at)
		at = &(*at)->next;
	*at = packet;
	ops->wake(port->host->ctx, port->file->owner);
}

static bool echo_port_takes(const struct kmod_port *port, const uint8_t *mad)
{
	(void)mad;
	note("port_takes");
	return port->file;
}

static unsigned int echo_port_expire(struct kmod_port *port, uint64_t tid, uint8_t mgmt_class)
{
	(void)port;
	(void)tid;
	(void)mgmt_class;
	note("port_expire");
	return ECHO_EXPIRED;
}

static int echo_file_open(struct kmod_port *port, void *owner, struct kmod_file **ret_file)
{
	note("file_open");
	if (port->removed || port->file)
		return port->removed ? -ENXIO : -EBUSY;
	port->file = g_new0(struct kmod_file, 1);
	*port->file = (struct kmod_file){ .kernel = port->kernel, .owner = owner, .port = port };
	*ret_file = port->file;
	return 0;
}

static void echo_file_close(struct kmod_file *file)
{
	struct kmod_port *port = file->port;

	note("file_close");
	while (file->first) {
		struct packet *packet = file->first;

		file->first = packet->next;
		packet_free(port->host->ops->pool, packet);
	}
	port->file = NULL;
	g_free(file);
	port_put(port);
}

static void echo_file_set_usage(struct kmod_file *file, struct kmod_usage *usage)
{
	(void)file;
	(void)usage;
	note("file_set_usage");
}

static int echo_file_ioctl(struct kmod_file *file, unsigned long request, void *arg)
{
	(void)file;
	(void)request;
	(void)arg;
	note("file_ioctl");
	return 0;
}

static long send_mad(struct kmod_file *file, const uint8_t *bytes, size_t count)
{
	const struct kmod_port *port = file->port;
	const struct kmod_ops *ops = port->host->ops;
	struct packet_addr addr = {
		.slid = port->attr->lid, .pkey = 0xffff, .src_qp = 1, .dest_qp = 1,
		.qkey = QKEY_GSI,
	};
	struct packet *packet;

	if (count != USER_HEADER_SIZE + MAD_SIZE)
		return -EINVAL;
	addr.dlid = get_be16(bytes + USER_LID_BE);
	packet = packet_new(ops->pool);
	packet_build(packet, &addr);
	memcpy(packet_mad(packet), bytes + USER_HEADER_SIZE, MAD_SIZE);
	packet_mad(packet)[ECHO_MARK_AT] = ECHO_MARK;
	ops->transmit(port->host->ctx, port->wire, packet);
	return (long)count;
}

static long echo_file_write(struct kmod_file *file, const void *buf, size_t count)
{
	note("file_write");
	return send_mad(file, buf, count);
}

static long echo_file_write_lent(struct kmod_file *file, const void *buf, size_t count,
				 struct kmod_loan *loan)
{
	long n = send_mad(file, buf, count);

	note("file_write_lent");
	if (loan)
		loan->release(loan);
	return n;
}

/* Takes the oldest packet, and writes what a read returns of it. */
static void take(struct kmod_file *file, uint8_t bytes[USER_HEADER_SIZE + MAD_SIZE])
{
	struct packet *packet = file->first;

	file->first = packet->next;
	memset(bytes, 0, USER_HEADER_SIZE);
	put_be16(bytes + USER_LID_BE, packet_slid(packet));
	memcpy(bytes + USER_HEADER_SIZE, packet_mad(packet), MAD_SIZE);
	packet_free(file->port->host->ops->pool, packet);
}

static long echo_file_read(struct kmod_file *file, void *buf, size_t count)
{
	note("file_read");
	if (count < USER_HEADER_SIZE + MAD_SIZE)
		return -EINVAL;
	if (!file->first)
		return -EAGAIN;
	take(file, buf);
	return USER_HEADER_SIZE + MAD_SIZE;
}

static unsigned int echo_file_poll(const struct kmod_file *file)
{
	note("file_poll");
	return file->first ? POLLIN : 0;
}

static bool echo_file_readable(const struct kmod_file *file)
{
	note("file_readable");
	return file->first;
}

static struct kmod_message *echo_file_take(struct kmod_file *file)
{
	struct kmod_message *message;

	note("file_take");
	if (!file->first)
		return NULL;
	message = g_new0(struct kmod_message, 1);
	message->kernel = file->kernel;
	take(file, message->bytes);
	return message;
}

static size_t echo_message_read(struct kmod_message *message, void *buf, size_t count)
{
	size_t n = MIN(count, sizeof(message->bytes) - message->done);

	note("message_read");
	memcpy(buf, message->bytes + message->done, n);
	message->done += n;
	return n;
}

static void echo_message_free(struct kmod_message *message)
{
	note("message_free");
	g_free(message);
}

static int echo_issm_open(struct kmod_port *port)
{
	note("issm_open");
	return port->host->ops->set_is_sm(port->host->ctx, port->wire, true);
}

static void echo_issm_close(struct kmod_port *port)
{
	note("issm_close");
	port->host->ops->set_is_sm(port->host->ctx, port->wire, false);
}

const struct kmod_kernel echo_kernel = {
	.name = "echo",
	.host_new = echo_host_new,
	.host_free = echo_host_free,
	.host_trim = echo_host_trim,
	.host_vary = echo_host_vary,
	.host_check = echo_host_check,
	.port_new = echo_port_new,
	.port_remove = echo_port_remove,
	.port_receive = echo_port_receive,
	.port_takes = echo_port_takes,
	.port_expire = echo_port_expire,
	.port_check = echo_port_check,
	.file_open = echo_file_open,
	.file_close = echo_file_close,
	.file_set_usage = echo_file_set_usage,
	.file_ioctl = echo_file_ioctl,
	.file_write = echo_file_write,
	.file_write_lent = echo_file_write_lent,
	.file_read = echo_file_read,
	.file_poll = echo_file_poll,
	.file_readable = echo_file_readable,
	.file_take = echo_file_take,
	.message_read = echo_message_read,
	.message_free = echo_message_free,
	.issm_open = echo_issm_open,
	.issm_close = echo_issm_close,
};
