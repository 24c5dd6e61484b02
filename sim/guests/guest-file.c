/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Device files of a guest: see sim/guests/guest-file.h.
 */
#include "config.h"

#include "sim/guests/guest-file.h"

#include <errno.h>
#include <glib.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>

#include "kmod-stub/kmod.h"
#include "lib/base/umad-command.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/guests/guest-letter.h"
#include "sim/guests/guest-port.h"
#include "sim/guests/guest-set.h"
#include "sim/guests/guest.h"

enum {
	PAYLOAD_MAX = UMADRIG_HCA_DOWN_MAX - sizeof(struct umadrig_hca_header),
	ARGUMENT_MAX = 256,
	/* A umad file's header: the size of old, and where its status is (ib_user_mad_hdr). */
	HEADER_MIN = 56,
	STATUS_AT = 4,
	MAD_ROOM = 64 + 256,	/* no kernel refuses it before it looks for a MAD */
};

struct guest_file {
	const struct kmod_kernel *kernel;
	struct guest_port *port;
	void *owner;
	uint32_t number;
	bool is_dead;			/* the guest that it was opened in has gone */
	uint32_t revents;		/* as of poll(2), as far as is known */
	/* The answer to the call that is under way. */
	bool is_done;
	int32_t result;
	uint8_t argument[ARGUMENT_MAX];
	GByteArray *data;
	GBytes *taken;			/* was read already, and is to be read: NULL */
};

/* What a MAD that has left its file is here. */
struct guest_message {
	const struct kmod_kernel *kernel;
	GBytes *bytes;
	size_t at;
};

static struct guest *guest_of(const struct guest_file *file)
{
	return guest_of_driver(file->port->host->driver);
}

static void wake(const struct guest_file *file)
{
	const struct guest_host *host = file->port->host;

	if (file->owner)
		host->ops->wake(host->ctx, file->owner);
}

/* Is the device gone? What is known of that at once, the guest hears a little later. */
static bool is_gone(const struct guest_file *file)
{
	return file->is_dead || file->port->is_removed;
}

/* ---- calls ---- */

static void await(struct guest *guest, bool (*is_over)(const void *ctx), const void *ctx)
{
	guest->set->await(guest, is_over, ctx);
}

static bool is_done(const void *ctx)
{
	const struct guest_file *file = ctx;

	return file->is_done || file->is_dead;
}

static void send(const struct guest_file *file, enum umadrig_hca_type type, uint32_t value,
		 const uint8_t *bytes, size_t size)
{
	struct umadrig_hca_header header = {
		.type = (uint8_t)type, .port = file->port->num,
		.sequence = GUINT32_TO_LE(file->number), .value = GUINT32_TO_LE(value),
	};
	size_t done = 0;

	do {
		size_t part = MIN(size - done, (size_t)PAYLOAD_MAX);

		header.flags = done + part < size ? UMADRIG_HCA_FLAG_MORE : 0;
		guest_send(guest_of(file), &header, bytes + done, part);
		done += part;
	} while (done < size);
}

/* Its result; -EIO: the guest has gone, as for a device that was removed. */
static int32_t call(struct guest_file *file, enum umadrig_hca_type type, uint32_t value,
		    const void *bytes, size_t size)
{
	if (file->is_dead)
		return -EIO;
	file->is_done = false;
	/* A large message's room is not kept. */
	g_byte_array_unref(file->data);
	file->data = g_byte_array_new();
	/* It sees first what has become of its ports. */
	guest_ports_look(file->port->host->driver);
	send(file, type, value, bytes, size);
	await(guest_of(file), is_done, file);
	return file->is_done ? file->result : -EIO;
}

static bool at_once(const void *ctx)
{
	(void)ctx;
	return true;
}

/* What is still on its way to the guest at this instant, it has before the call. */
static void bring(const struct guest_file *file)
{
	struct guest *guest = guest_of(file);

	if (!file->is_dead && !g_queue_is_empty(&guest->down))
		await(guest, at_once, NULL);
}

/* ---- opening and closing ---- */

