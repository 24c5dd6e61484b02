/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A capture that answers, or comes again:
 *
 *	replay "x.pcap" answer [where ...] [as-of=first|last|TIME] [unmatched=drop|timeout|status=N]
 *	       [order=any]
 *	replay "x.pcap" timed [where ...] [rewrite tid] [speed=N] [order=any]
 */
#include "harness/script/parse/script-file.h"

#include <inttypes.h>

#include "sim/capture/pace.h"

enum { STATUS_MAX = 0x7fff };	/* the highest bit is a directed route's */

bool parse_replay_order(struct parser *parser, bool *ret_any_order)
{
	if (!parser_accept_word(parser, "order"))
		return true;
	if (!parser_expect(parser, TOKEN_ASSIGN, "'=any'"))
		return false;
	*ret_any_order = parser_accept_word(parser, "any");
	if (!*ret_any_order)
		parser_expected(parser, "'any'");
	return *ret_any_order;
}

/* After "as-of=". */
static bool parse_as_of(struct parser *parser, struct replay_expr *replay)
{
	static const char *const words[] = { "first", "last" };
	int64_t ns;
	char *text;

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		if (parser_accept_word(parser, words[i])) {
			replay->as_of = words[i];
			return true;
		}
	}
	if (!parse_duration(parser, "'first', 'last' or a time since the capture began, such as "
			    "2.5s", &ns))
		return false;
	text = arena_alloc(parser->arena, 32);
	g_snprintf(text, 32, "%" PRId64 "ns", ns);
	replay->as_of = text;
	return true;
}

/* After "unmatched=". */
static bool parse_unmatched(struct parser *parser, struct replay_expr *replay)
{
	static const char *const words[] = { "drop", "timeout" };
	const struct token *status;
	char *text;

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		if (parser_accept_word(parser, words[i])) {
			replay->unmatched = words[i];
			return true;
		}
	}
	if (!parser_accept_word(parser, "status")) {
		parser_expected(parser, "'drop', 'timeout' or 'status=' and a number");
		return false;
	}
	if (!parser_expect(parser, TOKEN_ASSIGN, "'=' and a MAD status"))
		return false;
	status = parser_expect(parser, TOKEN_NUMBER, "a MAD status, such as 0x000c");
	if (!status)
		return false;
	if (!status->number || status->number > STATUS_MAX) {
		parser_refuse(parser, status->place, "a MAD status that refuses is a number from 1 "
			     "to 0x%x", STATUS_MAX);
		return false;
	}
	text = arena_alloc(parser->arena, 32);
	g_snprintf(text, 32, "status=0x%04x", (unsigned int)status->number);
	replay->unmatched = text;
	return true;
}

/* The choices that only a replay that answers has, in any order. */
static bool parse_answering(struct parser *parser, struct replay_expr *replay)
{
	struct place place = parser_peek(parser)->place;
	const char *word = "unmatched";

	if (parser_accept_word(parser, "as")) {
		word = "as-of";
		if (!parser_expect(parser, TOKEN_MINUS, "'as-of='"))
			return false;
		if (!parser_accept_word(parser, "of")) {
			parser_expected(parser, "'as-of='");
			return false;
		}
	} else {
		parser_next(parser);
	}
	if (replay->timed) {
		parser_error(parser, place, "'%s' is for 'answer' only", word);
		return false;
	}
	if (word[0] == 'a' ? replay->as_of : replay->unmatched) {
		parser_refuse(parser, place, "'%s' is given twice", word);
		return false;
	}
	if (!parser_expect(parser, TOKEN_ASSIGN, "'=' and what is chosen"))
		return false;
	return word[0] == 'a' ? parse_as_of(parser, replay) : parse_unmatched(parser, replay);
}

/* "speed=2", of a replay at its own times. True if it is absent, too. */
static bool parse_speed(struct parser *parser, struct replay_expr *replay)
{
	const struct token *speed = parser_peek(parser);
	char text[32];

	if (!parser_accept_word(parser, "speed"))
		return true;
	if (!replay->timed) {
		parser_error(parser, speed->place, "'speed' is for 'timed' only");
		return false;
	}
	if (!parser_expect(parser, TOKEN_ASSIGN, "'=' and " PACE_WANTED))
		return false;
	speed = parser_peek(parser);
	if (speed->kind != TOKEN_NUMBER && speed->kind != TOKEN_DECIMAL) {
		parser_expected(parser, PACE_WANTED);
		return false;
	}
	parser_next(parser);
	if (speed->kind == TOKEN_NUMBER)
		g_snprintf(text, sizeof(text), "%" PRIu64, speed->number);
	else
		g_strlcpy(text, speed->text, sizeof(text));
	if (pace_parse(text, &replay->speed_milli) == 0)
		return true;
	parser_refuse(parser, speed->place, "expected " PACE_WANTED);
	return false;
}

/* How it is replayed: the words after its name. */
static bool parse_how(struct parser *parser, struct replay_expr *replay)
{
	replay->timed = parser_at_word(parser, "timed");
	if (!parser_accept_word(parser, "timed") && !parser_accept_word(parser, "answer")) {
		parser_expected(parser, "'answer' (to requests, as the captured fabric did) or "
				"'timed' (what it sent, at its times)");
		return false;
	}
	if (parser_accept_word(parser, "where")) {
		replay->where = parse_where(parser);
		if (!replay->where)
			return false;
	}
	if (parser_accept_word(parser, "rewrite")) {
		replay->own_tids = true;
		if (!parser_accept_word(parser, "tid")) {
			parser_expected(parser, "'tid' (nothing else is rewritten)");
			return false;
		}
	}
	if (!parse_speed(parser, replay))
		return false;
	while (parser_at_word(parser, "as") || parser_at_word(parser, "unmatched")) {
		if (!parse_answering(parser, replay))
			return false;
	}
	return parse_replay_order(parser, &replay->any_order);
}

bool parse_replay(struct parser *parser)
{
	const struct token *file =
		parser_expect(parser, TOKEN_STRING, "the capture's name in quotes");
	struct replay_expr *replay = arena_alloc(parser->arena, sizeof(*replay));

	if (!file)
		return false;
	replay->place = file->place;
	replay->capture = parser_existing(parser, file);
	if (!replay->capture || !parse_how(parser, replay))
		return false;
	parser->settings->replay = replay;
	return true;
}
