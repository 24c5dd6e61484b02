/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Widths and speeds of links: as ibnetdiscover prints them, and as ibsim's options give them. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "sim/topology/format.h"
#include "sim/topology/reader.h"

/* IBA vol 1, 14.2.5.6, LinkWidthActive and LinkSpeedActive; LinkSpeedExtActive. */
#define SPEED_SDR 1
#define SPEED_QDR 4

struct width {
	const char *name;
	uint8_t bit;
};

static const struct width widths[] = {
	{ "1x", 1 }, { "4x", 2 }, { "8x", 4 }, { "12x", 8 }, { "2x", 16 },
};

struct speed {
	const char *name;
	uint8_t bit;
	uint8_t ext_bit;
	bool fdr10;
};

/* Ports with an extended speed still show QDR as LinkSpeed. */
static const struct speed speeds[] = {
	{ "SDR", 1, 0, false }, { "DDR", 2, 0, false }, { "QDR", SPEED_QDR, 0, false },
	{ "FDR10", SPEED_QDR, 0, true }, { "FDR", SPEED_QDR, 1, false },
	{ "EDR", SPEED_QDR, 2, false }, { "HDR", SPEED_QDR, 4, false },
	{ "NDR", SPEED_QDR, 8, false }, { "XDR", SPEED_QDR, 32, false },
};

static const struct width *width_find(struct span name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(widths); i++)
		if (span_equals(name, widths[i].name))
			return &widths[i];
	return NULL;
}

static const struct speed *speed_find(struct span name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(speeds); i++)
		if (span_equals(name, speeds[i].name))
			return &speeds[i];
	return NULL;
}

/* Cuts "4xHDR" into "4x" and "HDR"; "??" stands for an unknown width. */
static bool rate_split(struct span word, struct span *ret_width, struct span *ret_speed)
{
	struct span width = word;

	if (span_starts(word, "??")) {
		width.end = word.at + 2;
	} else {
		while (word.at < word.end && g_ascii_isdigit(*word.at))
			word.at++;
		if (word.at == width.at || word.at == word.end || *word.at != 'x')
			return false;
		width.end = word.at + 1;
	}
	word.at = width.end;
	if (word.at < word.end && !g_ascii_isalpha(*word.at) && *word.at != '?')
		return false;
	*ret_width = width;
	*ret_speed = word;
	return true;
}

bool topology_rate_parse(struct topology_reader *reader, struct span word,
			 struct topology_port *port)
{
	struct span width_name, speed_name;

	if (!rate_split(word, &width_name, &speed_name))
		return false;

	const struct width *width = width_find(width_name);
	const struct speed *speed = speed_find(speed_name);

	if (width)
		port->width_active = width->bit;
	if (speed) {
		port->speed_active = speed->bit;
		port->speed_ext_active = speed->ext_bit;
		port->fdr10 = speed->fdr10;
	}
	if (!width || !speed)
		topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
				  "rate '%.*s': unknown %s; taken from the other end of the link "
				  "if it has one; widths are 1x 2x 4x 8x 12x, speeds SDR DDR QDR "
				  "FDR10 FDR EDR HDR NDR XDR",
				  (int)MIN(span_size(word), 32), word.at,
				  width ? "speed" : speed ? "width" : "width and speed");
	return true;
}

bool topology_width_parse(struct span word, struct topology_port *port)
{
	const struct width *width = width_find(word);

	if (width)
		port->width_active = width->bit;
	return width != NULL;
}

bool topology_lane_speed_parse(struct span value, struct topology_port *port)
{
	static const struct {
		const char *name;
		uint8_t speed, ext;
		bool fdr10;
	} lanes[] = {
		{ "2.5", 1, 0, false }, { "5", 2, 0, false }, { "10", 4, 0, false },
		{ "FDR10", 4, 0, true }, { "14", 4, 1, false }, { "25", 4, 2, false },
		{ "50", 4, 4, false }, { "100", 4, 8, false }, { "200", 4, 32, false },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(lanes); i++) {
		if (!span_equals(value, lanes[i].name))
			continue;
		port->speed_active = lanes[i].speed;
		port->speed_ext_active = lanes[i].ext;
		port->fdr10 = lanes[i].fdr10;
		return true;
	}
	return false;
}

const char *topology_width_name(const struct topology_port *port)
{
	for (size_t i = 0; i < G_N_ELEMENTS(widths); i++)
		if (port->width_active == widths[i].bit)
			return widths[i].name;
	return NULL;
}

const char *topology_speed_name(const struct topology_port *port)
{
	for (size_t i = 0; i < G_N_ELEMENTS(speeds); i++)
		if (port->speed_active == speeds[i].bit &&
		    port->speed_ext_active == speeds[i].ext_bit && port->fdr10 == speeds[i].fdr10)
			return speeds[i].name;
	return NULL;
}

const char *topology_rate_name(const struct topology_port *port, char *buf)
{
	const char *width = topology_width_name(port), *speed = topology_speed_name(port);

	snprintf(buf, 16, "%s%s", width ? width : "?x", speed ? speed : "?");
	return buf;
}

