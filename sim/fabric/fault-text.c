/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Rules of faults as people write them:
 *
 *	drop:5%   drop:1/20:class=0x81@S1[3]   delay:2ms:3   corrupt:1:bits=8-15:mended@H1[1]
 *
 * what to do, then any words with colons between, then a cable behind the last '@'. See sim/fabric/fault.h.
 */
#include "sim/fabric/fault.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "sim/run/spec.h"

enum { PERCENT_DIGITS = 6 };	/* behind the point */

/* What may be said once in a rule. */
enum {
	SAID_RATE = 1 << 0,
	SAID_COUNT = 1 << 1,
	SAID_TIME = 1 << 2,
	SAID_WAY = 1 << 3,
	SAID_MENDED = 1 << 4,
	SAID_PACKET = 1 << 5,
	SAID_RMPP = 1 << 6,
	SAID_BITS = 1 << 7,
	SAID_LOSS = 1 << 8,
	SAID_NUMERIC = 1 << 9,	/* the first of 'numerics', and upwards */
	SAID_TID = SAID_NUMERIC | SAID_NUMERIC << 1,
};

struct parse {
	const char *text;
	struct umadrig_fault fault;
	uint32_t said;		/* SAID_..., and a bit for each of 'numerics' */
	char *reterr;
	size_t reterr_size;
};

G_GNUC_PRINTF(2, 3)
static int fail(struct parse *parse, const char *format, ...)
{
	va_list args;
	g_autofree char *why = NULL;

	va_start(args, format);
	why = g_strdup_vprintf(format, args);
	va_end(args);
	g_snprintf(parse->reterr, parse->reterr_size, "fault=%s: %s", parse->text, why);
	return -EINVAL;
}

/* 'words' says what may not be said again with 'word'. */
static int once(struct parse *parse, uint32_t said, const char *words, const char *word)
{
	if (parse->said & said)
		return fail(parse, "'%s': %s is there already; leave one out", word, words);
	parse->said |= said;
	return 0;
}

static bool number(const char *text, uint64_t max, uint64_t *ret)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');

	return g_ascii_string_to_unsigned(hex ? text + 2 : text, hex ? 16 : 10, 0, max, ret, NULL);
}

/* ---- values ---- */

/* "5%", "0.1%" */
static int parse_percent(struct parse *parse, const char *word)
{
	uint64_t value = 0, scale = 100;
	int behind = -1;
	const char *p = word;

	for (; isdigit((unsigned char)*p) || (*p == '.' && behind < 0); p++) {
		if (*p == '.') {
			behind = 0;
			continue;
		}
		if (behind >= PERCENT_DIGITS || value > 100000000)
			return fail(parse, "'%s': at most 100, and %d digits behind the point",
				    word, PERCENT_DIGITS);
		value = 10 * value + (uint64_t)(*p - '0');
		if (behind >= 0) {
			behind++;
			scale *= 10;
		}
	}
	if (strcmp(p, "%") != 0 || !isdigit((unsigned char)word[0]) || behind == 0)
		return fail(parse, "'%s': wanted is a rate as 5%% or 0.1%%", word);
	if (value == 0 || value > scale)
		return fail(parse, "'%s': a rate is more than 0%% and at most 100%%", word);
	parse->fault.numerator = (uint32_t)value;
	parse->fault.denominator = (uint32_t)scale;
	return 0;
}

/* "1/20" */
static int parse_ratio(struct parse *parse, const char *word)
{
	g_auto(GStrv) parts = g_strsplit(word, "/", 2);
	uint64_t numerator, denominator;

	if (!number(parts[0], UINT32_MAX, &numerator) ||
	    !number(parts[1], UINT32_MAX, &denominator))
		return fail(parse, "'%s': wanted is a rate as 1/20", word);
	if (numerator == 0 || numerator > denominator)
		return fail(parse, "'%s': a rate is more than 0 and at most 1", word);
	parse->fault.numerator = (uint32_t)numerator;
	parse->fault.denominator = (uint32_t)denominator;
	return 0;
}

