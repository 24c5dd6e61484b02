/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A capture to be scrubbed, which is read three times: mapped, if it is a plain file; what comes
 * from a pipe or is compressed is unpacked into a file without a name first.
 */
#ifndef UMADRIG_SIM_SCRUB_SCRUB_INPUT_H
#define UMADRIG_SIM_SCRUB_SCRUB_INPUT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/scrub/scrub.h"

struct scrub_input {
	GMappedFile *file;
	const uint8_t *data;
	size_t size;
	char name[SCRUB_WHY_SIZE];	/* "standard input", or the file's */
	char why[SCRUB_WHY_SIZE];	/* not "": why it ended early */
};

/* Reads 'path', "-" for standard input. False with a message. */
bool scrub_input_open(const char *path, struct scrub_input *ret, char *reterr, size_t reterr_size);
void scrub_input_close(struct scrub_input *input);
/* Are both paths one file, which writing 'out' would destroy? True with a message. */
bool scrub_input_is(const char *in, const char *out, char *reterr, size_t reterr_size);

#endif
