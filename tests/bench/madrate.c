/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * madrate: MAD round trips per second through umad_send() and umad_recv().
 *
 * 	madrate [-c CA] [-p PORT] [-n COUNT] [-o OUTSTANDING] [-P 0,1,19,19]
 *
 * Sends SubnGet(NodeInfo) along a directed route COUNT times, OUTSTANDING at a time, and prints
 * "RATE answers/s CPU us", the processor time of each in this process. It uses only libibumad's
 * documented calls, so that the same binary measures any libibumad: ours with a simulated fabric, a
 * distribution's under ibsim's preload, a real HCA. Every response is checked; one that is lost or
 * wrong fails the run.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <infiniband/umad.h>
#include <infiniband/umad_sm.h>
#include <infiniband/umad_types.h>

#define OUTSTANDING_MAX 4096

struct options {
	const char *ca;
	int port;
	unsigned long count;
	unsigned long outstanding;
	uint8_t path[64];
	unsigned int hops;
};

static int fail(const char *what, long code)
{
	fprintf(stderr, "madrate: %s: %ld (%s)\n", what, code,
		strerror(code < 0 ? (int)-code : errno));
	return 1;
}

/* "0,1,19": the ports to leave by; the first entry, 0, means this node. */
static int parse_path(const char *text, struct options *options)
{
	unsigned int i = 0;
	char *end;

	for (; i < 64; i++) {
		unsigned long port = strtoul(text, &end, 10);

		if (end == text || port > 254 || (i == 0 && port != 0))
			return -1;
		options->path[i] = (uint8_t)port;
		if (*end == '\0') {
			options->hops = i;
			return 0;
		}
		text = end + 1;
	}
	return -1;
}

/* The request: all of it except the TID is the same each time. */
static void build(void *umad, const struct options *options)
{
	struct umad_smp *smp = umad_get_mad(umad);

	smp->base_version = UMAD_BASE_VERSION;
	smp->mgmt_class = UMAD_CLASS_SUBN_DIRECTED_ROUTE;
	smp->class_version = 1;
	smp->method = UMAD_METHOD_GET;
	smp->hop_cnt = (uint8_t)options->hops;
	smp->attr_id = htobe16(UMAD_SM_ATTR_NODE_INFO);
	smp->dr_slid = 0xffff;
	smp->dr_dlid = 0xffff;
	memcpy(smp->initial_path, options->path, sizeof(options->path));
	umad_set_addr(umad, 0xffff, 0, 0, 0);
}

static int send_one(int fd, int agent, void *umad, unsigned long number)
{
	struct umad_smp *smp = umad_get_mad(umad);

	smp->tid = htobe64(number & 0xffffffff);
	return umad_send(fd, agent, umad, 256, 10000, 0);
}

/* Receives a response and ticks off its number; 0 if it is a NodeInfo that was requested. */
static int receive_one(int fd, void *umad, unsigned char *pending)
{
	const struct umad_smp *smp = umad_get_mad(umad);
	int length = 256;
	int agent = umad_recv(fd, umad, &length, 10000);
	unsigned long number;

	if (agent < 0)
		return fail("umad_recv", agent);
	if (umad_status(umad))
		return fail("umad_status", umad_status(umad));
	number = be64toh(smp->tid) & 0xffffffff;
	if (smp->method != UMAD_METHOD_GET_RESP || (be16toh(smp->status) & 0x7fff) ||
	    smp->attr_id != htobe16(UMAD_SM_ATTR_NODE_INFO) || smp->data[0] != 1)
		return fail("wrong answer to number", (long)number);
	if (!pending[number % OUTSTANDING_MAX])
		return fail("answer to nothing asked, number", (long)number);
	pending[number % OUTSTANDING_MAX] = 0;
	return 0;
}

static double seconds_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int measure(int fd, int agent, void *request, void *answer, const struct options *options)
{
	static unsigned char pending[OUTSTANDING_MAX];
	unsigned long sent = 0, got = 0;
	double begin = seconds_of(CLOCK_MONOTONIC), cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);

	build(request, options);
	while (got < options->count) {
		while (sent < options->count && sent - got < options->outstanding) {
			int r;

			pending[sent % OUTSTANDING_MAX] = 1;
			r = send_one(fd, agent, request, sent++);
			if (r < 0)
				return fail("umad_send", r);
		}
		if (receive_one(fd, answer, pending))
			return 1;
		got++;
	}
	printf("%.0f answers/s %.3f us\n",
	       (double)options->count / (seconds_of(CLOCK_MONOTONIC) - begin),
	       (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu) * 1e6 / (double)options->count);
	return 0;
}

static int run(const struct options *options)
{
	void *umad;		/* two of them: one to send, one to receive */
	int fd, agent, status;

	if (umad_init() < 0)
		return fail("umad_init", -1);
	fd = umad_open_port(options->ca, options->port);
	if (fd < 0)
		return fail("umad_open_port", fd);
	agent = umad_register(fd, UMAD_CLASS_SUBN_DIRECTED_ROUTE, 1, 0, NULL);
	if (agent < 0)
		return fail("umad_register", agent);
	umad = umad_alloc(2, umad_size() + 256);
	status = umad ? measure(fd, agent, umad, (char *)umad + umad_size() + 256, options) :
			fail("umad_alloc", -ENOMEM);
	umad_free(umad);
	umad_unregister(fd, agent);
	umad_close_port(fd);
	umad_done();
	return status;
}

int main(int argc, char **argv)
{
	struct options options = { .count = 100000, .outstanding = 1 };
	int c;

	while ((c = getopt(argc, argv, "c:p:n:o:P:")) >= 0) {
		switch (c) {
		case 'c': options.ca = optarg; break;
		case 'p': options.port = atoi(optarg); break;
		case 'n': options.count = strtoul(optarg, NULL, 10); break;
		case 'o': options.outstanding = strtoul(optarg, NULL, 10); break;
		case 'P':
			if (parse_path(optarg, &options) == 0)
				break;
			/* fall through */
		default:
			fprintf(stderr, "usage: madrate [-c CA] [-p PORT] [-n COUNT] "
				"[-o OUTSTANDING (to %d)] [-P 0,PORT,...]\n", OUTSTANDING_MAX);
			return 2;
		}
	}
	if (!options.count || !options.outstanding || options.outstanding >= OUTSTANDING_MAX) {
		fprintf(stderr, "madrate: COUNT and OUTSTANDING must be at least 1, OUTSTANDING "
			"below %d\n", OUTSTANDING_MAX);
		return 2;
	}
	return run(&options);
}
