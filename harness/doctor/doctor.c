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

static void append_object(struct json_writer *json, const char *name,
			  const struct doctor_finding *finding)
{
	json_space(json, "\n    ");
	json_open(json, '{');
	json_space(json, " ");
	json_string(json_name(json, "name"), name);
	json_string(json_name(json, "state"), state_text(finding->state));
	json_string(json_name(json, "found"), finding->found);
	json_string(json_name(json, "cost"), finding->cost);
	json_string(json_name(json, "cure"), finding->cure);
	json_space(json, " ");
	json_close(json, '}');
}

/* Each check's finding goes to 'json', or else to 'out'. Returns how much is lacking. */
static unsigned int look(GString *out, struct json_writer *json)
{
	unsigned int lacks = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(checks); i++) {
		struct doctor_finding finding = { DOCTOR_FINE, NULL, NULL, NULL };

		checks[i].look(&finding);
		lacks += finding.state == DOCTOR_LACK;
		if (json)
			append_object(json, checks[i].name, &finding);
		else
			append_row(out, checks[i].name, &finding);
		g_free(finding.found);
		g_free(finding.cost);
		g_free(finding.cure);
	}
	return lacks;
}

unsigned int doctor_examine(GString *out, bool is_json)
{
	struct json_writer json;
	unsigned int lacks;

	if (!is_json)
		return look(out, NULL);
	json_writer_to_string(&json, JSON_LINES, out);
	json_open(&json, '{');
	json_space(&json, "\n  ");
	json_open(json_name(&json, "checks"), '[');
	lacks = look(out, &json);
	json_space(&json, "\n  ");
	json_close(&json, ']');
	json_space(&json, "\n  ");
	json_unsigned(json_name(&json, "lacks"), lacks);
	json_space(&json, "\n");
	json_close(&json, '}');
	json_end_line(&json);
	json_finish(&json);
	return lacks;
}
