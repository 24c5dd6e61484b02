/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Where a scrubbed capture goes: a file that has its name once it is whole, or standard output;
 * compressed if the name ends in .gz or .zst.
 */
#ifndef UMADRIG_SIM_SCRUB_SCRUB_OUTPUT_H
#define UMADRIG_SIM_SCRUB_SCRUB_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct scrub_output;

/* 'path': "-" for standard output. NULL with errno; a new file has mode 0600. */
struct scrub_output *scrub_output_open(const char *path);

/* What is written goes in here, uncompressed. */
FILE *scrub_output_file(const struct scrub_output *output);

/*
 * Ends it. With 'keep' the file takes its name; without, and if anything could not be written,
 * there is no file. 0 or -errno. The output is freed.
 */
int scrub_output_close(struct scrub_output *output, bool keep);

#endif
