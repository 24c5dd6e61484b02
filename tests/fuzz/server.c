/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: whatever messages a client sends, and whatever it writes into the memory that it
 * shares with the server, each message is answered or the client is hung up on. Another client is
 * served all the time, and what is to be read from a handle is whole.
 *
 * The input is messages: a byte gives the number of bytes after the first two, which are the
 * operation and the argument of a call. The handle is always the newest. Operations from WITH_MEMFD
 * on have their bytes in a memfd instead; those from WRITE_WORD on are writes into shared memory.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/attach/call.h"
#include "lib/attach/attach-memory.h"
#include "lib/base/handle-token.h"
#include "lib/base/socket-message.h"
#include "sim/server/server.h"
#include "lib/base/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition) do { if (!(condition)) abort(); } while (0)

enum {
	WITH_MEMFD = 0x40,
	WRITE_WORD = 0x80,	/* argument: a word of the ring [its value, 32 bits] */
	WRITE_ENTRY = 0x81,	/* argument: 'put' grows by it [size, 16 bits; the message] */
	WRITE_PAGE = 0x82,	/* [where, 16 bits; what] */
	WRITE_MAILBOX = 0x83,	/* argument: enum attach_mailbox [the letter's start] */
};

/* A client and everything that it has. */
struct client {
	int fd;
	int bell;
	int handle;			/* -1: none */
	uint64_t token;		/* of the handle */
	uint8_t op;			/* last called */
	struct attach_ring *ring;	/* NULL: none */
	struct attach_page *page;
};

static const struct attach_hello hello = { .magic = ATTACH_MAGIC, .version = ATTACH_VERSION };

static struct server *server;
static struct client bystander;

static void end_client(struct client *client)
{
	if (client->ring)
		munmap(client->ring, sizeof(*client->ring));
	if (client->page)
		munmap(client->page, sizeof(*client->page));
	if (client->handle >= 0)
		close(client->handle);
	close(client->bell);
	close(client->fd);
}

static void begin_client(struct client *client)
{
	int ends[2];

	CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0);
	CHECK(server_admit(server, ends[0]) == 0);
	*client = (struct client) {
		.fd = ends[1], .handle = -1, .bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
	};
	CHECK(client->bell >= 0);
}

/* ---- calls ---- */

static void *map(int fd, size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	CHECK(at != MAP_FAILED);
	return at;
}

/* A socket is the new handle; anything else is memory or the console's text. */
static void take(struct client *client, int fd)
{
	uint64_t token = handle_token(fd);

	if (token) {
		if (client->handle >= 0)
			close(client->handle);
		client->handle = fd;
		client->token = token;
		return;
	}
	if (client->op == ATTACH_RING)
		client->ring = map(fd, sizeof(*client->ring));
	if (client->op == ATTACH_PAGE && client->page)
		munmap(client->page, sizeof(*client->page));
	if (client->op == ATTACH_PAGE)
		client->page = map(fd, sizeof(*client->page));
	close(fd);
}

/* Takes the server's replies. False: there are none, or it has hung up. */
static bool hear(struct client *client)
{
	uint8_t reply[1024];
	int fd = -1, flags;
	long n = attach_receive(client->fd, reply, sizeof(reply), MSG_DONTWAIT, &fd, &flags);

	if (n <= 0)
		return false;
	CHECK((size_t)n >= sizeof(struct attach_reply));
	if (fd >= 0)
		take(client, fd);
	return true;
}

