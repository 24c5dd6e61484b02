/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* umadprobe: which agent a MAD reaches, and which answer ends a send. */
#include "tests/lab/probes/umadprobe.h"

void t_match(void)
{
	static char um[HDR + 256], rq[HDR + 256], rb[HDR + 256];
	int c = openp(0), s = openp(1), c2 = openp(0);
	int ca, sa, ca2, n, i;

	ca = reg1(c, 0x0a, 1, 0, -1);		/* no methods: a pure client */
	ca2 = reg1(c2, 0x0a, 1, 0, -1);
	sa = reg1(s, 0x0a, 1, 0, 1);		/* Get server */

	fill(um, 0x0a, 1, 1, 0x1111111122222222ull, 0x15, 256);
	aim_dev(um, 1);
	say("send Get", "%s", RV(umad_send(c, ca, um, 256, 2000, 3)));
	say("the sender's buffer afterwards", "tid %016lx (unchanged)", tid_of(um));
	n = get_one(s, rq, 256, 1000);
	say("server got", "length %d: %s", n, show(rq));
	say("server answers 0x81", "%s", RV(answer(s, sa, rq, 0x81)));
	n = get_one(c, rb, 256, 1000);
	say("client got", "length %d: %s", n, show(rb));
	say("nothing else at the client", "%d more", drain(c, 300));
	say("nothing else at the server", "%d more", drain(s, 100));
	answer(s, sa, rq, 0x81);
	say("a second answer to the same request", "%d arrive", drain(c, 300));

	/* without a timeout no answer can come back */
	umad_send(c, ca, um, 256, 0, 0);
	get_one(s, rq, 256, 1000);
	answer(s, sa, rq, 0x81);
	say("answer to a request sent with timeout 0", "%d arrive", drain(c, 300));

	/* late */
	umad_send(c, ca, um, 256, 100, 0);
	get_one(s, rq, 256, 1000);
	settle(400);
	answer(s, sa, rq, 0x81);
	n = get_one(c, rb, 256, 500);
	say("late answer: first at the client", "length %d status %d method %#x", n, umad_status(rb), mad_of(rb)[3]);
	say("late answer: afterwards", "%d more", drain(c, 300));

	/* wrong tid, class, version */
	umad_send(c, ca, um, 256, 600, 0);
	get_one(s, rq, 256, 1000);
	mad_of(rq)[15] ^= 1;
	answer(s, sa, rq, 0x81);
	mad_of(rq)[15] ^= 1;
	n = get_one(c, rb, 256, 300);
	say("answer with another low tid", "%s", n < 0 ? "dropped" : "delivered");
	mad_of(rq)[1] = 0x0b;
	answer(s, sa, rq, 0x81);
	mad_of(rq)[1] = 0x0a;
	n = get_one(c, rb, 256, 100);
	say("answer with another class", "%s", n < 0 ? "dropped" : "delivered");
	mad_of(rq)[2] = 2;
	say("answer with another class version: sent", "%s", RV(answer(s, sa, rq, 0x81)));
	mad_of(rq)[2] = 1;
	n = get_one(c, rb, 256, 100);
	say("answer with another class version", "%s", n < 0 ? "dropped" : "delivered");
	drain(c, 1000);

	umad_send(c, ca, um, 256, 600, 0);
	get_one(s, rq, 256, 1000);
	mad_of(rq)[17] ^= 1;
	answer(s, sa, rq, 0x85);
	n = get_one(c, rb, 256, 300);
	say("answer with another method (0x85) and attribute", "%s", n < 0 ? "dropped" : "delivered");
	drain(c, 800);

	/* not a response bit: is it routed by class+method, not by tid? */
	umad_send(c, ca, um, 256, 400, 0);
	get_one(s, rq, 256, 1000);
	answer(s, sa, rq, 0x01);
	n = get_one(c, rb, 256, 200);
	say("answer without the response bit", "client %s", n < 0 ? "gets nothing" : "gets it");
	drain(c, 800);

	/* the response is sent from another GID than the request's destination */
	umad_send(c, ca, um, 256, 600, 0);
	get_one(s, rq, 256, 1000);
	{
		/* from rxe0's own GID: another sender with the right tid */
		memcpy(rb, rq, HDR + 256);
		mad_of(rb)[3] = 0x81;
		aim_dev(rb, 0);
		say("forged answer from a third GID: sent", "%s", RV(umad_send(c2, ca2, rb, 256, 0, 0)));
	}
	n = get_one(c, rb, 256, 300);
	say("forged answer from a third GID", "%s", n < 0 ? "dropped" : "delivered");
	drain(c, 800);

	/* retransmission: answer only the third copy */
	long c0 = counter(0, "sent_pkts");
	umad_send(c, ca, um, 256, 150, 5);
	for (i = 0; i < 3; i++)
		get_one(s, rq, 256, 1000);
	answer(s, sa, rq, 0x81);
	n = get_one(c, rb, 256, 2000);
	say("answer to the third copy", "client status %d method %#x; copies sent %ld", umad_status(rb), mad_of(rb)[3], counter(0, "sent_pkts") - c0);
	say("copies are identical to the receiver", "each is delivered to the server (no duplicate suppression)");
	say("afterwards", "client %d more, server %d more", drain(c, 500), drain(s, 100));

	/* many in flight, answered in reverse */
	static char store[64][HDR + 256];
	int ok = 0;
	for (i = 0; i < 64; i++) {
		fill(um, 0x0a, 1, 1, 0x5000 + i, 0x15, 256);
		aim_dev(um, 1);
		if (umad_send(c, ca, um, 256, 3000, 0) < 0)
			break;
	}
	n = i;
	for (i = 0; i < n; i++)
		if (get_one(s, store[i], 256, 1000) < 0)
			break;
	say("64 outstanding", "sent %d, server got %d, first tid low %#x, last %#x", n, i,
	    (unsigned)tid_of(store[0]), (unsigned)tid_of(store[i ? i - 1 : 0]));
	while (--i >= 0)
		answer(s, sa, store[i], 0x81);
	for (i = 0; i < n; i++)
		if (get_one(c, rb, 256, 1000) >= 0 && (unsigned)tid_of(rb) == 0x5000u + n - 1 - i)
			ok++;
	say("64 outstanding, answered in reverse", "%d in the order of the answers", ok);

	/* hi tid: two agents on the port */
	fill(um, 0x0a, 1, 1, 0x77, 0x15, 256);
	aim_dev(um, 1);
	umad_send(c, ca, um, 256, 1000, 0);
	umad_send(c2, ca2, um, 256, 1000, 0);
	get_one(s, store[0], 256, 1000);
	get_one(s, store[1], 256, 1000);
	say("same low tid from two fds", "server sees %016lx and %016lx", tid_of(store[0]), tid_of(store[1]));
	answer(s, sa, store[1], 0x81);
	n = get_one(c, rb, 256, 200);
	say("answer to the second: first client", "%s", n < 0 ? "nothing" : "gets it");
	n = get_one(c2, rb, 256, 1000);
	say("answer to the second: second client", "%s", n < 0 ? "nothing" : "gets it");
	drain(c, 1500);

	/* unsolicited with no taker: does the kernel answer? */
	for (i = 1; i < 0x08; i++) {
		char name[64];
		int meth = i;

		if (i == 4) meth = 0x12;
		fill(um, 0x0b, 1, meth, 0x600 + i, 0x15, 256);
		aim_dev(um, 1);
		umad_send(c, ca, um, 256, 200, 0);
		n = get_one(c, rb, 256, 1000);
		snprintf(name, sizeof name, "class nobody registered, method %#x", meth);
		if (umad_status(rb) == 0)
			say(name, "the kernel at the far end answers: method %#x MAD status %#x length %d", mad_of(rb)[3], mad_of(rb)[4] << 8 | mad_of(rb)[5], n);
		else
			say(name, "status %d", umad_status(rb));
	}
	fill(um, 0x0a, 1, 2, 0x700, 0x15, 256);
	aim_dev(um, 1);
	umad_send(c, ca, um, 256, 200, 0);
	n = get_one(c, rb, 256, 1000);
	say("class registered, method Set is not", "status %d method %#x MAD status %#x", umad_status(rb), mad_of(rb)[3], mad_of(rb)[4] << 8 | mad_of(rb)[5]);
	fill(um, 0x0a, 2, 1, 0x701, 0x15, 256);
	aim_dev(um, 1);
	umad_send(c, ca, um, 256, 200, 0);
	n = get_one(c, rb, 256, 1000);
	say("class registered, version 2 is not", "status %d method %#x MAD status %#x", umad_status(rb), mad_of(rb)[3], mad_of(rb)[4] << 8 | mad_of(rb)[5]);
	fill(um, 0x04, 1, 1, 0x702, 0x12, 256);
	aim_dev(um, 1);
	umad_send(c, ca, um, 256, 200, 0);
	n = get_one(c, rb, 256, 1000);
	say("PerfMgt Get(PortCounters) to rxe", "status %d method %#x MAD status %#x", umad_status(rb), mad_of(rb)[3], mad_of(rb)[4] << 8 | mad_of(rb)[5]);
	/* TrapRepress (7) counts as a response; Trap (5) does not */
	fill(um, 0x0a, 1, 7, 0x9999999900000703ull, 0x15, 256);
	aim_dev(um, 1);
	umad_send(c, ca, um, 256, 200, 0);
	n = get_one(c, rb, 256, 1000);
	say("TrapRepress with a timeout", "status %d tid %016lx (a response: the high half is kept)", umad_status(rb), tid_of(rb));
	/* the same over IPv4 */
	gid_index = 1;
	fill(um, 0x0a, 1, 1, 0x4444, 0x15, 256);
	aim_dev(um, 1);
	umad_send(c, ca, um, 256, 500, 0);
	n = get_one(s, rq, 256, 1000);
	say("over IPv4-mapped GIDs, server got", "length %d: %s", n, show(rq));
	answer(s, sa, rq, 0x81);
	n = get_one(c, rb, 256, 1000);
	say("over IPv4-mapped GIDs, client got", "length %d status %d", n, umad_status(rb));
	gid_index = 0;
	umad_close_port(c);
	umad_close_port(c2);
	umad_close_port(s);
}
