/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A guest's virtio device: see sim/guests/guest-vhost.h. Numbers are those of the vhost-user
 * specification.
 */
#include "sim/guests/guest-vhost.h"

#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "kmod-stub/linux/hca/umadrig_hca.h"
#include "sim/guests/guest-stream.h"

enum vhost_request {
	GET_FEATURES = 1,
	SET_FEATURES = 2,
	SET_OWNER = 3,
	RESET_OWNER = 4,
	SET_MEM_TABLE = 5,
	SET_VRING_NUM = 8,
	SET_VRING_ADDR = 9,
	SET_VRING_BASE = 10,
	SET_VRING_CALL = 13,
	GET_PROTOCOL_FEATURES = 15,
	SET_PROTOCOL_FEATURES = 16,
	SET_VRING_ENABLE = 18,
	SET_BACKEND_REQ_FD = 21,
	GET_CONFIG = 24,
	SET_CONFIG = 25,
	VRING_KICK = 35,
};

enum {
	VRING_CALL = 4,			/* of the device to the guest */
	FLAGS_VERSION = 1,
	FLAGS_REPLY = 4,
	FLAGS_NEED_REPLY = 8,
	PAYLOAD_MAX = 512,
};

static const uint64_t FEATURES = UINT64_C(1) << 32 |	/* VIRTIO_F_VERSION_1 */
				 UINT64_C(1) << 30;	/* VHOST_USER_F_PROTOCOL_FEATURES */
static const uint64_t PROTOCOL_FEATURES = 1 << 3 |	/* REPLY_ACK */
					  1 << 5 |	/* BACKEND_REQ */
					  1 << 9 |	/* CONFIG */
					  1 << 14;	/* INBAND_NOTIFICATIONS */

struct vhost_header {
	uint32_t request, flags, size;
};

struct vhost_state {
	uint32_t queue, value;
};

struct vhost_addresses {
	uint32_t queue, flags;
	uint64_t descriptors, used, available, log;
};

struct vhost_region {
	uint64_t physical, size, user, offset;
};

struct vhost_table {
	uint32_t count, padding;
	struct vhost_region region[GUEST_REGIONS_MAX];
};

struct vhost_config {
	uint32_t offset, size, flags;
};

struct vhost_message {
	uint32_t before;		/* so that the payload follows the header at once */
	struct vhost_header header;
	union {
		uint64_t number;
		struct vhost_state state;
		struct vhost_addresses addresses;
		struct vhost_table table;
		struct vhost_config config;
		uint8_t bytes[PAYLOAD_MAX];
	} payload;
	struct guest_fds fds;
};

_Static_assert(offsetof(struct vhost_message, payload) ==
	       offsetof(struct vhost_message, header) + sizeof(struct vhost_header),
	       "a message is sent in one piece");

