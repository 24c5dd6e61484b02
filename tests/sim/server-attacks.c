/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See tests/sim/server-attacks.h. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/attach/attach-memory.h"
#include "lib/base/handle-token.h"
#include "lib/base/mix64.h"
#include "lib/base/socket-message.h"
#include "tests/rig/send-descriptors.h"
#include "tests/sim/server-attacks.h"

struct server_attack_setup server_attack_setup;

/* The same numbers in each run. */
static uint64_t next(uint64_t *state)
{
	*state += MIX64_STEP;
	return mix64(*state);
}

static void fill(uint64_t *state, uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(next(state) >> 56);
}

/* ---- what all attackers need ---- */

static void send_call(int socket, const struct attach_call *call, const void *data, size_t size,
		      int fd)
{
	struct iovec parts[] = {
		{ (void *)call, sizeof(*call) }, { (void *)data, size },
	};

	socket_message_send(socket, parts, 2, fd, MSG_DONTWAIT);
}

/* The reply's descriptor, or -1: there is none, or no reply, because the server has hung up. */
static int await(int socket, void *ret, size_t size)
{
	uint8_t bytes[1024];
	int fd, flags;
	long n;

	do
		n = attach_receive(socket, bytes, sizeof(bytes), 0, &fd, &flags);
	while (n == -EINTR);
	if (n < (long)sizeof(struct attach_reply))
		return -1;
	if (ret && n >= (long)(sizeof(struct attach_reply) + size))
		memcpy(ret, bytes + sizeof(struct attach_reply), size);
	return fd;
}

static void say_hello(int socket)
{
	const struct attach_hello hello = { .magic = ATTACH_MAGIC, .version = ATTACH_VERSION };
	const struct attach_call call = { .op = ATTACH_HELLO };

	send_call(socket, &call, &hello, sizeof(hello), -1);
	await(socket, NULL, 0);
}

static int open_handle(int socket, uint64_t *ret_token)
{
	const struct attach_port_name name = { .ca_name = "H1", .portnum = 1 };
	const struct attach_call call = { .op = ATTACH_OPEN };
	int fd;

	send_call(socket, &call, &name, sizeof(name), -1);
	fd = await(socket, NULL, 0);
	if (fd >= 0)
		*ret_token = handle_token(fd);
	return fd;
}

/* On QP1 only, so that what it sends changes nothing in the fabric. */
static void add_agent(int socket, uint64_t token)
{
	const struct attach_reg reg = {
		.request = UMAD_BACKEND_REGISTER_AGENT, .qpn = 1, .mgmt_class = 0x32,
		.mgmt_class_version = 1, .oui = 0x001405,
	};
	const struct attach_call call = { .op = ATTACH_REGISTER, .handle = token };

	send_call(socket, &call, &reg, sizeof(reg), -1);
	await(socket, NULL, 0);
}

static void *map(int socket, const struct attach_call *call, int bell, size_t size)
{
	void *at = NULL;
	int fd;

	send_call(socket, call, NULL, 0, bell);
	fd = await(socket, NULL, 0);
	if (fd >= 0) {
		at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		close(fd);
	}
	return at == MAP_FAILED ? NULL : at;
}

/* ---- writes at random ---- */

struct writer {
	struct attach_ring *ring;
	struct attach_page *page;
	uint64_t token, state;
	int bell;
	_Atomic bool is_over;
};

/* Sometimes plausible, mostly not. */
static void write_ring(struct writer *writer)
{
	struct attach_ring *ring = writer->ring;
	uint64_t chance = next(&writer->state);
	struct attach_entry *entry = &ring->entries[chance >> 32 & (ATTACH_RING_ENTRIES - 1)];
	uint32_t put = atomic_load(&ring->put);

	fill(&writer->state, entry->bytes, sizeof(entry->bytes));
	memset(entry->bytes, 0, 4);
	entry->bytes[ATTACH_HEADER_SIZE + MAD_CLASS] = 0x32;
	entry->handle = chance & 1 ? writer->token : next(&writer->state);
	entry->size = chance & 2 ? RIG_UMAD : (uint32_t)(next(&writer->state) % 400);
	if ((chance & 0xfff0) == 0)
		put = (uint32_t)next(&writer->state);
	else
		put += chance >> 40 & 3;
	atomic_store(&ring->put, put);
	atomic_store(&ring->cpu, (uint32_t)(chance >> 44 & 7));
	if ((chance & 0xf00) == 0)
		atomic_store(&ring->bell, (uint32_t)(chance >> 50 & 3));
	if ((chance & 0x300) == 0)
		eventfd_write(writer->bell, 1);
}

