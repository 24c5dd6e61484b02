/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a scenario needs, said ("needs peer") or implied by what it does, and whether it is here.
 */
#include "harness/script/run/script-run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "harness/script/check/script-calls.h"
#include "harness/script/mad/script-packet.h"
#include "harness/script/run/script-program.h"

#if defined(__has_feature)
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
#define HAS_SANITIZERS true
#else
#define HAS_SANITIZERS false
#endif

/* "6.14" against the running kernel's release. */
static bool kernel_at_least(const char *version)
{
	struct utsname name;
	char *end;
	unsigned long major, minor, want_major, want_minor;

	if (uname(&name) != 0)
		return false;
	major = strtoul(name.release, &end, 10);
	minor = *end == '.' ? strtoul(end + 1, NULL, 10) : 0;
	want_major = strtoul(version, &end, 10);
	want_minor = *end == '.' ? strtoul(end + 1, NULL, 10) : 0;
	return major > want_major || (major == want_major && minor >= want_minor);
}

static bool module_loaded(const char *name)
{
	g_autofree char *path = g_build_filename("/sys/module", name, NULL);

	g_strdelimit(path + strlen("/sys/module/"), "-", '_');
	return g_file_test(path, G_FILE_TEST_IS_DIR);
}

static char *unmet_on_hw(const char *what)
{
	return g_strdup_printf("needs %s: run it with --backend ib_umad", what);
}

static char *unmet(const struct need *need, const struct rig *rig)
{
	const char *const *ports = rig->ports;
	bool on_sim = rig->on_sim;
	g_autofree char *program = NULL;

	switch (need->kind) {
	case NEED_SIM:
		return on_sim ? NULL : g_strdup("needs sim: it is for the simulator only");
	case NEED_WIRE:
		return on_sim || rig->has_wire ? NULL :
		       g_strdup("needs wire: what is between the ports is not ours (--wire)");
	case NEED_HW:
		return on_sim ? unmet_on_hw("hw") : NULL;
	case NEED_IB_UMAD:
		return on_sim ? unmet_on_hw("ib_umad") : NULL;
	case NEED_PEER:
		return on_sim || ports[WORLD_PEER] != NULL ? NULL :
		       g_strdup("needs peer: set UMAD_PEER=DEVICE/PORT or --port B=DEVICE/PORT");
	case NEED_IB:
		return on_sim || world_hw_port_is_ib(ports[WORLD_SELF]) == 1 ? NULL :
		       g_strdup("needs ib: this port has no LIDs");
	case NEED_ROOT:
		return on_sim || geteuid() == 0 ? NULL : g_strdup("needs root");
	case NEED_PORTS:
		return on_sim || need->number < 2 ||
				       (need->number == 2 && ports[WORLD_PEER] != NULL) ?
			       NULL :
			       g_strdup_printf("needs ports %d: name them with --port",
					       (int)need->number);
	case NEED_PROGRAM:
		program = g_find_program_in_path(need->text);
		return program != NULL ? NULL : g_strdup_printf("needs program %s", need->text);
	case NEED_MODULE:
		if (on_sim)
			return unmet_on_hw("a kernel module");
		return module_loaded(need->text) ? NULL :
						   g_strdup_printf("needs module %s", need->text);
	case NEED_KERNEL:
		if (on_sim)
			return unmet_on_hw("a kernel");
		return kernel_at_least(need->text) ? NULL :
		       g_strdup_printf("needs kernel>=%s", need->text);
	}
	return NULL;
}

/* Is a field named that only a port with LIDs has? */
static bool names_lids(const struct mad_pattern *pattern)
{
	static const char *const names[] = { "dlid", "slid", "lid", "path", "drslid" };

	for (size_t i = 0; pattern != NULL && i < G_N_ELEMENTS(names); i++) {
		if (mad_pattern_term(pattern, names[i]) != NULL)
			return true;
	}
	return pattern != NULL && pattern->class_info != NULL &&
	       mad_class_is_smp(pattern->class_info->mgmt_class);
}

