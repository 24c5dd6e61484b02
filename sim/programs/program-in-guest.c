/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See sim/programs/program-in-guest.h. */
#include "sim/programs/program-in-guest.h"

#include <errno.h>
#include <glib.h>
#include <stdbool.h>

#include "sim/fabric/host.h"
#include "sim/guests/guest.h"
#include "sim/programs/program-child.h"

/* Where a guest may write, whatever it is given: its first program makes it. */
#define TEMPORARY "/run/tmp"

/* In there the devices are real ones. */
static char **environment_of(const struct program_start *start)
{
	static const char *const ours[] = {
		"LD_PRELOAD", "UMAD_BACKEND", "UMAD_TAP", "UMADRIG_HOST",
	};
	char **env = start->environment ? g_strdupv((char **)(uintptr_t)start->environment) :
					  g_get_environ();

	for (size_t i = 0; i < G_N_ELEMENTS(ours); i++)
		env = g_environ_unsetenv(env, ours[i]);
	return g_environ_setenv(env, "TMPDIR", TEMPORARY, true);
}

int program_in_guest_start(struct guest *guest, const struct program_start *start, void *handle,
			   struct guest_program **ret, char *reterr, size_t reterr_size)
{
	g_autofree char *directory = g_canonicalize_filename(start->directory ? start->directory :
							     ".", NULL);
	g_auto(GStrv) env = environment_of(start);
	const struct guest_program_start in_guest = {
		.argv = start->argv, .environment = (const char *const *)env,
		.directory = directory,
		.input = start->input, .output = start->output, .errors = start->errors,
	};
	int err = guest_program_start(guest, &in_guest, ret);

	if (err < 0)
		g_snprintf(reterr, reterr_size, "%s: %s", guest->host->name, err == -EHOSTDOWN ?
			   "it has no power" : err == -E2BIG ? "the arguments and the environment "
			   "are longer than a guest takes, which is 1 MB" : g_strerror(-err));
	else
		(*ret)->handle = handle;
	return err;
}

struct umadrig_fabric *program_in_guest_fabric(const struct guest_program *program)
{
	return program->guest->host->fabric;
}
