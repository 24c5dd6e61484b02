/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * flood: uses up as much of a fabric as it gets, or is one that suffers from that.
 *
 * 	flood sends		sends to nobody until it is refused
 * 	flood files COUNT	opens in COUNT children, until each is refused
 * 	flood polite		opens a port, asks its neighbour 200 times, closes it
 *
 * The first two print the errno that they got, and keep what they have until their input ends.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <infiniband/umad.h>

enum { VENDOR_CLASS = 0x0b, SENDS_MAX = 100000, FILES_MAX = 100000, TRIPS = 200, MAD = 256 };

static union {
	struct ib_user_mad umad;
	uint8_t bytes[512];
} message;

static uint8_t *fill(uint8_t mgmt_class, uint32_t tid)
{
	uint8_t *mad = umad_get_mad(&message.umad);

	memset(&message, 0, sizeof(message));
	mad[0] = mad[2] = 1;
	mad[1] = mgmt_class;
	mad[3] = 1;
	for (int i = 0; i < 4; i++)
		mad[12 + i] = (uint8_t)(tid >> 8 * (3 - i));
	return mad;
}

/* Prints what has ended a flood, and keeps it up until the input ends. */
static int stay(const char *what, int err)
{
	char byte;

	printf("%s: %s\n", what, strerrorname_np(err));
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		continue;
	return 0;
}

static int flood_sends(void)
{
	int port = umad_open_port(NULL, 1), agent = umad_register(port, VENDOR_CLASS, 1, 0, NULL);

	for (uint32_t tid = 1; tid < SENDS_MAX; tid++) {
		int ret;

		fill(VENDOR_CLASS, tid);
		umad_set_addr(&message.umad, 77, 1, 0, 0x80010000);
		ret = umad_send(port, agent, &message.umad, MAD, 3600000, 0);
		if (ret < 0)
			return stay("sends", errno);
	}
	return stay("sends", 0);
}

/* In a child: until its input ends. */
static void be_child(int told)
{
	char byte;

	for (int i = 0; i < FILES_MAX && umad_open_port(NULL, 1) >= 0; i++)
		errno = 0;
	byte = (char)errno;
	if (write(told, &byte, 1) == 1)
		while (read(STDIN_FILENO, &byte, 1) > 0)
			continue;
	_exit(0);
}

static int flood_files(int count)
{
	int ends[2], err = 0;

	if (pipe(ends) < 0)
		return 1;
	for (int i = 0; i < count; i++) {
		char byte = 0;

		if (fork() == 0)
			be_child(ends[1]);
		/* One after the other: each gets what the former have left. */
		if (read(ends[0], &byte, 1) == 1)
			err = byte;
	}
	stay("files", err);
	while (wait(NULL) > 0)
		continue;
	return 0;
}

static int be_polite(void)
{
	int port = umad_open_port(NULL, 1), agent = umad_register(port, 0x81, 1, 0, NULL), length;

	for (uint32_t tid = 1; tid <= TRIPS; tid++) {
		uint8_t *mad = fill(0x81, tid);

		mad[7] = 1;
		mad[17] = 0x11;
		memset(mad + 32, 0xff, 4);
		mad[129] = 1;
		umad_set_addr(&message.umad, 0xffff, 0, 0, 0);
		length = MAD;
		if (umad_send(port, agent, &message.umad, MAD, 600000, 0) < 0 ||
		    umad_recv(port, &message.umad, &length, 600000) < 0 ||
		    umad_status(&message.umad) != 0 || mad[15] != (uint8_t)tid) {
			printf("%u round trips, then %s\n", tid - 1, strerror(errno));
			return 1;
		}
	}
	umad_close_port(port);
	printf("%d round trips\n", TRIPS);
	return 0;
}

int main(int argc, char **argv)
{
	if (umad_init() < 0)
		return 2;
	if (argc == 2 && strcmp(argv[1], "sends") == 0)
		return flood_sends();
	if (argc == 2 && strcmp(argv[1], "polite") == 0)
		return be_polite();
	if (argc == 3 && strcmp(argv[1], "files") == 0)
		return flood_files(atoi(argv[2]));
	return 2;
}
