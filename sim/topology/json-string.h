/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * JSON that is written into a string.
 */
#ifndef UMADRIG_SIM_TOPOLOGY_JSON_STRING_H
#define UMADRIG_SIM_TOPOLOGY_JSON_STRING_H

#include <glib.h>

#include "lib/json/json-writer.h"

/* A writer whose text is appended to 'out', by json_finish() at the latest. */
void json_writer_to_string(struct json_writer *json, enum json_style style, GString *out);

#endif
