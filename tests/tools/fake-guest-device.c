/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A fake guest's device and its rings: see tests/tools/fake-guest.h.
 */
#include <endian.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/tools/fake-guest.h"

enum { RING = 64, BUFFERS = 32, UP_AT = 0x10000, DOWN_AT = 0x40000, BUFFERS_AT = 0x80000,
       MEMORY = 0x100000 };

#define BASE UINT64_C(0x60000000)	/* its physical address 0 */

int fake_call_fd;
struct umadrig_hca_port fake_port;
static int vhost_fd, memory_fd;
static uint8_t *memory;
static uint16_t up_index, down_index, down_seen;
static struct umadrig_hca_config told_config;	/* behind the first words of the last reply */

/* Sends a request and reads its reply; the time socket is served meanwhile. */
static uint64_t ask(uint32_t request, const void *payload, size_t size, const int *fds,
		    size_t count)
{
	struct vhost message = { .request = request, .flags = 1 | 8, .size = (uint32_t)size };

	memcpy(message.payload, payload, size);
	fake_put_with(vhost_fd, &message, fds, count);
	for (;;) {
		struct pollfd ready[] = {
			{ .fd = vhost_fd, .events = POLLIN },
			{ .fd = fake_time_fd, .events = POLLIN },
		};
		struct time_message told;
		uint64_t value;

		poll(ready, 2, -1);
		if (ready[1].revents) {
			fake_get(fake_time_fd, &told, sizeof(told));
			fake_acknowledge(&told);
		} else {
			fake_get(vhost_fd, &message, 12);
			if (message.size > sizeof(message.payload))
				_exit(6);
			fake_get(vhost_fd, message.payload, message.size);
			memcpy(&told_config, message.payload + 12, sizeof(told_config));
			memcpy(&value, message.payload, sizeof(value));
			return value;
		}
	}
}

static void state(uint32_t request, uint32_t queue, uint32_t value)
{
	const uint32_t payload[2] = { queue, value };

	ask(request, payload, sizeof(payload), NULL, 0);
}

static void addresses(uint32_t queue, uint64_t at)
{
	const struct {
		uint32_t queue, flags;
		uint64_t descriptors, used, available, log;
	} payload = { queue, 0, at, at + 0x8000, at + 0x4000, 0 };

	ask(9, &payload, sizeof(payload), NULL, 0);
}

struct descriptor {
	uint64_t at;
	uint32_t size;
	uint16_t flags, next;
};

static struct descriptor *descriptors(size_t at)
{
	return (void *)(memory + at);
}

static uint16_t *available(size_t at)
{
	return (void *)(memory + at + 0x4000);
}

static uint16_t *used(size_t at)
{
	return (void *)(memory + at + 0x8000);
}

static void offer_down(uint16_t number)
{
	descriptors(DOWN_AT)[number] = (struct descriptor) {
		.at = fake_wrong == DOWN_OUTSIDE ? 0x10 :
		      BASE + BUFFERS_AT + number * (uint64_t)UMADRIG_HCA_DOWN_MAX,
		.size = UMADRIG_HCA_DOWN_MAX, .flags = fake_wrong == DOWN_DIRECTION ? 0 : 2,
	};
	available(DOWN_AT)[2 + down_index % RING] = number;
	available(DOWN_AT)[1] = ++down_index;
}

static void set_memory(void)
{
	struct {
		uint32_t count, padding;
		uint64_t physical, size, user, offset;
	} table = { 1, 0, BASE, MEMORY, BASE, 0 };
	int fds[2];

	memory_fd = memfd_create("fake-guest", MFD_CLOEXEC);
	if (memory_fd < 0 || ftruncate(memory_fd, MEMORY) < 0)
		fake_fail("memory");
	memory = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED, memory_fd, 0);
	if (fake_wrong == TABLE_COUNT)
		table.count = 1000;
	if (fake_wrong == REGION_OUTSIDE)
		table.size = UINT64_MAX - 5;
	if (fake_wrong == REGION_OUTSIDE && pipe(fds) < 0)
		fake_fail("pipe");
	ask(5, &table, sizeof(table), &memory_fd, fake_wrong == TABLE_FDS ? 0 : 1);
}

static void set_call(void)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0)
		fake_fail("socketpair");
	ask(21, "", 0, &pair[0], fake_wrong == CALL_FDS ? 0 : 1);
	close(pair[0]);
	fake_call_fd = pair[1];
}

