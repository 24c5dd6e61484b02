/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Prints the MAD dictionary, for people and for programs.
 */
#ifndef UMADRIG_HARNESS_FIELDS_FIELDS_H
#define UMADRIG_HARNESS_FIELDS_FIELDS_H

#include <glib.h>

#include "harness/fields/selection.h"

/* The word for how a field is printed: "dec", "hex", "bool", "guid", "gid", "lid", ... */
const char *fields_format_word(enum mad_field_format format);

/*
 * For people: only the names if everything is selected; otherwise every field of what is named,
 * with its bit, its width and the names of its values.
 */
void fields_write_text(const struct fields_selection *selection, GString *out);

/* For programs: one JSON object, which doc/fields-json.md describes. */
void fields_write_json(const struct fields_selection *selection, GString *out);

/*
 * For Wireshark: a dissector in Lua, which adds what Wireshark does not show or shows wrong. It is
 * made of the whole dictionary.
 */
void fields_write_wireshark(GString *out);

#endif
