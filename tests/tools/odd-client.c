/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * odd-client: does what programs rarely do and a simulator must cope with.
 *
 * 	odd-client two-agents	two agents of a class; one has gone when its response comes
 * 	odd-client idle-sm	an SM according to its port, which gets requests and answers none
 * 	odd-client idle		the same without requests; of many on a port, one is the SM
 *
 * The idle ones print "ready" and their process id, and stay until they are killed.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/umad.h>

#include "lib/base/wire.h"

enum { ATTR_NODE_INFO = 0x11, TIMEOUT_MS = 5000 };

static int fail(const char *what, int code)
{
	fprintf(stderr, "odd-client: %s: %d\n", what, code);
	return 1;
}

/* SubnGet(NodeInfo) to the node at the other end of the cable. */
static int ask(int fd, int agent, void *umad, uint32_t tid)
{
	uint8_t *mad = umad_get_mad(umad);

	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = MAD_CLASS_SUBN_DR;
	mad[MAD_CLASS_VERSION] = 1;
	mad[MAD_METHOD] = MAD_METHOD_GET;
	mad[SMP_HOP_CNT] = 1;
	put_be32(mad + MAD_TID + 4, tid);
	put_be16(mad + MAD_ATTR_ID, ATTR_NODE_INFO);
	put_be16(mad + SMP_DR_SLID, LID_PERMISSIVE);
	put_be16(mad + SMP_DR_DLID, LID_PERMISSIVE);
	mad[SMP_INITIAL_PATH + 1] = 1;
	umad_set_addr(umad, LID_PERMISSIVE, 0, 0, 0);
	return umad_send(fd, agent, umad, MAD_SIZE, TIMEOUT_MS, 0);
}

/*
 * The fabric has latency, so the first agent is removed while its request is outstanding. The
 * second gets its own response, and not the first's.
 */
static int two_agents(int fd, void *umad)
{
	int first = umad_register(fd, MAD_CLASS_SUBN_DR, 1, 0, NULL);
	int second = umad_register(fd, MAD_CLASS_SUBN_DR, 1, 0, NULL);
	int length = MAD_SIZE, agent;

	if (first < 0 || second < 0 || first == second)
		return fail("umad_register", second);
	if (ask(fd, first, umad, 1) < 0 || ask(fd, second, umad, 2) < 0)
		return fail("umad_send", 0);
	if (umad_unregister(fd, first) < 0)
		return fail("umad_unregister", first);
	agent = umad_recv(fd, umad, &length, -1);
	if (agent != second || umad_status(umad) ||
	    get_be32((uint8_t *)umad_get_mad(umad) + MAD_TID + 4) != 2)
		return fail("the second agent's answer", agent);
	length = MAD_SIZE;
	agent = umad_recv(fd, umad, &length, 200);
	if (agent >= 0)
		return fail("an answer to nobody", agent);
	printf("one answer\n");
	return 0;
}

/* 'is_asked': it registers for SMInfo, and then ignores the requests. */
static int idle(int fd, const char *ca, int port, bool is_asked)
{
	long methods[16 / sizeof(long)] = { is_asked ? 1L << MAD_METHOD_GET : 0 };
	char path[PATH_MAX];
	int issm;

	if (umad_get_issm_path(ca, port, path, sizeof(path)) < 0)
		return fail("umad_get_issm_path", 0);
	/* The device is one program's at a time. */
	issm = open(path, O_NONBLOCK);
	if (issm < 0 && (is_asked || errno != EAGAIN))
		return fail(path, issm);
	if (umad_register(fd, MAD_CLASS_SUBN_LID, 1, 0, methods) < 0 ||
	    umad_register(fd, MAD_CLASS_SUBN_DR, 1, 0, methods) < 0)
		return fail("umad_register", 0);
	printf("ready %d\n", (int)getpid());
	fflush(stdout);
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	umad_port_t port;
	void *umad;
	int fd;

	umad_init();
	umad = umad_alloc(1, umad_size() + MAD_SIZE);
	if (argc != 2 || !umad || umad_get_port(NULL, 0, &port) < 0)
		return fail("two-agents|idle-sm|idle, where there is a port", argc);
	fd = umad_open_port(port.ca_name, port.portnum);
	if (fd < 0)
		return fail("umad_open_port", fd);
	if (strcmp(argv[1], "two-agents") == 0)
		return two_agents(fd, umad);
	if (strcmp(argv[1], "idle-sm") == 0 || strcmp(argv[1], "idle") == 0)
		return idle(fd, port.ca_name, port.portnum, strcmp(argv[1], "idle-sm") == 0);
	return fail("what is that?", argc);
}
