/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A backend of libibumad that returns what a test has written down, and notes what it was called
 * with: what the files of tests/lib/umad-io share.
 */
#ifndef UMADRIG_TESTS_LIB_SCRIPTED_BACKEND_H
#define UMADRIG_TESTS_LIB_SCRIPTED_BACKEND_H

#include <infiniband/umad.h>

#include "lib/backend-list.h"

enum { HEADER_SIZE = 64, MAD_SIZE = 256 };

/* What the backend returns, and its last call. */
extern struct script {
	long send_result, recv_result;
	int poll_results[4];
	unsigned int polls;
	int register_result, unregister_result, close_result;
	uint32_t supported_flags;
	bool has_register2;

	size_t header_size;
	unsigned int calls, unregisters;
	size_t size;
	uint8_t message[HEADER_SIZE + 1024];
	struct umad_backend_reg reg;
	unsigned int register_requests[UMAD_BACKEND_ENABLE_PKEY + 1];
	int timeout_ms;
} script;

extern const struct umad_backend scripted;

/* A backend's recv_wait, which 'scripted' lacks. */
long scripted_recv_wait(int fd, void *umad, size_t size, int timeout_ms);

struct buffer {
	struct ib_user_mad umad;
	uint8_t mad[1024];
};

/* Forgets all, and opens a handle; script_end() closes it. */
int script_begin(void);
void script_end(int fd);

/* ---- tests/lib/umad-io-register.c ---- */

void test_register(void);
void test_register2(void);
void test_register2_old_kernel(void);
void test_register2_arguments(void);
void test_unregister(void);

#endif
