/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sim/api/umadrig.h's functions about programs in a fabric's virtual time.
 */
#include "sim/api/umadrig.h"

#include <errno.h>
#include <stdio.h>

#include "sim/programs/program-session.h"

int umadrig_program_start(struct umadrig_fabric *fabric,
			  const struct umadrig_program_setup *setup,
			  struct umadrig_program **ret_program, char *reterr, size_t reterr_size)
{
	struct program_start start = {
		.argv = setup->argv,
		.environment = setup->environment,
		.directory = setup->directory,
		.input = setup->input,
		.output = setup->output,
		.errors = setup->errors,
	};

	if (!setup->argv || !setup->argv[0]) {
		snprintf(reterr, reterr_size, "no program is named");
		return -EINVAL;
	}
	return program_session_start(fabric, setup->host, &start, ret_program, reterr,
				     reterr_size);
}

int umadrig_program_wait(struct umadrig_program *program, int64_t until_ns, int *ret_status)
{
	return program_session_wait(program, until_ns, ret_status);
}

int umadrig_program_signal(struct umadrig_program *program, int sig)
{
	return program_session_signal(program, sig);
}