/* "12", "8-15" */
static int parse_bits(struct parse *parse, const char *value)
{
	const char *dash = strchr(value, '-');
	g_autofree char *low = dash ? g_strndup(value, (gsize)(dash - value)) : g_strdup(value);
	uint64_t first, last;

	if (!number(low, UINT16_MAX, &first) ||
	    !number(dash ? dash + 1 : low, UINT16_MAX, &last) || last < first)
		return fail(parse, "bits=%s: wanted is a bit, or the first and last as 8-15",
			    value);
	parse->fault.first_bit = (uint32_t)first;
	parse->fault.bit_count = (uint32_t)(last - first + 1);
	return once(parse, SAID_BITS, "bits=", value);
}

static int parse_rmpp(struct parse *parse, const char *value)
{
	static const char *const types[] = { "none", "data", "ack", "stop", "abort" };

	for (unsigned int i = 0; i < G_N_ELEMENTS(types); i++) {
		if (g_ascii_strcasecmp(value, types[i]) != 0)
			continue;
		parse->fault.rmpp_type = (uint8_t)i;
		if (i == 0)
			parse->fault.zeros |= UMADRIG_FAULT_ZERO_RMPP_TYPE;
		return once(parse, SAID_RMPP, "rmpp=", value);
	}
	return fail(parse, "rmpp=%s: wanted is data, ack, stop, abort or none", value);
}

static int parse_tid(struct parse *parse, const char *value)
{
	uint64_t tid;

	if (!number(value, UINT64_MAX, &tid))
		return fail(parse, "tid=%s: wanted is a number of 64 bits", value);
	parse->fault.tid_low = (uint32_t)tid;
	parse->fault.tid_high = (uint32_t)(tid >> 32);
	parse->fault.zeros |= UMADRIG_FAULT_ZERO_TID_LOW | UMADRIG_FAULT_ZERO_TID_HIGH;
	return once(parse, SAID_TID, "a TID", value);
}

/* ---- words ---- */

static const struct numeric {
	const char *name;
	size_t at, size;	/* in struct umadrig_fault */
	uint64_t min, max;
	unsigned int zero;	/* in its zeros, since the word was said */
} numerics[] = {
#define FIELD(member) \
	offsetof(struct umadrig_fault, member), sizeof(((struct umadrig_fault *)0)->member)
	/* Both in tid=, see SAID_TID. */
	{ "tid.low", FIELD(tid_low), 0, UINT32_MAX, UMADRIG_FAULT_ZERO_TID_LOW },
	{ "tid.high", FIELD(tid_high), 0, UINT32_MAX, UMADRIG_FAULT_ZERO_TID_HIGH },
	{ "class", FIELD(mgmt_class), 1, UINT8_MAX, 0 },
	{ "method", FIELD(method), 1, UINT8_MAX, 0 },
	{ "attr", FIELD(attribute), 1, UINT16_MAX, 0 },
	{ "mod", FIELD(modifier), 0, UINT32_MAX, UMADRIG_FAULT_ZERO_MODIFIER },
	{ "seg", FIELD(segment), 0, UINT32_MAX, UMADRIG_FAULT_ZERO_SEGMENT },
	{ "skip", FIELD(skip), 0, UINT32_MAX, 0 },
	{ "flips", FIELD(flips), 1, UINT16_MAX, 0 },
#undef FIELD
};