/* What a step needs without saying so. */
static char *unmet_step(const struct step *step, const struct rig *rig)
{
	const struct call_kind *kind;
	const char *suggestion;
	bool on_wire = step->verb == STEP_FAULT || step->verb == STEP_CHECK;
	struct need need = { .kind = on_wire ? NEED_WIRE : NEED_PEER };

	if (step->verb == STEP_WIRE)
		return g_strdup("needs sim: all that crosses a cable is seen on the simulator");
	if (step->verb == STEP_RUN || step->verb == STEP_LINK || step->verb == STEP_POWER ||
	    step->verb == STEP_DO)
		return g_strdup("needs sim: programs, cables and nodes are the simulator's");
	if (step->verb == STEP_CALL) {
		kind = call_find(step->call->name, &suggestion);
		if (kind->sim_only)
			return g_strdup_printf("needs sim: %s() is for the simulator only",
					       kind->name);
		if (kind->wire_only) {
			struct need wire = { .kind = NEED_WIRE };
			char *reason = unmet(&wire, rig);

			if (reason != NULL)
				return reason;
		}
		if (g_str_has_prefix(kind->name, "issm.") &&
		    !world_hw_port_has_issm(rig->ports[WORLD_SELF]))
			return g_strdup("needs an issm device: this kernel gives the port none");
	} else if (step->verb != STEP_START && step->verb != STEP_END) {
		char *reason = unmet(&need, rig);

		if (reason != NULL)
			return reason;
	}
	if (step->patterns.mad != NULL && packet_is_raw(step->patterns.mad))
		return g_strdup("needs sim: the bytes of whole packets are the simulator's");
	if (!names_lids(step->patterns.mad) && !names_lids(step->patterns.umad) &&
	    !names_lids(step->patterns.result))
		return NULL;
	need.kind = NEED_IB;
	return unmet(&need, rig);
}

/* "needs linux-6.12 or linux-6.17" */
static char *unmet_profile(unsigned int profiles, enum kmod_profile has)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (unsigned int i = 0; i < KMOD_PROFILE_COUNT; i++) {
		if (profiles & 1U << i)
			g_string_append_printf(names, "%s%s", names->len > 0 ? " or " : "",
					       kmod_profile_name((enum kmod_profile)i));
	}
	return g_strdup_printf("needs %s: this kernel has the ways of %s", names->str,
			       kmod_profile_name(has));
}

char *scenario_unmet(const struct scenario *scenario, const struct point *point,
		     const struct rig *rig)
{
	const struct settings *settings = &scenario->settings;

	for (guint i = 0; i < settings->needs->len; i++) {
		char *reason = unmet(settings->needs->pdata[i], rig);

		if (reason != NULL)
			return reason;
	}
	for (guint i = 0; i < point->steps->len; i++) {
		const struct step *step = point->steps->pdata[i];
		struct need need = { .kind = NEED_PROGRAM };
		char *reason;

		if (step->verb != STEP_RUN)
			continue;
		if (HAS_SANITIZERS)
			return g_strdup("a library with sanitizers cannot be put in front of a "
					"program without");
		need.text = program_name(step);
		reason = unmet(&need, rig);
		if (reason != NULL)
			return reason;
	}
	if (rig->on_sim)
		return NULL;
	if (settings->topology != NULL || settings->replay != NULL)
		return g_strdup("needs sim: it names its fabric");
	if (settings->profiles != 0 && (settings->profiles & 1U << rig->profile) == 0)
		return unmet_profile(settings->profiles, rig->profile);
	if (settings->latency_ns != 0 && !rig->has_wire)
		return g_strdup("needs wire: a latency cannot be set on what is not ours (--wire)");
	for (guint i = 0; i < point->steps->len; i++) {
		char *reason = unmet_step(point->steps->pdata[i], rig);

		if (reason != NULL)
			return reason;
	}
	return NULL;
}