static int memfd_of(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	CHECK(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
	return fd;
}

static void say(struct client *client, const struct attach_call *call, const void *data,
		size_t size, int fd)
{
	struct iovec parts[] = {
		{ .iov_base = (void *)call, .iov_len = sizeof(*call) },
		{ .iov_base = (void *)data, .iov_len = size },
	};

	CHECK(socket_message_send(client->fd, parts, 2, fd, MSG_DONTWAIT) == 0);
	client->op = (uint8_t)call->op;
}

static void call(struct client *client, uint8_t op, uint8_t argument, const uint8_t *data,
		 size_t size)
{
	static const struct attach_port_name port = { .ca_name = "H1", .portnum = 1, .parts = 7 };
	struct attach_call made = { .op = op, .argument = argument, .handle = client->token };
	int memfd;

	if (op & WITH_MEMFD) {
		made.op = op & ~WITH_MEMFD;
		made.argument = argument ? argument : (uint32_t)size;
		memfd = memfd_of(data, size);
		say(client, &made, NULL, 0, memfd);
		close(memfd);
	} else if (op == ATTACH_HELLO && argument == 0) {
		/* No fuzzer guesses a whole greeting, or the names of devices. */
		say(client, &made, &hello, sizeof(hello), -1);
	} else if (argument == 1 && op >= ATTACH_GET_CA && op <= ATTACH_OPEN) {
		say(client, &made, &port, sizeof(port), -1);
	} else {
		say(client, &made, data, size,
		    op == ATTACH_RING && argument == 0 ? client->bell : -1);
	}
}

/* ---- shared memory ---- */

static uint32_t number(const uint8_t *data, size_t size, size_t bytes)
{
	uint32_t value = 0;

	for (size_t i = 0; i < bytes && i < size; i++)
		value |= (uint32_t)data[i] << 8 * i;
	return value;
}

static void write_word(struct attach_ring *ring, uint8_t which, uint32_t value)
{
	_Atomic uint32_t *words[] = {
		&ring->put, &ring->taken, &ring->bell, &ring->cpu, &ring->server_cpu,
	};

	if (which < G_N_ELEMENTS(words))
		atomic_store(words[which], value);
	else
		ring->entries[which % ATTACH_RING_ENTRIES].handle ^= value;
}

static void write_entry(struct client *client, uint8_t grows, const uint8_t *data, size_t size)
{
	uint32_t put = atomic_load(&client->ring->put);
	struct attach_entry *entry = &client->ring->entries[put % ATTACH_RING_ENTRIES];
	size_t skipped = MIN(size, 2);

	entry->handle = client->token;
	entry->size = number(data, size, 2);
	memcpy(entry->bytes, data + skipped, MIN(size - skipped, sizeof(entry->bytes)));
	atomic_store(&client->ring->put, put + grows);
}

static void write_page(struct attach_page *page, const uint8_t *data, size_t size)
{
	size_t at = number(data, size, 2) % sizeof(*page), skipped = MIN(size, 2);

	memcpy((uint8_t *)page + at, data + skipped, MIN(size - skipped, sizeof(*page) - at));
}

/* As the owner of the ring, if there is one; WRITE_PAGE tries other owners. */
static void write_mailbox(struct client *client, uint8_t state, const uint8_t *data, size_t size)
{
	if (client->ring)
		atomic_store(&client->page->owner, atomic_load(&client->ring->serial));
	memcpy(&client->page->letter, data, MIN(size, sizeof(client->page->letter)));
	atomic_store(&client->page->mailbox, state);
}

static void scribble(struct client *client, uint8_t op, uint8_t argument, const uint8_t *data,
		     size_t size)
{
	uint64_t one = 1;

	if (op == WRITE_WORD && client->ring)
		write_word(client->ring, argument, number(data, size, 4));
	else if (op == WRITE_ENTRY && client->ring)
		write_entry(client, argument, data, size);
	else if (op == WRITE_PAGE && client->page)
		write_page(client->page, data, size);
	else if (op == WRITE_MAILBOX && client->page)
		write_mailbox(client, argument, data, size);
	CHECK(write(client->bell, &one, sizeof(one)) == sizeof(one));
}

/* ---- what the server does ---- */

/* The records read must be complete, with correct sizes. */
static void read_handle(const struct client *client)
{
	struct attach_record record;
	ssize_t n;

	while (client->handle >= 0 &&
	       (n = recv(client->handle, &record, sizeof(record), MSG_DONTWAIT)) > 0) {
		CHECK((size_t)n == sizeof(record) && record.handle == client->token);
		CHECK(record.size <= ATTACH_HEAD_SIZE && record.is_large <= 1);
	}
}

/* Makes the server execute a message or a write. Returns whether there may be another. */
static bool serve(struct client *client, uint8_t op)
{
	char byte;

	server_step(server, 0);
	read_handle(client);
	if (op < WRITE_WORD)
		return hear(client);
	return recv(client->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 0;
}

/* NodeInfo of its own node, through its ring. */
static void serve_bystander(void)
{
	struct attach_entry entry = { .size = ATTACH_HEAD_SIZE, .handle = bystander.token };
	uint8_t *mad = entry.bytes + ATTACH_HEADER_SIZE, words[2];
	uint32_t put = atomic_load(&bystander.ring->put);

	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = MAD_CLASS_SUBN_DR;
	mad[MAD_CLASS_VERSION] = 1;
	mad[MAD_METHOD] = MAD_METHOD_GET;
	put_be16(mad + MAD_ATTR_ID, 0x11);
	put_be16(mad + SMP_DR_SLID, LID_PERMISSIVE);
	put_be16(mad + SMP_DR_DLID, LID_PERMISSIVE);
	words[0] = entry.size & 0xff;
	words[1] = (uint8_t)(entry.size >> 8);
	memcpy(bystander.ring->entries[put % ATTACH_RING_ENTRIES].bytes, entry.bytes,
	       sizeof(entry.bytes));
	scribble(&bystander, WRITE_ENTRY, 1, words, sizeof(words));
	server_step(server, 0);
	read_handle(&bystander);
	CHECK(atomic_load(&bystander.ring->taken) == put + 1);
	call(&bystander, ATTACH_LIST_CAS, 0, NULL, 0);
	CHECK(serve(&bystander, ATTACH_LIST_CAS));
}

static void finish(void)
{
	end_client(&bystander);
	server_free(server);
}

static void start(void)
{
	static const uint8_t calls[][2] = {
		{ ATTACH_HELLO, 0 }, { ATTACH_OPEN, 1 }, { ATTACH_RING, 0 },
	};
	char message[512];

	server = server_new("", NULL, message, sizeof(message));
	CHECK(server);
	atexit(finish);
	begin_client(&bystander);
	for (size_t i = 0; i < G_N_ELEMENTS(calls); i++) {
		call(&bystander, calls[i][0], calls[i][1], NULL, 0);
		CHECK(serve(&bystander, calls[i][0]));
	}
	CHECK(bystander.ring && bystander.handle >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct client client;
	bool is_served = true;

	if (!server)
		start();
	begin_client(&client);
	while (is_served && size >= 3) {
		size_t length = MIN((size_t)data[0] + 2, size - 1);
		void (*act)(struct client *, uint8_t, uint8_t, const uint8_t *, size_t) =
			data[1] >= WRITE_WORD ? scribble : call;

		act(&client, data[1], data[2], data + 3, length - 2);
		/* The server hangs up only on the misbehaving client. */
		is_served = serve(&client, data[1]);
		data += 1 + length;
		size -= 1 + length;
	}
	/* What was in its mailbox is now read from its handle. */
	shutdown(client.fd, SHUT_RDWR);
	serve_bystander();
	read_handle(&client);
	end_client(&client);
	while (server_client_count(server) > 1 || server_file_count(server) > 1)
		server_step(server, 0);
	return 0;
}
