/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Lines that wait for something: '>' and umad_recv(); and results of calls.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_RUN_SCRIPT_EXPECT_H
#define UMADRIG_HARNESS_SCRIPT_RUN_SCRIPT_EXPECT_H

#include "harness/script/check/script-calls.h"

/* > MAD, > same */
void expect_leaves(struct run *run, const struct step *step);

/* umad_recv(fd) = ... */
void expect_recv(struct run *run, const struct step *step, const struct call_args *args);

/* Compares the value of a call with what the line says; -ERRNO and {IN, OUT} too. */
void expect_value(struct run *run, const struct step *step, int64_t value);

/* Compares the fields behind the value. 'has_item': a MAD was read. */
void expect_fields(struct run *run, const struct step *step, const struct mad_instance *instance,
		   bool has_item);

/* "-EPERM", "3" */
void append_call_value(GString *out, int64_t value);

/* The call's line in the ladder. */
void note_call(struct run *run, const struct step *step, int64_t value);

#endif
