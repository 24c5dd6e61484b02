/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The words of a fault's rule, one by one: see sim/fabric/fault-parse.h.
 */
#include "sim/fabric/fault-parse.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "lib/words/node-place.h"
#include "lib/words/number.h"
#include "lib/words/percent.h"

int fault_fail(struct fault_parse *parse, const char *format, ...)
{
	va_list args;
	g_autofree char *why = NULL;

	va_start(args, format);
	why = g_strdup_vprintf(format, args);
	va_end(args);
	g_snprintf(parse->reterr, parse->reterr_size, "fault=%s: %s", parse->text, why);
	return -EINVAL;
}

static int expected(struct fault_parse *parse, const char *word, const char *what)
{
	return fault_fail(parse, "'%s': expected %s", word, what);
}

int fault_once(struct fault_parse *parse, uint32_t said, const char *words, const char *word)
{
	if (parse->said & said)
		return fault_fail(parse, "'%s': %s is given twice", word, words);
	parse->said |= said;
	return 0;
}

/* ---- values ---- */

/* "5%", "0.1%" */
static int parse_percent(struct fault_parse *parse, const char *word)
{
	uint32_t denominator = 100;
	struct decimal percent;
	int err = percent_parse(word, &percent);

	if (err == -EINVAL)
		return expected(parse, word, "a rate, such as 5% or 0.1%");
	if (err < 0)
		return fault_fail(parse, "'%s': a rate is at most 100%%, with %d digits after the "
				  "point", word, PERCENT_PLACES);
	for (unsigned int i = 0; i < percent.places; i++)
		denominator *= 10;
	if (percent.digits == 0 || percent.digits > denominator)
		return fault_fail(parse, "'%s': a rate is more than 0%% and at most 100%%", word);
	parse->fault.numerator = (uint32_t)percent.digits;
	parse->fault.denominator = denominator;
	return 0;
}

/* "1/20" */
static int parse_ratio(struct fault_parse *parse, const char *word)
{
	uint32_t numerator, denominator;
	int err = ratio_parse(word, &numerator, &denominator);

	if (err == -EINVAL)
		return expected(parse, word, "a rate, such as 1/20");
	if (err < 0 || numerator > denominator)
		return fault_fail(parse, "'%s': a rate is more than 0 and at most 1", word);
	parse->fault.numerator = numerator;
	parse->fault.denominator = denominator;
	return 0;
}

/* "12", "8-15" */
static int parse_bits(struct fault_parse *parse, const char *value)
{
	uint64_t first, last;

	if (number_parse_range(value, UINT16_MAX, &first, &last) < 0)
		return fault_fail(parse, "'bits=%s': expected a bit, or the first and the last, "
				  "such as 8-15", value);
	parse->fault.first_bit = (uint32_t)first;
	parse->fault.bit_count = (uint32_t)(last - first + 1);
	return fault_once(parse, SAID_BITS, "bits=", value);
}

static int parse_rmpp(struct fault_parse *parse, const char *value)
{
	static const char *const types[] = { "none", "data", "ack", "stop", "abort" };

	for (unsigned int i = 0; i < G_N_ELEMENTS(types); i++) {
		if (g_ascii_strcasecmp(value, types[i]) != 0)
			continue;
		parse->fault.rmpp_type = (uint8_t)i;
		if (i == 0)
			parse->fault.zeros |= UMADRIG_FAULT_ZERO_RMPP_TYPE;
		return fault_once(parse, SAID_RMPP, "rmpp=", value);
	}
	return fault_fail(parse, "'rmpp=%s': expected data, ack, stop, abort or none", value);
}

static int parse_tid(struct fault_parse *parse, const char *value)
{
	uint64_t tid;

	if (number_parse(value, 0, UINT64_MAX, &tid) < 0)
		return fault_fail(parse, "'tid=%s': expected a number of 64 bits", value);
	parse->fault.tid_low = (uint32_t)tid;
	parse->fault.tid_high = (uint32_t)(tid >> 32);
	parse->fault.zeros |= UMADRIG_FAULT_ZERO_TID_LOW | UMADRIG_FAULT_ZERO_TID_HIGH;
	return fault_once(parse, SAID_TID, "a TID", value);
}

/* ---- words ---- */

