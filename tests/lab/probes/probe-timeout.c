/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* umadprobe: when sends time out. */
#include "tests/lab/probes/umadprobe.h"

static void timeout_case(int fd, int a, const char *name, int ms, int retries, void (*to)(void *))
{
	static char um[HDR + 256], rb[HDR + 256];
	long c0 = counter(0, "sent_pkts"), c1;
	int n, len = 256;
	double t0, t1;

	fill(um, 0x0a, 1, 3, 0x1234567800000042ull, 0x10, 256);	/* Send: no response expected */
	to(um);
	memset(rb, 0x77, sizeof rb);
	t0 = now();
	n = umad_send(fd, a, um, 256, ms, retries);
	if (n < 0) {
		say(name, "send %d (%s)", n, en(-n));
		return;
	}
	n = umad_recv(fd, rb, &len, ms * (retries + 1) + 3000);
	t1 = now();
	settle(50);
	c1 = counter(0, "sent_pkts");
	if (n < 0)
		say(name, "nothing came back in %.0f ms (recv %d %s); copies sent %ld", t1 - t0, n, en(-n), c1 - c0);
	else
		say(name, "back after %.0f ms, recv %d, length %d, umad_status %d; copies sent %ld", t1 - t0, n, len, umad_status(rb), c1 - c0);
	if (n >= 0 && ms == 100 && retries == 0) {
		say("timed-out MAD", "%s", show(rb));
		say("timed-out MAD, bytes past 24 of the MAD", "%#x %#x (0x77: left alone)", (uint8_t)rb[HDR + 24], (uint8_t)rb[HDR + 255]);
	}
}

static void to_deaf(void *um) { aim_dev(um, 1); }

void t_timeout(void)
{
	int fd = openp(0), a = reg1(fd, 0x0a, 1, 0, 1), n, len, i;
	static char um[HDR + 256], rb[HDR + 256];
	double t0;

	timeout_case(fd, a, "timeout 100 retries 0", 100, 0, to_deaf);
	timeout_case(fd, a, "timeout 100 retries 1", 100, 1, to_deaf);
	timeout_case(fd, a, "timeout 100 retries 3", 100, 3, to_deaf);
	timeout_case(fd, a, "timeout 250 retries 2", 250, 2, to_deaf);
	timeout_case(fd, a, "timeout 1000 retries 0", 1000, 0, to_deaf);
	timeout_case(fd, a, "timeout 1 retries 0", 1, 0, to_deaf);
	timeout_case(fd, a, "timeout 1 retries 10", 1, 10, to_deaf);
	timeout_case(fd, a, "timeout 10 retries 10", 10, 10, to_deaf);
	timeout_case(fd, a, "timeout 0 retries 0", 0, 0, to_deaf);
	timeout_case(fd, a, "timeout 0 retries 3", 0, 3, to_deaf);

	/* read size needed for a timed-out MAD */
	fill(um, 0x0a, 1, 3, 0x99, 0x10, 256);
	aim_dev(um, 1);
	umad_send(fd, a, um, 256, 50, 0);
	settle(300);
	say("read of a timed-out MAD with 64+23", "%s", RV((int)read(fd, rb, HDR + 23)));
	say("read of a timed-out MAD with 64+24", "%s", RV((int)read(fd, rb, HDR + 24)));

	/* a duplicate transaction id while the first is outstanding */
	umad_send(fd, a, um, 256, 300, 0);
	say("second request, same tid+class, first outstanding", "%s", RV(umad_send(fd, a, um, 256, 300, 0)));
	fill(um, 0x0a, 1, 3, 0xabcd000000000099ull, 0x10, 256); aim_dev(um, 1);
	say("same low 32 bits, other high 32 bits", "%s", RV(umad_send(fd, a, um, 256, 300, 0)));
	fill(um, 0x0a, 1, 1, 0x99, 0x11, 256); aim_dev(um, 0);
	say("same tid, other method, attribute, destination", "%s", RV(umad_send(fd, a, um, 256, 300, 0)));
	fill(um, 0x0b, 1, 3, 0x99, 0x10, 256); aim_dev(um, 1);
	say("same tid, other class", "%s", RV(umad_send(fd, a, um, 256, 300, 0)));
	fill(um, 0x0a, 1, 0x83, 0x99, 0x10, 256); aim_dev(um, 1);
	say("same tid, a response", "%s", RV(umad_send(fd, a, um, 256, 300, 0)));
	n = drain(fd, 1000);
	say("returned in the end", "%d", n);
	fill(um, 0x0a, 1, 3, 0x99, 0x10, 256); aim_dev(um, 1);
	say("same tid, first has timed out", "%s", RV(umad_send(fd, a, um, 256, 50, 0)));
	drain(fd, 500);

	drain(fd, 500);
	/* order of timeouts: by deadline or by sending? */
	int t[4] = { 400, 100, 300, 200 };
	char order[64] = "";
	for (i = 0; i < 4; i++) {
		fill(um, 0x0a, 1, 3, 0x100 + t[i], 0x10, 256);
		aim_dev(um, 1);
		umad_send(fd, a, um, 256, t[i], 0);
	}
	t0 = now();
	for (i = 0; i < 4; i++) {
		len = 256;
		if (umad_recv(fd, rb, &len, 1000) < 0)
			break;
		snprintf(order + strlen(order), 64 - strlen(order), "%d@%.0f ", (int)(tid_of(rb) & 0xfff) - 0x100, now() - t0);
	}
	say("sent with timeouts 400 100 300 200; came back", "%s", order);
	drain(fd, 500);
	/* a burst with the same deadline */
	long c0 = counter(0, "sent_pkts");
	for (i = 0; i < 300; i++) {
		fill(um, 0x0a, 1, 3, 0x2000 + i, 0x10, 256);
		aim_dev(um, 1);
		n = umad_send(fd, a, um, 256, 200, 0);
		if (n < 0)
			break;
	}
	n = drain(fd, 2000);
	say("300 requests at once", "accepted %d, returned %d, on the wire %ld", i, n, counter(0, "sent_pkts") - c0);
	/* a write that waits for an address holds the fd's lock */
	fill(um, 0x0a, 1, 3, 0x5555, 0x10, 256);
	if (fork() == 0) {
		aim_nobody(um);
		((uint8_t *)um)[HDR - 1] = 0;
		((struct ib_user_mad *)um)->addr.gid[15] = 78;
		umad_send(fd, a, um, 256, 0, 0);
		_exit(0);
	}
	settle(100);
	t0 = now();
	n = poll(&(struct pollfd){ .fd = fd, .events = POLLIN | POLLOUT }, 1, 0);
	say("poll(0 ms) while another thread's send waits for address resolution", "%d after %.0f ms", n, now() - t0);
	wait(NULL);
	umad_close_port(fd);
}
