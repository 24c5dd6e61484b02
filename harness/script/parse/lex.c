/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The lexer: turns the text of a scenario script into tokens.
 *
 * A newline is a token; the parser skips those inside parentheses and field braces. Bytes outside
 * ASCII are allowed only in strings and comments.
 */
#include "harness/script/parse/lex.h"

#include <errno.h>
#include <string.h>

#include "harness/script/tree/verb.h"
#include "lib/words/duration.h"
#include "lib/words/number.h"
#include "lib/words/percent.h"

struct lexer {
	struct script *script;
	const struct source *source;
	size_t at;
	size_t line_at;		/* offset of the line's first byte */
	unsigned int line;
	unsigned int extra;	/* bytes of the line so far that do not begin a character */
	GArray *tokens;
};

const char *token_kind_name(enum token_kind kind)
{
	switch (kind) {
	case TOKEN_END: return "the end of the file";
	case TOKEN_NEWLINE: return "the end of the line";
	case TOKEN_WRONG: return "something that is not a word";
	case TOKEN_WORD: return "a word";
	case TOKEN_NUMBER: return "a number";
	case TOKEN_DECIMAL: return "a decimal";
	case TOKEN_TIME: return "a time";
	case TOKEN_PERCENT: return "a percentage";
	case TOKEN_RATIO: return "a ratio";
	case TOKEN_STRING: return "a string";
	case TOKEN_USE: return "a $name";
	case TOKEN_CAPTURE: return "a ?name";
	case TOKEN_LPAREN: return "'('";
	case TOKEN_RPAREN: return "')'";
	case TOKEN_LBRACE: return "'{'";
	case TOKEN_RBRACE: return "'}'";
	case TOKEN_LBRACKET: return "'['";
	case TOKEN_RBRACKET: return "']'";
	case TOKEN_COMMA: return "','";
	case TOKEN_COLON: return "':'";
	case TOKEN_ASSIGN: return "'='";
	case TOKEN_EQUAL: return "'=='";
	case TOKEN_NOT_EQUAL: return "'!='";
	case TOKEN_PLUS: return "'+'";
	case TOKEN_MINUS: return "'-'";
	case TOKEN_STAR: return "'*'";
	case TOKEN_TILDE: return "'~'";
	case TOKEN_LESS: return "'<'";
	case TOKEN_LESS_EQUAL: return "'<='";
	case TOKEN_GREATER: return "'>'";
	case TOKEN_GREATER_EQUAL: return "'>='";
	case TOKEN_DOTDOT: return "'..'";
	}
	return "?";
}

static char peek(const struct lexer *lexer, size_t ahead)
{
	size_t at = lexer->at + ahead;

	return at < lexer->source->size ? lexer->source->text[at] : '\0';
}

/* The place from 'from' up to the lexer's position; both are in the current line. */
static struct place place_from(const struct lexer *lexer, size_t from)
{
	return (struct place) {
		.source = lexer->source,
		.offset = from,
		.line = lexer->line,
		.column = (unsigned int)(from - lexer->line_at) - lexer->extra + 1,
		.width = MAX(1, (unsigned int)(lexer->at - from)),
	};
}

static struct token *add_token(struct lexer *lexer, enum token_kind kind, size_t from)
{
	struct token token = { .kind = kind, .place = place_from(lexer, from) };

	g_array_append_val(lexer->tokens, token);
	return &g_array_index(lexer->tokens, struct token, lexer->tokens->len - 1);
}

