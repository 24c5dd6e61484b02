/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lost-answer: a test of a program that speaks MADs, without hardware and without waiting.
 *
 *	export PKG_CONFIG_PATH=LIBDIR/pkgconfig:LIBDIR/umadrig/pkgconfig
 *	cc lost-answer.c -o lost-answer $(pkg-config --cflags --libs umadrig libibumad)
 *	LD_LIBRARY_PATH=LIBDIR:LIBDIR/umadrig ./lost-answer
 *
 * LIBDIR is where libumadrig.so is. A fabric of two hosts, H1 and H2, is made in this process. H1
 * asks H2's node for its NodeInfo, first with one answer lost, then with every answer lost, which
 * takes 40 seconds of virtual time. In the end the capture says what went over the cable.
 *
 * This file is yours: copy it and make of it what you like.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <infiniband/umad.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <umadrig.h>

#define SECOND INT64_C(1000000000)	/* in the fabric's nanoseconds */

#define CHECK(condition) check((condition), #condition, __LINE__)

static void check(int is_true, const char *condition, int line)
{
	if (is_true)
		return;
	fprintf(stderr, "lost-answer.c:%d: not so: %s\n", line, condition);
	exit(1);
}

/* The umad buffer begins with the kernel's header; behind it is the MAD. */
static uint8_t *mad_of(void *umad)
{
	return umad_get_mad(umad);
}

/* SubnGet(NodeInfo) along a directed route of one hop: out of port 1, to whoever is there. */
static void build_request(void *umad, uint8_t tid)
{
	uint8_t *mad = mad_of(umad);

	memset(umad, 0, umad_size() + 256);
	umad_set_addr(umad, 0xffff, 0, 0, 0);
	mad[0] = 1;			/* base version */
	mad[1] = 0x81;			/* subnet management, directed route */
	mad[2] = 1;			/* class version */
	mad[3] = 0x01;			/* Get */
	mad[7] = 1;			/* hops */
	mad[15] = tid;
	mad[17] = 0x11;			/* NodeInfo */
	memset(mad + 32, 0xff, 4);	/* DrSLID, DrDLID: no part of the way is by LID */
	mad[128 + 1] = 1;		/* the port of the first hop */
}

/* What the capture has: requests that left H1, answers that came, and how many MADs were lost. */
struct seen {
	int requests, answers, lost;
	int64_t last_ns;
};

static bool look(void *ctx, const struct umadrig_mad *mad)
{
	struct seen *seen = ctx;

	if (mad->comment && strstr(mad->comment, "dropped"))
		seen->lost++;
	else if (mad->mad[3] == 0x01)
		seen->requests++;
	else if (mad->mad[3] == 0x81)
		seen->answers++;
	seen->last_ns = mad->at_ns;
	return true;
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "lost-answer.pcapng";
	char umad[64 + 256], why[512];
	struct umadrig_fabric *fabric;
	int fd, agent, length, rule;
	struct seen seen = { 0 };
	int64_t start;

	/* A fabric whose time passes only when we say so, for libibumad too. */
	fabric = umadrig_fabric_open(",clock=virtual,seed=7", why, sizeof(why));
	if (!fabric) {
		fprintf(stderr, "%s\n", why);
		return 1;
	}
	setenv("UMAD_BACKEND", "sim:@", 1);
	umadrig_attach(fabric);
	CHECK(umadrig_capture_start(fabric, path, "lost-answer", why, sizeof(why)) == 0);

	CHECK(umad_init() == 0);
	fd = umad_open_port("H1", 1);
	CHECK(fd >= 0);
	agent = umad_register(fd, 0x81, 1, 0, NULL);
	CHECK(agent >= 0);

	/* One answer is lost: after a second the kernel sends the request again. */
	rule = umadrig_fault_add_text(fabric, "drop 1 method=0x81 to H1[1]", why,
				      sizeof(why));
	CHECK(rule > 0);
	start = umadrig_now(fabric);
	build_request(umad, 1);
	CHECK(umad_send(fd, agent, umad, 256, 1000, 3) == 0);
	length = 256;
	CHECK(umad_recv(fd, umad, &length, -1) == agent);
	CHECK(umad_status(umad) == 0);
	CHECK(umadrig_now(fabric) - start == 1 * SECOND);
	CHECK(umadrig_fault_hits(fabric, rule) == 1);
	CHECK(umadrig_fault_remove(fabric, rule) == 0);

	/* All are lost: four times ten seconds, and then the request comes back. */
	rule = umadrig_fault_add_text(fabric, "drop all method=0x81", why, sizeof(why));
	CHECK(rule > 0);
	build_request(umad, 2);
	CHECK(umad_send(fd, agent, umad, 256, 10000, 3) == 0);
	umadrig_step(fabric, umadrig_now(fabric) + 40 * SECOND - 1);
	length = 256;
	CHECK(umad_recv(fd, umad, &length, 0) == -EWOULDBLOCK);
	umadrig_step(fabric, umadrig_now(fabric) + 1);
	length = 256;
	CHECK(umad_recv(fd, umad, &length, 0) == agent);
	CHECK(umad_status(umad) == ETIMEDOUT);
	CHECK(umadrig_fault_hits(fabric, rule) == 4);

	/* Counters count what crossed the cable; and a cable can be pulled. */
	CHECK(umadrig_counter(fabric, "H1", 1, "PortXmitPkts") == 2 + 4);
	CHECK(umadrig_link_set(fabric, "H2", 1, false) == 0);

	umad_close_port(fd);
	CHECK(umadrig_capture_stop(fabric) == 0);
	umadrig_fabric_close(fabric);

	CHECK(umadrig_capture_each(path, look, &seen, why, sizeof(why)) > 0);
	CHECK(seen.requests == 2 + 4);
	CHECK(seen.lost == 1 + 4);
	printf("%d requests, %d answers, %d of them lost, in %.0f virtual seconds\n", seen.requests,
	       seen.answers, seen.lost, (double)seen.last_ns / SECOND);
	return 0;
}
