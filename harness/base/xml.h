/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * XML 1.0, for reports.
 */
#ifndef UMADRIG_HARNESS_BASE_XML_H
#define UMADRIG_HARNESS_BASE_XML_H

#include <glib.h>
#include <stdbool.h>

/*
 * Appends text in which nothing means anything to XML. Characters that XML 1.0 cannot have are left
 * out, and what is no UTF-8 becomes U+FFFD. In an attribute a line end needs its number.
 */
void xml_append_text(GString *out, const char *text, bool attribute);
/* ' NAME="VALUE"' */
void xml_append_attribute(GString *out, const char *name, const char *value);
void xml_append_number(GString *out, const char *name, guint64 value);
/* ' time="SECONDS"'; printf() would use the decimal point of the locale. */
void xml_append_time(GString *out, gint64 elapsed_us);

#endif
