/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Conversations in words: see harness/show/conversation-text.h. */
#include "harness/show/conversation-text.h"

#include <string.h>

#include "harness/show/mad-address.h"
#include "harness/show/mad-text.h"
#include "lib/base/wire.h"
#include "sim/dictionary/mad-dictionary.h"

void conversation_text_name(GString *out, const uint8_t *mad)
{
	struct text name = { NULL, 0, 0 };

	mad_text_name(&name, mad);
	g_string_append_len(out, name.bytes, (gssize)name.length);
	text_clear(&name);
}

/* The answer in a word or two: "ok", a status, an attribute where another one answers. */
void conversation_text_answer(GString *out, const struct conversation *conversation)
{
	const struct conversation_message *answer = &conversation->answer;
	const uint8_t *mad = answer->bytes;
	uint16_t status;

	if (!answer->frame) {
		g_string_append(out, conversation->kind == CONVERSATION_UNANSWERED ? "no answer" :
										     "-");
		return;
	}
	status = mad_plain_status(mad);
	if (mad[MAD_CLASS] == MAD_CLASS_CM)
		conversation_text_name(out, mad);
	else if (status)
		g_string_append_printf(out, "status 0x%04x", status);
	else
		g_string_append(out, "ok");
	if (status && mad_status_words(status))
		g_string_append_printf(out, " (%s)", mad_status_words(status));
	if (answer->segments)
		g_string_append_printf(out, " %u segments, %zu bytes", answer->segments,
				       answer->size);
	if (answer->rmpp_status)
		g_string_append_printf(out, " given up with RMPP status %u", answer->rmpp_status);
	else if (answer->is_broken)
		g_string_append(out, " incomplete");
}

/* An end of the conversation, as the lines of `umadrig show` call it. */
char *conversation_text_port(const struct mad_ends *ends,
			     const struct conversation_message *message, bool source)
{
	struct capture_mad mad = {
		.transport = message->transport, .addr = message->addr,
		.interface_name = message->interface_name,
		.direction = message->interface_name ? CAPTURE_OUTBOUND :
						       CAPTURE_DIRECTION_UNKNOWN,
	};
	struct text text = { NULL, 0, 0 };
	const char *name;

	memcpy(mad.mad, message->bytes, MAD_SIZE);
	name = ends ? mad_ends_called(ends, &mad, source) : NULL;
	if (name)
		text_clean(&text, name);
	else if (source)
		mad_text_source(&text, &mad);
	else
		mad_text_destination(&text, &mad);
	text_char(&text, '\0');
	return text.bytes;
}

char *conversation_text_request(const struct conversation *conversation)
{
	const uint8_t *mad = conversation_head(conversation)->bytes;
	GString *out = g_string_new(NULL);

	conversation_text_name(out, mad);
	if (get_be32(mad + MAD_ATTR_MOD))
		g_string_append_printf(out, " modifier=0x%x", get_be32(mad + MAD_ATTR_MOD));
	if (mad[MAD_CLASS] == MAD_CLASS_SUBN_DR) {
		g_string_append(out, " path=0");
		for (unsigned int hop = 1; hop <= mad[SMP_HOP_CNT] && hop < SMP_PATH_SIZE; hop++)
			g_string_append_printf(out, ",%u", mad[SMP_INITIAL_PATH + hop]);
	}
	if (conversation->kind == CONVERSATION_ORPHAN)
		g_string_append(out, " (its request was not captured)");
	return g_string_free(out, false);
}
