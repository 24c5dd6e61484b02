/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What is in a capture, as a page: a summary, a ladder, the conversations, what has changed, what
 * was lost and why, and the fabric that it shows.
 */
#ifndef UMADRIG_HARNESS_REPORT_CAPTURE_REPORT_H
#define UMADRIG_HARNESS_REPORT_CAPTURE_REPORT_H

#include <glib.h>
#include <stdbool.h>

/* False with an error of COMMAND_ERROR: the capture cannot be read. */
bool capture_report(GString *out, const char *path, GError **error);

#endif
