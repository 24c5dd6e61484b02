/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * JSON (RFC 8259), written value by value: what the product prints of it comes from here. Commas,
 * colons, quotes and escapes come by themselves, nothing is allocated, and a document of any size
 * goes to its sink in pieces.
 *
 *	struct json_writer out;
 *
 *	json_writer_init(&out, JSON_SPACED, json_to_file, stdout);
 *	json_open(&out, '{');
 *	json_string(json_name(&out, "node"), "S1");
 *	json_unsigned(json_name(&out, "port"), 3);
 *	json_close(&out, '}');
 *	json_end_line(&out);
 *	json_finish(&out);
 *
 * writes {"node": "S1", "port": 3}. What would be no JSON is a mistake in the caller: it is said on
 * stderr, and the process aborts.
 */
#ifndef UMADRIG_LIB_JSON_JSON_WRITER_H
#define UMADRIG_LIB_JSON_JSON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum json_style {
	JSON_COMPACT,		/* {"a":1,"b":2}, in UTF-8 */
	JSON_ASCII,		/* the same; other characters are escaped */
	JSON_SPACED,		/* {"a": 1, "b": 2}, in UTF-8 */
	JSON_LINES,		/* the same, with lines where json_space() says so */
};

enum { JSON_DEPTH_MAX = 64 };

/* Takes the next piece of the text. */
typedef void json_sink(void *ctx, const char *bytes, size_t size);

struct json_writer {
	json_sink *sink;
	void *ctx;
	const char *space;	/* before the next item */
	uint64_t objects;	/* a bit for each container that is open: is it an object? */
	enum json_style style;
	unsigned int depth;
	bool has_item;		/* in the container at hand, or at the top */
	bool is_named;		/* a name waits for its value */
	size_t held;
	char bytes[512];
};

void json_writer_init(struct json_writer *json, enum json_style style, json_sink *sink, void *ctx);
/* A sink: 'file' is a FILE. Its error stays with it: see ferror(3). */
void json_to_file(void *file, const char *bytes, size_t size);
/* Is there a value at the top, or a part of it? */
bool json_has_begun(const struct json_writer *json);
/* A line feed after a value at the top; another one may follow. */
void json_end_line(struct json_writer *json);
/* What is held goes to the sink. */
void json_flush(struct json_writer *json);
/* The same, at the end: all brackets are closed. To give up a text, do not call it. */
void json_finish(struct json_writer *json);

/* '{' or '[', and the end of it. */
void json_open(struct json_writer *json, char bracket);
void json_close(struct json_writer *json, char bracket);
/* The name of a member, whose value is written next: returns 'json'. */
struct json_writer *json_name(struct json_writer *json, const char *name);
/*
 * JSON_LINES: "\n\t" or the like stands before the next item or bracket. 'space' is not copied. In
 * other styles nothing.
 */
void json_space(struct json_writer *json, const char *space);

/*
 * A string; NULL: null. Bytes that are not UTF-8 become U+FFFD, one for each; characters that JSON
 * wants escaped are.
 */
void json_string(struct json_writer *json, const char *string);
void json_number(struct json_writer *json, int64_t number);
void json_unsigned(struct json_writer *json, uint64_t number);
void json_bool(struct json_writer *json, bool value);
/* Strings of digits: many programs read a number of more than 53 bits as a double. */
void json_digits(struct json_writer *json, uint64_t number);
/* "0x0002c90300000001": at least so many digits. */
void json_hex(struct json_writer *json, uint64_t number, unsigned int digits);
/* Two digits for each byte. */
void json_bytes(struct json_writer *json, const uint8_t *bytes, size_t size);
/* A whole value that is JSON already. */
void json_verbatim(struct json_writer *json, const char *value);

#endif
