/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Waiting for MADs of a fabric server in mailboxes (lib/attach/mailbox.h): a round trip takes that
 * path, and whatever ends or disturbs the wait, no MAD is lost or duplicated.
 */
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <sys/syscall.h>

#include "lib/attach/attach-memory.h"
#include "lib/attach/mailbox.h"
#include "lib/attach/ring.h"
#include "lib/base/handle-token.h"
#include "tests/rig/server-rig.h"

enum {
	CLASS_PING = 0x32,
	METHODS_SEND = 1 << MAD_METHOD_SEND,
	LID_H2 = 2,
	WAIT_MS = 20000,	/* for what is certain to come: never reached */
};

/* A server, and handles on H1 and H2, which send the MADs. */
struct world {
	struct server_rig server;
	int from, fd;
	uint32_t sender, agent;
};

static struct world world_start(const char *spec)
{
	struct world world = { .server = server_rig_start(spec, "H1") };

	world.from = server_rig_open_on(&world.server, "H1");
	world.fd = server_rig_open_on(&world.server, "H2");
	world.sender = rig_register(&world.server.rig, world.from, CLASS_PING, 0);
	world.agent = rig_register(&world.server.rig, world.fd, CLASS_PING, METHODS_SEND);
	return world;
}

static void world_end(struct world *world)
{
	umad_backend_attach.close(world->from);
	umad_backend_attach.close(world->fd);
	server_rig_end(&world->server);
}

/* A MAD from H1 to H2; or from H2 to itself, which makes the handle's page known. */
static void send_tid(struct world *world, bool is_own, uint32_t tid)
{
	struct rig_get get = { .mgmt_class = CLASS_PING, .method = MAD_METHOD_SEND, .attr = 0x10,
			       .dlid = LID_H2, .tid = tid };

	if (is_own)
		rig_send(&world->server.rig, world->fd, world->agent, &get);
	else
		rig_send(&world->server.rig, world->from, world->sender, &get);
}

static long receive(struct world *world, int timeout_ms, uint32_t *ret_tid)
{
	uint8_t umad[RIG_UMAD];
	long n = umad_backend_attach.recv_wait(world->fd, umad, sizeof(umad), timeout_ms);

	*ret_tid = n == RIG_UMAD ? get_be32(umad + RIG_HEADER + MAD_TID + 4) : 0;
	return n;
}

static void expect(struct world *world, uint32_t tid)
{
	uint32_t got;

	g_assert_cmpint(receive(world, WAIT_MS, &got), ==, RIG_UMAD);
	g_assert_cmpuint(got, ==, tid);
}

/* Sends and receives until the thread waits in the mailbox, and knows that the socket is empty. */
static void warm_up(struct world *world)
{
	for (uint32_t i = 0; i < 6; i++) {
		send_tid(world, true, 9000 + i);
		expect(world, 9000 + i);
	}
}

/* The handle's page; it stays mapped until the handle is closed. */
static struct attach_page *page_of(struct world *world, uint64_t *ret_serial)
{
	struct attach_wait wait;

	attach_ring_wait_begins(handle_token(world->fd), &wait);
	attach_ring_wait_over(&wait);
	g_assert_nonnull(wait.page);
	if (ret_serial)
		*ret_serial = wait.serial;
	return wait.page;
}

static void await_state(struct attach_page *page, enum attach_mailbox state)
{
	while (atomic_load(&page->mailbox) != state)
		g_usleep(100);
}

/* ---- receiving ---- */

/* One at a time: they come through the mailbox, and the socket is not used. */
static void test_round_trips(void)
{
	struct world world = world_start("");
	struct attach_page *page;
	uint32_t written;

	warm_up(&world);
	page = page_of(&world, NULL);
	written = attach_mailbox_written(page);
	for (uint32_t i = 0; i < 1000; i++) {
		send_tid(&world, true, i);
		expect(&world, i);
	}
	/* The server may be faster than the thread's wait in the mailbox, but not every time. */
	g_assert_cmpuint(attach_mailbox_written(page) - written, <, 1000);
	world_end(&world);
}

/* What does not come soon comes later: each once, in order, by whichever way. */
static void test_soon(void)
{
	struct world world = world_start("");
	uint8_t umad[RIG_UMAD];

	warm_up(&world);
	g_assert_cmpint(umad_backend_attach.recv_soon(world.fd, umad, sizeof(umad)), ==, -EAGAIN);
	for (uint32_t i = 0; i < 2000; i++) {
		long n;

		send_tid(&world, i % 7 != 0, i);
		n = umad_backend_attach.recv_soon(world.fd, umad, sizeof(umad));
		if (n == -EAGAIN) {
			expect(&world, i);
			continue;
		}
		g_assert_cmpint(n, ==, RIG_UMAD);
		g_assert_cmpuint(get_be32(umad + RIG_HEADER + MAD_TID + 4), ==, i);
	}
	g_assert_cmpint(umad_backend_attach.recv_soon(world.fd, umad, 10), ==, -EINVAL);
	world_end(&world);
}

