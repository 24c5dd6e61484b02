/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Tokens of a scenario script.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_PARSE_LEX_H
#define UMADRIG_HARNESS_SCRIPT_PARSE_LEX_H

#include "harness/script/tree/script.h"

enum token_kind {
	TOKEN_END,
	TOKEN_NEWLINE,
	TOKEN_WRONG,		/* not a token: already diagnosed */
	TOKEN_WORD,		/* umad_open_port, tid.low */
	TOKEN_NUMBER,		/* 12, 0x32 */
	TOKEN_DECIMAL,		/* 6.14: a version */
	TOKEN_TIME,		/* 100ms, 1.5us */
	TOKEN_PERCENT,		/* 12.5% */
	TOKEN_RATIO,		/* 1/20 */
	TOKEN_STRING,
	TOKEN_USE,		/* $t */
	TOKEN_CAPTURE,		/* ?t */
	TOKEN_LPAREN,
	TOKEN_RPAREN,
	TOKEN_LBRACE,
	TOKEN_RBRACE,
	TOKEN_LBRACKET,
	TOKEN_RBRACKET,
	TOKEN_COMMA,
	TOKEN_COLON,
	TOKEN_ASSIGN,
	TOKEN_EQUAL,
	TOKEN_NOT_EQUAL,	/* of filters */
	TOKEN_PLUS,
	TOKEN_MINUS,
	TOKEN_STAR,
	TOKEN_TILDE,
	TOKEN_LESS,
	TOKEN_LESS_EQUAL,
	TOKEN_GREATER,
	TOKEN_GREATER_EQUAL,
	TOKEN_DOTDOT,
};

struct token {
	enum token_kind kind;
	struct place place;
	/* WORD, STRING, USE, CAPTURE, DECIMAL, PERCENT, RATIO: the script owns it */
	const char *text;
	uint64_t number;	/* NUMBER; PERCENT in millionths of a percent */
	int64_t time_ns;
};

/*
 * Splits 'source' into a GArray of struct token, which always ends with TOKEN_END; the caller frees
 * it. Text that is not a token is diagnosed and becomes a TOKEN_WRONG.
 */
GArray *script_lex(struct script *script, const struct source *source);

/*
 * What ends the words of a line such as 'run PROGRAM ARGUMENT...': "lines", "prints" and "fabric",
 * before an '='. In quotes they are words like others. Ended by NULL.
 */
extern const char *const script_reply_words[];

/* A token as a bit of a set of kinds. */
#define TOKEN_BIT(kind) (1u << TOKEN_##kind)

/* What a token is, for messages: "a time", "')'". */
const char *token_kind_name(enum token_kind kind);

#endif
