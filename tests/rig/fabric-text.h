/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* A fabric of a text, for tests that cannot go on without it. */
#ifndef UMADRIG_TESTS_RIG_FABRIC_TEXT_H
#define UMADRIG_TESTS_RIG_FABRIC_TEXT_H

#include <glib.h>

#include "sim/run/open.h"

/* fabric_parse(); ends the test with its message if it fails. */
static inline struct umadrig_fabric *fabric_of_text(const char *text, const char *options)
{
	char message[512] = "";
	struct umadrig_fabric *fabric = fabric_parse(text, options, message, sizeof(message));

	if (!fabric)
		g_error("%s", message);
	return fabric;
}

#endif