static struct {
	struct attach_page page;
	atomic_bool is_over;
} looked_at;

/* Puts a letter into the mailbox whenever a thread looks at it. */
static void *post_letters(void *unused)
{
	(void)unused;
	while (!atomic_load(&looked_at.is_over)) {
		if (atomic_load(&looked_at.page.mailbox) != ATTACH_MAILBOX_OPEN)
			continue;
		looked_at.page.letter.size = 7;
		attach_mailbox_turn(&looked_at.page, ATTACH_MAILBOX_OPEN, ATTACH_MAILBOX_FULL);
	}
	return NULL;
}

/* A thread that looks for a moment never sleeps, and leaves the mailbox free. */
static void test_look(void)
{
	enum { TOKEN = 5 };
	struct attach_record record = { .size = 0 };
	struct attach_spin spin = { .skips = 0 };
	struct attach_page *page = &looked_at.page;
	pthread_t poster;
	int ret;

	/* The socket has not been seen empty. */
	g_assert_cmpint(attach_mailbox_look(page, TOKEN, 1, &spin, &record), ==, -ESTALE);
	g_assert_cmpuint(page->mailbox, ==, ATTACH_MAILBOX_IDLE);
	attach_mailbox_saw_empty(TOKEN, 0);
	g_assert_cmpint(attach_mailbox_look(page, TOKEN, 1, &spin, &record), ==, -EAGAIN);
	g_assert_cmpuint(page->mailbox, ==, ATTACH_MAILBOX_IDLE);
	g_assert_cmpuint(spin.skips, ==, 1);
	pthread_create(&poster, NULL, post_letters, NULL);
	do {
		ret = attach_mailbox_look(page, TOKEN, 1, &spin, &record);
		g_assert_cmpuint(page->mailbox, ==, ATTACH_MAILBOX_IDLE);
	} while (ret == -EAGAIN);
	atomic_store(&looked_at.is_over, true);
	pthread_join(poster, NULL);
	g_assert_cmpint(ret, ==, 0);
	g_assert_cmpuint(record.size, ==, 7);
	g_assert_cmpuint(spin.skips, ==, 0);
	/* Another thread has it. */
	atomic_store(&page->mailbox, ATTACH_MAILBOX_TAKEN);
	g_assert_cmpint(attach_mailbox_look(page, TOKEN, 1, &spin, &record), ==, -EAGAIN);
	g_assert_cmpuint(page->mailbox, ==, ATTACH_MAILBOX_TAKEN);
}

/* Several at a time: the first may come through the mailbox, the others follow. */
static void test_order(void)
{
	struct world world = world_start(",latency=1ms");
	uint32_t tid = 0;

	warm_up(&world);
	for (unsigned int count = 1; count <= 40; count++) {
		for (unsigned int i = 0; i < count; i++)
			send_tid(&world, i % 2, tid + i);
		for (unsigned int i = 0; i < count; i++)
			expect(&world, tid++);
	}
	world_end(&world);
}

enum { SHARED_MADS = 400 };

struct reader {
	struct world *world;
	GThread *thread;
	bool seen[SHARED_MADS];
};

static void *read_shared(void *data)
{
	struct reader *reader = data;
	uint32_t tid;

	while (receive(reader->world, WAIT_MS, &tid) == RIG_UMAD && tid < SHARED_MADS)
		reader->seen[tid] = true;
	return NULL;
}

/* Threads that wait for the same handle share what arrives. */
static void test_threads(void)
{
	struct world world = world_start("");
	struct reader readers[3];

	warm_up(&world);
	for (unsigned int i = 0; i < G_N_ELEMENTS(readers); i++) {
		readers[i] = (struct reader){ .world = &world };
		readers[i].thread = g_thread_new("reader", read_shared, &readers[i]);
	}
	for (uint32_t tid = 0; tid < SHARED_MADS; tid++)
		send_tid(&world, tid % 2, tid);
	for (unsigned int i = 0; i < G_N_ELEMENTS(readers); i++)
		send_tid(&world, true, SHARED_MADS + i);	/* ends one of them */
	for (unsigned int i = 0; i < G_N_ELEMENTS(readers); i++)
		g_thread_join(readers[i].thread);
	for (uint32_t tid = 0; tid < SHARED_MADS; tid++) {
		unsigned int count = 0;

		for (unsigned int i = 0; i < G_N_ELEMENTS(readers); i++)
			count += readers[i].seen[tid];
		g_assert_cmpuint(count, ==, 1);
	}
	world_end(&world);
}

