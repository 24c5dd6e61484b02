/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Answers of the console as JSON: doc/ctl-json.md has their form. A verb that has an answer of its
 * own writes it to console->json; the output of any other becomes a list of lines.
 */
#ifndef UMADRIG_SIM_CONSOLE_CONSOLE_JSON_H
#define UMADRIG_SIM_CONSOLE_CONSOLE_JSON_H

#include "lib/json/json-writer.h"

struct port;

/* {"node": ID, "port": N}; NULL: null. */
void answer_port(struct json_writer *json, const struct port *port);

/* Makes lines of text the answer, unless there is one; nothing is null. */
void answer_finish(struct json_writer *json, const char *lines);

#endif
