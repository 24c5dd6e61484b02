/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/exec/means.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/command.h"
#include "harness/exec/exec.h"
#include "harness/filter/filter-check.h"
#include "sim/run/spec.h"

bool exec_how_parse(const char *text, enum exec_how *ret)
{
	static const struct {
		const char *text;
		enum exec_how how;
	} words[] = {
		{ "preload", EXEC_PRELOAD }, { "filter", EXEC_FILTER }, { "both", EXEC_BOTH },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		if (strcmp(text, words[i].text) == 0) {
			*ret = words[i].how;
			return true;
		}
	}
	return false;
}

/* Is the program to be in virtual time? A spec with errors is reported by the session. */
static bool is_in_virtual_time(const struct exec_job *job)
{
	struct spec spec;
	char message[512];
	bool is_virtual;

	if (!job->spec || spec_parse(job->spec, NULL, &spec, message, sizeof(message)) < 0)
		return false;
	is_virtual = spec.options.virtual_clock;
	spec_clear(&spec);
	return is_virtual;
}

static char *find_lack(const struct exec_means *means)
{
	g_autofree char *lack = NULL;

	if (means->in_time)
		return g_strdup("virtual time (clock=virtual) chooses how itself: leave out --how");
	lack = filter_check(means->keeps_rights);
	if (means->is_inner)
		return g_steal_pointer(&lack);
	if (!lack)
		return NULL;
	return g_strconcat(lack, " ('umadrig doctor' says what else is lacking here)", NULL);
}

bool exec_means_find(const struct exec_job *job, struct exec_means *ret, GError **error)
{
	*ret = (struct exec_means){
		.is_inner = filter_is_below_another(), .in_time = is_in_virtual_time(job),
	};
	ret->preload = job->how != EXEC_FILTER || ret->in_time;
	if (ret->is_inner && job->sysfs) {
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "--sysfs: an outer 'umadrig "
			    "exec' answers all calls for /sys/class/infiniband, with its own "
			    "fabric: start that one with --how preload");
		return false;
	}
	/* In virtual time the session sees to it. */
	if (job->how == EXEC_PRELOAD || (job->how == EXEC_FILTER && ret->in_time))
		return true;
	ret->keeps_rights = filter_may_keep_rights();
	ret->lack = find_lack(ret);
	ret->filter = !ret->lack;
	if (ret->filter)
		return true;
	if (job->how == EXEC_FILTER) {
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED,
			    "--how filter: system calls cannot be stopped: %s", ret->lack);
		return false;
	}
	if (!ret->in_time)
		fprintf(stderr, "%s: only programs that load libibumad are on the fabric: %s\n",
			job->name, ret->lack);
	else if (job->has_how)
		fprintf(stderr, "%s: --how both: %s\n", job->name, ret->lack);
	return true;
}

void exec_means_clear(struct exec_means *means)
{
	g_clear_pointer(&means->lack, g_free);
}
