/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Captures of points as diagrams for Mermaid, as umadrig show --mermaid draws them.
 */
#ifndef UMADRIG_HARNESS_CMD_RUN_DIAGRAM_H
#define UMADRIG_HARNESS_CMD_RUN_DIAGRAM_H

#include <glib.h>

/*
 * Draws the capture to a file beside it, whose name ends in ".mmd" instead of ".pcapng". Returns
 * the path of that file, or NULL after an error in '*error'; to be freed.
 */
char *run_diagram_write(const char *capture, GError **error);

#endif