void fake_plug_in(const char *path)
{
	const uint64_t features = fake_wrong == FEATURES ? UINT64_MAX : 1ULL << 32 | 1ULL << 30;
	const uint64_t more = 1 << 3 | 1 << 5 | 1 << 9 | 1 << 14;
	uint32_t config[3 + 4] = { 0, fake_wrong == CONFIG_LONG ? 4096 : 16, 0 };

	vhost_fd = fake_connect(path);
	if (fake_wrong == VHOST_SIZE)
		fake_put(vhost_fd, "\1\0\0\0\1\0\0\0\377\377\377\177", 12);
	if (fake_wrong == VHOST_REQUEST)
		ask(99, "", 0, NULL, 0);
	ask(3, "", 0, NULL, 0);
	if (ask(1, "", 0, NULL, 0) != (1ULL << 32 | 1ULL << 30) || ask(15, "", 0, NULL, 0) != more)
		_exit(10);
	ask(16, &more, sizeof(more), NULL, 0);
	set_call();
	ask(24, config, sizeof(config), NULL, 0);
	if (told_config.magic != htole32(UMADRIG_HCA_VIRTIO_MAGIC))
		_exit(11);
	ask(2, &features, sizeof(features), NULL, 0);
	set_memory();
	for (uint32_t queue = 0; queue < 2; queue++) {
		state(8, queue, fake_wrong == RING_SIZE ? 63 : RING);
		state(10, queue, 0);
		addresses(queue, fake_wrong == RING_OUTSIDE ? 0x1000 :
			  BASE + (queue ? DOWN_AT : UP_AT));
		state(18, queue, 1);
	}
	for (uint16_t i = 0; i < BUFFERS; i++)
		offer_down(i);
}

/* ---- messages up ---- */

static void spoil_descriptor(struct descriptor *first)
{
	if (fake_wrong == CHAIN_CIRCLE)
		*first = (struct descriptor){ first->at, 4, 1, 0 };
	else if (fake_wrong == CHAIN_FAR)
		*first = (struct descriptor){ first->at, 4, 1, 4000 };
	else if (fake_wrong == INDIRECT)
		first->flags = 4;
	else if (fake_wrong == BUFFER_OUTSIDE)
		first->at = BASE + MEMORY - 4;
}

static void spoil_message(struct umadrig_hca_header *header)
{
	if (fake_wrong == LENGTH_SAYS)
		header->length = htole32(4000);
	else if (fake_wrong == VERSION)
		header->version = 77;
	else if (fake_wrong == TYPE)
		header->type = 55;
	else if (fake_wrong == HCA)
		header->hca = 63;
}

void fake_up(struct umadrig_hca_header *header, const void *payload, size_t size)
{
	uint8_t *at = memory + UP_AT + 0xc000;
	uint32_t kick[2] = { 0, 0 };

	header->version = UMADRIG_HCA_VERSION;
	header->length = htole32((uint32_t)(sizeof(*header) + size));
	if (header->type == UMADRIG_HCA_HELLO)
		spoil_message(header);
	memcpy(at, header, sizeof(*header));
	memcpy(at + sizeof(*header), payload, size);
	descriptors(UP_AT)[0] = (struct descriptor) {
		.at = BASE + UP_AT + 0xc000, .size = (uint32_t)(sizeof(*header) + size),
	};
	spoil_descriptor(descriptors(UP_AT));
	available(UP_AT)[2 + up_index % RING] = fake_wrong == HEAD_FAR ? 4000 : 0;
	up_index++;
	available(UP_AT)[1] = fake_wrong == INDEX_FAR ? (uint16_t)(up_index + 5000) : up_index;
	if (fake_wrong == SHRINK && ftruncate(memory_fd, 0x1000) < 0)
		fake_fail("ftruncate");
	/* Nobody sees anything of it before the time is known. */
	fake_say(UPDATE, fake_wrong == UPDATE_BACK && fake_now > 1000 ? 5 :
	    fake_wrong == UPDATE_BEYOND && fake_now > 1000 ? fake_now + 100 * NS_PER_S : fake_now);
	ask(35, kick, sizeof(kick), NULL, 0);
}

void fake_send_mad(uint16_t dlid, uint8_t mgmt_class, uint8_t method, uint8_t tid)
{
	struct umadrig_hca_header header = {
		.type = UMADRIG_HCA_MAD, .port = 1, .source_qp = htole32(1),
		.destination_qp = htole32(1), .qkey = htole32(0x80010000),
		.slid = fake_port.lid, .dlid = htole16(dlid), .pkey = htole16(0xffff),
	};
	uint8_t mad[256] = { 1, mgmt_class, mgmt_class == 3 ? 2 : 1, method, [15] = tid, [17] = 1 };

	if (fake_wrong >= DATAGRAM_GRH)
		fake_send_wrong_datagram(&header);
	if (fake_wrong == GRH_SHORT) {
		header.flags = UMADRIG_HCA_FLAG_GRH;
		fake_up(&header, mad, 30);
	}
	fake_up(&header, mad, sizeof(mad));
}

bool fake_next_down(uint8_t *message)
{
	uint32_t number;

	if (down_seen == __atomic_load_n(&used(DOWN_AT)[1], __ATOMIC_ACQUIRE))
		return false;
	memcpy(&number, (uint8_t *)(used(DOWN_AT) + 2) + 8 * (down_seen % RING), 4);
	memcpy(message, memory + BUFFERS_AT + number * UMADRIG_HCA_DOWN_MAX, UMADRIG_HCA_DOWN_MAX);
	down_seen++;
	offer_down((uint16_t)number);
	return true;
}
