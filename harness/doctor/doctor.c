/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/doctor/doctor.h"

#include "sim/topology/json-string.h"

static const struct doctor_check checks[] = {
	{ "kernel", doctor_look_kernel },
	{ "seccomp", doctor_look_seccomp },
	{ "signals", doctor_look_signals },
	{ "yama", doctor_look_yama },
	{ "namespaces", doctor_look_namespaces },
	{ "addresses", doctor_look_addresses },
	{ "inotify", doctor_look_inotify },
	{ "descriptors", doctor_look_descriptors },
	{ "processes", doctor_look_processes },
	{ "directory", doctor_look_directory },
	{ "devices", doctor_look_devices },
};

static const char *state_text(enum doctor_state state)
{
	switch (state) {
	case DOCTOR_FINE:
		return "fine";
	case DOCTOR_NOTE:
		return "note";
	case DOCTOR_LACK:
		return "lack";
	}
	return "";
}

static void append_row(GString *out, const char *name, const struct doctor_finding *finding)
{
	g_string_append_printf(out, "%-12s %s  %s\n", name, state_text(finding->state),
			       finding->found);
	if (finding->cost)
		g_string_append_printf(out, "%19scost: %s\n", "", finding->cost);
	if (finding->cure)
		g_string_append_printf(out, "%19scure: %s\n", "", finding->cure);
}

static void append_member(GString *out, const char *name, const char *value)
{
	g_string_append_printf(out, ", \"%s\": ", name);
	if (value)
		json_append_string(out, value);
	else
		g_string_append(out, "null");
}

static void append_object(GString *out, const char *name, const struct doctor_finding *finding)
{
	g_string_append(out, "\n    { \"name\": ");
	json_append_string(out, name);
	append_member(out, "state", state_text(finding->state));
	append_member(out, "found", finding->found);
	append_member(out, "cost", finding->cost);
	append_member(out, "cure", finding->cure);
	g_string_append(out, " }");
}

unsigned int doctor_examine(GString *out, bool json)
{
	unsigned int lacks = 0;

	if (json)
		g_string_append(out, "{\n  \"checks\": [");
	for (size_t i = 0; i < G_N_ELEMENTS(checks); i++) {
		struct doctor_finding finding = { DOCTOR_FINE, NULL, NULL, NULL };

		checks[i].look(&finding);
		lacks += finding.state == DOCTOR_LACK;
		if (json && i > 0)
			g_string_append_c(out, ',');
		if (json)
			append_object(out, checks[i].name, &finding);
		else
			append_row(out, checks[i].name, &finding);
		g_free(finding.found);
		g_free(finding.cost);
		g_free(finding.cure);
	}
	if (json)
		g_string_append_printf(out, "\n  ],\n  \"lacks\": %u\n}\n", lacks);
	return lacks;
}
