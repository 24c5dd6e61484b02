/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A C test as users write them: sim/api/umadrig.h makes a fabric, libibumad finds it as sim:@.
 */
#include <errno.h>
#include <glib.h>
#include <infiniband/umad.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "tests/rig/leak.h"
#include "sim/api/umadrig.h"

enum { CLASS = 0x32, TID_AT = 8, STATUS_AT = 4, MAD_BYTES = 256 };

static const int64_t second_ns = INT64_C(1000000000);

struct umad_buffer {
	_Alignas(8) uint8_t bytes[64 + MAD_BYTES];
};

static struct umadrig_fabric *attach(const char *spec)
{
	char message[512] = "";
	struct umadrig_fabric *fabric = umadrig_fabric_open(spec, message, sizeof(message));

	g_assert_cmpstr(message, ==, "");
	umadrig_attach(fabric);
	return fabric;
}

static void detach(struct umadrig_fabric *fabric)
{
	umadrig_fabric_close(fabric);
}

/* A Get of class 0x32 to 'lid'. */
static void ask(int fd, int agent, uint16_t lid, int timeout_ms, int retries)
{
	struct umad_buffer buffer = { 0 };
	uint8_t *mad = umad_get_mad(buffer.bytes);

	mad[0] = 1;
	mad[1] = CLASS;
	mad[2] = 1;
	mad[3] = 1;
	mad[TID_AT + 7] = 5;
	mad[39] = 1;
	umad_set_addr(buffer.bytes, lid, 1, 0, (int)0x80010000);
	g_assert_cmpint(umad_send(fd, agent, buffer.bytes, MAD_BYTES, timeout_ms, retries), ==, 0);
}

static int open_agent(int fd)
{
	uint8_t oui[3] = { 0, 0, 1 };
	int agent = umad_register_oui(fd, CLASS, 0, oui, NULL);

	g_assert_cmpint(agent, >=, 0);
	return agent;
}

/*
 * Given the node that is asked, when the response or its absence is received, then what, and when.
 */
static void test_virtual(void)
{
	static const struct {
		uint16_t lid;
		int timeout_ms, retries;
		int length, umad_status;
		int64_t took_ns;
	} rows[] = {
		{ 2, 100, 3, MAD_BYTES, 0, 2000000 },
		{ 9, 20000, 9, 24, ETIMEDOUT, 200 * second_ns },
		{ 9, 1, 0, 24, ETIMEDOUT, 1000000 },
	};
	struct umadrig_fabric *fabric = attach(",clock=virtual,latency=1ms");
	int fd = umad_open_port("H1", 1), agent = open_agent(fd);

	g_assert_cmpint(fd, >=, 0);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct umad_buffer buffer;
		int length = MAD_BYTES;
		int64_t begin_ns = umadrig_now(fabric);

		ask(fd, agent, rows[i].lid, rows[i].timeout_ms, rows[i].retries);
		g_assert_cmpint(umad_recv(fd, buffer.bytes, &length, -1), ==, agent);
		g_assert_cmpint(length, ==, rows[i].length);
		g_assert_cmpint(umad_status(buffer.bytes), ==, rows[i].umad_status);
		g_assert_cmpint(umadrig_now(fabric) - begin_ns, ==, rows[i].took_ns);
	}
	umad_close_port(fd);
	detach(fabric);
}

static void test_waits(void)
{
	struct umadrig_fabric *fabric = attach(",clock=virtual");
	int fd = umad_open_port(NULL, 0);
	struct umad_buffer buffer;
	int length = MAD_BYTES;

	g_assert_cmpint(fd, >=, 0);
	g_assert_cmpint(umad_recv(fd, buffer.bytes, &length, 0), ==, -EAGAIN);
	g_assert_cmpint(umad_recv(fd, buffer.bytes, &length, 5), ==, -ETIMEDOUT);
	g_assert_cmpint(umadrig_now(fabric), ==, 5000000);
	g_assert_cmpint(umad_poll(fd, 5), ==, -ETIMEDOUT);
	g_assert_cmpint(umadrig_now(fabric), ==, 10000000);
	g_assert_cmpint(umad_recv(fd, buffer.bytes, &length, -1), ==, -EDEADLK);
	g_assert_cmpint(umad_poll(fd, -1), ==, -EDEADLK);
	g_assert_cmpint(umad_close_port(fd), ==, 0);
	g_assert_cmpint(umad_recv(fd, buffer.bytes, &length, 5), ==, -EINVAL);
	detach(fabric);
}

struct receiver {
	int fd;
	GAsyncQueue *received;
};

static gpointer receive_twice(gpointer data)
{
	const struct receiver *receiver = data;
	int fd = receiver->fd, length = MAD_BYTES;
	struct umad_buffer buffer;

	g_assert_cmpint(umad_recv(fd, buffer.bytes, &length, -1), ==, 0);
	g_assert_cmpint(umad_status(buffer.bytes), ==, ETIMEDOUT);
	g_async_queue_push(receiver->received, data);
	g_assert_cmpint(umad_recv(fd, buffer.bytes, &length, -1), ==, -EINVAL);
	return NULL;
}

