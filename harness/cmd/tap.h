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

/* "TAP version 13". */
void tap_begin(void);

/* How many points there are; before the first one, or behind the last. */
void tap_plan(unsigned int count);
/* There are none, for a good reason. */
void tap_plan_empty(const char *reason);

/* Prints a comment; each line of 'text' gets its own '#'. */
void tap_comment(const char *text);

/* A name as it is printed; to be freed. */
char *tap_name(const char *name);

/*
 * Points are numbered in the order of the calls. '#' and control characters in names are replaced.
 */
void tap_ok(const char *name);
void tap_skip(const char *name, const char *reason);
void tap_not_ok(const char *name);
/* "not ok", but that is known: it does not count. */
void tap_todo(const char *name, const char *issue);

/* The diagnostics of the last point: begin, "key: value" lines, end. */
void tap_yaml_begin(void);
void tap_yaml(const char *key, const char *value);	/* printed as it is */
void tap_yaml_quoted(const char *key, const char *value);	/* as YAML reads it back */
void tap_yaml_place(const char *key, const char *value);	/* bare where YAML takes it so */
void tap_yaml_end(void);

/* "Bail out!": what follows does not count. */
void tap_bail_out(const char *reason);

#endif