/* ibsim: w=, s= and e= are masks of what is enabled. */
static void option_enabled(struct topology_reader *reader, char letter, long value,
			   struct topology_port *port)
{
	static const struct {
		char letter;
		long min, max;
		const char *what;
	} limits[] = {
		{ 'w', 1, 31, "widths (1x 1, 4x 2, 8x 4, 12x 8, 2x 16)" },
		{ 's', 0, 7, "speeds (SDR 1, DDR 2, QDR 4; 0 for QDR)" },
		{ 'e', 0, 63, "extended speeds (FDR 1, EDR 2, HDR 4, NDR 8, XDR 32)" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(limits); i++) {
		if (limits[i].letter != letter ||
		    (value >= limits[i].min && value <= limits[i].max))
			continue;
		topology_diagnose(reader, TOPOLOGY_ERROR, reader->line,
				  "%c=%ld is outside %ld to %ld; left out; it is a mask of %s",
				  letter, value, limits[i].min, limits[i].max, limits[i].what);
		return;
	}
	if (letter == 'w')
		port->width_enabled = (uint8_t)value;
	else if (letter == 's')
		port->speed_enabled = (uint8_t)(value ? value : SPEED_QDR);
	else if (letter == 'e')
		port->speed_ext_enabled = (uint8_t)value;
}

/* ibnetdiscover -f: what is active, again as codes. The rate in words takes precedence. */
static void option_active(struct topology_reader *reader, char letter, long value,
			  struct topology_port *port)
{
	uint8_t *field = letter == 'w' ? &port->width_active :
			 letter == 's' ? &port->speed_active : &port->speed_ext_active;
	/* An old tool prints FDR as QDR; then e=1 is right. */
	bool rate_said = letter == 'w' ? port->width_active : port->speed_active;

	if (value < 0 || value > 63 || (value & (value - 1)) != 0 ||
	    (letter == 'w' && value > 16)) {
		topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
				  "%c=%ld is not a %s; left out", letter, value,
				  letter == 'w' ? "LinkWidthActive (1, 2, 4, 8, 16)" :
				  letter == 's' ? "LinkSpeedActive (1, 2, 4)" :
						  "LinkSpeedExtActive (0, 1, 2, 4, 8, 32)");
		return;
	}
	if (!rate_said || (letter == 'e' && !port->speed_ext_active && !port->fdr10)) {
		*field = (uint8_t)value;
		return;
	}
	/*
	 * LinkSpeedActive next to an extended speed varies with the device: this is no
	 * contradiction.
	 */
	if (*field != value && !(letter == 's' && port->speed_ext_active)) {
		char rate[16];

		topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
				  "%c=%ld contradicts the rate %s before it; the rate is used",
				  letter, value, topology_rate_name(port, rate));
	}
}

bool topology_rate_option(struct topology_reader *reader, struct span word,
			  struct topology_port *port)
{
	char letter;
	long value;

	if (span_size(word) < 3 || word.at[1] != '=' || !strchr("wsev", word.at[0]))
		return false;
	letter = word.at[0];
	word.at += 2;
	if (!cursor_number(&word, &value) || word.at != word.end) {
		topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
				  "expected a number after %c=; left out", letter);
		return true;
	}
	if (letter != 'v') {
		if (reader->format->sets_enabled)
			option_enabled(reader, letter, value, port);
		else
			option_active(reader, letter, value, port);
	} else if (value >= 1 && value <= 5) {
		port->vl_cap = (uint8_t)value;
	} else if (value) {
		topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
				  "v=%ld is not a VLCap code (1 to 5); left out", value);
	}
	return true;
}

static uint8_t highest_bit(unsigned int mask)
{
	uint8_t bit = 0;

	for (unsigned int i = 0; i < 8; i++)
		if (mask & 1U << i)
			bit = (uint8_t)(1U << i);
	return bit;
}

/* By lanes: 2x is bit 16 but narrower than 4x. */
static uint8_t widest(unsigned int mask)
{
	static const uint8_t by_lanes[] = { 8, 4, 2, 16, 1 };

	for (size_t i = 0; i < G_N_ELEMENTS(by_lanes); i++)
		if (mask & by_lanes[i])
			return by_lanes[i];
	return 0;
}

bool topology_rate_negotiate(struct topology_port *a, struct topology_port *b)
{
	struct topology_port *ends[2] = { a, b };
	unsigned int width = 31, speed = 7, ext = 63;

	/* If nothing is given, ibsim's defaults: 4x, SDR, no extended speed. */
	for (int i = 0; i < 2; i++) {
		width &= ends[i]->width_enabled ? ends[i]->width_enabled : 2;
		speed &= ends[i]->speed_enabled ? ends[i]->speed_enabled : SPEED_SDR;
		ext &= ends[i]->speed_ext_enabled;
	}
	if (!width || (!speed && !ext))
		return false;
	for (int i = 0; i < 2; i++) {
		ends[i]->width_active = widest(width);
		ends[i]->speed_active = ext ? SPEED_QDR : highest_bit(speed);
		ends[i]->speed_ext_active = highest_bit(ext);
	}
	return true;
}