static void free_file(struct guest_file *file)
{
	struct guest_port *port = file->port;

	g_ptr_array_remove(guest_of(file)->files, file);
	g_byte_array_unref(file->data);
	g_clear_pointer(&file->taken, g_bytes_unref);
	g_free(file);
	port->files--;
	guest_port_release(port);
}

int guest_file_open(struct guest_port *port, uint32_t kind, void *owner, struct guest_file **ret)
{
	struct guest *guest = guest_of_driver(port->host->driver);
	const char *device = guest->host->nodes[port->hca]->device_name;
	struct guest_file *file;
	int err;

	await(guest, NULL, NULL);
	if (guest->state != GUEST_ON || !guest_port_is_there(port))
		return -ENXIO;
	file = g_new0(struct guest_file, 1);
	file->kernel = port->kernel;
	file->port = port;
	port->files++;
	file->number = ++guest->last_file;
	file->data = g_byte_array_new();
	g_ptr_array_add(guest->files, file);
	err = call(file, UMADRIG_GUEST_FILE_OPEN, kind, device, strlen(device));
	if (err == 0) {
		/* It could not be woken before it knew of the file. */
		file->owner = owner;
		*ret = file;
		return 0;
	}
	free_file(file);
	return err;
}

void guest_file_close(struct guest_file *file)
{
	call(file, UMADRIG_GUEST_FILE_CLOSE, 0, "", 0);
	free_file(file);
}

/* ---- what programs call ---- */

/* The size of what the argument points to; negative: Linux has no such request. */
static int size_of(unsigned long request)
{
	switch (request) {
	case UMAD_COMMAND_REGISTER_AGENT:
	case UMAD_COMMAND_REGISTER_AGENT2:
	case UMAD_COMMAND_UNREGISTER_AGENT:
		return (int)_IOC_SIZE(request);
	case UMAD_COMMAND_ENABLE_PKEY:
		return 0;
	}
	return -1;
}

int guest_file_ioctl(struct guest_file *file, unsigned long request, void *arg)
{
	int size = size_of(request), ret;

	if (size < 0)
		return -ENOTTY;
	ret = call(file, UMADRIG_GUEST_FILE_IOCTL, (uint32_t)request, arg ? arg : "",
		   arg ? (size_t)size : 0);
	/* Linux writes back what it has refused, too. */
	if (arg && size > 0 && !file->is_dead)
		memcpy(arg, file->argument, (size_t)size);
	return ret;
}

long guest_file_write(struct guest_file *file, const void *buf, size_t count)
{
	if (count > UMADRIG_GUEST_FILE_MAX)
		return -ENOMEM;
	return call(file, UMADRIG_GUEST_FILE_WRITE, 0, buf, count);
}

static long take_taken(struct guest_file *file, void *buf, size_t count)
{
	gsize size;
	const void *bytes = g_bytes_get_data(file->taken, &size);

	if (count < size)
		return -ENOSPC;
	memcpy(buf, bytes, size);
	g_clear_pointer(&file->taken, g_bytes_unref);
	return (long)size;
}

long guest_file_read(struct guest_file *file, void *buf, size_t count)
{
	int32_t ret;

	if (file->taken)
		return take_taken(file, buf, count);
	bring(file);
	/* What has come by now has been said: the guest need not be asked, which costs most. */
	if (!file->is_dead && count >= MAD_ROOM && !(file->revents & (POLLIN | POLLERR)))
		return -EAGAIN;
	ret = call(file, UMADRIG_GUEST_FILE_READ, (uint32_t)MIN(count, UMADRIG_GUEST_FILE_MAX), "",
		   0);
	if (ret > 0 && (guint)ret != file->data->len)
		return -EIO;
	/* Linux has filled the beginning, too, where the rest had no room. */
	if (file->data->len > count)
		return -EIO;
	if (file->data->len > 0)
		memcpy(buf, file->data->data, file->data->len);
	return ret;
}

unsigned int guest_file_poll(const struct guest_file *file)
{
	bring(file);
	if (is_gone(file))
		return POLLERR;
	return file->revents | (file->taken ? POLLIN | POLLRDNORM : 0);
}

