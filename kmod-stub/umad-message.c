/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A message of many segments, read in pieces: what read(2) would return in one (linux-mad A.7).
 */
#include <stdlib.h>
#include <string.h>

#include "kmod-stub/kmod-port.h"
#include "kmod-stub/packet.h"
#include "kmod-stub/umad-file.h"

#include "kmod-stub/stub.h"

struct kmod_message {
	const struct kmod_kernel *kernel;
	struct umad_message *message;	/* its packets are those that are not read */
	struct kmod_host *host;
	struct kmod_usage *usage;	/* NULL: not counted */
	size_t cost;			/* in 'usage' */
	uint32_t header_size, header_at;
	uint32_t left;			/* bytes of the MAD */
	uint32_t packet_at;		/* in the first packet */
	uint32_t data_at;		/* where a later packet's part begins */
};
_Static_assert(offsetof(struct kmod_message, kernel) == 0, "a message begins with its kernel");

struct kmod_message *stub_file_take(struct kmod_file *file)
{
	struct kmod_message *taken;
	struct umad_message *first = file->first;

	if (umad_file_fails(file) || !first || !first->packets)
		return NULL;
	taken = calloc(1, sizeof(*taken));
	if (!taken)
		return NULL;
	taken->kernel = file->kernel;
	taken->host = file->port->host;
	taken->usage = file->usage;
	taken->header_size = file->header_size;
	taken->left = first->size;
	taken->data_at = mad_class_header_size(packet_mad_const(first->packets)[MAD_CLASS]);
	taken->cost = file->usage ? file->usage->received : 0;
	taken->message = umad_file_unlink(file);
	if (taken->usage) {
		taken->cost -= taken->usage->received;
		taken->usage->received += taken->cost;	/* it still takes memory */
	}
	return taken;
}

/* The next part of the MAD: of one packet, which goes when all of it has been read. */
static size_t read_part(struct kmod_message *taken, uint8_t *to, size_t room)
{
	struct packet *packet = taken->message->packets;
	uint32_t part = MAD_SIZE - taken->packet_at;

	if (part > taken->left)
		part = taken->left;
	if (part > room)
		part = (uint32_t)room;
	memcpy(to, packet_mad_const(packet) + taken->packet_at, part);
	taken->packet_at += part;
	taken->left -= part;
	if (taken->packet_at == MAD_SIZE) {
		taken->message->packets = packet->next;
		taken->packet_at = taken->data_at;
		packet_free(taken->host->ops->pool, packet);
	}
	return part;
}

size_t stub_message_read(struct kmod_message *taken, void *buf, size_t count)
{
	uint8_t header[USER_HEADER_SIZE];
	size_t done = taken->header_size - taken->header_at;

	if (done > count)
		done = count;
	user_header_copy(header, taken->message->header, taken->header_size);
	memcpy(buf, header + taken->header_at, done);
	taken->header_at += (uint32_t)done;
	while (done < count && taken->left > 0)
		done += read_part(taken, (uint8_t *)buf + done, count - done);
	return done;
}

void stub_message_free(struct kmod_message *taken)
{
	while (taken->message->packets) {
		struct packet *packet = taken->message->packets;

		taken->message->packets = packet->next;
		packet_free(taken->host->ops->pool, packet);
	}
	if (taken->usage)
		taken->usage->received -= taken->cost;
	umad_message_free(taken->host, taken->message);
	free(taken);
}
