/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A guest without a kernel (fake-guest.c), in a file for each of its nouns: what goes over its
 * sockets, its time, its device, its umad files and its programs.
 */
#ifndef UMADRIG_TESTS_TOOLS_FAKE_GUEST_H
#define UMADRIG_TESTS_TOOLS_FAKE_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kmod-stub/linux/hca/umadrig_hca.h"

#define NEVER INT64_MAX
#define NS_PER_S INT64_C(1000000000)

/* What it does wrong: the words of fake-guest.c in their order. */
enum wrong {
	NONE, SILENT, BUSY, REQUEST_PAST, UPDATE_BACK, UPDATE_BEYOND, TIME_OP, WAIT_TWICE,
	NOT_START, VHOST_SIZE, VHOST_REQUEST, TABLE_COUNT, TABLE_FDS, REGION_OUTSIDE, RING_SIZE,
	RING_OUTSIDE, INDEX_FAR, HEAD_FAR, CHAIN_CIRCLE, CHAIN_FAR, INDIRECT, BUFFER_OUTSIDE,
	SHRINK, LENGTH_SAYS, VERSION, TYPE, HCA, GRH_SHORT, QUERY_SHORT, TAKEN_MORE, PROGRAM_NONE,
	FEATURES, CONFIG_LONG, SAME_INSTANT, DOWN_OUTSIDE, DOWN_DIRECTION, CALL_FDS,
	DATAGRAM_GRH, DATAGRAM_LONG, DATAGRAM_FAR, DATAGRAM_QP,
};

extern enum wrong fake_wrong;

/* ---- sockets: fake-guest-socket.c ---- */

struct vhost {
	uint32_t request, flags, size;
	uint8_t payload[256];
};

/* It ends before this message, counted from 1; 0: before none. */
extern long fake_dies_at;

/* Ends with what errno says of 'what'. */
void fake_fail(const char *what);
int fake_connect(const char *path);
/* Each ends the guest when the other side has gone. */
void fake_put(int fd, const void *bytes, size_t size);
void fake_put_with(int fd, struct vhost *message, const int *fds, size_t count);
void fake_get(int fd, void *bytes, size_t size);

/* ---- time: fake-guest-time.c ---- */

enum { ACK, START, REQUEST, WAIT, GET, UPDATE, RUN, FREE_UNTIL, GET_TOD };

struct time_message {
	uint32_t op, sequence;
	uint64_t time;
};

extern int fake_time_fd;
extern int64_t fake_now;
extern int64_t fake_free_until;	/* as the fabric has said: so far it may go by itself */

void fake_acknowledge(const struct time_message *message);
/* Sends one, and takes what comes before its answer, whose time it returns. */
uint64_t fake_say(uint32_t op, int64_t time);

/* ---- its device: fake-guest-device.c ---- */

extern int fake_call_fd;
/* As the fabric has said last. */
extern struct umadrig_hca_port fake_port;

void fake_plug_in(const char *path);
/* A message up, whose length and version are filled in. */
void fake_up(struct umadrig_hca_header *header, const void *payload, size_t size);
/* The next message down, of UMADRIG_HCA_DOWN_MAX bytes; false: there is none. */
bool fake_next_down(uint8_t *message);
void fake_send_mad(uint16_t dlid, uint8_t mgmt_class, uint8_t method, uint8_t tid);

/* ---- datagrams that are no MADs: fake-guest-datagram.c ---- */

/* One that makes no sense, by fake_wrong, from the header of a MAD. */
void fake_send_wrong_datagram(const struct umadrig_hca_header *mad);
/* 'size' bytes of a pattern, at most UMADRIG_HCA_DATAGRAM_MAX. */
void fake_send_datagram(uint16_t dlid, uint32_t qp, size_t size);
/* A piece of one: the programs that wait for one say what it is when it is whole. */
void fake_take_datagram(const struct umadrig_hca_header *header, const uint8_t *payload,
			size_t size);

/* ---- umad files: fake-guest-file.c ---- */

void fake_take_file(const struct umadrig_hca_header *header, const uint8_t *payload, size_t size);
/* A MAD has come: an answer is for the first file. */
void fake_give_file(const uint8_t *mad);

/* ---- programs: fake-guest-program.c ---- */

void fake_take_run(const struct umadrig_hca_header *header, const uint8_t *payload, size_t size);
void fake_take_input(uint32_t number, const uint8_t *payload, size_t size);
void fake_take_signal(uint32_t number, uint32_t signal);
/* A MAD has come: an answer ends the programs that wait for one. */
void fake_give_programs(const struct umadrig_hca_header *header, const uint8_t *mad);
/* Ends the programs that wait for a datagram, with this line on their output. */
void fake_give_heard(const char *line);
/* Ends those whose time has come, and returns the time of the next, or NEVER. */
int64_t fake_wake_programs(void);
/* Does one go on by itself, as far as the guest may? */
bool fake_steps(void);

#endif