static int complain(struct guest_vhost *vhost, int err, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

static int complain(struct guest_vhost *vhost, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_vsnprintf(vhost->why, sizeof(vhost->why), format, args);
	va_end(args);
	return err;
}

static void close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void guest_vhost_clear(struct guest_vhost *vhost)
{
	close_one(&vhost->listener);
	close_one(&vhost->fd);
	close_one(&vhost->call_fd);
	guest_memory_clear(&vhost->memory);
	memset(vhost->ring, 0, sizeof(vhost->ring));
}

int guest_vhost_accept(struct guest_vhost *vhost)
{
	int fd = guest_stream_accept(vhost->listener, vhost->patience_ms);

	if (fd < 0)
		return complain(vhost, fd, "its device did not connect");
	close_one(&vhost->listener);
	vhost->fd = fd;
	return 0;
}

/* ---- replies ---- */

static int reply(struct guest_vhost *vhost, struct vhost_message *message, size_t size)
{
	message->header.flags = FLAGS_VERSION | FLAGS_REPLY;
	message->header.size = (uint32_t)size;
	return guest_stream_write(vhost->fd, &message->header, sizeof(message->header) + size,
				  vhost->patience_ms);
}

static int reply_number(struct guest_vhost *vhost, struct vhost_message *message, uint64_t number)
{
	message->payload.number = number;
	return reply(vhost, message, sizeof(number));
}

/* The configuration space: what of it is asked for. */
static int reply_config(struct guest_vhost *vhost, struct vhost_message *message)
{
	const struct umadrig_hca_config config = {
		.magic = GUINT32_TO_LE(UMADRIG_HCA_VIRTIO_MAGIC),
		.version = GUINT32_TO_LE(UMADRIG_HCA_VERSION),
	};
	const struct vhost_config *asked = &message->payload.config;
	uint8_t *answer = message->payload.bytes + sizeof(*asked);

	if (message->header.size < sizeof(*asked) ||
	    asked->size > message->header.size - sizeof(*asked))
		return complain(vhost, -EPROTO, "it asks for %" PRIu32 " bytes of configuration in "
				"a message of %" PRIu32, asked->size, message->header.size);
	memset(answer, 0, asked->size);
	if (asked->offset < sizeof(config))
		memcpy(answer, (const uint8_t *)&config + asked->offset,
		       MIN(asked->size, sizeof(config) - asked->offset));
	return reply(vhost, message, message->header.size);
}

/* ---- what the guest sets ---- */

static struct guest_ring *ring_of(struct guest_vhost *vhost, uint32_t queue)
{
	return queue < GUEST_QUEUES ? &vhost->ring[queue] : NULL;
}

static int set_memory(struct guest_vhost *vhost, struct vhost_message *message)
{
	const struct vhost_table *table = &message->payload.table;
	size_t head = offsetof(struct vhost_table, region);

	if (message->header.size < head || table->count == 0 || table->count > GUEST_REGIONS_MAX ||
	    message->header.size < head + table->count * sizeof(*table->region) ||
	    message->fds.count != table->count)
		return complain(vhost, -EPROTO, "its table of memory says more than it has");
	guest_memory_clear(&vhost->memory);
	for (uint32_t i = 0; i < table->count; i++) {
		const struct guest_region region = {
			.physical = table->region[i].physical, .user = table->region[i].user,
			.size = table->region[i].size, .offset = table->region[i].offset,
			.fd = message->fds.fd[i],
		};

		message->fds.fd[i] = -1;
		if (guest_memory_add(&vhost->memory, &region) < 0)
			return complain(vhost, -EPROTO, "a region of its memory cannot be");
	}
	return 0;
}

static int set_ring_size(struct guest_vhost *vhost, struct guest_ring *ring, uint32_t size)
{
	if (size == 0 || size > GUEST_RING_MAX || (size & (size - 1)) != 0)
		return complain(vhost, -EPROTO, "a ring of %" PRIu32 " buffers", size);
	ring->size = (uint16_t)size;
	return 0;
}

static int set_ring_base(struct guest_vhost *vhost, struct guest_ring *ring, uint32_t base)
{
	if (base > UINT16_MAX)
		return complain(vhost, -EPROTO, "a ring that begins at %" PRIu32, base);
	ring->taken = ring->given = (uint16_t)base;
	return 0;
}

static void set_addresses(struct guest_ring *ring, const struct vhost_addresses *addresses)
{
	ring->descriptors = addresses->descriptors;
	ring->available = addresses->available;
	ring->used = addresses->used;
}

static int set_features(struct guest_vhost *vhost, uint64_t wanted, uint64_t offered)
{
	if (wanted & ~offered)
		return complain(vhost, -EPROTO, "it wants features 0x%" PRIx64 " of a device that "
				"has 0x%" PRIx64, wanted, offered);
	return 0;
}

/* ---- messages from the guest ---- */

static int take_up(struct guest_vhost *vhost)
{
	struct guest_ring *ring = &vhost->ring[GUEST_QUEUE_UP];

	/* A ring that is given back at once can be filled again only after the reply. */
	for (unsigned int i = 0; i <= GUEST_RING_MAX; i++) {
		uint8_t message[UMADRIG_HCA_UP_MAX];
		int head, err;
		long size = guest_ring_take(ring, &vhost->memory, message, sizeof(message), &head);

		if (size < 0)
			return complain(vhost, (int)size, "its queue of messages is broken: %s",
					size == -EFAULT ? "an address is outside of its memory" :
					"a descriptor or an index cannot be");
		if (head < 0)
			return 0;
		err = vhost->calls->up(vhost->ctx, message, (size_t)size);
		if (err == 0 && guest_ring_give(ring, &vhost->memory, head, 0) < 0)
			err = complain(vhost, -EFAULT, "its ring of used buffers is outside of its "
				       "memory");
		if (err < 0)
			return err;
	}
	return complain(vhost, -EPROTO, "its queue of messages has no end");
}

static int kick(struct guest_vhost *vhost, uint32_t queue)
{
	int err = queue == GUEST_QUEUE_UP ? take_up(vhost) : 0;

	return err < 0 ? err : vhost->calls->kicked(vhost->ctx);
}

static int set_call_fd(struct guest_vhost *vhost, struct vhost_message *message)
{
	if (message->fds.count != 1)
		return complain(vhost, -EPROTO, "it gives %zu sockets to be interrupted by",
				message->fds.count);
	close_one(&vhost->call_fd);
	vhost->call_fd = message->fds.fd[0];
	message->fds.fd[0] = -1;
	return 0;
}

/* Those about one ring. */
static int handle_ring(struct guest_vhost *vhost, const struct vhost_message *message,
		       struct guest_ring *ring)
{
	uint32_t value = message->payload.state.value;

	if (!ring)
		return complain(vhost, -EPROTO, "there is no queue %" PRIu32,
				message->payload.state.queue);
	if (message->header.request == SET_VRING_NUM)
		return set_ring_size(vhost, ring, value);
	if (message->header.request == SET_VRING_BASE)
		return set_ring_base(vhost, ring, value);
	if (message->header.request == SET_VRING_ADDR)
		set_addresses(ring, &message->payload.addresses);
	if (message->header.request == SET_VRING_ENABLE)
		ring->is_enabled = value != 0;
	return message->header.request == VRING_KICK ?
	       kick(vhost, message->payload.state.queue) : 0;
}

/* How large the payload is, with which the handling of a request can begin; -1: no such request. */
static int payload_size(uint32_t request)
{
	static const struct {
		uint32_t request;
		int size;
	} rows[] = {
		{ GET_FEATURES, 0 }, { SET_FEATURES, 8 }, { SET_OWNER, 0 }, { RESET_OWNER, 0 },
		{ SET_MEM_TABLE, 8 }, { SET_VRING_NUM, 8 }, { SET_VRING_ADDR, 40 },
		{ SET_VRING_BASE, 8 }, { SET_VRING_CALL, 8 }, { GET_PROTOCOL_FEATURES, 0 },
		{ SET_PROTOCOL_FEATURES, 8 }, { SET_VRING_ENABLE, 8 }, { SET_BACKEND_REQ_FD, 0 },
		{ GET_CONFIG, 12 }, { SET_CONFIG, 12 }, { VRING_KICK, 8 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		if (rows[i].request == request)
			return rows[i].size;
	}
	return -1;
}

/* 1: it has been replied to. */
static int handle(struct guest_vhost *vhost, struct vhost_message *message)
{
	uint32_t request = message->header.request;
	int size = payload_size(request), err;

	if (size < 0 || message->header.size < (uint32_t)size)
		return complain(vhost, -EPROTO, "request %" PRIu32 " with %" PRIu32 " bytes of its "
				"device is none", request, message->header.size);
	if (request == SET_FEATURES || request == SET_PROTOCOL_FEATURES)
		return set_features(vhost, message->payload.number,
				    request == SET_FEATURES ? FEATURES : PROTOCOL_FEATURES);
	if (request == SET_MEM_TABLE)
		return set_memory(vhost, message);
	if (request == SET_BACKEND_REQ_FD)
		return set_call_fd(vhost, message);
	if (request == SET_VRING_NUM || request == SET_VRING_BASE || request == SET_VRING_ADDR ||
	    request == SET_VRING_ENABLE || request == VRING_KICK)
		return handle_ring(vhost, message, ring_of(vhost, message->payload.state.queue));
	if (request == GET_FEATURES)
		err = reply_number(vhost, message, FEATURES);
	else if (request == GET_PROTOCOL_FEATURES)
		err = reply_number(vhost, message, PROTOCOL_FEATURES);
	else if (request == GET_CONFIG)
		err = reply_config(vhost, message);
	else
		return 0;	/* an owner, an eventfd that INBAND replaces, a configuration */
	return err < 0 ? err : 1;
}

static int read_message(struct guest_vhost *vhost, struct vhost_message *message)
{
	int err = guest_stream_read(vhost->fd, &message->header, sizeof(message->header),
				    vhost->patience_ms, &message->fds);

	if (err < 0)
		return err;
	if (message->header.size > PAYLOAD_MAX)
		return complain(vhost, -EPROTO, "a message of %" PRIu32 " bytes of its device",
				message->header.size);
	return guest_stream_read(vhost->fd, &message->payload, message->header.size,
				 vhost->patience_ms, &message->fds);
}

int guest_vhost_take(struct guest_vhost *vhost)
{
	struct vhost_message message = { .fds.count = 0 };
	int err = read_message(vhost, &message);
	uint32_t flags = message.header.flags;

	if (err == 0)
		err = handle(vhost, &message);
	guest_fds_close(&message.fds);
	if (err == 0 && flags & FLAGS_NEED_REPLY)
		err = reply_number(vhost, &message, 0);
	if (err == -EPIPE)
		guest_vhost_clear(vhost);
	return err < 0 ? err : 0;
}

/* ---- messages to the guest ---- */

static int complain_of_down(struct guest_vhost *vhost, int err)
{
	return complain(vhost, err, "its queue for messages is broken: %s", err == -EFAULT ?
			"an address is outside of its memory" : "a descriptor, an index or a "
			"buffer's size cannot be");
}

int guest_vhost_has_room(struct guest_vhost *vhost)
{
	int has = vhost->call_fd < 0 ? 0 :
		  guest_ring_has(&vhost->ring[GUEST_QUEUE_DOWN], &vhost->memory);

	return has < 0 ? complain_of_down(vhost, has) : has;
}

int guest_vhost_put(struct guest_vhost *vhost, const void *message, size_t size)
{
	struct guest_ring *ring = &vhost->ring[GUEST_QUEUE_DOWN];
	int head, ret = guest_ring_fill(ring, &vhost->memory, message, size, &head);

	if (ret == 1 && guest_ring_give(ring, &vhost->memory, head, size) < 0)
		ret = -EFAULT;
	return ret < 0 ? complain_of_down(vhost, ret) : ret;
}

int guest_vhost_call(struct guest_vhost *vhost)
{
	const struct {
		struct vhost_header header;
		struct vhost_state state;
	} message = {
		{ VRING_CALL, FLAGS_VERSION | FLAGS_NEED_REPLY, sizeof(struct vhost_state) },
		{ GUEST_QUEUE_DOWN, 0 },
	};

	return guest_stream_write(vhost->call_fd, &message, sizeof(message), vhost->patience_ms);
}

int guest_vhost_called(struct guest_vhost *vhost)
{
	struct {
		struct vhost_header header;
		uint32_t value[2];
	} answer;

	return guest_stream_read(vhost->call_fd, &answer, sizeof(answer), vhost->patience_ms, NULL);
}
