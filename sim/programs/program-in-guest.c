/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See sim/programs/program-in-guest.h. */
#include "sim/programs/program-in-guest.h"

#include <errno.h>
#include <glib.h>
#include <stdbool.h>

#include "sim/fabric/host.h"
#include "sim/guests/guest.h"
#include "sim/programs/program-child.h"
#include "sim/programs/program-environment.h"

static char **environment_of(const struct program_start *start)
{
	char **env = start->environment ? g_strdupv((char **)(uintptr_t)start->environment) :
					  g_get_environ();

	return program_environment_in_guest(g_environ_unsetenv(env, "LD_PRELOAD"));
}

int program_in_guest_start(struct guest *guest, const struct program_start *start,
			   const struct guest_program_calls *calls, void *ctx,
			   struct guest_program **ret, char *reterr, size_t reterr_size)
{
	g_autofree char *directory = g_canonicalize_filename(start->directory ? start->directory :
							     ".", NULL);
	g_auto(GStrv) env = environment_of(start);
	const struct guest_program_start in_guest = {
		.argv = start->argv, .environment = (const char *const *)env,
		.directory = directory,
		.input = start->input, .output = start->output, .errors = start->errors,
		.calls = calls, .ctx = ctx,
	};
	int err = guest_program_start(guest, &in_guest, ret);

	if (err < 0)
		g_snprintf(reterr, reterr_size, "%s: %s", guest->host->name,
			   guest_program_reason(err));
	return err;
}
