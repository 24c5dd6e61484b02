/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the files of raw-calls share: points, requests, and a handle.
 */
#ifndef UMADRIG_TESTS_TOOLS_RAW_CALLS_H
#define UMADRIG_TESTS_TOOLS_RAW_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include <infiniband/umad.h>

enum { HEADER = 64, MAD = 256, CLASS = 0x0b, NOBODY = 7, ANSWERS = 2 };

union raw_buffer {
	struct ib_user_mad umad;
	uint8_t bytes[2048];
};

extern __thread union raw_buffer buffer;
extern bool is_attached;	/* the fabric is in a server: descendants share it */
extern bool is_virtual;		/* it has clock=virtual */
extern __thread uint64_t last_tid;

/* 'result' is of the call just made; 'err': its errno where it is -1. */
void is(const char *name, long result, long expected, int err);
/* A request to a port; somebody answers at LID ANSWERS. */
void ask(int fd, uint16_t lid, uint32_t timeout_ms);
/* Opens and registers an agent 0 with CLASS. */
int open_handle(void);

/* ---- tests/tools/raw-calls-waits.c ---- */

void test_blocking(void);
void test_waits(void);
void test_threads(void);

#endif
