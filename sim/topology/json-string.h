/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Text as a string of JSON.
 */
#ifndef UMADRIG_SIM_TOPOLOGY_JSON_STRING_H
#define UMADRIG_SIM_TOPOLOGY_JSON_STRING_H

#include <glib.h>

/*
 * Appends 'text' in quotes, escaped (RFC 8259, section 7); bytes that are not UTF-8 become U+FFFD.
 */
void json_append_string(GString *out, const char *text);

#endif
