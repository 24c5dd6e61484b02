/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The interfaces that a capture declares, by number, and strings that live as long as they do. A
 * name that occurs twice is stored once.
 */
#ifndef UMADRIG_SIM_CAPTURE_NAMES_H
#define UMADRIG_SIM_CAPTURE_NAMES_H

#include "sim/capture/capture.h"

struct capture_stream;

/* Interfaces of one file: twenty for each port of the largest subnet. */
#define CAPTURE_INTERFACES_MAX 1000000

struct capture_names *capture_names_new(void);
/* NULL is allowed. */
void capture_names_free(struct capture_names *names);

/*
 * Adds a copy of an interface. Returns its number, from 0, or -ENOSPC: there are
 * CAPTURE_INTERFACES_MAX already.
 */
int capture_names_add(struct capture_names *names, const struct capture_interface *interface);

/* The interface with that number, valid until the next is added; NULL: there is none. */
const struct capture_interface *capture_names_get(const struct capture_names *names,
						  unsigned int number);

/* A copy of 'text'. NULL for NULL. */
const char *capture_names_copy(struct capture_names *names, const char *text);

/* Takes over a stream's names; the caller frees them after closing the stream. */
struct capture_names *capture_stream_take_names(struct capture_stream *stream);

#endif
