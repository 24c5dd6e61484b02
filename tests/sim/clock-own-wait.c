/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Programs that wait by calls of their own: the service thread makes handles readable, signals
 * interrupt.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

#include "kmod-stub/event.h"
#include "tests/rig/clock-rig.h"
#include "tests/rig/leak.h"

enum own_wait { OWN_POLL, OWN_SELECT, OWN_EPOLL, OWN_EPOLL_EDGE };

static void own_wait(enum own_wait how, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };
	fd_set set;
	int epoll, count;

	switch (how) {
	case OWN_POLL:
		g_assert_true(fd_readable(fd, LONG_MS));
		return;
	case OWN_SELECT:
		FD_ZERO(&set);
		FD_SET(fd, &set);
		g_assert_cmpint(select(fd + 1, &set, NULL, NULL, NULL), ==, 1);
		return;
	case OWN_EPOLL_EDGE:
		event.events |= EPOLLET;
		/* fall through */
	case OWN_EPOLL:
		epoll = epoll_create1(EPOLL_CLOEXEC);
		g_assert_cmpint(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event), ==, 0);
		do	/* A process that was stopped gets EINTR here, without a handler. */
			count = epoll_wait(epoll, &event, 1, LONG_MS);
		while (count < 0 && errno == EINTR);
		g_assert_cmpint(count, ==, 1);
		close(epoll);
		return;
	}
}

/* A timeout makes the handle readable without a call: the service thread does it. */
static void test_own_wait(const void *data)
{
	struct rig rig = rig_open(",latency=1ms");
	int fd = rig_open_port(&rig, "H1", "H1", 1);
	uint32_t agent = rig_register(&rig, fd, CLASS, 0);
	uint8_t umad[RIG_UMAD];
	int64_t begin_ns = umadrig_now(rig.fabric);

	rig_send(&rig, fd, agent, &unanswered);
	/* On a slow machine it may be over already, but not before its time. */
	if (fd_readable(fd, 0))
		g_assert_cmpint(umadrig_now(rig.fabric) - begin_ns, >=, 20 * NS_PER_MS);
	own_wait((enum own_wait)GPOINTER_TO_INT(data), fd);
	g_assert_cmpint(umadrig_now(rig.fabric) - begin_ns, >=, 20 * NS_PER_MS);
	g_assert_cmpint(rig.backend->recv(fd, umad, sizeof(umad)), ==, RIG_HEADER + MAD_HDR_SIZE);
	g_assert_false(fd_readable(fd, 0));
	rig.backend->close(fd);
	rig_close(&rig);
}

static void on_signal(int signal_number)
{
	(void)signal_number;
}

/*
 * A signal interrupts a wait, as it does the kernel's poll; the service thread never gets one. A
 * receive with a timeout goes on to its end.
 */
static void test_signal(void)
{
	struct sigaction action = { .sa_handler = on_signal }, before;
	struct rig rig = rig_open("");
	int fd = rig_open_port(&rig, "H1", "H1", 1);
	struct itimerspec soon = { .it_value.tv_nsec = 1000000, .it_interval.tv_nsec = 1000000 };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
	uint8_t umad[RIG_UMAD];
	int64_t begin_ns;
	timer_t timer;

	sigaction(SIGUSR1, &action, &before);
	g_assert_cmpint(timer_create(CLOCK_MONOTONIC, &event, &timer), ==, 0);
	timer_settime(timer, 0, &soon, NULL);
	g_assert_cmpint(rig.backend->poll(fd, -1), ==, -EINTR);
	g_assert_cmpint(rig.backend->recv_wait(fd, umad, sizeof(umad), -1), ==, -EINTR);
	begin_ns = umadrig_now(rig.fabric);
	g_assert_cmpint(rig.backend->recv_wait(fd, umad, sizeof(umad), 20), ==, -ETIMEDOUT);
	g_assert_cmpint(umadrig_now(rig.fabric) - begin_ns, >=, 20 * NS_PER_MS);
	timer_delete(timer);
	sigaction(SIGUSR1, &before, NULL);
	rig.backend->close(fd);
	rig_close(&rig);
}

/* A program closes the descriptor with close(2): the number may then belong to another file. */
static void test_closed_behind(void)
{
	struct rig rig = rig_open(",clock=virtual,latency=1ms");
	int fd = rig_open_port(&rig, "H1", "H1", 1), again;
	uint32_t agent = rig_register(&rig, fd, 0x81, 0);
	int data[2];

	rig_send(&rig, fd, agent, &peer);
	g_assert_cmpint(close(fd), ==, 0);
	g_assert_cmpint(pipe(data), ==, 0);
	g_assert_cmpint(data[0], ==, fd);
	/* The response makes the handle readable, not the pipe. */
	umadrig_step(rig.fabric, 10 * NS_PER_MS);
	g_assert_false(fd_readable(data[0], 0));
	close(data[0]);
	close(data[1]);
	again = rig_open_port(&rig, "H1", "H1", 1);
	g_assert_cmpint(again, ==, fd);
	g_assert_false(fd_readable(again, 0));
	rig.backend->close(again);
	rig_close(&rig);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/clock/virtual/closed behind", test_closed_behind);
	g_test_add_func("/clock/real/signal", test_signal);
	g_test_add_data_func("/clock/real/poll", GINT_TO_POINTER(OWN_POLL), test_own_wait);
	g_test_add_data_func("/clock/real/select", GINT_TO_POINTER(OWN_SELECT), test_own_wait);
	g_test_add_data_func("/clock/real/epoll", GINT_TO_POINTER(OWN_EPOLL), test_own_wait);
	g_test_add_data_func("/clock/real/epoll edge", GINT_TO_POINTER(OWN_EPOLL_EDGE),
			     test_own_wait);
	return leak_end(g_test_run());
}