static void write_page(struct writer *writer)
{
	struct attach_page *page = writer->page;
	uint64_t chance = next(&writer->state);

	atomic_store(&page->mailbox, (uint32_t)(chance % 7));
	atomic_store(&page->owner, chance & 0x100 ? chance >> 56 : next(&writer->state));
	atomic_store(&page->sent[chance >> 12 & (ATTACH_PAGE_SLOTS - 1)], (uint16_t)chance);
	atomic_store(&page->over[chance >> 24 & (ATTACH_PAGE_SLOTS - 1)], (uint16_t)chance);
	page->letter.size = (uint32_t)next(&writer->state);
	page->letter.is_large = (uint32_t)chance;
}

static void *write_at_random(void *data)
{
	struct writer *writer = data;

	while (!atomic_load(&writer->is_over)) {
		write_ring(writer);
		write_page(writer);
		if (next(&writer->state) % 64 == 0)
			g_usleep(100);
	}
	return NULL;
}

/* Makes calls meanwhile: any operation, of any size, until the server hangs up. */
static void call_at_random(int socket, struct writer *writer, uint64_t *state)
{
	uint8_t bytes[2048];

	for (unsigned int i = 0; i < 200; i++) {
		struct attach_call call = {
			.op = (uint32_t)(next(state) % 17), .argument = (uint32_t)next(state),
			.handle = next(state) & 1 ? writer->token : next(state),
		};

		/* A line of the console would be a command. */
		if (call.op == ATTACH_CONSOLE)
			call.op = ATTACH_SEND;
		fill(state, bytes, sizeof(bytes));
		memset(bytes, 0, 4);
		send_call(socket, &call, bytes,
			  call.op == ATTACH_SEND || call.op == ATTACH_PUT_BACK ?
			  next(state) % sizeof(bytes) : 0, -1);
		while (recv(socket, bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
			continue;
	}
}

static void attack_memory(struct server_rig *server, uint64_t *state)
{
	struct writer writer = { .state = next(state), .bell = eventfd(0, EFD_NONBLOCK) };
	const struct attach_call ring = { .op = ATTACH_RING };
	int socket = server_rig_connect(server), rings = server_rig_connect(server);
	int handle;

	say_hello(socket);
	handle = open_handle(socket, &writer.token);
	add_agent(socket, writer.token);
	writer.ring = map(rings, &ring, writer.bell, sizeof(*writer.ring));
	writer.page = map(socket, &(struct attach_call){ .op = ATTACH_PAGE,
			  .handle = writer.token }, -1, sizeof(*writer.page));
	if (writer.ring && writer.page) {
		GThread *thread = g_thread_new("writes", write_at_random, &writer);

		call_at_random(socket, &writer, state);
		g_usleep(5000);
		atomic_store(&writer.is_over, true);
		g_thread_join(thread);
	}
	if (writer.ring)
		munmap(writer.ring, sizeof(*writer.ring));
	if (writer.page)
		munmap(writer.page, sizeof(*writer.page));
	close(writer.bell);
	close(handle);
	close(rings);
	close(socket);
}

/* ---- descriptors by the hundred ---- */

static int make_descriptor(uint64_t chance)
{
	int ends[2] = { -1, -1 };

	switch (chance % 6) {
	case 0:
		return memfd_create("attack", 0);
	case 1:
		return eventfd(0, 0);
	case 2:
		return open("/dev/null", O_RDWR);
	case 3:
		if (pipe(ends) == 0)
			close(ends[1]);
		return ends[0];
	case 4:
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0)
			close(ends[1]);
		return ends[0];
	}
	return open("/proc/self/status", O_RDONLY);
}

static void attack_descriptors(struct server_rig *server, uint64_t *state)
{
	int socket = server_rig_connect(server), fd = make_descriptor(next(state));
	struct attach_call call = { .argument = (uint32_t)(next(state) % 5000) };
	uint64_t token = 0;
	int handle;

	say_hello(socket);
	handle = open_handle(socket, &token);
	call.handle = token;
	call.op = (uint32_t)(next(state) % 16);
	/* The handle first: the server hangs up on the sender of the other. */
	if (fd >= 0 && handle >= 0 && next(state) & 1)
		send_descriptors(handle, "x", 1, fd, 1 + next(state) % SEND_DESCRIPTORS_MAX);
	if (fd >= 0 && call.op != ATTACH_CONSOLE)
		send_descriptors(socket, &call, sizeof(call), fd,
				 next(state) & 1 ? 1 : 1 + next(state) % SEND_DESCRIPTORS_MAX);
	close(fd);
	close(handle);
	close(socket);
}

/* ---- exits at every step ---- */

static void attack_by_ending(struct server_rig *server, uint64_t *state)
{
	const struct attach_call ring = { .op = ATTACH_RING };
	unsigned int steps = (unsigned int)(next(state) % 6), step = 0;
	int socket = server_rig_connect(server), bell = eventfd(0, EFD_NONBLOCK), handle = -1;
	struct attach_page *page = NULL;
	struct attach_ring *mapped = NULL;
	uint64_t token = 0;

	if (step++ < steps)
		say_hello(socket);
	if (step++ < steps)
		handle = open_handle(socket, &token);
	if (step++ < steps)
		add_agent(socket, token);
	if (step++ < steps)
		page = map(socket, &(struct attach_call){ .op = ATTACH_PAGE, .handle = token }, -1,
			   sizeof(*page));
	if (step++ < steps)
		mapped = map(socket, &ring, bell, sizeof(*mapped));
	/* Nobody receives the reply to its last call. */
	send_call(socket, &(struct attach_call){ .op = ATTACH_LIST_CAS }, NULL, 0, -1);
	if (mapped) {
		atomic_store(&mapped->put, 1);
		munmap(mapped, sizeof(*mapped));
	}
	if (page)
		munmap(page, sizeof(*page));
	close(next(state) & 1 ? socket : bell);
	if (handle >= 0)
		close(handle);
	_exit(0);
}

/* ---- names handles of others ---- */

/* One MAD more than was sent, one letter less than has come, an agent less, a send: any harms. */
static void attack_handle(int socket, struct attach_ring *ring, uint64_t name)
{
	static const uint8_t forged[ATTACH_HEAD_SIZE] = { 0 };
	struct attach_call call = { .op = ATTACH_PUT_BACK, .handle = name };
	struct attach_page *page;

	send_call(socket, &call, forged, sizeof(forged), -1);
	await(socket, NULL, 0);
	add_agent(socket, name);
	call.op = ATTACH_PAGE;
	page = map(socket, &call, -1, sizeof(*page));
	if (page) {
		attach_mailbox_turn(page, ATTACH_MAILBOX_OPEN, ATTACH_MAILBOX_SHUT);
		attach_mailbox_turn(page, ATTACH_MAILBOX_FULL, ATTACH_MAILBOX_IDLE);
		munmap(page, sizeof(*page));
	}
	call.op = ATTACH_UNREGISTER;
	send_call(socket, &call, NULL, 0, -1);
	await(socket, NULL, 0);
	if (ring && atomic_load(&ring->put) - atomic_load(&ring->taken) < ATTACH_RING_ENTRIES) {
		struct attach_entry *entry = &ring->entries[ring->put % ATTACH_RING_ENTRIES];

		*entry = (struct attach_entry){ .handle = name, .size = RIG_UMAD };
		atomic_fetch_add(&ring->put, 1);
	}
}

static void attack_names(struct server_rig *server, uint64_t *state)
{
	enum { GUESSES = 20, NEAR = 4096, TOKEN_BITS = 51 };
	const struct attach_call call = { .op = ATTACH_RING };
	int socket = server_rig_connect(server), rings = server_rig_connect(server);
	int bell = eventfd(0, EFD_NONBLOCK), handle;
	uint64_t own = 0;
	struct attach_ring *ring = map(rings, &call, bell, sizeof(*ring));

	say_hello(socket);
	/* Those of others are as random as its own. */
	handle = open_handle(socket, &own);
	for (unsigned int i = 0; i < GUESSES; i++) {
		attack_handle(socket, ring, next(state) % (UINT64_C(1) << TOKEN_BITS));
		attack_handle(socket, ring, own + 1 + next(state) % NEAR);
		attack_handle(socket, ring, own - 1 - next(state) % NEAR);
	}
	close(handle);
	for (unsigned int i = 0; i < server_attack_setup.victims; i++) {
		uint64_t cookie = atomic_load(&server_attack_setup.cookies[i]);

		attack_handle(socket, ring, cookie);
		for (unsigned int j = 0; j < GUESSES; j++)
			attack_handle(socket, ring, cookie - NEAR + next(state) % (2 * NEAR));
	}
	eventfd_write(bell, 1);
	if (ring)
		munmap(ring, sizeof(*ring));
}

/* ---- messages as large as the server takes ---- */

enum { SA_HEADER = 56, METHOD_GET_TABLE = 0x12, LARGE_MIB = 255, LARGE_MIB_SHORT = 4 };

/* To itself: a question, and an answer of very many segments. */
static void attack_large(struct server_rig *server, uint64_t *state)
{
	int asks = server_rig_open_on(server, "H1"), answers = server_rig_open_on(server, "H2");
	size_t mib = server_attack_setup.is_long ? LARGE_MIB : LARGE_MIB_SHORT;
	size_t whole = RIG_HEADER + SA_HEADER + (mib << 20);
	struct umad_backend_reg asker = {
		.request = UMAD_BACKEND_REGISTER_AGENT,
		.qpn = 1, .mgmt_class = MAD_CLASS_SUBN_ADM, .mgmt_class_version = 2,
		.rmpp_version = 1,
	};
	struct umad_backend_reg answerer = asker;
	struct rig_get get = {
		.mgmt_class = MAD_CLASS_SUBN_ADM, .method = METHOD_GET_TABLE, .attr = 0x11,
		.dlid = 2, .tid = (uint32_t)next(state) | 1, .timeout_ms = 60000,
	};
	g_autofree uint8_t *umad = g_malloc0(whole);

	answerer.method_mask[0] = UINT64_C(1) << METHOD_GET_TABLE;
	g_assert_cmpint(umad_backend_attach.register_agent(asks, &asker), ==, 0);
	g_assert_cmpint(umad_backend_attach.register_agent(answers, &answerer), ==, 0);
	rig_send(&server->rig, asks, asker.id, &get);
	g_assert_cmpint(rig_recv(&server->rig, answers, umad, SERVER_WAIT_MS), ==, RIG_UMAD);
	umad[RIG_HEADER + MAD_METHOD] |= MAD_METHOD_RESPONSE;
	umad[RIG_HEADER + RMPP_VERSION] = umad[RIG_HEADER + RMPP_TYPE] = 1;
	umad[RIG_HEADER + RMPP_FLAGS] = RMPP_FLAG_ACTIVE;
	rig_put_u32(umad, RIG_TIMEOUT, 60000);
	put_be32(umad + RIG_QKEY, QKEY_GSI);
	g_assert_cmpint(umad_backend_attach.send(answers, umad, whole), ==, whole);
	g_assert_cmpint(umad_backend_attach.poll(asks, SERVER_WAIT_MS), >, 0);
	g_assert_cmpint(umad_backend_attach.recv(asks, umad, whole), ==, whole);
}

/* ---- very many messages ---- */

enum { FLOOD_RINGS = 16, FLOOD_SENDS = 5000, UNREAD_SENDS = 20000, SENDS_SHORT = 1000 };

static unsigned int sends(unsigned int most)
{
	return server_attack_setup.is_long ? most : SENDS_SHORT;
}

/* Sends without a pause; with 'reads', reads what has come now and then. */
static void flood(struct server_rig *server, unsigned int count, bool reads)
{
	int fd = server_rig_open_on(server, "H2");
	uint32_t agent = rig_register(&server->rig, fd, MAD_CLASS_SUBN_DR, 0);
	uint8_t umad[RIG_UMAD];
	struct rig_get get = {
		.mgmt_class = MAD_CLASS_SUBN_DR, .attr = 0x11, .timeout_ms = 600000,
	};

	for (unsigned int i = 0; i < count; i++) {
		get.tid++;
		rig_fill(umad, agent, &get);
		umad_backend_attach.send(fd, umad, sizeof(umad));
		while (reads && rig_recv(&server->rig, fd, umad, 0) == RIG_UMAD)
			continue;
	}
}

static void attack_rings(struct server_rig *server, uint64_t *state)
{
	(void)state;
	for (unsigned int i = 0; i < FLOOD_RINGS; i++) {
		if (fork() == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			flood(server, sends(FLOOD_SENDS), true);
			_exit(0);
		}
	}
	while (waitpid(-1, NULL, 0) > 0)
		continue;
}

/* What it never reads is the server's to free, when it ends. */
static void attack_unread(struct server_rig *server, uint64_t *state)
{
	(void)state;
	flood(server, sends(UNREAD_SENDS), false);
}

/* ---- all of them ---- */

const struct server_attack server_attacks[SERVER_ATTACKS] = {
	{ "memory", attack_memory }, { "descriptors", attack_descriptors },
	{ "endings", attack_by_ending }, { "large", attack_large }, { "names", attack_names },
	{ "rings", attack_rings }, { "unread", attack_unread },
};
