/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Conversations in words, for tables of them.
 */
#ifndef UMADRIG_HARNESS_SHOW_CONVERSATION_TEXT_H
#define UMADRIG_HARNESS_SHOW_CONVERSATION_TEXT_H

#include <glib.h>

#include "harness/capture/mad-ends.h"
#include "sim/capture/conversation.h"

/* "SubnGet(PortInfo)" */
void conversation_text_name(GString *out, const uint8_t *mad);
/* The answer in a word or two: "ok", a status, an attribute where another one answers. */
void conversation_text_answer(GString *out, const struct conversation *conversation);
/* An end of the conversation, as the lines of `umadrig show` call it; to be freed. */
char *conversation_text_port(const struct mad_ends *ends,
			     const struct conversation_message *message, bool source);
/* The request, its modifier and its route; to be freed. */
char *conversation_text_request(const struct conversation *conversation);

#endif
