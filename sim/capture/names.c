/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Interfaces and strings of a capture: see sim/capture/names.h.
 */
#include "sim/capture/names.h"

#include <errno.h>
#include <glib.h>

enum { CHUNK_SIZE = 4096 };

struct capture_names {
	GStringChunk *strings;
	GArray *interfaces;		/* of struct capture_interface */
};

struct capture_names *capture_names_new(void)
{
	struct capture_names *names = g_new(struct capture_names, 1);

	names->strings = g_string_chunk_new(CHUNK_SIZE);
	names->interfaces = g_array_new(false, false, sizeof(struct capture_interface));
	return names;
}

void capture_names_free(struct capture_names *names)
{
	if (!names)
		return;
	g_string_chunk_free(names->strings);
	g_array_free(names->interfaces, true);
	g_free(names);
}

/* The only copy of a text that occurs repeatedly. */
static const char *intern(struct capture_names *names, const char *text)
{
	return text ? g_string_chunk_insert_const(names->strings, text) : NULL;
}

int capture_names_add(struct capture_names *names, const struct capture_interface *interface)
{
	const struct capture_interface copy = {
		.name = intern(names, interface->name),
		.description = intern(names, interface->description),
		.comment = intern(names, interface->comment),
	};

	if (names->interfaces->len == CAPTURE_INTERFACES_MAX)
		return -ENOSPC;
	g_array_append_val(names->interfaces, copy);
	return (int)names->interfaces->len - 1;
}

const struct capture_interface *capture_names_get(const struct capture_names *names,
						  unsigned int number)
{
	if (!names || number >= names->interfaces->len)
		return NULL;
	return &g_array_index(names->interfaces, struct capture_interface, number);
}

const char *capture_names_copy(struct capture_names *names, const char *text)
{
	return text ? g_string_chunk_insert(names->strings, text) : NULL;
}