static const struct numeric {
	const char *name;
	size_t at, size;	/* in struct umadrig_fault */
	uint64_t min, max;
	unsigned int zero;	/* in its zeros, since the word was given */
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

static int store(struct fault_parse *parse, const struct numeric *numeric, const char *value)
{
	char *field = (char *)&parse->fault + numeric->at;
	uint64_t n;

	if (number_parse(value, numeric->min, numeric->max, &n) < 0)
		return fault_fail(parse, "'%s=%s': expected a number from %" G_GUINT64_FORMAT
				  " to %" G_GUINT64_FORMAT, numeric->name, value, numeric->min,
				  numeric->max);
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

static int parse_assignment(struct fault_parse *parse, const char *word, const char *equals)
{
	g_autofree char *name = g_strndup(word, (gsize)(equals - word));

	for (size_t i = 0; i < G_N_ELEMENTS(numerics); i++) {
		if (strcmp(name, numerics[i].name) != 0)
			continue;
		return fault_once(parse, (uint32_t)SAID_NUMERIC << i, name, word) < 0 ? -EINVAL :
		       store(parse, &numerics[i], equals + 1);
	}
	if (strcmp(name, "rmpp") == 0)
		return parse_rmpp(parse, equals + 1);
	if (strcmp(name, "tid") == 0)
		return parse_tid(parse, equals + 1);
	if (strcmp(name, "bits") == 0)
		return parse_bits(parse, equals + 1);
	return fault_fail(parse, "unknown word '%s': expected class=, method=, attr=, mod=, tid=, "
		    "tid.low=, tid.high=, rmpp=, seg=, skip=, bits= or flips=; other fields "
		    "come after 'where': where %s", word, word);
}

/* Parses a word without arguments; false: it is none of these. */
static bool parse_plain(struct fault_parse *parse, const char *word, int *ret)
{
	static const struct plain {
		const char *word;
		uint32_t said;
		const char *words;	/* its kind */
		enum umadrig_fault_loss loss;
	} plains[] = {
		{ "overrun", SAID_LOSS, "overrun or unread", UMADRIG_FAULT_LOSS_OVERRUN },
		{ "unread", SAID_LOSS, "overrun or unread", UMADRIG_FAULT_LOSS_UNREAD },
		{ "mended", SAID_MENDED, "it", 0 },
		{ "packet", SAID_PACKET, "it", 0 },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(plains); i++) {
		const struct plain *plain = &plains[i];

		if (strcmp(word, plain->word) != 0)
			continue;
		*ret = fault_once(parse, plain->said, plain->words, word);
		if (plain->said == SAID_LOSS)
			parse->fault.loss = plain->loss;
		parse->fault.crc_mended |= plain->said == SAID_MENDED;
		parse->fault.whole_packet |= plain->said == SAID_PACKET;
		return true;
	}
	return false;
}

int fault_parse_word(struct fault_parse *parse, const char *word)
{
	const char *equals = strchr(word, '=');
	int ret;

	if (equals)
		return parse_assignment(parse, word, equals);
	if (parse_plain(parse, word, &ret))
		return ret;
	if (g_str_has_suffix(word, "%"))
		return fault_once(parse, SAID_RATE, "a rate", word) < 0 ? -EINVAL :
		       parse_percent(parse, word);
	if (strchr(word, '/'))
		return fault_once(parse, SAID_RATE, "a rate", word) < 0 ? -EINVAL :
		       parse_ratio(parse, word);
	if (number_parse(word, 0, UINT32_MAX, &parse->fault.count) == 0) {
		if (parse->fault.count > 0)
			return fault_once(parse, SAID_COUNT, "the number of packets", word);
		return fault_fail(parse, "'0': a number of packets is at least 1; all of them "
				  "are 'all'");
	}
	return fault_fail(parse, "unknown word '%s': expected a number of packets, all, a rate "
			  "such as 5%% or 1/20, a MAD such as VendGet(0x0010), NAME=VALUE, from, "
			  "to, on, after, by, at, where, mended, packet, overrun or unread", word);
}

/* "S1[3]", "S1" */
int fault_parse_cable(struct fault_parse *parse, const char *cable)
{
	struct node_place place;
	int err = node_place_parse(cable, &place);

	if (err < 0)
		return expected(parse, cable, node_place_expected(err));
	if (place.has_port && place.port == 0)
		return expected(parse, cable, "a port from 1 to 255 in the brackets");
	parse->fault.node = g_strndup(place.name, place.name_size);
	parse->fault.port = place.port;
	return 0;
}
