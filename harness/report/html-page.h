/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Pages for people: one file, which needs no other and no script. They are XHTML as well, so that
 * what reads XML reads them.
 */
#ifndef UMADRIG_HARNESS_REPORT_HTML_PAGE_H
#define UMADRIG_HARNESS_REPORT_HTML_PAGE_H

#include <glib.h>
#include <stdint.h>

/* Up to the first heading, which is the title, too. */
void html_begin(GString *out, const char *title);
void html_end(GString *out);

/* <name>text</name>, text as it is. */
void html_element(GString *out, const char *name, const char *text);
/* A heading and the text below it; nothing if there is none. */
void html_block(GString *out, const char *heading, const char *text);
void html_cell(GString *out, const char *text);
void html_number_cell(GString *out, uint64_t number);

/* The frames from 'first' up to 'last' of a capture as a ladder; nothing if it cannot be drawn. */
void html_ladder(GString *out, const char *path, unsigned int first, unsigned int last);

#endif
