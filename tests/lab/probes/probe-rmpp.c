/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* umadprobe: messages in segments. */
#include "tests/lab/probes/umadprobe.h"

static void rmpp_case(int c, int ca, int s, int sa, int cls, int ver, int hlen, int data)
{
	char name[80];
	int n, i, bad = 0, len, rc, rv;
	long a0, b0;
	double t0, t1;

	snprintf(name, sizeof name, "class %#x, %d bytes of data", cls, data);
	/* the request */
	fill(big, cls, ver, 0x12, 0x3000 + data, 0x35, 256);
	aim_dev(big, 1);
	rv = umad_send(c, ca, big, 256, 8000, 0);
	if (rv < 0) {
		say(name, "request: %d (%s)", rv, en(-rv));
		return;
	}
	n = get_one(s, big2, 1 << 20, 2000);
	if (n < 0) {
		say(name, "the request did not arrive");
		drain(c, 9000);
		return;
	}
	/* the answer */
	struct ib_user_mad *m = (void *)big2;
	uint8_t *p = mad_of(big2);
	memset(p + 24, 0, hlen + data - 24 > 0 ? hlen + data - 24 : 0);
	p[3] = 0x92;
	if (cls >= 0x30) { p[37] = 0; p[38] = 0x14; p[39] = 5; }
	rmpp(big2, 1, 1, 1, 0, 0);
	for (i = 0; i < data; i++)
		p[hlen + i] = i * 7 + (i >> 8);
	m->addr.qkey = htonl(0x80010000);
	a0 = counter(1, "sent_pkts"); b0 = counter(0, "sent_pkts");
	t0 = now();
	rc = umad_send(s, sa, big2, hlen + data, 100, 3);
	memset(big3, 0, sizeof big3);
	len = (1 << 21) - 1;
	n = umad_recv(c, big3, &len, 9000);
	t1 = now();
	settle(50);
	uint8_t *q = mad_of(big3);
	for (i = 0; i < data; i++)
		if (q[hlen + i] != (uint8_t)(i * 7 + (i >> 8)))
			bad++;
	say(name, "send(%d) %d; recv %d length %d (umad.length %u) status %d, %d wrong bytes, %.0f ms; packets data side %ld, ack side %ld; %s",
	    hlen + data, rc, n, len, ((struct ib_user_mad *)big3)->length, umad_status(big3), bad, t1 - t0,
	    counter(1, "sent_pkts") - a0, counter(0, "sent_pkts") - b0, showrmpp(big3));
	rc = get_one(s, big2, 1 << 20, 300);
	if (rc >= 0)
		say("  the answering side gets something", "length %d status %d", rc, umad_status(big2));
	drain(c, 0);
}

