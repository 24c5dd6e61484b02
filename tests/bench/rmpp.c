/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * rmpp: what kmod-stub costs, in this process and in virtual time.
 *
 * 	rmpp [--smoke]
 *
 * Messages of 1 and 64 MiB from one port to another, as a multiple of copying the same bytes
 * through a buffer of 256; requests and answers with 1, 64 and 100,000 of them outstanding; a
 * message that times out after 40 s. What is compared is measured alternately, and medians count.
 * Every byte and every response is checked. --smoke: a little of everything, TAP, and no times.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/api/umadrig.h"
#include "lib/base/umad-command.h"
#include "lib/base/wire.h"

enum {
	HEADER_SIZE = 64,
	ROUNDS_MAX = 15,
	METHOD_GET_MULTI = 0x14,
	CLASS_PLAIN = 0x09,	/* a vendor's, without an OUI: only agents answer it */
	OUTSTANDING_MAX = 100000,
};

static int rounds = 7;
static int failures;

struct pair {
	struct umadrig_fabric *fabric;
	struct umadrig_file *a, *b;	/* on two ports of one cable */
	uint16_t lid_a, lid_b;
	uint32_t next_tid;
};

static double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void check(int ok, const char *what)
{
	if (!ok && failures++ < 5)
		fprintf(stderr, "rmpp: %s\n", what);
}

/* ---- a pair of ports ---- */

static struct umadrig_file *open_file(struct umadrig_fabric *fabric, const char *node,
				      uint8_t mgmt_class, uint8_t rmpp_version, uint16_t *ret_lid)
{
	struct umadrig_port *port = umadrig_port(fabric, node, 1);
	struct ib_user_mad_reg_req2 req = {
		.qpn = 1, .mgmt_class = mgmt_class, .mgmt_class_version = 2,
		.method_mask = {
			UINT64_C(1) << MAD_METHOD_GET | UINT64_C(1) << METHOD_GET_MULTI,
		},
		.rmpp_version = rmpp_version,
	};
	struct umadrig_file *file = NULL;

	if (!port || umadrig_file_open(port, &file) < 0 ||
	    umadrig_file_ioctl(file, UMAD_COMMAND_REGISTER_AGENT2, &req) < 0) {
		fprintf(stderr, "rmpp: cannot open %s\n", node);
		exit(2);
	}
	*ret_lid = umadrig_port_lid(port);
	return file;
}

static struct pair pair_open(uint8_t mgmt_class, uint8_t rmpp_version)
{
	char message[512];
	struct pair pair = {
		.fabric = umadrig_fabric_open(",clock=virtual", message, sizeof(message)),
		.next_tid = 1,
	};

	if (!pair.fabric) {
		fprintf(stderr, "rmpp: %s\n", message);
		exit(2);
	}
	pair.a = open_file(pair.fabric, "H1", mgmt_class, rmpp_version, &pair.lid_a);
	pair.b = open_file(pair.fabric, "H2", mgmt_class, rmpp_version, &pair.lid_b);
	return pair;
}

static void pair_close(struct pair *pair)
{
	umadrig_file_close(pair->a);
	umadrig_file_close(pair->b);
	umadrig_fabric_close(pair->fabric);
}

/* The headers of a request from a, in 'buf', which must be zeroed. */
static void put_request(const struct pair *pair, uint8_t *buf, uint8_t mgmt_class, uint8_t method,
			uint32_t timeout_ms)
{
	uint8_t *mad = buf + HEADER_SIZE;

	memcpy(buf + 8, &timeout_ms, 4);
	put_be32(buf + 20, 1);
	put_be16(buf + 28, pair->lid_b);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = mgmt_class;
	mad[MAD_CLASS_VERSION] = 2;
	mad[MAD_METHOD] = method;
}

/* ---- messages ---- */

/* One message from a to b; the time from write(2) until read(2) has returned. */
static double send_message(struct pair *pair, uint8_t *out, uint8_t *in, size_t size)
{
	size_t total = HEADER_SIZE + SA_DATA + size;
	double start;
	long got;

	memset(out, 0, HEADER_SIZE + SA_DATA);
	put_request(pair, out, MAD_CLASS_SUBN_ADM, METHOD_GET_MULTI, 0);
	put_be32(out + HEADER_SIZE + MAD_TID + 4, pair->next_tid++);
	out[HEADER_SIZE + RMPP_FLAGS] = RMPP_FLAG_ACTIVE;
	start = now_s();
	check(umadrig_file_write(pair->a, out, total) == (long)total, "a message was refused");
	umadrig_step(pair->fabric, umadrig_now(pair->fabric));
	got = umadrig_file_read(pair->b, in, total);
	start = now_s() - start;
	check(got == (long)total, "a message did not arrive");
	check(memcmp(out + HEADER_SIZE + SA_DATA, in + HEADER_SIZE + SA_DATA, size) == 0,
	      "a message arrived with other bytes");
	/* Its key is free again. */
	umadrig_step(pair->fabric, umadrig_now(pair->fabric) + INT64_C(11000000000));
	return start;
}

