/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Text as a string of JSON: see sim/topology/json-string.h.
 */
#include "sim/topology/json-string.h"

void json_append_string(GString *out, const char *text)
{
	char *valid = g_utf8_make_valid(text, -1);

	g_string_append_c(out, '"');
	for (const char *c = valid; *c; c++) {
		if (*c == '"' || *c == '\\')
			g_string_append_printf(out, "\\%c", *c);
		else if ((unsigned char)*c < 0x20)
			g_string_append_printf(out, "\\u%04x", (unsigned char)*c);
		else
			g_string_append_c(out, *c);
	}
	g_string_append_c(out, '"');
	g_free(valid);
}