/* ---- what leaves it to be read in pieces ---- */

struct kmod_message *guest_file_take(struct guest_file *file)
{
	struct guest_message *message;
	uint32_t status;
	int32_t got;

	if (file->taken || !(file->revents & POLLIN))
		return NULL;
	got = call(file, UMADRIG_GUEST_FILE_READ, UMADRIG_GUEST_FILE_MAX, "", 0);
	if (got <= 0 || (guint)got != file->data->len || got < HEADER_MIN)
		return NULL;
	memcpy(&status, file->data->data + STATUS_AT, sizeof(status));
	/* A report of a send is for a read. */
	if (status != 0) {
		file->taken = g_bytes_new(file->data->data, (gsize)got);
		return NULL;
	}
	message = g_new0(struct guest_message, 1);
	message->kernel = file->kernel;
	message->bytes = g_bytes_new(file->data->data, (gsize)got);
	return (struct kmod_message *)message;
}

size_t guest_message_read(struct kmod_message *kmod, void *buf, size_t count)
{
	struct guest_message *message = (struct guest_message *)kmod;
	gsize size;
	const uint8_t *bytes = g_bytes_get_data(message->bytes, &size);
	size_t part = MIN(count, size - message->at);

	memcpy(buf, bytes + message->at, part);
	message->at += part;
	return part;
}

void guest_message_free(struct kmod_message *kmod)
{
	struct guest_message *message = (struct guest_message *)kmod;

	g_bytes_unref(message->bytes);
	g_free(message);
}

/* ---- messages up ---- */

static struct guest_file *find(const struct guest *guest, uint32_t number)
{
	for (guint i = 0; i < guest->files->len; i++) {
		struct guest_file *file = g_ptr_array_index(guest->files, i);

		if (file->number == number && !file->is_dead)
			return file;
	}
	return NULL;
}

static void take_revents(struct guest_file *file, uint32_t revents)
{
	bool is_new = (revents ^ file->revents) & (POLLIN | POLLERR);

	file->revents = revents;
	if (is_new)
		wake(file);
}

static int take_done(struct guest_file *file, const struct umadrig_hca_header *header,
		     const uint8_t *payload, size_t size)
{
	uint32_t revents;

	if (file->is_done || size < sizeof(revents) ||
	    size - sizeof(revents) > sizeof(file->argument))
		return -EPROTO;
	memcpy(&revents, payload, sizeof(revents));
	memcpy(file->argument, payload + sizeof(revents), size - sizeof(revents));
	file->result = (int32_t)GUINT32_FROM_LE(header->value);
	file->is_done = true;
	take_revents(file, GUINT32_FROM_LE(revents));
	return 0;
}

int guest_file_up(struct guest *guest, const struct umadrig_hca_header *header,
		  const uint8_t *payload, size_t size)
{
	struct guest_file *file = find(guest, GUINT32_FROM_LE(header->sequence));

	/* One that has been closed here may have been readable there. */
	if (!file)
		return 0;
	if (header->type == UMADRIG_GUEST_FILE_DONE)
		return take_done(file, header, payload, size);
	if (header->type == UMADRIG_GUEST_FILE_READY) {
		take_revents(file, GUINT32_FROM_LE(header->value));
		return 0;
	}
	if (header->type != UMADRIG_GUEST_FILE_DATA ||
	    size > UMADRIG_GUEST_FILE_MAX - file->data->len)
		return -EPROTO;
	g_byte_array_append(file->data, payload, (guint)size);
	return 0;
}

void guest_files_removed(const struct guest_port *port)
{
	const GPtrArray *files = guest_of_driver(port->host->driver)->files;

	for (guint i = 0; i < files->len; i++) {
		const struct guest_file *file = g_ptr_array_index(files, i);

		if (file->port == port)
			wake(file);
	}
}

void guest_files_end(struct guest *guest)
{
	for (guint i = 0; i < guest->files->len; i++) {
		struct guest_file *file = g_ptr_array_index(guest->files, i);

		if (file->is_dead)
			continue;
		file->is_dead = true;
		wake(file);
	}
}