static double copy_through(const uint8_t *from, uint8_t *to, size_t size)
{
	uint8_t buf[256];
	double start = now_s();

	for (size_t at = 0; at < size; at += sizeof(buf)) {
		memcpy(buf, from + at, sizeof(buf));
		/* Neither copy may be optimized away. */
		__asm__ volatile("" : : "r"(buf) : "memory");
		memcpy(to + at, buf, sizeof(buf));
	}
	return now_s() - start;
}

static int compare_doubles(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double median(double *values, int count)
{
	qsort(values, (size_t)count, sizeof(*values), compare_doubles);
	return values[count / 2];
}

static void bench_message(size_t size, const char *name)
{
	struct pair pair = pair_open(MAD_CLASS_SUBN_ADM, 1);
	size_t total = HEADER_SIZE + SA_DATA + size;
	uint8_t *out = malloc(total), *in = malloc(total);
	double messages[ROUNDS_MAX], copies[ROUNDS_MAX];
	double message, copy;

	if (!out || !in) {
		fprintf(stderr, "rmpp: out of memory\n");
		exit(2);
	}
	for (size_t i = 0; i < total; i++)
		out[i] = (uint8_t)(i * 31 + (i >> 8));
	memset(in, 0, total);
	send_message(&pair, out, in, size);	/* this warms the pools */
	for (int i = 0; i < rounds; i++) {
		messages[i] = send_message(&pair, out, in, size);
		copies[i] = copy_through(out, in, size);
	}
	message = median(messages, rounds);
	copy = median(copies, rounds);
	printf("# message of %-7s %9.1f MB/s  %6.1f times as long as memcpy (%.0f MB/s)\n", name,
	       (double)size / message / 1e6, message / copy, (double)size / copy / 1e6);
	free(out);
	free(in);
	pair_close(&pair);
}

/* ---- requests ---- */

static void ask(struct pair *pair)
{
	uint8_t buf[HEADER_SIZE + MAD_SIZE] = { 0 };

	put_request(pair, buf, CLASS_PLAIN, MAD_METHOD_GET, 1000);
	put_be32(buf + HEADER_SIZE + MAD_TID + 4, pair->next_tid++);
	check(umadrig_file_write(pair->a, buf, sizeof(buf)) == sizeof(buf),
	      "a request was refused");
}

/* b answers its first request, a reads the response, which is that to its oldest request. */
static void answer(struct pair *pair, uint32_t tid)
{
	uint8_t buf[HEADER_SIZE + MAD_SIZE];

	check(umadrig_file_read(pair->b, buf, sizeof(buf)) == sizeof(buf), "a request is lost");
	buf[HEADER_SIZE + MAD_METHOD] = MAD_METHOD_GET_RESP;
	memset(buf, 0, 20);	/* id, status, timeout, retries, length; the address stays */
	check(umadrig_file_write(pair->b, buf, sizeof(buf)) == sizeof(buf),
	      "an answer was refused");
	umadrig_step(pair->fabric, umadrig_now(pair->fabric));
	check(umadrig_file_read(pair->a, buf, sizeof(buf)) == sizeof(buf), "an answer is lost");
	check(get_be32(buf + HEADER_SIZE + MAD_TID + 4) == tid, "answers are out of order");
}

/* 'count' round trips with 'outstanding' requests at all times. Returns seconds for each. */
static double round_trips(struct pair *pair, uint32_t *oldest, int count)
{
	double start = now_s();

	for (int i = 0; i < count; i++) {
		/* No wire carries half a million packets in zero time, nor does the fabric's. */
		if (i % 1024 == 0)
			umadrig_step(pair->fabric, umadrig_now(pair->fabric) + 1000000);
		answer(pair, (*oldest)++);
		ask(pair);
		umadrig_step(pair->fabric, umadrig_now(pair->fabric));
	}
	return (now_s() - start) / count;
}

static void bench_requests(int count)
{
	static const uint32_t outstanding[] = { 1, 64, OUTSTANDING_MAX };
	double times[3][ROUNDS_MAX];
	double medians[3];
	struct pair pairs[3];
	uint32_t oldest[3];

	for (int k = 0; k < 3; k++) {
		pairs[k] = pair_open(CLASS_PLAIN, 0);
		oldest[k] = 1;
		for (uint32_t i = 0; i < outstanding[k]; i++)
			ask(&pairs[k]);
		umadrig_step(pairs[k].fabric, 0);
		/* Warm-up: everything outstanding has made one round trip. */
		round_trips(&pairs[k], &oldest[k], count / 4);
	}
	for (int i = 0; i < rounds; i++)
		for (int k = 0; k < 3; k++)
			times[k][i] = round_trips(&pairs[k], &oldest[k], count);
	for (int k = 0; k < 3; k++)
		medians[k] = median(times[k], rounds);
	for (int k = 0; k < 3; k++) {
		printf("# %6u outstanding   %9.0f requests/s  a request costs %.2f of one at 64\n",
		       outstanding[k], 1 / medians[k], medians[k] / medians[1]);
		pair_close(&pairs[k]);
	}
}

/* ---- timeouts ---- */

/* The packet of a message's first segment, from a to b. */
static void put_segment(const struct pair *pair, uint8_t *packet, size_t size, const uint8_t *mad)
{
	uint8_t *bth = packet + LRH_SIZE, *deth = bth + BTH_SIZE, *to = deth + DETH_SIZE;

	packet[LRH_SL] = LRH_LNH_IBA;
	put_be16(packet + LRH_DLID, pair->lid_b);
	put_be16(packet + LRH_PKTLEN, (uint16_t)((size + ICRC_SIZE) / 4));
	put_be16(packet + LRH_SLID, pair->lid_a);
	bth[BTH_OPCODE] = BTH_UD_SEND_ONLY;
	put_be16(bth + BTH_PKEY, PKEY_DEFAULT);
	put_be24(bth + BTH_DESTQP, 1);
	put_be32(deth + DETH_QKEY, QKEY_GSI);
	put_be24(deth + DETH_SRCQP, 1);
	memcpy(to, mad, SA_DATA);
	put_be32(to + MAD_TID + 4, 99);
	to[RMPP_VERSION] = 1;
	to[RMPP_TYPE] = RMPP_TYPE_DATA;
	to[RMPP_FLAGS] = RMPP_FLAG_ACTIVE | RMPP_FLAG_FIRST;
	put_be32(to + RMPP_SEGMENT, 1);
}

/*
 * One message that nobody acknowledges, retried every 2 s, and one
 * that does not go on, given up at 40 s.
 */
static void bench_timeouts(void)
{
	double times[ROUNDS_MAX];

	for (int i = 0; i < rounds; i++) {
		struct pair pair = pair_open(MAD_CLASS_SUBN_ADM, 1);
		struct umadrig_port *to = umadrig_port(pair.fabric, "H2", 1);
		struct umadrig_port *from = umadrig_port(pair.fabric, "H1", 1);
		uint8_t buf[HEADER_SIZE + SA_DATA + 400] = { 0 };
		uint8_t packet[LRH_SIZE + BTH_SIZE + DETH_SIZE + MAD_SIZE] = { 0 };
		uint32_t retries = 100;
		int64_t end_ns = 0;

		/* To a LID without a port: there is no response. */
		put_request(&pair, buf, MAD_CLASS_SUBN_ADM, METHOD_GET_MULTI, 0);
		memcpy(buf + 12, &retries, 4);
		put_be16(buf + 28, 0x1234);
		buf[HEADER_SIZE + RMPP_FLAGS] = RMPP_FLAG_ACTIVE;
		check(umadrig_file_write(pair.a, buf, sizeof(buf)) == sizeof(buf),
		      "a message was refused");
		/* Only the first segment of one arrives. */
		put_segment(&pair, packet, sizeof(packet), buf + HEADER_SIZE);
		check(umadrig_deliver(to, from, packet, sizeof(packet)) == 0,
		      "a segment was not delivered");
		umadrig_step(pair.fabric, 0);
		times[i] = now_s();
		while (umadrig_step_once(pair.fabric, INT64_C(40000000000)))
			end_ns = umadrig_now(pair.fabric);
		times[i] = now_s() - times[i];
		check(end_ns == INT64_C(40000000000), "nothing happened at 40 s");
		pair_close(&pair);
	}
	printf("# 40 s of timeouts     %9.3f ms\n", median(times, rounds) * 1e3);
}

int main(int argc, char **argv)
{
	int smoke = argc > 1 && strcmp(argv[1], "--smoke") == 0;

	if (smoke) {
		rounds = 1;
		printf("1..3\n");
		bench_message(1 << 16, "64 KiB");
		printf("%s 1 - messages\n", failures ? "not ok" : "ok");
		failures = 0;
		bench_requests(1000);
		printf("%s 2 - requests\n", failures ? "not ok" : "ok");
		failures = 0;
		bench_timeouts();
		printf("%s 3 - timeouts\n", failures ? "not ok" : "ok");
		return failures != 0;
	}
	bench_message(1 << 20, "1 MiB");
	bench_message(64 << 20, "64 MiB");
	bench_requests(400000);
	bench_timeouts();
	return failures != 0;
}
