/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A umad file: open, receive queue, read, poll, close (linux-mad A.2, A.7, A.8).
 */
#include "kmod-stub/umad-file.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "kmod-stub/kmod-port.h"
#include "kmod-stub/packet.h"
#include "kmod-stub/profile.h"
#include "kmod-stub/stub.h"
#include "kmod-stub/trace.h"

static const struct profile *ways(const struct kmod_file *file)
{
	return file->port->host->profile;
}

bool umad_file_fails(const struct kmod_file *file)
{
	return file->dead && ways(file)->dead_file_fails;
}

/* ---- open and close ---- */

int stub_file_open(struct kmod_port *port, void *owner, struct kmod_file **ret_file)
{
	struct kmod_file *file;

	if (port->removed)
		return -ENXIO;
	file = calloc(1, sizeof(*file));
	if (!file)
		return -ENOMEM;
	file->kernel = port->kernel;
	file->port = port;
	file->owner = owner;
	file->header_size = USER_HEADER_SIZE_OLD;
	file->next = port->files;
	file->link = &port->files;
	if (port->files)
		port->files->link = &file->next;
	port->files = file;
	*ret_file = file;
	return 0;
}

static void unregister_agents(struct kmod_file *file)
{
	for (unsigned int id = 0; id < FILE_AGENT_COUNT; id++) {
		if (file->agents[id]) {
			agent_unregister(file->agents[id]);
			file->agents[id] = NULL;
		}
	}
}

void stub_file_set_usage(struct kmod_file *file, struct kmod_usage *usage)
{
	file->usage = usage;
}

/* Approximately the memory that a message takes until it is read. */
static size_t cost(const struct umad_message *message)
{
	return sizeof(*message) + message->size;
}

static void uncount(const struct kmod_file *file, const struct umad_message *message)
{
	if (file->usage)
		file->usage->received -= cost(message);
}

static void count(const struct kmod_file *file, const struct umad_message *message)
{
	struct kmod_usage *usage = file->usage;

	if (!usage)
		return;
	usage->received += cost(message);
	if (usage->received > usage->peak)
		usage->peak = usage->received;
}

void umad_message_free(struct kmod_host *host, struct umad_message *message)
{
	message->next = host->free_messages;
	host->free_messages = message;
}

static void drop_unread(struct kmod_file *file)
{
	while (file->first) {
		struct umad_message *message = file->first;

		uncount(file, message);
		file->first = message->next;
		trace_drop_all(file->port, message->packets, "unread when its file was closed");
		umad_message_free(file->port->host, message);
	}
	file->last = NULL;
	file->queued = 0;
}

void stub_file_close(struct kmod_file *file)
{
	struct kmod_port *port = file->port;

	file->dead = true;
	drop_unread(file);
	unregister_agents(file);
	*file->link = file->next;
	if (file->next)
		file->next->link = file->link;
	free(file);
	port_release(port);
}

static void wake(const struct kmod_file *file)
{
	const struct kmod_host *host = file->port->host;

	host->ops->wake(host->ctx, file->owner);
}

void umad_file_kill(struct kmod_file *file)
{
	file->dead = true;
	unregister_agents(file);
	wake(file);
}

/* ---- receive queue ---- */

static struct umad_message *new_message(struct kmod_host *host)
{
	struct umad_message *message = host->free_messages;

	if (message)
		host->free_messages = message->next;
	else
		message = malloc(sizeof(*message));
	return message;
}

static inline void push_message(struct kmod_file *file, struct umad_message *message)
{
	count(file, message);
	message->next = NULL;
	if (file->last)
		file->last->next = message;
	else
		file->first = message;
	file->last = message;
	if (file->queued++ == 0)
		wake(file);
}

static inline struct umad_message *unlink_first(struct kmod_file *file)
{
	struct umad_message *message = file->first;

	uncount(file, message);
	file->first = message->next;
	if (!file->first)
		file->last = NULL;
	if (--file->queued == 0)
		wake(file);
	return message;
}

struct umad_message *umad_file_unlink(struct kmod_file *file)
{
	return unlink_first(file);
}

/* Removes the first message, which has been read, and frees it. */
static inline void pop_message(struct kmod_file *file)
{
	struct kmod_host *host = file->port->host;
	struct umad_message *message = unlink_first(file);

	while (message->packets) {
		struct packet *packet = message->packets;

		message->packets = packet->next;
		packet_free(host->ops->pool, packet);
	}
	umad_message_free(host, message);
}

