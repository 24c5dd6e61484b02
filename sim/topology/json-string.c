/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * JSON that is written into a string: see sim/topology/json-string.h.
 */
#include "sim/topology/json-string.h"

static void append(void *out, const char *bytes, size_t size)
{
	g_string_append_len(out, bytes, (gssize)size);
}

void json_writer_to_string(struct json_writer *json, enum json_style style, GString *out)
{
	json_writer_init(json, style, append, out);
}
