/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See harness/base/xml.h. */
#include "harness/base/xml.h"

void xml_append_text(GString *out, const char *text, bool attribute)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);

	for (const char *at = valid; *at != '\0'; at = g_utf8_next_char(at)) {
		gunichar c = g_utf8_get_char(at);

		if (c == '&')
			g_string_append(out, "&amp;");
		else if (c == '<')
			g_string_append(out, "&lt;");
		else if (c == '>')
			g_string_append(out, "&gt;");
		else if (c == '"')
			g_string_append(out, "&quot;");
		else if (attribute && (c == '\n' || c == '\t'))
			g_string_append_printf(out, "&#%u;", c);
		else if ((c >= ' ' && c != 0x7f && c != 0xfffe && c != 0xffff) || c == '\n' ||
			 c == '\t')
			g_string_append_len(out, at, g_utf8_next_char(at) - at);
	}
}

void xml_append_attribute(GString *out, const char *name, const char *value)
{
	g_string_append_printf(out, " %s=\"", name);
	xml_append_text(out, value, true);
	g_string_append_c(out, '"');
}

void xml_append_number(GString *out, const char *name, guint64 value)
{
	g_string_append_printf(out, " %s=\"%" G_GUINT64_FORMAT "\"", name, value);
}

void xml_append_time(GString *out, gint64 elapsed_us)
{
	g_string_append_printf(out, " time=\"%" G_GINT64_FORMAT ".%06" G_GINT64_FORMAT "\"",
			       elapsed_us / G_USEC_PER_SEC, elapsed_us % G_USEC_PER_SEC);
}
