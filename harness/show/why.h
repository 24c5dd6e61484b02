/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The frames of a capture that give no MAD, or one that no port would take, and why.
 */
#ifndef UMADRIG_HARNESS_SHOW_WHY_H
#define UMADRIG_HARNESS_SHOW_WHY_H

#include <stdio.h>

#include "sim/capture/stream.h"

/*
 * Prints a line for each such frame of a stream, which was opened with CAPTURE_EVERY_FRAME: number,
 * time, the word for the cause, the cause. Then how many frames there were, and how many of each
 * cause. Reads the stream to its end.
 */
void show_why(struct capture_stream *stream, FILE *out);

/* A line of the number of frames of each cause that occurs, commonest first. */
void show_causes(const struct capture_counts *counts, FILE *out);

#endif