/* ---- what ends a wait ---- */

/* Timeouts are not early, on either side of ATTACH_MAILBOX_MS. */
static void test_timeout(gconstpointer data)
{
	int timeout_ms = GPOINTER_TO_INT(data);
	struct world world = world_start("");
	int64_t before_us;
	uint32_t tid;

	warm_up(&world);
	before_us = g_get_monotonic_time();
	g_assert_cmpint(receive(&world, timeout_ms, &tid), ==, -ETIMEDOUT);
	g_assert_cmpint(g_get_monotonic_time() - before_us, >=, timeout_ms * 1000);
	send_tid(&world, false, 1);
	expect(&world, 1);
	world_end(&world);
}

static atomic_bool wakes;

static void *wake_for_nothing(void *data)
{
	struct attach_page *page = data;

	while (atomic_load(&wakes))
		syscall(SYS_futex, &page->mailbox, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	return NULL;
}

/* A wake whose addressee has gone ends no other wait, and prolongs none. */
static void test_late_wake(void)
{
	struct world world = world_start("");
	struct attach_page *page;
	GThread *waker;
	uint32_t tid;
	long n;

	warm_up(&world);
	page = page_of(&world, NULL);
	atomic_store(&wakes, true);
	waker = g_thread_new("waker", wake_for_nothing, page);
	/* As umad_recv() does: waits for the rest of the time. */
	for (unsigned int i = 0; i < 20; i++) {
		n = receive(&world, 10, &tid);
		g_assert_true(n == -EAGAIN || n == -ETIMEDOUT);
		send_tid(&world, true, i);
		do
			n = receive(&world, WAIT_MS, &tid);
		while (n == -EAGAIN);
		g_assert_cmpint(n, ==, RIG_UMAD);
		g_assert_cmpuint(tid, ==, i);
		send_tid(&world, true, i);
		g_assert_cmpint(receive(&world, -1, &tid), ==, RIG_UMAD);
	}
	atomic_store(&wakes, false);
	g_thread_join(waker);
	world_end(&world);
}

static void test_server_killed(void)
{
	struct world world = world_start("");
	uint32_t tid;

	warm_up(&world);
	kill(world.server.pid, SIGKILL);
	g_assert_cmpint(waitpid(world.server.pid, NULL, 0), ==, world.server.pid);
	g_assert_cmpint(receive(&world, -1, &tid), ==, -EIO);
	umad_backend_attach.close(world.from);
	umad_backend_attach.close(world.fd);
	g_assert_cmpint(unlink(world.server.socket), ==, 0);
	g_assert_cmpint(rmdir(world.server.directory), ==, 0);
	g_free(world.server.socket);
	g_free(world.server.directory);
}

static atomic_bool is_warm;

/* Warms up (what a thread knows about a socket is its own), then waits. */
static void *wait_alone(void *data)
{
	struct world *world = data;
	uint32_t tid;
	long n;

	warm_up(world);
	atomic_store(&is_warm, true);
	pthread_cleanup_push(leak_cancelled, NULL);
	n = receive(world, -1, &tid);
	pthread_cleanup_pop(0);
	return GINT_TO_POINTER((int)n);
}

/* Another thread, which sleeps in the mailbox, or may already have woken. */
static pthread_t start_waiting(struct world *world)
{
	pthread_t thread;

	atomic_store(&is_warm, false);
	g_assert_cmpint(pthread_create(&thread, NULL, wait_alone, world), ==, 0);
	while (!atomic_load(&is_warm))
		g_usleep(100);
	for (unsigned int i = 0; i < ATTACH_MAILBOX_MS * 5; i++) {
		if (atomic_load(&page_of(world, NULL)->mailbox) == ATTACH_MAILBOX_ASLEEP)
			break;
		g_usleep(100);
	}
	return thread;
}

static void test_cancel(void)
{
	struct world world = world_start("");
	pthread_t thread;
	void *result;

	warm_up(&world);
	for (unsigned int round = 0; round < 6; round++) {
		thread = start_waiting(&world);
		if (round % 2)		/* by then in poll(2) */
			await_state(page_of(&world, NULL), ATTACH_MAILBOX_IDLE);
		g_assert_cmpint(pthread_cancel(thread), ==, 0);
		g_assert_cmpint(pthread_join(thread, &result), ==, 0);
		g_assert_true(result == PTHREAD_CANCELED);
	}
	send_tid(&world, false, 7);
	expect(&world, 7);
	world_end(&world);
}

/* Its page stays mapped while a thread uses it. */
static void test_closed_meanwhile(void)
{
	struct world world = world_start("");
	pthread_t thread;
	void *result;

	warm_up(&world);
	thread = start_waiting(&world);
	umad_backend_attach.close(world.fd);
	g_assert_cmpint(pthread_join(thread, &result), ==, 0);
	g_assert_cmpint(GPOINTER_TO_INT(result), ==, -EBADF);
	umad_backend_attach.close(world.from);
	server_rig_end(&world.server);
}

/* ---- signals ---- */

/* Another thread, which interrupts this one when it sleeps in its wait. */
static struct {
	struct world *world;
	struct attach_page *page;
	pthread_t thread, waiter;
	pid_t waiter_tid;
	atomic_bool is_about_to_wait, is_handling, has_come;
	/* In the handler. */
	bool sends;			/* a MAD of TID 5 comes */
	bool jumps_late;		/* when it has come */
	uint32_t tid;
	sigjmp_buf way_out;
} interrupted;

static void await_sleep(pid_t tid)
{
	g_autofree char *path = g_strdup_printf("/proc/self/task/%d/stat", (int)tid);
	bool sleeps = false;

	while (!sleeps) {
		g_autofree char *text = NULL;

		g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
		sleeps = strncmp(strrchr(text, ')'), ") S", 3) == 0;
	}
}

static void *interrupt(void *data)
{
	struct pollfd socket = { .fd = interrupted.world->fd, .events = POLLIN };

	while (!atomic_load(&interrupted.is_about_to_wait))
		g_usleep(100);
	await_sleep(interrupted.waiter_tid);
	pthread_kill(interrupted.waiter, SIGUSR1);
	while (!atomic_load(&interrupted.is_handling))
		g_usleep(100);
	if (interrupted.sends) {
		send_tid(interrupted.world, false, 5);
		while (atomic_load(&interrupted.page->mailbox) != ATTACH_MAILBOX_FULL &&
		       poll(&socket, 1, 0) == 0 && interrupted.jumps_late)
			g_usleep(100);
		atomic_store(&interrupted.has_come, true);
	}
	return data;
}

static void look_on(int sig)
{
	(void)sig;
	atomic_store(&interrupted.is_handling, true);
}

static void receive_itself(int sig)
{
	look_on(sig);
	g_assert_cmpint(receive(interrupted.world, WAIT_MS, &interrupted.tid), ==, RIG_UMAD);
}

static void jump(int sig)
{
	look_on(sig);
	while (interrupted.jumps_late && !atomic_load(&interrupted.has_come))
		g_usleep(100);
	siglongjmp(interrupted.way_out, 1);
}

/* The handler will run when this thread sleeps in begin_wait(). */
static void set_interrupt(struct world *world, void (*handler)(int), bool sends)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };

	interrupted.world = world;
	interrupted.page = page_of(world, NULL);
	interrupted.waiter = pthread_self();
	interrupted.waiter_tid = (pid_t)syscall(SYS_gettid);
	interrupted.sends = sends;
	atomic_store(&interrupted.is_about_to_wait, false);
	atomic_store(&interrupted.is_handling, false);
	atomic_store(&interrupted.has_come, false);
	g_assert_cmpint(sigaction(SIGUSR1, &action, NULL), ==, 0);
	g_assert_cmpint(pthread_create(&interrupted.thread, NULL, interrupt, NULL), ==, 0);
}

