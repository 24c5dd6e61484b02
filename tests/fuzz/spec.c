/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: any text is either a spec or an error with a message, and a spec's values are in
 * range.
 */
#include "config.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "sim/fabric/fault.h"
#include "sim/run/spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition) do { if (!(condition)) abort(); } while (0)

static bool exists(const char *path)
{
	return strlen(path) % 3 == 1;
}

/* Options of a shape stand anywhere among those of the fabric, and belong to the file's name. */
static void check_file(const char *text, const char *file)
{
	g_auto(GStrv) parts = g_strsplit(file, ",", -1);

	CHECK(g_str_has_prefix(text, parts[0] ? parts[0] : ""));
	for (char **part = parts; *part; part++)
		CHECK(strstr(text, *part));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *text = g_strndup((const char *)data, size);
	char message[64] = "";
	struct spec spec;

	if (spec_parse(text, exists, &spec, message, sizeof(message)) < 0) {
		CHECK(*message && strlen(message) < sizeof(message));
		return 0;
	}
	CHECK(!*message);
	check_file(text, spec.file);
	CHECK(spec.options.latency_ns >= 0);
	CHECK(spec.options.first_hi_tid >= 1 && spec.options.first_hi_tid <= 0xffffff);
	for (char **fault = spec.options.faults; fault && *fault; fault++) {
		struct umadrig_fault rule;

		CHECK(fault_text_parse(*fault, &rule, message, sizeof(message)) == 0);
		CHECK(rule.numerator <= rule.denominator && rule.time_ns >= 0);
		fault_text_clear(&rule);
	}
	spec_clear(&spec);
	return 0;
}