void t_rmpp(void)
{
	int c = openp(0), s = openp(1), ca, sa, n, len, i, rv;
	static const int sizes[] = { 0, 1, 100, 199, 200, 201, 400, 401, 1000, 10000, 12800, 13000, 100000, 1000000 };
	static char um[HDR + 256];
	long a0, b0;
	double t0;

	ca = reg1(c, 0x03, 2, 1, -1);
	sa = reg1(s, 0x03, 2, 1, 0x12);
	for (i = 0; i < (int)(sizeof sizes / sizeof *sizes); i++)
		rmpp_case(c, ca, s, sa, 0x03, 2, 56, sizes[i]);
	umad_close_port(c); umad_close_port(s);

	c = openp(0); s = openp(1);
	ca = regoui(c, 0x30, 1, -1);
	sa = regoui(s, 0x30, 1, 0x12);
	static const int vsizes[] = { 216, 217, 1000 };
	for (i = 0; i < 3; i++)
		rmpp_case(c, ca, s, sa, 0x30, 1, 40, vsizes[i]);
	umad_close_port(c); umad_close_port(s);

	/* the reader's buffer is too small */
	c = openp(0); s = openp(1);
	ca = reg1(c, 0x03, 2, 1, -1);
	sa = reg1(s, 0x03, 2, 1, 0x12);
	fill(um, 0x03, 2, 0x12, 0x31, 0x35, 256); aim_dev(um, 1);
	umad_send(c, ca, um, 256, 4000, 0);
	get_one(s, big2, 1 << 20, 1000);
	mad_of(big2)[3] = 0x92;
	rmpp(big2, 1, 1, 1, 0, 0);
	((struct ib_user_mad *)big2)->addr.qkey = htonl(0x80010000);
	umad_send(s, sa, big2, 56 + 1000, 100, 3);
	umad_poll(c, 2000);
	memset(big3, 0x66, 4096);
	len = 100;
	n = umad_recv(c, big3, &len, 1000);
	say("reader offers 100", "%d (%s) errno %s, length now %d", n, en(-n), en(errno), len);
	len = 255;
	n = umad_recv(c, big3, &len, 1000);
	say("reader offers 255", "%d (%s) errno %s, length now %d", n, en(-n), en(errno), len);
	len = 256;
	n = umad_recv(c, big3, &len, 1000);
	say("reader offers 256", "%d (%s) errno %s, length now %d; umad.length %u; first segment there: %s", n, en(-n), en(errno), len,
	    ((struct ib_user_mad *)big3)->length, showrmpp(big3));
	len = 1055;
	n = umad_recv(c, big3, &len, 1000);
	say("reader offers 1055 (one short)", "%d (%s) errno %s, length now %d", n, en(-n), en(errno), len);
	len = 1056;
	n = umad_recv(c, big3, &len, 1000);
	say("reader offers 1056", "%d, length %d", n, len);
	umad_close_port(c); umad_close_port(s);

	/* RMPP without a receiver: a request (not a response) of many segments */
	c = openp(0); s = openp(1);
	ca = reg1(c, 0x03, 2, 1, -1);
	for (i = 0; i < 4; i++) {
		static const int tt[4] = { 100, 100, 500, 0 }, rr[4] = { 0, 3, 1, 0 };
		char nm[80];

		fill(big, 0x03, 2, 0x14, 0x3100 + i, 0x35, 56 + 3000);	/* GetMulti, a request with data */
		rmpp(big, 1, 1, 1, 0, 0);
		aim_dev(big, 1);
		a0 = counter(0, "sent_pkts"); b0 = counter(1, "sent_pkts");
		t0 = now();
		rv = umad_send(c, ca, big, 56 + 3000, tt[i], rr[i]);
		len = 1 << 20;
		n = umad_recv(c, big3, &len, 20000);
		snprintf(nm, sizeof nm, "3000 bytes to a port with no such agent, timeout %d retries %d", tt[i], rr[i]);
		say(nm, "send %d; recv %d length %d status %d after %.0f ms; sent %ld, came back %ld", rv, n, len, umad_status(big3),
		    now() - t0, counter(0, "sent_pkts") - a0, counter(1, "sent_pkts") - b0);
	}
	/* an RMPP response without a request */
	fill(big, 0x03, 2, 0x92, 0x3200, 0x35, 56 + 3000);
	rmpp(big, 1, 1, 1, 0, 0);
	aim_dev(big, 1);
	a0 = counter(0, "sent_pkts");
	t0 = now();
	rv = umad_send(c, ca, big, 56 + 3000, 100, 3);
	len = 1 << 20;
	n = umad_recv(c, big3, &len, 8000);
	say("3000-byte response nobody waits for, timeout 100 retries 3", "send %d; recv %d (%s) length %d status %d after %.0f ms; sent %ld", rv, n, n < 0 ? en(-n) : "ok", len,
	    umad_status(big3), now() - t0, counter(0, "sent_pkts") - a0);
	umad_close_port(c); umad_close_port(s);

	/* lengths that do not fit */
	c = openp(0);
	ca = reg1(c, 0x03, 2, 1, -1);
	fill(big, 0x03, 2, 0x12, 0x3300, 0x35, 600);
	aim_dev(big, 1);
	say("SA, RMPP not active, length 257", "%s", RV(umad_send(c, ca, big, 257, 0, 0)));
	say("SA, RMPP not active, length 56", "%s", RV(umad_send(c, ca, big, 56, 0, 0)));
	say("SA, RMPP not active, length 55", "%s", RV(umad_send(c, ca, big, 55, 0, 0)));
	rmpp(big, 1, 1, 1, 0, 0);
	say("SA, RMPP active, length 55", "%s", RV(umad_send(c, ca, big, 55, 50, 0)));
	rmpp(big, 0, 1, 1, 0, 0);
	say("SA, RMPP active but rmpp version 0", "%s", RV(umad_send(c, ca, big, 300, 50, 0)));
	drain(c, 500);
	rmpp(big, 1, 2, 1, 0, 0);
	mad_of(big)[15]++;
	say("SA, RMPP active, type ACK", "%s", RV(umad_send(c, ca, big, 256, 50, 0)));
	say("  returned", "%d", drain(c, 1000));
	int nr = reg1(c, 0x03, 2, 0, -1);
	rmpp(big, 1, 1, 1, 1, 0);
	mad_of(big)[15]++;
	say("SA agent without rmpp_version, RMPP active, length 300", "%s", RV(umad_send(c, nr, big, 300, 0, 0)));
	say("SA agent without rmpp_version, RMPP active, length 256", "%s", RV(umad_send(c, nr, big, 256, 0, 0)));
	umad_close_port(c);

	/* unsolicited RMPP data to a server (Set of many segments) */
	c = openp(0); s = openp(1);
	ca = reg1(c, 0x03, 2, 1, -1);
	sa = reg1(s, 0x03, 2, 1, 0x14);
	fill(big, 0x03, 2, 0x14, 0x3400, 0x35, 56 + 5000);
	rmpp(big, 1, 1, 1, 0, 0);
	aim_dev(big, 1);
	t0 = now();
	rv = umad_send(c, ca, big, 56 + 5000, 1000, 3);
	len = 1 << 20;
	n = umad_recv(s, big2, &len, 3000);
	say("5000-byte request to a registered method", "send %d; server recv %d length %d after %.0f ms; tid %016lx; %s", rv, n, len, now() - t0, tid_of(big2), showrmpp(big2));
	/* double-sided: answer it with 5000 bytes */
	mad_of(big2)[3] = 0x94;
	rmpp(big2, 1, 1, 1, 0, 0);
	((struct ib_user_mad *)big2)->addr.qkey = htonl(0x80010000);
	rv = umad_send(s, sa, big2, 56 + 5000, 100, 3);
	len = 1 << 20;
	n = umad_recv(c, big3, &len, 5000);
	say("5000-byte answer to it (double-sided)", "send %d; client recv %d length %d status %d", rv, n, len, umad_status(big3));
	/* and again without an answer: when does it time out? */
	fill(big, 0x03, 2, 0x14, 0x3401, 0x35, 56 + 5000);
	rmpp(big, 1, 1, 1, 0, 0);
	aim_dev(big, 1);
	t0 = now(); a0 = counter(0, "sent_pkts");
	rv = umad_send(c, ca, big, 56 + 5000, 300, 2);
	len = 1 << 20;
	n = umad_recv(s, big2, &len, 3000);
	len = 1 << 20;
	n = umad_recv(c, big3, &len, 9000);
	say("5000-byte request, received, not answered, timeout 300 retries 2", "client recv %d length %d status %d after %.0f ms; sent %ld", n, len, umad_status(big3), now() - t0, counter(0, "sent_pkts") - a0);
	say("  the server got", "%d more of them", drain(s, 300));
	(void)sa;
	umad_close_port(c); umad_close_port(s);

	/* user RMPP: the kernel passes segments through */
	c = openp(0); s = openp(1);
	struct umad_reg_attr ra;
	uint32_t id = 0, id2 = 0;
	memset(&ra, 0, sizeof ra);
	ra.mgmt_class = 3; ra.mgmt_class_version = 2; ra.flags = UMAD_USER_RMPP; ra.rmpp_version = 1;
	ra.method_mask[0] = 1 << 0x12;
	rv = umad_register2(s, &ra, &id);
	ra.method_mask[0] = 0;
	rv |= umad_register2(c, &ra, &id2);
	say("USER_RMPP: register both", "%d", rv);
	fill(um, 0x03, 2, 0x12, 0x35, 0x35, 256); aim_dev(um, 1);
	umad_send(c, id2, um, 256, 1000, 0);
	n = get_one(s, big2, 1 << 16, 1000);
	memcpy(big, big2, HDR + 256);
	mad_of(big)[3] = 0x92;
	((struct ib_user_mad *)big)->addr.qkey = htonl(0x80010000);
	for (i = 1; i <= 3; i++) {
		rmpp(big, 1, 1, i == 1 ? 3 : i == 3 ? 5 : 1, i, i == 1 ? 660 : i == 3 ? 220 : 0);
		rv = umad_send(s, id, big, 256, 0, 0);
		n = get_one(c, big3, 1 << 16, 500);
		say("USER_RMPP: segment sent by hand", "send %d; client gets length %d: %s", rv, n, n >= 0 ? showrmpp(big3) : "nothing");
	}
	rmpp(big, 1, 2, 1, 1, 64);
	rv = umad_send(s, id, big, 256, 0, 0);
	n = get_one(c, big3, 1 << 16, 500);
	say("USER_RMPP: an ACK sent by hand", "send %d; client gets length %d: %s", rv, n, n >= 0 ? showrmpp(big3) : "nothing");
	say("USER_RMPP: length 300", "%s", RV(umad_send(s, id, big, 300, 0, 0)));
	say("USER_RMPP: is the request still returned as timed out", "%d", drain(c, 1500));
	/* stray: RMPP data without a request */
	fill(big, 0x03, 2, 0x92, 0x36, 0x35, 256); aim_dev(big, 0);
	rmpp(big, 1, 1, 7, 1, 220);
	rv = umad_send(s, id, big, 256, 0, 0);
	say("USER_RMPP: response to nothing (high tid 0), RMPP active", "send %d; sender itself gets %d", rv, get_one(c, big3, 1 << 16, 300));
	umad_close_port(c); umad_close_port(s);
}

