/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the files of tests/harness/show share: MADs that are made by hand.
 */
#ifndef UMADRIG_TESTS_HARNESS_SHOW_ROW_H
#define UMADRIG_TESTS_HARNESS_SHOW_ROW_H

#include "sim/capture/capture.h"

/* One MAD of a capture; fields that are not given are 0. */
struct row {
	int64_t time_ns;
	enum capture_direction direction;
	const char *port;
	uint16_t slid, dlid;	/* 0: permissive */
	uint8_t mgmt_class, method;
	uint16_t attr;
	uint16_t status;
	uint64_t tid;
	const char *comment;
	uint8_t hops;
};

/* 'mad' is all zero. */
void show_row_fill(struct capture_mad *mad, const struct row *row, unsigned int frame);

/* tests/harness/show-text.c */
void test_line(void);
void test_traps(void);
void test_text(void);
void test_rmpp(void);
void test_long_path(void);
void test_details(void);
void test_detail_names(void);
void test_detail_tables(void);
void test_detail_everything(void);

#endif
