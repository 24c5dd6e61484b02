/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A capture as JSON: an object on a line of its own for each MAD, RMPP message and note.
 * doc/show-json.md describes them; json_schema() is the same for programs.
 */
#ifndef UMADRIG_HARNESS_SHOW_JSON_LINES_H
#define UMADRIG_HARNESS_SHOW_JSON_LINES_H

#include "harness/show/view.h"
#include "lib/json/json-writer.h"

extern const struct view_kind json_view;

/* The JSON Schema (draft 2020-12) of a line, made from the dictionary. */
void json_schema(struct json_writer *out);

#endif