/* what a kernel RMPP sender makes of hand-made ACK, STOP and ABORT packets */
static void abort_case(const char *name, int ver, int type, int status, uint32_t seg, uint32_t win)
{
	static char um[HDR + 256];
	int c = openp(0), s = openp(1), sa, n, len, k, rv;
	struct umad_reg_attr ra;
	uint32_t ca = 0;
	double t0;

	memset(&ra, 0, sizeof ra);
	ra.mgmt_class = 3; ra.mgmt_class_version = 2; ra.flags = UMAD_USER_RMPP; ra.rmpp_version = 1;
	umad_register2(c, &ra, &ca);
	sa = reg1(s, 0x03, 2, 1, 0x12);
	fill(um, 0x03, 2, 0x12, 0x41, 0x35, 256); aim_dev(um, 1);
	umad_send(c, ca, um, 256, 5000, 0);
	get_one(s, big2, 1 << 16, 1000);
	mad_of(big2)[3] = 0x92;
	rmpp(big2, 1, 1, 1, 0, 0);
	((struct ib_user_mad *)big2)->addr.qkey = htonl(0x80010000);
	t0 = now();
	umad_send(s, sa, big2, 56 + 3000, 300, 1);
	get_one(c, big3, 1 << 16, 1000);		/* the first segment */
	memcpy(um, big3, HDR + 256);
	mad_of(um)[3] = 0x12;
	((struct ib_user_mad *)um)->addr.qkey = htonl(0x80010000);
	rmpp(um, ver, type, 1, seg, win);
	mad_of(um)[27] = status;
	umad_send(c, ca, um, 256, 0, 0);
	memset(big2, 0, HDR);
	len = 1 << 16;
	rv = umad_recv(s, big2, &len, 1500);
	double t1 = now();
	memset(big3, 0, HDR + 256);
	for (k = 0; (n = get_one(c, big3, 1 << 16, 100)) >= 0; k++)
		if (k == 0 || mad_of(big3)[25] != 1)
			say(name, "the requester then gets: %s", showrmpp(big3));
	say(name, "responder: recv %d (%s) status %d after %.0f ms; %d more packets to the requester", rv,
	    rv < 0 ? en(-rv) : "0", umad_status(big2), t1 - t0, k);
	umad_close_port(c); umad_close_port(s);
}

void t_rmppctl(void)
{
	abort_case("nothing but a repeated ACK of segment 0", 1, 2, 0, 0, 1);
	abort_case("ACK segment 1, window 3", 1, 2, 0, 1, 3);
	abort_case("ACK segment 2 (not sent yet)", 1, 2, 0, 2, 5);
	abort_case("ACK with window below segment", 1, 2, 0, 1, 0);
	abort_case("ACK with status 1", 1, 2, 1, 1, 5);
	abort_case("ABORT status 118", 1, 4, 118, 0, 0);
	abort_case("ABORT status 127", 1, 4, 127, 0, 0);
	abort_case("ABORT status 5 (out of range)", 1, 4, 5, 0, 0);
	abort_case("STOP status 1", 1, 3, 1, 0, 0);
	abort_case("packet of type 9", 1, 9, 0, 0, 0);
	abort_case("ACK with RMPP version 2", 2, 2, 0, 1, 5);
}