void umad_file_receive(struct kmod_file *file, uint8_t id, struct mad_recv *recv, uint32_t size)
{
	struct umad_message *message;

	if (file->queued > ways(file)->queue_limit) {
		trace_drop_all(file->port, recv->packet, "receive queue of the file is full (%u)",
			       file->queued);
		return;
	}
	if (file->usage && file->usage->received >= file->usage->received_max) {
		trace_drop_all(file->port, recv->packet,
			       "the program has too much that it does not read");
		return;
	}
	if (!recv->gid_known) {
		/* Linux: no address for an answer can be made of it. */
		trace_drop_all(file->port, recv->packet, "GRH to a GID that is not this port's");
		return;
	}
	message = new_message(file->port->host);
	if (!message) {
		trace_drop_all(file->port, recv->packet, "out of memory");
		return;
	}
	message->packets = recv->packet;
	message->size = size;
	user_header_received(message->header, id, &recv->from, file->header_size, size);
	push_message(file, message);
}

void umad_file_report(struct kmod_file *file, const struct mad_send *send)
{
	struct umad_message *message = new_message(file->port->host);

	if (!message) {
		TRACE(file->port, "send " TRACE_TID " report lost: out of memory",
		      TRACE_TID_ARGS(send->tid));
		return;
	}
	message->packets = NULL;
	message->size = MAD_HDR_SIZE;
	/* Everything is as the user wrote it, also length and retries, except the status. */
	memcpy(message->header, send->header, USER_HEADER_SIZE);
	user_header_set(message->header, USER_STATUS, ETIMEDOUT);
	memcpy(message->report, send->mad, MAD_HDR_SIZE);
	/* Linux: the user's own bytes, as before any route. */
	message->report[SMP_HOP_PTR] = send->hop_ptr;
	push_message(file, message);
}

/* ---- read ---- */

/* Not inlined, as what follows: the usual MAD has one segment, and needs few registers. */
__attribute__((noinline)) static long read_report(struct kmod_file *file, uint8_t *buf,
						  size_t count)
{
	const struct umad_message *message = file->first;
	uint32_t header_size = file->header_size;

	if (count < header_size + MAD_HDR_SIZE)
		return -EINVAL;
	user_header_copy(buf, message->header, header_size);
	memcpy(buf + header_size, message->report, MAD_HDR_SIZE);
	pop_message(file);
	return header_size + MAD_HDR_SIZE;
}

/* Copies the data of all segments of a message but the first: 'left' bytes, which are there. */
__attribute__((noinline)) static void read_segments(const struct umad_message *message, uint8_t *to,
						    uint32_t left)
{
	const struct packet *packet = message->packets;
	uint32_t data_at = mad_class_header_size(packet_mad_const(packet)[MAD_CLASS]);

	while (left > 0) {
		uint32_t part = left < MAD_SIZE - data_at ? left : MAD_SIZE - data_at;

		packet = packet->next;
		assert(packet);
		memcpy(to, packet_mad_const(packet) + data_at, part);
		to += part;
		left -= part;
	}
}

/*
 * A MAD of several segments: the headers of the first, the data of all. Linux: if the buffer is too
 * small, it gets the header, whose length is the size needed, and the first segment, and read(2)
 * returns ENOSPC.
 */
static inline long read_mad(struct kmod_file *file, uint8_t *buf, size_t count)
{
	const struct umad_message *message = file->first;
	uint32_t header_size = file->header_size, size = message->size;
	uint32_t first_size = size < MAD_SIZE ? size : MAD_SIZE;

	if (count < header_size + first_size)
		return -EINVAL;
	user_header_copy(buf, message->header, header_size);
	copy_bytes(buf + header_size, packet_mad_const(message->packets), first_size);
	if (count < (size_t)header_size + size)
		return -ENOSPC;
	if (size > first_size)
		read_segments(message, buf + header_size + first_size, size - first_size);
	pop_message(file);
	return (long)header_size + size;
}

long stub_file_read(struct kmod_file *file, void *buf, size_t count)
{
	if (count < file->header_size)
		return -EINVAL;
	if (umad_file_fails(file))
		return -EIO;
	if (!file->first)
		return -EAGAIN;
	if (!buf)
		return -EFAULT;
	return file->first->packets ? read_mad(file, buf, count) : read_report(file, buf, count);
}

/* ---- poll ---- */

bool stub_file_readable(const struct kmod_file *file)
{
	return umad_file_fails(file) || file->first;
}

unsigned int stub_file_poll(const struct kmod_file *file)
{
	if (umad_file_fails(file))
		return POLLERR;
	return POLLOUT | POLLWRNORM | (file->first ? POLLIN | POLLRDNORM : 0);
}
