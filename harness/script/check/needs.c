/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a point needs, explicitly ("needs peer") or by what it does, and whether it is available.
 */
#include "harness/script/check/needs.h"

#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "harness/script/mad/whole-packet.h"
#include "lib/words/number.h"

/* The numbers at the start of "6.14" and of "6.1.0-13-amd64"; 0 for what is not there. */
static void read_release(const char *text, uint64_t *ret_major, uint64_t *ret_minor)
{
	*ret_major = *ret_minor = 0;
	if (number_take(&text, 10, UINT16_MAX, ret_major) == 0 && *text++ == '.')
		number_take(&text, 10, UINT16_MAX, ret_minor);
}

/* "6.14" against the running kernel's release. */
static bool kernel_at_least(const char *version)
{
	uint64_t major, minor, want_major, want_minor;
	struct utsname name;

	if (uname(&name) != 0)
		return false;
	read_release(name.release, &major, &minor);
	read_release(version, &want_major, &want_minor);
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

char *need_unmet(const struct need *need, const struct rig *rig)
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
		return on_sim || ports[WORLD_PEER] ? NULL :
		       g_strdup("needs peer: set UMAD_PEER=DEVICE/PORT or --port B=DEVICE/PORT");
	case NEED_IB:
		return on_sim || rig->has_lids ? NULL :
		       g_strdup("needs ib: this port has no LIDs");
	case NEED_ROOT:
		return on_sim || geteuid() == 0 ? NULL : g_strdup("needs root");
	case NEED_PORTS:
		return on_sim || need->number < 2 ||
				       (need->number == 2 && ports[WORLD_PEER]) ?
			       NULL :
			       g_strdup_printf("needs ports %d: name them with --port",
					       (int)need->number);
	case NEED_PROGRAM:
		program = g_find_program_in_path(need->text);
		return program ? NULL : g_strdup_printf("needs program %s", need->text);
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

/* Does the MAD name a field that only a port with LIDs has? */
static bool names_lids(const struct mad_pattern *pattern)
{
	static const char *const names[] = { "dlid", "slid", "lid", "path", "drslid" };

	for (size_t i = 0; pattern && i < G_N_ELEMENTS(names); i++) {
		if (mad_pattern_term(pattern, names[i]))
			return true;
	}
	return pattern && pattern->class_info &&
	       mad_class_is_smp(pattern->class_info->mgmt_class);
}

char *sim_only_unmet(const struct rig *rig, const char *why)
{
	return rig->on_sim ? NULL : g_strdup_printf("needs sim: %s", why);
}

/* What the MADs of a line need on real ports. */
static char *pattern_unmet(const struct mad_pattern *pattern, const struct rig *rig)
{
	const struct need ib = { .kind = NEED_IB };

	if (packet_is_raw(pattern))
		return sim_only_unmet(rig, "the bytes of whole packets are the simulator's");
	if (pattern->use != MAD_ANSWER && names_lids(pattern))
		return need_unmet(&ib, rig);
	return NULL;
}

/* What a line needs implicitly. */
static char *step_unmet(const struct plan_step *step, const struct rig *rig)
{
	const struct need peer = { .kind = NEED_PEER };
	char *reason = step->line->verb->needs ? step->line->verb->needs(step, rig) :
		       need_unmet(&peer, rig);

	if (rig->on_sim)
		return reason;
	for (const struct mad_pattern *pattern = step->patterns; pattern && !reason;
	     pattern = pattern->next)
		reason = pattern_unmet(pattern, rig);
	return reason;
}

/* "needs linux-6.12 or linux-6.17" */
static char *unmet_profile(unsigned int profiles, const struct rig *rig)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (unsigned int i = 0; i < KMOD_PROFILE_COUNT; i++) {
		if (profiles & 1U << i)
			g_string_append_printf(names, "%s%s", names->len > 0 ? " or " : "",
					       kmod_profile_name((enum kmod_profile)i));
	}
	return g_strdup_printf("needs %s: %s has the ways of %s", names->str,
			       rig->kernel ? rig->kernel : "this kernel",
			       kmod_profile_name(rig->profile));
}

/* What the settings need on real ports, and on a kernel that is not to be chosen. */
static char *settings_unmet(const struct settings *settings, const struct rig *rig)
{
	bool is_other = settings->profiles != 0 &&
			(settings->profiles & 1U << rig->profile) == 0;

	if (rig->on_sim)
		return is_other && rig->kernel ? unmet_profile(settings->profiles, rig) : NULL;
	if (settings->topology || settings->replay)
		return g_strdup("needs sim: it names its fabric");
	if (is_other)
		return unmet_profile(settings->profiles, rig);
	if (settings->latency_ns != 0 && !rig->has_wire)
		return g_strdup("needs wire: a latency cannot be set on what is not ours (--wire)");
	return NULL;
}

char *point_unmet(const struct point *point, const struct rig *rig)
{
	const struct settings *settings = &point->scenario->settings;
	char *reason = NULL;

	/* Nothing would be sent, and nothing compared: that must not pass. */
	if (point->steps->len == 0)
		return rig->on_sim ? g_strdup("needs hw: all its events are 'on hw': run it with "
					      "--backend ib_umad") :
				     g_strdup("needs sim: all its events are 'on sim'");

	for (guint i = 0; !reason && i < settings->needs->len; i++)
		reason = need_unmet(settings->needs->pdata[i], rig);
	if (!reason)
		reason = settings_unmet(settings, rig);
	for (guint i = 0; !reason && i < point->steps->len; i++)
		reason = step_unmet(point->steps->pdata[i], rig);
	return reason;
}
