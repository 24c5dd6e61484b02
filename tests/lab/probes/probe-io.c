/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* umadprobe: what write(2) and read(2) of a umad file take and return. */
#include "tests/lab/probes/umadprobe.h"

void t_io(void)
{
	static char um[HDR + 4096], rb[HDR + 4096];
	int fd = openp(0), fd1 = openp(1), a, s, n, len;
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLOUT | POLLPRI };
	struct ib_user_mad *m = (void *)um;
	double t0;

	n = poll(&p, 1, 0);
	say("poll of a fresh fd", "%d revents %#x", n, p.revents);
	say("umad_poll 0 ms", "%s", RV(umad_poll(fd, 0)));
	t0 = now();
	say("umad_poll 50 ms", "%s", RV(umad_poll(fd, 50)));
	say("umad_poll 50 ms took", "%.0f ms", now() - t0);
	char *r;
	len = 256;
	r = RV(umad_recv(fd, rb, &len, 0));
	say("umad_recv 0 ms, empty queue", "%s (length %d)", r, len);
	len = 256;
	t0 = now();
	r = RV(umad_recv(fd, rb, &len, 50));
	say("umad_recv 50 ms, empty queue", "%s (length %d), took %.0f ms", r, len, now() - t0);
	say("read, empty queue (the fd is O_NONBLOCK)", "%s", RV((int)read(fd, rb, sizeof rb)));
	say("read of 0 bytes, empty queue", "%s", RV((int)read(fd, rb, 0)));
	say("read of 63 bytes", "%s", RV((int)read(fd, rb, 63)));

	a = reg1(fd, 0x0a, 1, 0, 1);
	s = reg1(fd1, 0x0a, 1, 0, 1);
	fill(um, 0x0a, 1, 1, 0x1, 0x10, 256);
	aim_dev(um, 1);
	say("umad_send agent 5 (unregistered)", "%s", RV(umad_send(fd, 5, um, 256, 0, 0)));
	say("umad_send agent 32", "%s", RV(umad_send(fd, 32, um, 256, 0, 0)));
	say("umad_send agent -1", "%s", RV(umad_send(fd, -1, um, 256, 0, 0)));
	say("umad_send length 0", "%s", RV(umad_send(fd, a, um, 0, 0, 0)));
	say("umad_send length 24", "%s", RV(umad_send(fd, a, um, 24, 0, 0)));
	say("umad_send length 35", "%s", RV(umad_send(fd, a, um, 35, 0, 0)));
	arrive("umad_send length 36 (class 0x0a)", RV(umad_send(fd, a, um, 36, 0, 0)), fd1, 300);
	arrive("umad_send length 255", RV(umad_send(fd, a, um, 255, 0, 0)), fd1, 300);
	arrive("umad_send length 256", RV(umad_send(fd, a, um, 256, 0, 0)), fd1, 300);
	arrive("umad_send length 257", RV(umad_send(fd, a, um, 257, 0, 0)), fd1, 100);
	arrive("umad_send length 1000", RV(umad_send(fd, a, um, 1000, 0, 0)), fd1, 100);
	m->agent_id = a;
	arrive("raw write of the same (64+256)", RV((int)write(fd, um, HDR + 256)), fd1, 300);
	say("raw write of 64+35", "%s", RV((int)write(fd, um, HDR + 35)));
	say("raw write of 64", "%s", RV((int)write(fd, um, HDR)));
	{
		struct iovec v[2] = { { um, HDR }, { um + HDR, 256 } };

		arrive("writev in two parts", RV((int)writev(fd, v, 2)), fd1, 100);
		/* a short, then the received bytes */
	}
	umad_send(fd, a, um, 100, 0, 0);
	memset(rb, 0x55, sizeof rb);
	len = 256;
	n = umad_recv(fd1, rb, &len, 500);
	say("a MAD sent with length 100 arrives", "rv %d length %d; byte 101.. %#x (zero padded)", n, len, (uint8_t)rb[HDR + 101]);

	/* buffers that are too small */
	umad_send(fd, a, um, 256, 0, 0);
	settle(100);
	say("poll with one waiting", "%s", RV(umad_poll(fd1, 500)));
	say("read with 64+255", "%s", RV((int)read(fd1, rb, HDR + 255)));
	say("read with 64", "%s", RV((int)read(fd1, rb, HDR)));
	len = 100;
	n = umad_recv(fd1, rb, &len, 100);
	say("umad_recv length 100", "%d (%s), errno %s, length %d", n, en(-n), en(errno), len);
	say("it is still there: read with 64+256", "%s", RV((int)read(fd1, rb, HDR + 256)));

	/* impossible addresses */
	umad_set_addr(um, 5, 1, 0, 0x80010000);
	m->addr.grh_present = 0;
	say("send by LID, no GRH (RoCE)", "%s", RV(umad_send(fd, a, um, 256, 0, 0)));
	aim_dev(um, 1);
	m->addr.gid_index = 7;
	say("send with an empty GID index", "%s", RV(umad_send(fd, a, um, 256, 0, 0)));
	aim_nobody(um);
	t0 = now();
	n = umad_send(fd, a, um, 256, 0, 0);
	say("send to an address nobody answers ARP for", "%d (%s), errno %s, took %.0f ms", n, en(n < 0 ? -n : n), en(errno), now() - t0);
	aim_dev(um, 1);
	umad_set_pkey(um, 3);
	arrive("send with pkey_index 3 (beyond the table)", RV(umad_send(fd, a, um, 256, 0, 0)), fd1, 200);
	aim_dev(um, 1);
	m->addr.qkey = htonl(0x12345678);
	arrive("send with another qkey (0x12345678)", RV(umad_send(fd, a, um, 256, 0, 0)), fd1, 200);
	aim_dev(um, 1);
	m->addr.qkey = 0;
	arrive("send with qkey 0", RV(umad_send(fd, a, um, 256, 0, 0)), fd1, 200);
	aim_dev(um, 1);
	m->addr.qpn = htonl(0);
	arrive("send to QP 0", RV(umad_send(fd, a, um, 256, 0, 0)), fd1, 200);
	aim_dev(um, 1);
	mad_of(um)[0] = 2;
	arrive("send with base version 2", RV(umad_send(fd, a, um, 256, 0, 0)), fd1, 200);
	mad_of(um)[0] = 0x80;
	arrive("send with base version 0x80", RV(umad_send(fd, a, um, 256, 0, 0)), fd1, 200);
	mad_of(um)[0] = 1;
	mad_of(um)[1] = 0x01;
	arrive("send class 0x01 out of QP1", RV(umad_send(fd, a, um, 256, 0, 0)), fd1, 200);
	mad_of(um)[1] = 0x0b;
	arrive("send a class other than the agent's", RV(umad_send(fd, a, um, 256, 0, 0)), fd1, 200);
	mad_of(um)[1] = 0x0a;
	aim_dev(um, 0);
	arrive("send to oneself (own GID), own Get agent", RV(umad_send(fd, a, um, 256, 0, 0)), fd, 300);
	(void)s;
	umad_close_port(fd);
	umad_close_port(fd1);
}
