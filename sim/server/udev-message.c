/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "sim/server/udev-message.h"

#include <stdint.h>
#include <string.h>

#include "lib/base/wire.h"

enum {
	HEADER_SIZE = 40,
	MAGIC = 0xfeedcafe,
};

static uint32_t get_le32(const char *at)
{
	const uint8_t *bytes = (const uint8_t *)at;

	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

/*
 * MurmurHash2 of 32 bits with the seed 0: the filter that a program puts on its socket compares it.
 */
static uint32_t hash(const char *text)
{
	enum { SHIFT = 24, WORD = 4 };
	const uint32_t factor = 0x5bd1e995;
	size_t length = strlen(text);
	uint32_t sum = (uint32_t)length;

	for (; length >= WORD; text += WORD, length -= WORD) {
		uint32_t word = get_le32(text) * factor;

		sum = (sum * factor) ^ ((word ^ word >> SHIFT) * factor);
	}
	for (size_t i = length; i > 0; i--)
		sum ^= (uint32_t)(uint8_t)text[i - 1] << (i - 1) * 8;
	if (length > 0)
		sum *= factor;
	sum = (sum ^ sum >> 13) * factor;
	return sum ^ sum >> 15;
}

/* Four bits of 64, of six bits of the hash each: does the device have a tag? */
static uint64_t bloom(const char *tag)
{
	enum { BITS = 6, TIMES = 4 };
	uint32_t sum = hash(tag);
	uint64_t ret = 0;

	for (unsigned int i = 0; i < TIMES; i++)
		ret |= UINT64_C(1) << (sum >> i * BITS & ((1U << BITS) - 1));
	return ret;
}

/* ---- properties ---- */

static const char *find(const char *event, size_t size, const char *name)
{
	for (const char *at = event; at < event + size; at += strlen(at) + 1)
		if (g_str_has_prefix(at, name))
			return at + strlen(name);
	return NULL;
}

static void add(GByteArray *to, const char *name, const char *value)
{
	g_byte_array_append(to, (const guint8 *)name, (guint)strlen(name));
	g_byte_array_append(to, (const guint8 *)value, (guint)strlen(value) + 1);
}

/* What the database has of it, to be freed; NULL: nothing. */
static char *read_database(const char *root, const char *event, size_t size)
{
	const char *major = find(event, size, "MAJOR="), *minor = find(event, size, "MINOR=");
	const char *subsystem = find(event, size, "SUBSYSTEM=");
	const char *path = find(event, size, "DEVPATH=");
	const char *name = path ? strrchr(path, '/') : NULL;
	g_autofree char *file = NULL;
	char *text = NULL;

	if (major && minor)
		file = g_strdup_printf("%s/" UDEV_DATABASE "/c%s:%s", root, major, minor);
	else if (subsystem && name)
		file = g_strdup_printf("%s/" UDEV_DATABASE "/+%s:%s", root, subsystem, name + 1);
	if (file)
		g_file_get_contents(file, &text, NULL, NULL);
	return text;
}

/* What udev makes of its lines; '*ret_tags' is what filters compare. */
static void add_database(GByteArray *to, const char *text, uint64_t *ret_tags)
{
	g_autoptr(GString) links = g_string_new(NULL), tags = g_string_new(NULL);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (unsigned int i = 0; lines[i]; i++) {
		const char *line = lines[i];

		if (g_str_has_prefix(line, "E:")) {
			add(to, "", line + 2);
		} else if (g_str_has_prefix(line, "I:")) {
			add(to, "USEC_INITIALIZED=", line + 2);
		} else if (g_str_has_prefix(line, "S:")) {
			g_string_append_printf(links, "%s/dev/%s", links->len ? " " : "", line + 2);
		} else if (g_str_has_prefix(line, "G:")) {
			g_string_append_printf(tags, ":%s", line + 2);
			*ret_tags |= bloom(line + 2);
		}
	}
	if (links->len)
		add(to, "DEVLINKS=", links->str);
	if (tags->len) {
		g_string_append_c(tags, ':');
		add(to, "TAGS=", tags->str);
		add(to, "CURRENT_TAGS=", tags->str);
	}
}

GByteArray *udev_message(const char *root, const char *event, size_t size)
{
	static const char name[8] = "libudev";
	const char *subsystem = find(event, size, "SUBSYSTEM=");
	const char *devname = find(event, size, "DEVNAME=");
	/* ACTION@DEVPATH is no property. */
	const size_t head = strnlen(event, size) + 1;
	GByteArray *ret = g_byte_array_new();
	g_autofree char *text = read_database(root, event, size);
	uint32_t native[4] = { 0 };
	uint64_t tags = 0;

	g_byte_array_set_size(ret, HEADER_SIZE);
	for (const char *at = event + head; at < event + size; at += strlen(at) + 1)
		if (!devname || devname[0] == '/' || at != devname - strlen("DEVNAME="))
			add(ret, "", at);
	/* udev has whole paths. */
	if (devname && devname[0] != '/')
		add(ret, "DEVNAME=/dev/", devname);
	if (text)
		add_database(ret, text, &tags);
	memset(ret->data, 0, HEADER_SIZE);
	memcpy(ret->data, name, sizeof(name));
	put_be32(ret->data + 8, MAGIC);
	/* Sizes are in the machine's order. */
	native[0] = HEADER_SIZE;
	native[1] = HEADER_SIZE;
	native[2] = ret->len - HEADER_SIZE;
	memcpy(ret->data + 12, native, 12);
	put_be32(ret->data + 24, subsystem ? hash(subsystem) : 0);
	put_be32(ret->data + 32, (uint32_t)(tags >> 32));
	put_be32(ret->data + 36, (uint32_t)tags);
	return ret;
}
