/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A guest without a kernel: speaks what a User-mode Linux with umadrig_hca and its first program
 * speak, in a few hundred lines, for tests of the other side (sim/guests/).
 *
 *	fake-guest MODE GUEST'S COMMAND LINE ...
 *
 * Commands that it knows, each a program in its own time: "sleep SECONDS", "echo WORD", "ask LID"
 * (a PerfMgt ClassPortInfo of that LID), "serve SECONDS" (answers vendor MADs), "call LID" (sends
 * one), "send LID QP SIZE" (a datagram that is no MAD, from QP 70, in pieces of 1000 bytes), "hear"
 * (waits for one), "cat", "exit STATUS", "state" (of its port), "spill BYTES" (on its output),
 * "env NAME",
 * "log TEXT", "part TEXT" (a line, and the beginning of one, on the console), "fill LINES TEXT"
 * (many there).
 *
 * MODE is "good", "die:N" (ends before the Nth message that it sends), or a word of enum wrong.
 */
#include <endian.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/tools/fake-guest.h"

static const char *const wrongs[] = {
	"none", "silent", "busy", "request-past", "update-back", "update-beyond", "time-op",
	"wait-twice", "not-start", "vhost-size", "vhost-request", "table-count", "table-fds",
	"region-outside", "ring-size", "ring-outside", "index-far", "head-far", "chain-circle",
	"chain-far", "indirect", "buffer-outside", "shrink", "length-says", "version", "type",
	"hca", "grh-short", "query-short", "taken-more", "program-none", "features", "config-long",
	"same-instant", "down-outside", "down-direction", "call-fds", "datagram-grh",
	"datagram-long", "datagram-far", "datagram-qp",
};

_Static_assert(sizeof(wrongs) / sizeof(wrongs[0]) == DATAGRAM_QP + 1, "a word for each");

enum wrong fake_wrong;

/* ---- messages down ---- */

static void take_mad(const struct umadrig_hca_header *header, const uint8_t *mad)
{
	fake_give_file(mad);
	if (mad[1] == 0x32 && mad[3] == 2)
		fake_send_mad(le16toh(header->slid), 0x32, 0x82, mad[15]);
	fake_give_programs(header, mad);
}

static void take_add(const struct umadrig_hca_header *add, const uint8_t *payload, size_t size)
{
	struct umadrig_hca_header header = { .type = UMADRIG_HCA_HELLO, .hca = add->hca };
	struct umadrig_hca_header query = { .type = UMADRIG_HCA_QUERY, .port = 1, .sequence = 1 };
	uint8_t mad[256] = { 1, 4, 1, 1, [17] = 1 };

	/* Registering asks for counters, before HELLO. */
	fake_up(&query, mad, fake_wrong == QUERY_SHORT ? 100 : sizeof(mad));
	fake_up(&header, payload, size);
}

static void take_remove(const struct umadrig_hca_header *remove)
{
	struct umadrig_hca_header header = { .type = UMADRIG_HCA_GONE, .hca = remove->hca };

	fake_up(&header, "", 0);
}

static void take_down(const uint8_t *message)
{
	struct umadrig_hca_header header;
	const uint8_t *payload = message + sizeof(header);
	size_t size;

	memcpy(&header, message, sizeof(header));
	size = le32toh(header.length) - sizeof(header);
	if (header.type == UMADRIG_HCA_ADD)
		take_add(&header, payload, size);
	else if (header.type == UMADRIG_HCA_REMOVE)
		take_remove(&header);
	else if (header.type == UMADRIG_HCA_PORT)
		memcpy(&fake_port, payload, sizeof(fake_port));
	else if (header.type == UMADRIG_HCA_MAD)
		take_mad(&header, payload + (header.flags & UMADRIG_HCA_FLAG_GRH ? 40 : 0));
	else if (header.type == UMADRIG_HCA_DATAGRAM)
		fake_take_datagram(&header, payload, size);
	else if (header.type >= UMADRIG_GUEST_FILE_OPEN)
		fake_take_file(&header, payload, size);
	else if (header.type == UMADRIG_GUEST_RUN)
		fake_take_run(&header, payload, size);
	else if (header.type == UMADRIG_GUEST_STDIN)
		fake_take_input(le32toh(header.sequence), payload, size);
	else if (header.type == UMADRIG_GUEST_SIGNAL)
		fake_take_signal(le32toh(header.sequence), le32toh(header.value));
}

