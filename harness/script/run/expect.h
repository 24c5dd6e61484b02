/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Compares what calls returned with what lines expect.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_RUN_EXPECT_H
#define UMADRIG_HARNESS_SCRIPT_RUN_EXPECT_H

#include "harness/script/check/checker.h"
#include "harness/script/run/run.h"

/* Compares the value of a call with the line's, which may be -ERRNO or {IN, OUT}. */
void expect_value(struct run *run, const struct plan_step *step, const struct expected *expected,
		  int64_t value);

/* Compares the fields after the value. 'has_item': a MAD was read. */
void expect_fields(struct run *run, const struct plan_step *step, const struct expected *expected,
		   const struct mad_instance *instance, bool has_item);

/* "-EPERM", "3" */
void append_call_value(GString *out, int64_t value);

/* "umad_close_port() = -EINVAL", to be freed. */
char *call_text(const char *call, int64_t value);

/* The call's line in the ladder. */
void note_call(struct run *run, const char *call, int64_t value);

#endif