static int store(struct parse *parse, const struct numeric *numeric, const char *value)
{
	char *field = (char *)&parse->fault + numeric->at;
	uint64_t n;

	if (!number(value, numeric->max, &n) || n < numeric->min)
		return fail(parse, "%s=%s: wanted is a number from %" G_GUINT64_FORMAT " to %"
			    G_GUINT64_FORMAT, numeric->name, value, numeric->min, numeric->max);
	parse->fault.zeros |= numeric->zero;
	switch (numeric->size) {
	case sizeof(uint8_t):
		*(uint8_t *)(void *)field = (uint8_t)n;
		break;
	case sizeof(uint16_t):
		*(uint16_t *)(void *)field = (uint16_t)n;
		break;
	case sizeof(uint32_t):
		*(uint32_t *)(void *)field = (uint32_t)n;
		break;
	default:
		*(uint64_t *)(void *)field = n;
		break;
	}
	return 0;
}

static int parse_assignment(struct parse *parse, const char *word, const char *equals)
{
	g_autofree char *name = g_strndup(word, (gsize)(equals - word));

	for (size_t i = 0; i < G_N_ELEMENTS(numerics); i++) {
		if (strcmp(name, numerics[i].name) != 0)
			continue;
		return once(parse, (uint32_t)SAID_NUMERIC << i, name, word) < 0 ? -EINVAL :
		       store(parse, &numerics[i], equals + 1);
	}
	if (strcmp(name, "rmpp") == 0)
		return parse_rmpp(parse, equals + 1);
	if (strcmp(name, "tid") == 0)
		return parse_tid(parse, equals + 1);
	if (strcmp(name, "bits") == 0)
		return parse_bits(parse, equals + 1);
	return fail(parse, "unknown word '%s' (known are class= method= attr= mod= tid= tid.low= "
		    "tid.high= rmpp= seg= skip= bits= flips=)", word);
}

static int parse_word(struct parse *parse, const char *word)
{
	const char *equals = strchr(word, '=');
	size_t length = strlen(word);
	int64_t time_ns;

	if (equals)
		return parse_assignment(parse, word, equals);
	if (strcmp(word, "leaving") == 0) {
		parse->fault.way = UMADRIG_FAULT_LEAVING;
		return once(parse, SAID_WAY, "leaving or arriving", word);
	}
	if (strcmp(word, "arriving") == 0) {
		parse->fault.way = UMADRIG_FAULT_ARRIVING;
		return once(parse, SAID_WAY, "leaving or arriving", word);
	}
	if (strcmp(word, "overrun") == 0) {
		parse->fault.loss = UMADRIG_FAULT_LOSS_OVERRUN;
		return once(parse, SAID_LOSS, "overrun or unread", word);
	}
	if (strcmp(word, "unread") == 0) {
		parse->fault.loss = UMADRIG_FAULT_LOSS_UNREAD;
		return once(parse, SAID_LOSS, "overrun or unread", word);
	}
	if (strcmp(word, "mended") == 0) {
		parse->fault.crc_mended = true;
		return once(parse, SAID_MENDED, "it", word);
	}
	if (strcmp(word, "packet") == 0) {
		parse->fault.whole_packet = true;
		return once(parse, SAID_PACKET, "it", word);
	}
	if (length > 0 && word[length - 1] == '%')
		return once(parse, SAID_RATE, "a rate", word) < 0 ? -EINVAL :
		       parse_percent(parse, word);
	if (strchr(word, '/'))
		return once(parse, SAID_RATE, "a rate", word) < 0 ? -EINVAL :
		       parse_ratio(parse, word);
	if (number(word, UINT32_MAX, &parse->fault.count)) {
		if (parse->fault.count > 0)
			return once(parse, SAID_COUNT, "a number of packets", word);
		return fail(parse, "'0': how many packets; leave it out for all");
	}
	if (spec_parse_time(word, &time_ns) == 0) {
		parse->fault.time_ns = time_ns;
		return once(parse, SAID_TIME, "a time", word);
	}
	return fail(parse, "unknown word '%s' (wanted is a rate as 5%% or 1/20, a number of "
		    "packets, a time as 2ms, leaving, arriving, overrun, unread, mended, packet, "
		    "or NAME=VALUE)",
		    word);
}

