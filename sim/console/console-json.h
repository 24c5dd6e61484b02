/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Answers of the console as JSON: doc/ctl-json.md has their form. A verb that has an answer of its
 * own writes it to console->json; the output of any other becomes a list of lines.
 */
#ifndef UMADRIG_SIM_CONSOLE_CONSOLE_JSON_H
#define UMADRIG_SIM_CONSOLE_CONSOLE_JSON_H

#include <glib.h>
#include <stdint.h>

struct console;
struct port;

/*
 * Each of these appends a value, with the comma before it where one is due. 'key': of a member of
 * an object; NULL: an element of a list, or the whole value.
 */
void answer_open(GString *json, const char *key, char bracket);
void answer_close(GString *json, char bracket);
void answer_string(GString *json, const char *key, const char *text);
void answer_unsigned(GString *json, const char *key, uint64_t number);
/* As a string of hexadecimal digits: JSON's numbers lose the last bits of 64. */
void answer_guid(GString *json, const char *key, uint64_t guid);
/* {"node": ID, "port": N}; NULL: null. */
void answer_port(GString *json, const char *key, const struct port *port);

/* Makes lines of text the answer, unless there is one; nothing is null. */
void answer_finish(GString *json, const char *lines);

#endif
