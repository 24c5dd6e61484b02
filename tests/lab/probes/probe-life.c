/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* umadprobe: what closing, signals, forks and removed devices do. */
#include "tests/lab/probes/umadprobe.h"

static int rdfd;
static void *reader(void *arg)
{
	static char b[HDR + 256];
	int n = read(rdfd, b, sizeof b);

	*(int *)arg = n < 0 ? -errno : n;
	return NULL;
}

void onsig(int s) { (void)s; }

void t_life(void)
{
	static char um[HDR + 256], rb[HDR + 256];
	int c = openp(0), s = openp(1), ca, sa, n, i, res = -9999;
	pthread_t th;
	double t0;

	/* unregister with an outstanding request */
	ca = reg1(c, 0x0a, 1, 0, -1);
	fill(um, 0x0a, 1, 3, 0x1, 0x10, 256); aim_dev(um, 1);
	umad_send(c, ca, um, 256, 500, 0);
	t0 = now();
	n = umad_unregister(c, ca);
	say("unregister with a request outstanding", "%d, took %.0f ms", n, now() - t0);
	say("  comes back", "%d", drain(c, 1000));
	/* unregister with received, unread MADs */
	sa = reg1(s, 0x0a, 1, 0, 1);
	ca = reg1(c, 0x0a, 1, 0, -1);
	fill(um, 0x0a, 1, 1, 0x2, 0x10, 256); aim_dev(um, 1);
	umad_send(c, ca, um, 256, 0, 0);
	settle(200);
	n = umad_unregister(s, sa);
	say("unregister with an unread MAD", "%d; umad_poll then %d", n, umad_poll(s, 100));
	n = get_one(s, rb, 256, 200);
	say("  it can still be read", "%d, agent id in it %u", n, ((struct ib_user_mad *)rb)->agent_id);
	/* id reuse with an unread MAD from the old agent */
	sa = reg1(s, 0x0a, 1, 0, 1);
	umad_send(c, ca, um, 256, 0, 0);
	settle(200);
	umad_unregister(s, sa);
	n = reg1(s, 0x0b, 1, 0, 1);
	i = get_one(s, rb, 256, 200);
	say("id given to a new agent while an old MAD waits", "new id %d, old MAD read: %d with id %u, class %#x", n, i, ((struct ib_user_mad *)rb)->agent_id, mad_of(rb)[1]);
	/* close with outstanding */
	umad_send(c, ca, um, 256, 5000, 0);
	t0 = now();
	n = umad_close_port(c);
	say("close with a request outstanding", "%d, took %.0f ms", n, now() - t0);
	c = openp(0);
	ca = reg1(c, 0x0a, 1, 0, -1);

	/* fork: fd shared */
	fill(um, 0x0a, 1, 3, 0x3, 0x10, 256); aim_dev(um, 1);
	if (fork() == 0) {
		umad_send(c, ca, um, 256, 100, 0);
		_exit(0);
	}
	wait(NULL);
	say("a child's send on the shared fd: the parent reads", "%d", get_one(c, rb, 256, 1000));
	/* dup */
	n = dup(c);
	umad_send(n, ca, um, 256, 100, 0);
	close(n);
	say("send on a dup, closed: original reads", "%d", get_one(c, rb, 256, 1000));

	/* blocking read, woken by a MAD; interrupted by a signal */
	rdfd = s;
	fcntl(s, F_SETFL, 0);
	umad_unregister(s, 0);
	sa = reg1(s, 0x0a, 1, 0, 1);
	pthread_create(&th, NULL, reader, &res);
	settle(100);
	fill(um, 0x0a, 1, 1, 0x4, 0x10, 256); aim_dev(um, 1);
	umad_send(c, ca, um, 256, 0, 0);
	pthread_join(th, NULL);
	say("blocking read woken by a MAD", "%d", res);
	struct sigaction sg;
	memset(&sg, 0, sizeof sg);
	sg.sa_handler = onsig;
	sigaction(SIGUSR1, &sg, NULL);
	res = -9999;
	pthread_create(&th, NULL, reader, &res);
	settle(100);
	pthread_kill(th, SIGUSR1);
	pthread_join(th, NULL);
	say("blocking read interrupted by a signal (no SA_RESTART)", "%d (%s)", res, en(-res));

	fcntl(s, F_SETFL, O_NONBLOCK);

	/* flood an fd that does not read */
	int sent = 0;
	long dropped0 = counter(1, "rcvd_pkts");
	for (i = 0; i < 400; i++) {
		mad_of(um)[14] = i >> 8; mad_of(um)[15] = i;
		if (umad_send(c, ca, um, 256, 0, 0) == 0)
			sent++;
	}
	settle(1500);
	n = 0;
	int last = -1, ordered = 1;
	while (get_one(s, rb, 256, 100) >= 0) {
		int k = (int)(tid_of(rb) & 0xffff);

		if (k < last)
			ordered = 0;
		last = k;
		n++;
	}
	say("400 MADs to an fd that does not read", "sent %d, port received %ld, read later %d, %s", sent, counter(1, "rcvd_pkts") - dropped0, n, ordered ? "in order" : "out of order");

	/* two agents of one fd: whose id does a MAD carry */
	n = reg1(s, 0x0a, 1, 0, 2);
	fill(um, 0x0a, 1, 2, 0x5, 0x10, 256); aim_dev(um, 1);
	umad_send(c, ca, um, 256, 0, 0);
	get_one(s, rb, 256, 500);
	say("a Set, agents Get (0) and Set", "Set agent id %d, MAD carries id %u", n, ((struct ib_user_mad *)rb)->agent_id);
	/* response through an agent other than the one the request came in by */
	umad_send(c, ca, um, 256, 1000, 0);
	get_one(s, rb, 256, 500);
	n = answer(s, sa, rb, 0x81);
	say("answered through the other agent of the fd", "send %d; client gets %d", n, get_one(c, rb, 256, 1000));
	/* mask order: agents for the same class, methods in two fds */
	umad_close_port(s);
	umad_close_port(c);

	/* issm */
	int f1 = open("/dev/infiniband/issm0", O_RDWR | O_NONBLOCK), f2;
	umad_port_t pt;
	umad_get_port("rxe0", 1, &pt);
	say("issm0 open", "%s; capmask %08x", f1 >= 0 ? "ok" : en(errno), ntohl(pt.capmask));
	umad_release_port(&pt);
	f2 = open("/dev/infiniband/issm0", O_RDWR | O_NONBLOCK);
	say("issm0 open again, O_NONBLOCK", "%s", f2 >= 0 ? "ok" : en(errno));
	close(f1);
	umad_get_port("rxe0", 1, &pt);
	say("issm0 closed", "capmask %08x", ntohl(pt.capmask));
	umad_release_port(&pt);
}

