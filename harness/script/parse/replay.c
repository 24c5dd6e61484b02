/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * replay "x.pcap" answer|timed [where ...] [rewrite tid] [order=any]: a capture that answers, or
 * comes again.
 */
#include "harness/script/parse/script-file.h"

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