/* The text from 'from' on has the form of a token, but no value that fits. */
static void lex_refuse(struct lexer *lexer, size_t from, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

static void lex_refuse(struct lexer *lexer, size_t from, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	diagnose_va(lexer->script->diagnostics, place_from(lexer, from), true, format, args);
	va_end(args);
	add_token(lexer, TOKEN_WRONG, from);
}

/* The text from 'from' on is not a token. */
static void lex_error(struct lexer *lexer, size_t from, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

static void lex_error(struct lexer *lexer, size_t from, const char *format, ...)
{
	va_list args;

	diagnostics_form(lexer->script->diagnostics);
	va_start(args, format);
	diagnose_va(lexer->script->diagnostics, place_from(lexer, from), true, format, args);
	va_end(args);
	add_token(lexer, TOKEN_WRONG, from);
}

static bool is_word_start(char c)
{
	return g_ascii_isalpha(c) || c == '_';
}

static bool is_word(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

/* A word and, after dots, further ones: tid.low, infiniband.rmpp.segmentnumber. */
static const char *take_word(struct lexer *lexer)
{
	size_t from = lexer->at;

	for (;;) {
		while (is_word(peek(lexer, 0)))
			lexer->at++;
		if (peek(lexer, 0) != '.' || !is_word_start(peek(lexer, 1)))
			break;
		lexer->at++;
	}
	return arena_text(lexer->script->arena, lexer->source->text + from, lexer->at - from);
}

/* $name and ?name have no dots, so "$t.low" is not one name. */
static void lex_sigil(struct lexer *lexer)
{
	size_t from = lexer->at;
	enum token_kind kind = peek(lexer, 0) == '$' ? TOKEN_USE : TOKEN_CAPTURE;
	size_t name_at = ++lexer->at;
	struct token *token;

	while (is_word(peek(lexer, 0)))
		lexer->at++;
	if (lexer->at == name_at || g_ascii_isdigit(lexer->source->text[name_at])) {
		lex_error(lexer, from, "expected a name after '%c'", lexer->source->text[from]);
		return;
	}
	token = add_token(lexer, kind, from);
	token->text =
		arena_text(lexer->script->arena, lexer->source->text + name_at,
			   lexer->at - name_at);
}

static void take_digits(struct lexer *lexer)
{
	while (g_ascii_isdigit(peek(lexer, 0)))
		lexer->at++;
}

static const char *text_from(const struct lexer *lexer, size_t from)
{
	return arena_text(lexer->script->arena, lexer->source->text + from, lexer->at - from);
}

static void lex_whole(struct lexer *lexer, size_t from)
{
	uint64_t number;
	int err = number_parse(text_from(lexer, from), 0, UINT64_MAX, &number);

	if (err == -ERANGE)
		lex_refuse(lexer, from, "this number does not fit into 64 bits");
	else if (err < 0)
		lex_error(lexer, from, "this is not a hexadecimal number");
	else
		add_token(lexer, TOKEN_NUMBER, from)->number = number;
}

static void lex_time(struct lexer *lexer, size_t from, size_t unit_at)
{
	int64_t time_ns;
	int err = duration_parse(text_from(lexer, from), &time_ns);

	if (err == -EINVAL)
		lex_error(lexer, from, "there is no unit '%.*s': use ns, us, ms or s",
			  (int)MIN(lexer->at - unit_at, 40), lexer->source->text + unit_at);
	else if (err < 0)
		lex_refuse(lexer, from, "expected %s", duration_expected(err, NULL));
	else
		add_token(lexer, TOKEN_TIME, from)->time_ns = time_ns;
}

static void lex_percent(struct lexer *lexer, size_t from)
{
	const char *text = text_from(lexer, from);
	struct decimal percent;
	struct token *token;

	if (percent_parse(text, &percent) < 0) {
		lex_refuse(lexer, from,
			   "this percentage is too large, or has more than six decimals");
		return;
	}
	token = add_token(lexer, TOKEN_PERCENT, from);
	token->text = text;
	decimal_scale(&percent, PERCENT_PLACES, &token->number);
}

/* 12, 0x32, 6.14, 1.5ms, 12.5%, 1/20: the text after the digits decides which it is. */
static void lex_number(struct lexer *lexer)
{
	size_t from = lexer->at, unit_at;
	bool has_point;

	take_digits(lexer);
	has_point = peek(lexer, 0) == '.' && g_ascii_isdigit(peek(lexer, 1));
	if (has_point) {
		lexer->at++;
		take_digits(lexer);
	}
	unit_at = lexer->at;
	while (is_word(peek(lexer, 0)))
		lexer->at++;
	if (lexer->at > unit_at && g_ascii_tolower(lexer->source->text[unit_at]) == 'x' &&
	    unit_at == from + 1 && lexer->source->text[from] == '0') {
		lex_whole(lexer, from);
	} else if (lexer->at > unit_at) {
		lex_time(lexer, from, unit_at);
	} else if (peek(lexer, 0) == '%') {
		lexer->at++;
		lex_percent(lexer, from);
	} else if (peek(lexer, 0) == '/' && g_ascii_isdigit(peek(lexer, 1)) && !has_point) {
		lexer->at++;
		take_digits(lexer);
		add_token(lexer, TOKEN_RATIO, from)->text = text_from(lexer, from);
	} else if (has_point) {
		add_token(lexer, TOKEN_DECIMAL, from)->text = text_from(lexer, from);
	} else {
		lex_whole(lexer, from);
	}
}

/* One escape after a backslash: its character, or -1. */
static int take_escape(struct lexer *lexer)
{
	char c = peek(lexer, 0);
	int high, low;

	if (c == '"' || c == '\\') {
		lexer->at++;
		return c;
	}
	if (c == 'n') {
		lexer->at++;
		return '\n';
	}
	if (c != 'x')
		return -1;
	high = g_ascii_xdigit_value(peek(lexer, 1));
	low = high < 0 ? -1 : g_ascii_xdigit_value(peek(lexer, 2));
	if (low < 0 || (high == 0 && low == 0))
		return -1;
	lexer->at += 3;
	return high << 4 | low;
}

static void lex_string(struct lexer *lexer)
{
	size_t from = lexer->at++;
	g_autoptr(GString) text = g_string_new(NULL);
	struct token *token;
	unsigned int extra = 0;

	for (;;) {
		char c = peek(lexer, 0);

		if (lexer->at >= lexer->source->size || c == '\n') {
			lex_error(lexer, from, "this string has no end: close it with '\"'");
			lexer->extra += extra;
			return;
		}
		lexer->at++;
		if (c == '"')
			break;
		if (((unsigned char)c & 0xc0) == 0x80)
			extra++;
		if (c == '\\') {
			int escape = take_escape(lexer);

			if (escape < 0) {
				diagnostics_form(lexer->script->diagnostics);
				diagnose_error(lexer->script->diagnostics,
					       place_from(lexer, lexer->at - 1),
					       "unknown escape: \\\" \\\\ \\n and \\xNN are known");
				continue;
			}
			c = (char)escape;
		}
		g_string_append_c(text, c);
	}
	token = add_token(lexer, TOKEN_STRING, from);
	token->place.width -= MIN(extra, token->place.width - 1);
	token->text = arena_text(lexer->script->arena, text->str, text->len);
	lexer->extra += extra;
}

struct mark {
	const char *text;
	enum token_kind kind;
};

/* Longer ones first. */
static const struct mark marks[] = {
	{ "==", TOKEN_EQUAL }, { ">=", TOKEN_GREATER_EQUAL }, { "..", TOKEN_DOTDOT },
	{ "!=", TOKEN_NOT_EQUAL }, { "<=", TOKEN_LESS_EQUAL },
	{ "(", TOKEN_LPAREN }, { ")", TOKEN_RPAREN }, { "{", TOKEN_LBRACE }, { "}", TOKEN_RBRACE },
	{ "[", TOKEN_LBRACKET }, { "]", TOKEN_RBRACKET }, { ",", TOKEN_COMMA },
	{ ":", TOKEN_COLON }, { "=", TOKEN_ASSIGN }, { "+", TOKEN_PLUS }, { "-", TOKEN_MINUS },
	{ "*", TOKEN_STAR }, { "~", TOKEN_TILDE }, { "<", TOKEN_LESS }, { ">", TOKEN_GREATER },
};

static bool lex_mark(struct lexer *lexer)
{
	size_t from = lexer->at;

	for (size_t i = 0; i < G_N_ELEMENTS(marks); i++) {
		if (marks[i].text[0] != peek(lexer, 0) ||
		    (marks[i].text[1] != '\0' && marks[i].text[1] != peek(lexer, 1)))
			continue;
		lexer->at += strlen(marks[i].text);
		add_token(lexer, marks[i].kind, from);
		return true;
	}
	return false;
}

/* What an editor or a web page has put in place of an ASCII character, and which one that is. */
static const char *ascii_advice(const char *text, size_t size)
{
	static const struct {
		const char *bytes, *advice;
	} known[] = {
		{ "\xe2\x80\x9c", ": write \" for this quote" },
		{ "\xe2\x80\x9d", ": write \" for this quote" },
		{ "\xe2\x80\x9e", ": write \" for this quote" },
		{ "\xe2\x80\x93", ": write - for this dash" },
		{ "\xe2\x88\x92", ": write - for this minus sign" },
		{ "\xc2\xa0", ": write a blank for this no-break space" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
		size_t length = strlen(known[i].bytes);

		if (size >= length && memcmp(text, known[i].bytes, length) == 0)
			return known[i].advice;
	}
	return "";
}

/* Characters that begin no token: one message for a run of them. */
static void lex_garbage(struct lexer *lexer)
{
	size_t from = lexer->at;
	unsigned char c = (unsigned char)lexer->source->text[from];
	struct place place;

	if (c < 0x80) {
		lexer->at++;
		if (g_ascii_isprint((char)c))
			lex_error(lexer, from, "unexpected character '%c'", c);
		else
			lex_error(lexer, from, "unexpected control character (0x%02x)",
				  c);
		return;
	}
	place = place_from(lexer, from);
	place.width = 1;
	for (; lexer->at < lexer->source->size &&
	       (unsigned char)lexer->source->text[lexer->at] >= 0x80; lexer->at++)
		lexer->extra += (lexer->source->text[lexer->at] & 0xc0) == 0x80;
	diagnostics_form(lexer->script->diagnostics);
	diagnose_error(lexer->script->diagnostics, place,
		       "characters other than ASCII belong in strings and comments only%s",
		       ascii_advice(lexer->source->text + from, lexer->at - from));
	add_token(lexer, TOKEN_WRONG, from)->place = place;
}

const char *const script_reply_words[] = { "lines", "prints", "fabric", NULL };

static bool is_words_verb(const struct lexer *lexer, const char *word)
{
	for (const struct script_verb *const *verb = lexer->script->verbs; *verb; verb++) {
		if ((*verb)->takes_words && strcmp((*verb)->word, word) == 0)
			return true;
	}
	return false;
}

/*
 * Is what ends with the token 'last', the 'count'th, a time, with which a line begins or what a
 * block has in the line of its '{'? 'tid=$t * run' is none.
 */
static bool is_time(const struct token *last, guint count)
{
	static const unsigned int inner =
		TOKEN_BIT(NUMBER) | TOKEN_BIT(TIME) | TOKEN_BIT(USE) | TOKEN_BIT(RPAREN) |
		TOKEN_BIT(LPAREN) | TOKEN_BIT(PLUS) | TOKEN_BIT(MINUS) | TOKEN_BIT(STAR) |
		TOKEN_BIT(TILDE);
	guint at = 0;

	while (at < count && (1u << last->kind & inner) != 0) {
		at++;
		last--;
	}
	if (at == 0 || (at < count && last->kind != TOKEN_NEWLINE && last->kind != TOKEN_LBRACE))
		return false;
	/* '*' alone is a time; behind others it multiplies. */
	switch ((int)last[at].kind) {
	case TOKEN_NUMBER:
	case TOKEN_TIME:
	case TOKEN_USE:
	case TOKEN_RPAREN:
		return true;
	}
	return at == 1 && last[at].kind == TOKEN_STAR;
}

/* Is the last token ('run', 'do') the event itself, after a time or 'start NAME ='? */
static bool takes_words(const struct lexer *lexer)
{
	const struct token *last = &g_array_index(lexer->tokens, struct token,
						  lexer->tokens->len - 1);
	guint before = lexer->tokens->len - 1;

	if (!is_words_verb(lexer, last->text))
		return false;
	if (peek(lexer, 0) != ' ' && peek(lexer, 0) != '\t')
		return false;
	if (before >= 3 && last[-1].kind == TOKEN_ASSIGN && last[-2].kind == TOKEN_WORD)
		return last[-3].kind == TOKEN_WORD && strcmp(last[-3].text, "start") == 0;
	return before >= 1 && is_time(last - 1, before);
}

/* After a string, up to the next blank: "a b"[1] is one word. */
static void lex_word_end(struct lexer *lexer)
{
	struct token *last = &g_array_index(lexer->tokens, struct token, lexer->tokens->len - 1);
	size_t from = lexer->at;
	g_autofree char *text = NULL;

	while ((unsigned char)peek(lexer, 0) > 0x20 && (unsigned char)peek(lexer, 0) < 0x7f)
		lexer->at++;
	if (lexer->at == from || last->kind != TOKEN_STRING)
		return;
	text = g_strdup_printf("%s%.*s", last->text, (int)(lexer->at - from),
			       lexer->source->text + from);
	last->text = arena_text(lexer->script->arena, text, strlen(text));
	last->place.width += (unsigned int)(lexer->at - from);
}

/* What is expected of a program's output follows its words: 'lines=2', 'prints="text"'. */
static bool at_reply(const struct lexer *lexer)
{
	const char *at = lexer->source->text + lexer->at;
	size_t left = lexer->source->size - lexer->at;

	for (const char *const *word = script_reply_words; *word; word++) {
		size_t size = strlen(*word);

		if (left > size && memcmp(at, *word, size) == 0 && at[size] == '=')
			return true;
	}
	return false;
}

/*
 * A program and its arguments are words as in a shell, up to a lone '=' or what is expected of its
 * output.
 */
static void lex_program(struct lexer *lexer)
{
	for (;;) {
		size_t from = lexer->at;
		char c = peek(lexer, 0);

		if (c == ' ' || c == '\t' || c == '\r') {
			lexer->at++;
		} else if (lexer->at >= lexer->source->size || c == '\n' || c == '#' ||
			   (c == '=' && strchr(" \t\r\n", peek(lexer, 1))) ||
			   at_reply(lexer)) {
			return;
		} else if (c == '"') {
			lex_string(lexer);
			lex_word_end(lexer);
		} else if (c == '$' && is_word_start(peek(lexer, 1))) {
			lex_sigil(lexer);
		} else if ((unsigned char)c < 0x21 || (unsigned char)c > 0x7e) {
			lex_garbage(lexer);
		} else {
			while ((unsigned char)peek(lexer, 0) > 0x20 &&
			       (unsigned char)peek(lexer, 0) < 0x7f)
				lexer->at++;
			add_token(lexer, TOKEN_STRING, from)->text =
				arena_text(lexer->script->arena, lexer->source->text + from,
					    lexer->at - from);
		}
	}
}

static void lex_one(struct lexer *lexer)
{
	char c = peek(lexer, 0);

	if (c == '\n') {
		lexer->at++;
		add_token(lexer, TOKEN_NEWLINE, lexer->at - 1);
		lexer->line++;
		lexer->line_at = lexer->at;
		lexer->extra = 0;
	} else if (c == ' ' || c == '\t' || c == '\r') {
		lexer->at++;
	} else if (c == '#') {
		while (lexer->at < lexer->source->size && peek(lexer, 0) != '\n')
			lexer->at++;
	} else if (is_word_start(c)) {
		size_t from = lexer->at;
		const char *word = take_word(lexer);

		add_token(lexer, TOKEN_WORD, from)->text = word;
		if (takes_words(lexer))
			lex_program(lexer);
	} else if (g_ascii_isdigit(c)) {
		lex_number(lexer);
	} else if (c == '"') {
		lex_string(lexer);
	} else if (c == '$' || c == '?') {
		lex_sigil(lexer);
	} else if (!lex_mark(lexer)) {
		lex_garbage(lexer);
	}
}

GArray *script_lex(struct script *script, const struct source *source)
{
	struct lexer lexer = {
		.script = script,
		.source = source,
		.line = 1,
		.tokens = g_array_new(false, true, sizeof(struct token)),
	};

	while (lexer.at < source->size)
		lex_one(&lexer);
	add_token(&lexer, TOKEN_NEWLINE, lexer.at);
	add_token(&lexer, TOKEN_END, lexer.at);
	return lexer.tokens;
}
