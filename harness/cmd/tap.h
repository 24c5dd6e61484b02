/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * TAP 13 on stdout: flat points, YAML diagnostics, comments.
 *
 *	not ok 3 - retry.mad: a Get nobody answers goes out four times
 *	  ---
 *	  at: scenarios/timeout/retries.mad:12:10
 *	  message: "late by 51.804ms"
 *	  ...
 */
#ifndef UMADRIG_HARNESS_CMD_TAP_H
#define UMADRIG_HARNESS_CMD_TAP_H

#include <glib.h>
#include <stdbool.h>

/* "TAP version 13" and the plan. */
void tap_plan(unsigned int count);

/* A comment; each line of 'text' gets its own '#'. */
void tap_comment(const char *text);

/* The points are numbered as they come. '#' and line ends in names are made harmless. */
void tap_ok(const char *name);
void tap_skip(const char *name, const char *reason);
void tap_not_ok(const char *name);

/* The diagnostics of the point just reported: begin, "key: value" lines, end. */
void tap_yaml_begin(void);
void tap_yaml(const char *key, const char *value);	/* as it is */
void tap_yaml_quoted(const char *key, const char *value);
void tap_yaml_end(void);

/* Nothing that follows counts. */
void tap_bail_out(const char *reason);

#endif