/* "S1[3]", "S1" */
static int parse_cable(struct parse *parse, const char *cable)
{
	size_t length = strlen(cable);
	const char *open = strrchr(cable, '[');
	uint64_t port = 0;

	if (open && length > 0 && cable[length - 1] == ']') {
		g_autofree char *num = g_strndup(open + 1, (gsize)(cable + length - open) - 2);

		if (!number(num, UINT8_MAX, &port) || port == 0)
			return fail(parse, "'%s': wanted is a port from 1 to 255 in the brackets",
				    cable);
		length = (size_t)(open - cable);
	}
	if (length == 0)
		return fail(parse, "wanted is a cable behind '@', as S1[3], or a node, as S1");
	parse->fault.node = g_strndup(cable, length);
	parse->fault.port = (unsigned int)port;
	return 0;
}

static int parse_act(struct parse *parse, const char *word)
{
	static const char *const acts[] = {
		[UMADRIG_FAULT_DROP] = "drop", [UMADRIG_FAULT_DELAY] = "delay",
		[UMADRIG_FAULT_DUPLICATE] = "duplicate", [UMADRIG_FAULT_REORDER] = "reorder",
		[UMADRIG_FAULT_CORRUPT] = "corrupt",
	};

	for (unsigned int i = 0; word && i < G_N_ELEMENTS(acts); i++) {
		if (strcmp(word, acts[i]) != 0)
			continue;
		parse->fault.act = (enum umadrig_fault_act)i;
		return 0;
	}
	return fail(parse, "wanted is drop, delay, duplicate, reorder or corrupt in front");
}

/* Words that go with some acts only, and mean nothing elsewhere. */
static int check(struct parse *parse)
{
	const struct umadrig_fault *fault = &parse->fault;
	bool takes_time = fault->act == UMADRIG_FAULT_DELAY ||
			  fault->act == UMADRIG_FAULT_DUPLICATE ||
			  fault->act == UMADRIG_FAULT_REORDER;
	char why[128];

	if (fault->act == UMADRIG_FAULT_DELAY && !fault->time_ns)
		return fail(parse, "a delay wants a time, as delay:2ms");
	if (fault->time_ns && !takes_time)
		return fail(parse, "a time goes with delay, duplicate and reorder only");
	if (fault->act != UMADRIG_FAULT_CORRUPT &&
	    ((parse->said & SAID_BITS) || fault->flips || fault->crc_mended || fault->whole_packet))
		return fail(parse, "bits=, flips=, mended and packet go with corrupt only");
	if (fault->way != UMADRIG_FAULT_EITHER_WAY && !fault->node)
		return fail(parse, "leaving or arriving where? Add the port, as @S1[3]");
	return fault_check(fault, why, sizeof(why)) < 0 ? fail(parse, "%s", why) : 0;
}

static int parse_all(struct parse *parse)
{
	const char *at = strrchr(parse->text, '@');
	g_autofree char *front = at ? g_strndup(parse->text, (gsize)(at - parse->text)) :
				 g_strdup(parse->text);
	g_auto(GStrv) words = g_strsplit(front, ":", -1);
	int ret = parse_act(parse, words[0]);

	for (size_t i = 1; ret == 0 && words[i]; i++)
		ret = parse_word(parse, words[i]);
	if (ret == 0 && at)
		ret = parse_cable(parse, at + 1);
	return ret < 0 ? ret : check(parse);
}

int fault_text_parse(const char *text, struct umadrig_fault *ret_fault, char *reterr,
		     size_t reterr_size)
{
	struct parse parse = { .text = text, .reterr = reterr, .reterr_size = reterr_size };
	int ret = parse_all(&parse);

	if (ret < 0) {
		fault_text_clear(&parse.fault);
		return ret;
	}
	parse.fault.name = g_strdup(text);
	*ret_fault = parse.fault;
	return 0;
}

void fault_text_clear(struct umadrig_fault *fault)
{
	g_free((char *)fault->name);
	g_free((char *)fault->node);
	fault->name = fault->node = NULL;
}