static long begin_wait(struct world *world)
{
	uint32_t tid;

	atomic_store(&interrupted.is_about_to_wait, true);
	return receive(world, -1, &tid);
}

static void end_interrupt(void)
{
	g_assert_cmpint(pthread_join(interrupted.thread, NULL), ==, 0);
}

/* A signal ends an endless umad_recv as it ends poll(2), SA_RESTART or not. */
static void test_interrupted(void)
{
	struct world world = world_start(",latency=1ms");

	warm_up(&world);
	set_interrupt(&world, look_on, false);
	g_assert_cmpint(begin_wait(&world), ==, -EINTR);
	end_interrupt();
	send_tid(&world, true, 5);
	expect(&world, 5);
	world_end(&world);
}

/* One with a timeout goes on to its end. */
static void test_interrupted_in_time(void)
{
	struct world world = world_start(",latency=1ms");
	uint32_t tid;

	warm_up(&world);
	set_interrupt(&world, look_on, false);
	atomic_store(&interrupted.is_about_to_wait, true);
	g_assert_cmpint(receive(&world, 200, &tid), ==, -ETIMEDOUT);
	end_interrupt();
	send_tid(&world, true, 5);
	expect(&world, 5);
	world_end(&world);
}

static void test_handler_receives(void)
{
	struct world world = world_start(",latency=1ms");

	warm_up(&world);
	set_interrupt(&world, receive_itself, true);
	g_assert_cmpint(begin_wait(&world), ==, -EINTR);
	end_interrupt();
	g_assert_cmpuint(interrupted.tid, ==, 5);
	send_tid(&world, true, 6);
	expect(&world, 6);
	world_end(&world);
}