/* A wait on a copy outlives the original, and ends with the copy. */
static void test_copy_waits(gconstpointer spec)
{
	struct umadrig_fabric *fabric = attach(spec);
	int fd = umad_open_port("H1", 1), other = umad_open_port("H1", 1), copy = dup(fd);
	struct receiver receiver = { .fd = copy, .received = g_async_queue_new() };
	int length = MAD_BYTES;
	struct umad_buffer buffer;
	GThread *thread;

	g_assert_cmpint(open_agent(fd), ==, 0);
	g_assert_cmpint(open_agent(other), ==, 0);
	/* This thread first: where nothing is outstanding, a thread alone would wait for ever. */
	ask(copy, 0, 9, 10, 0);
	thread = g_thread_new("receive", receive_twice, &receiver);
	g_assert_cmpint(umad_close_port(fd), ==, 0);
	/* Meanwhile this thread waits, too, for longer. */
	ask(other, 0, 9, 100, 0);
	g_assert_cmpint(umad_recv(other, buffer.bytes, &length, -1), ==, 0);
	g_async_queue_pop(receiver.received);
	g_assert_cmpint(umad_close_port(copy), ==, 0);
	g_thread_join(thread);
	g_async_queue_unref(receiver.received);
	g_assert_cmpint(umad_close_port(other), ==, 0);
	detach(fabric);
}

/* Fabrics one after the other; and hosts: each thread and each fabric has its own. */
static void test_hosts(void)
{
	for (int i = 0; i < 3; i++) {
		struct umadrig_fabric *fabric = attach(",clock=virtual");
		char names[4][UMAD_CA_NAME_LEN];
		umad_port_t port;

		g_assert_cmpint(umad_get_cas_names(names, 4), ==, 1);
		g_assert_cmpstr(names[0], ==, "H1");
		g_assert_cmpint(umadrig_host_enter(fabric, "H2"), ==, 0);
		g_assert_cmpint(umad_get_cas_names(names, 4), ==, 1);
		g_assert_cmpstr(names[0], ==, "H2");
		g_assert_cmpint(umad_get_port("H2", 1, &port), ==, 0);
		g_assert_cmpuint(port.base_lid, ==, 2);
		umad_release_port(&port);
		/* libibumad's own call, which an attached process has too. */
		g_assert_cmpint(umad_host_enter("H3"), ==, -ENOENT);
		g_assert_cmpint(umad_host_enter(NULL), ==, 0);
		g_assert_cmpint(umad_get_cas_names(names, 4), ==, 1);
		g_assert_cmpstr(names[0], ==, "H1");
		detach(fabric);
	}
}

/* ---- signal handlers ---- */

static struct {
	int fd, agent;
	unsigned int calls;
	int send, recv, poll;		/* what each returned in the handler */
} handled;

static void on_signal(int number)
{
	struct umad_buffer buffer = { 0 };
	int length = MAD_BYTES;

	(void)number;
	handled.calls++;
	umad_set_addr(buffer.bytes, 2, 1, 0, (int)0x80010000);
	handled.send = umad_send(handled.fd, handled.agent, buffer.bytes, MAD_BYTES, 0, 0);
	handled.recv = umad_recv(handled.fd, buffer.bytes, &length, 0);
	handled.poll = umad_poll(handled.fd, 0);
}

/* With the fabric's lock held: the handler runs in the middle of a call. */
static void raise_in_call(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes,
			  size_t size)
{
	(void)ctx, (void)at_ns, (void)outbound, (void)bytes, (void)size;
	raise(SIGUSR1);
}

static void test_signal(gconstpointer spec)
{
	struct sigaction action = { .sa_handler = on_signal }, before;
	struct umadrig_fabric *fabric = attach(spec);
	struct umad_buffer buffer;
	int length = MAD_BYTES;

	handled.fd = umad_open_port("H1", 1);
	handled.agent = open_agent(handled.fd);
	handled.calls = 0;
	sigaction(SIGUSR1, &action, &before);
	alarm(60);	/* ends a handler that waits for itself */
	umadrig_tap(umadrig_port(fabric, "H1", 1), raise_in_call, NULL);
	ask(handled.fd, handled.agent, 2, 100, 0);
	umadrig_tap(umadrig_port(fabric, "H1", 1), NULL, NULL);
	alarm(0);
	g_assert_cmpuint(handled.calls, >, 0);
	g_assert_cmpint(handled.send, ==, -EDEADLK);
	g_assert_cmpint(handled.recv, ==, -EDEADLK);
	g_assert_cmpint(handled.poll, ==, -EDEADLK);
	/* The interrupted call has done its work. */
	g_assert_cmpint(umad_recv(handled.fd, buffer.bytes, &length, -1), ==, handled.agent);
	/* And a handler that interrupts no call can make calls of its own. */
	raise(SIGUSR1);
	g_assert_cmpint(handled.send, ==, 0);
	g_assert_cmpint(handled.recv, ==, -EAGAIN);
	sigaction(SIGUSR1, &before, NULL);
	umad_close_port(handled.fd);
	detach(fabric);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_setenv("UMAD_BACKEND", "sim:@", true);
	g_test_add_func("/attach/virtual", test_virtual);
	g_test_add_func("/attach/waits", test_waits);
	g_test_add_data_func("/attach/copy-waits/real", ",latency=1ms", test_copy_waits);
	g_test_add_data_func("/attach/copy-waits/virtual", ",clock=virtual,latency=1ms",
			     test_copy_waits);
	g_test_add_func("/attach/hosts", test_hosts);
	g_test_add_data_func("/attach/signal/real", ",latency=1ms", test_signal);
	g_test_add_data_func("/attach/signal/virtual", ",clock=virtual,latency=1ms", test_signal);
	return leak_end(g_test_run());
}