void t_unplug(void)
{
	static char um[HDR + 256];
	int c = openp(0), s = openp(1), ca, sa, n, len, res = -9999, r2;
	struct pollfd p = { .fd = s, .events = POLLIN | POLLOUT };
	pthread_t th;

	ca = reg1(c, 0x0a, 1, 0, -1);
	sa = reg1(s, 0x0a, 1, 0, 1);
	fill(um, 0x0a, 1, 1, 0x1, 0x10, 256); aim_dev(um, 1);
	umad_send(c, ca, um, 256, 0, 0);
	settle(200);
	say("rmmod ib_umad with open fds", "exit status %d", WEXITSTATUS(system("rmmod ib_umad 2>/dev/null")));
	say("the device is removed (rdma link del rxe1)", "exit status %d", WEXITSTATUS(system("rdma link del rxe1")));
	n = poll(&p, 1, 1000);
	say("poll", "%d revents %#x", n, p.revents);
	say("umad_poll", "%s", RV(umad_poll(s, 100)));
	len = 256;
	say("umad_recv (a MAD was waiting)", "%s", RV(umad_recv(s, um, &len, 100)));
	say("read", "%s", RV((int)read(s, um, sizeof um)));
	fill(um, 0x0a, 1, 0x81, 0x1, 0x10, 256); aim_dev(um, 0);
	say("umad_send", "%s", RV(umad_send(s, sa, um, 256, 0, 0)));
	say("umad_register", "%s", RV(reg1(s, 0x0b, 1, 0, 1)));
	say("umad_unregister", "%s", RV(umad_unregister(s, sa)));
	say("close", "%s", RV(umad_close_port(s)));
	say("open_port(rxe1,1)", "%s", RV(umad_open_port("rxe1", 1)));
	/* a reader blocked while the device goes */
	rdfd = c;
	fcntl(c, F_SETFL, 0);
	pthread_create(&th, NULL, reader, &res);
	settle(100);
	r2 = system("rdma link del rxe0");
	settle(500);
	say("blocked reader when rxe0 goes", "del %d; reader %s (%d)", WEXITSTATUS(r2), res == -9999 ? "is still blocked" : en(-res), res);
	if (res == -9999) {
		pthread_kill(th, SIGUSR1);
		settle(200);
		say("  after a signal", "%d (%s)", res, en(-res));
	}
	umad_close_port(c);
}