/* A longjmp out of the wait, before and after the MAD has come. */
static void test_jump(gconstpointer data)
{
	struct world world = world_start(",latency=1ms");

	warm_up(&world);
	interrupted.jumps_late = GPOINTER_TO_INT(data);
	if (!sigsetjmp(interrupted.way_out, 1)) {
		set_interrupt(&world, jump, interrupted.jumps_late);
		begin_wait(&world);
		g_assert_not_reached();
	}
	end_interrupt();
	if (!interrupted.jumps_late)
		send_tid(&world, false, 5);
	expect(&world, 5);
	send_tid(&world, true, 6);
	expect(&world, 6);
	world_end(&world);
}

/* ---- shared handles ---- */

/* What a killed process has not read is left to others. */
static void test_killed_reader(void)
{
	struct world world = world_start("");
	struct attach_page *page;
	int ready[2];
	char byte;
	pid_t pid;

	warm_up(&world);
	page = page_of(&world, NULL);
	g_assert_cmpint(pipe(ready), ==, 0);
	pid = fork();
	g_assert_cmpint(pid, >=, 0);
	if (pid == 0) {
		uint64_t serial;

		warm_up(&world);	/* makes a ring */
		page_of(&world, &serial);
		atomic_store(&page->owner, serial);
		if (!attach_mailbox_turn(page, ATTACH_MAILBOX_IDLE, ATTACH_MAILBOX_OPEN) ||
		    write(ready[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	g_assert_cmpint(read(ready[0], &byte, 1), ==, 1);
	send_tid(&world, false, 1);
	await_state(page, ATTACH_MAILBOX_FULL);
	send_tid(&world, false, 2);
	kill(pid, SIGKILL);
	g_assert_cmpint(waitpid(pid, NULL, 0), ==, pid);
	await_state(page, ATTACH_MAILBOX_IDLE);
	/* The second one may already be in the socket, ahead of the one that is put back. */
	{
		uint32_t first, second;

		g_assert_cmpint(receive(&world, WAIT_MS, &first), ==, RIG_UMAD);
		g_assert_cmpint(receive(&world, WAIT_MS, &second), ==, RIG_UMAD);
		g_assert_cmpuint(first + second, ==, 3);
	}
	close(ready[0]);
	close(ready[1]);
	world_end(&world);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/server-mailbox/round-trips", test_round_trips);
	g_test_add_func("/server-mailbox/soon", test_soon);
	g_test_add_func("/server-mailbox/look", test_look);
	g_test_add_func("/server-mailbox/order", test_order);
	g_test_add_func("/server-mailbox/threads", test_threads);
	g_test_add_data_func("/server-mailbox/timeout/short", GINT_TO_POINTER(20), test_timeout);
	g_test_add_data_func("/server-mailbox/timeout/long", GINT_TO_POINTER(120), test_timeout);
	g_test_add_func("/server-mailbox/late-wake", test_late_wake);
	g_test_add_func("/server-mailbox/server-killed", test_server_killed);
	g_test_add_func("/server-mailbox/cancel", test_cancel);
	g_test_add_func("/server-mailbox/closed-meanwhile", test_closed_meanwhile);
	g_test_add_func("/server-mailbox/interrupted", test_interrupted);
	g_test_add_func("/server-mailbox/interrupted-in-time", test_interrupted_in_time);
	g_test_add_func("/server-mailbox/handler-receives", test_handler_receives);
	g_test_add_data_func("/server-mailbox/jump/before", GINT_TO_POINTER(0), test_jump);
	g_test_add_data_func("/server-mailbox/jump/after", GINT_TO_POINTER(1), test_jump);
	g_test_add_func("/server-mailbox/killed-reader", test_killed_reader);
	return g_test_run();
}