/* ---- its life ---- */

/* An interrupt: it is served at this instant, and the guest wants to run at once. */
static void interrupted(void)
{
	struct vhost message;
	const struct {
		uint32_t request, flags, size, value[2];
	} answer = { 4, 5, 8, { 0, 0 } };

	fake_get(fake_call_fd, &message, 12);
	fake_get(fake_call_fd, message.payload, message.size);
	fake_now = (int64_t)fake_say(GET, 0);
	fake_say(REQUEST, fake_now);
	fake_put(fake_call_fd, &answer, sizeof(answer));
}

static void sleep_until(int64_t at)
{
	if (fake_wrong == REQUEST_PAST && fake_now > 1000)
		at = 5;
	fake_say(REQUEST, at);
	fake_say(WAIT, 0);
	if (fake_wrong == WAIT_TWICE)
		fake_say(WAIT, 0);
	for (;;) {
		struct pollfd ready[] = {
			{ .fd = fake_time_fd, .events = POLLIN },
			{ .fd = fake_call_fd, .events = POLLIN },
		};
		struct time_message message;

		poll(ready, fake_call_fd > 0 ? 2 : 1, -1);
		if (ready[0].revents) {
			fake_get(fake_time_fd, &message, sizeof(message));
			fake_acknowledge(&message);
			if (message.op != RUN)
				continue;
			fake_now = (int64_t)message.time;
			return;
		}
		interrupted();
	}
}

/* A guest need not ask for time that nobody else wants. */
static void go_on_until(int64_t at)
{
	struct pollfd ready = { .fd = fake_call_fd, .events = POLLIN };

	if (!fake_steps() || at > fake_free_until) {
		sleep_until(at);
	} else if (poll(&ready, 1, 0) == 1) {
		interrupted();
	} else {
		fake_now = at;
		fake_say(UPDATE, at);
	}
}

static const char *argument(char **argv, const char *name)
{
	for (; *argv; argv++) {
		if (strncmp(*argv, name, strlen(name)) == 0)
			return *argv + strlen(name);
	}
	fprintf(stderr, "fake-guest: no %s\n", name);
	exit(8);
}

static void choose(const char *mode)
{
	if (strncmp(mode, "die:", 4) == 0)
		fake_dies_at = atol(mode + 4);
	for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		if (strcmp(mode, wrongs[i]) == 0)
			fake_wrong = (enum wrong)i;
	}
}

/* A guest that computes: it looks at the clock now and then, or never. */
static void misuse_time(void)
{
	if (fake_wrong == SILENT)
		pause();
	while (fake_wrong == BUSY)
		;
	if (fake_wrong == TIME_OP)
		fake_say(77, 0);
	while (fake_wrong == SAME_INSTANT)
		sleep_until(fake_now);
}

int main(int argc, char **argv)
{
	struct umadrig_hca_header ready = { .type = UMADRIG_HCA_READY };
	struct umadrig_hca_header init = { .type = UMADRIG_GUEST_READY };
	char *device;

	if (argc < 3)
		return 2;
	choose(argv[1]);
	fake_time_fd = fake_connect(argument(argv, "time-travel=ext:0:"));
	fake_say(fake_wrong == NOT_START ? WAIT : START, 0);
	fake_say(GET_TOD, 0);
	misuse_time();
	sleep_until(1000000);
	device = strdup(argument(argv, "virtio_uml.device="));
	*strrchr(device, ':') = '\0';
	fake_plug_in(device);
	fake_up(&ready, "", 0);
	fake_up(&init, "", 0);
	for (;;) {
		uint8_t message[UMADRIG_HCA_DOWN_MAX];
		int64_t next;

		while (fake_next_down(message))
			take_down(message);
		next = fake_wake_programs();
		go_on_until(next < fake_now + 4 * NS_PER_S ? next : fake_now + 4 * NS_PER_S);
	}
}
