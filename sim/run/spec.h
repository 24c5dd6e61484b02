/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The words after a fabric's file: "FILE[,OPTION=VALUE...]", as in UMAD_BACKEND=sim:..., in umadrig
 * exec --fabric and in umadrig_fabric_open().
 */
#ifndef UMADRIG_SIM_RUN_SPEC_H
#define UMADRIG_SIM_RUN_SPEC_H

#include <stddef.h>

#include "sim/fabric/options.h"

struct spec {
	char *file;		/* "" is the default fabric */
	struct umadrig_options options;
};

/* Does the file exist? A parameter of spec_parse(), so that it can be tested without files. */
typedef bool spec_exists_fn(const char *path);

/*
 * Takes 'text' apart. The file is the longest piece from the start, ending before a comma or at the
 * end, that 'exists' (NULL: asks the system), so a file's name may contain commas; if no piece
 * exists, it ends at the first comma, and the name of a generated fabric (TOPOLOGY_GENERATE) before
 * the first word with an '='. 0 and a spec to be freed with spec_clear(), or -EINVAL with a message
 * that names the option and the valid ones; '*ret_spec' is then untouched.
 */
int spec_parse(const char *text, spec_exists_fn *exists, struct spec *ret_spec, char *reterr,
	       size_t reterr_size);

/*
 * The name of an option, and what its value is: "seed", "a number". NULL after the last.
 */
const char *spec_option(unsigned int at, const char **ret_wanted);

/* Frees what the spec owns; the caller has set to NULL what it moved out of it. */
void spec_clear(struct spec *spec);

#endif
