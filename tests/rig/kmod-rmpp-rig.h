/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * RMPP transfers of kmod-stub as rows: a requests from A, b answers from B, and the kernel does
 * RMPP for both. tests/rig/kmod-rig.h describes the log in the rows. Rows name the statements of
 * doc/linux-mad.md that they show.
 */
#ifndef UMADRIG_TESTS_RIG_KMOD_RMPP_RIG_H
#define UMADRIG_TESTS_RIG_KMOD_RMPP_RIG_H

#include "tests/rig/kmod-rig.h"

enum {
	RMPP_HI_TID = 9,		/* of a, and of b */
	RMPP_METHOD_GET_MULTI = 0x14,
	RMPP_STEPS_MAX = 12,
};

enum rmpp_do {
	RMPP_END_OF_STEPS,
	RMPP_PLAIN,		/* 'who' writes one MAD, not Active */
	RMPP_MESSAGE,		/* 'who' writes a message of 'size' bytes of data */
	RMPP_ARRIVES,		/* a MAD arrives at 'who's port */
	RMPP_UNREGISTER,	/* 'who's agent */
};

struct rmpp_step {
	enum rmpp_do what;
	int at_ms;
	char who;			/* 'a' or 'b' */
	struct rig_mad mad;		/* [class and version of the row, TID 9:1] */
	size_t size;
	struct rig_route route;
	int err;			/* what the write returns instead of success */
};

struct rmpp_row {
	int statement;
	const char *why;
	uint8_t mgmt_class;		/* [SA] */
	enum kmod_profile profile;	/* [linux-6.1] */
	const char *loses;
	struct rmpp_step steps[RMPP_STEPS_MAX];
	int64_t until_ms;		/* [100000] */
	const char *happens;
};

/* a requests a table, not in segments. */
#define ASKS(T, R) \
	{ RMPP_PLAIN, 0, 'a', { .method = MAD_METHOD_GET_TABLE }, 0, \
	  { .timeout_ms = (T), .retries = (R) }, 0 }
/* b answers with 'SIZE' bytes of data. */
#define ANSWERS(AT, SIZE, T, R) \
	{ RMPP_MESSAGE, (AT), 'b', { .method = MAD_METHOD_GET_TABLE | MAD_METHOD_RESPONSE }, \
	  (SIZE), { .timeout_ms = (T), .retries = (R) }, 0 }
/* a sends a request in segments. */
#define ASKS_MULTI(AT, SIZE, T, R) \
	{ RMPP_MESSAGE, (AT), 'a', { .method = RMPP_METHOD_GET_MULTI }, (SIZE), \
	  { .timeout_ms = (T), .retries = (R) }, 0 }
/* An RMPP MAD about a's request arrives at A, or at B. */
#define ARRIVES(AT, WHO, ...) { RMPP_ARRIVES, (AT), (WHO), { __VA_ARGS__ }, 0, { 0 }, 0 }
#define FROM_A .method = MAD_METHOD_GET_TABLE, .rmpp_flags = RMPP_FLAG_ACTIVE
#define FROM_B .method = MAD_METHOD_GET_TABLE | MAD_METHOD_RESPONSE, .rmpp_flags = RMPP_FLAG_ACTIVE
#define ACK(SEGMENT, WINDOW) \
	.rmpp_type = RMPP_TYPE_ACK, .segment = (SEGMENT), .length = (WINDOW)
#define DATA(SEGMENT, LENGTH) .segment = (SEGMENT), .length = (LENGTH)
/* Its flags. */
#define FIRST .rmpp_first = true
#define LAST .rmpp_last = true
#define ONLY FIRST, LAST

/* A rig with a and b registered for 'mgmt_class' (0: SA). */
struct rig *rmpp_rig_new(uint8_t mgmt_class, enum kmod_profile profile,
			 struct rig_file **ret_a, struct rig_file **ret_b);

/* Runs the rows and compares with what they expect. */
void rmpp_rows_run(const struct rmpp_row *rows, size_t count);

#endif
