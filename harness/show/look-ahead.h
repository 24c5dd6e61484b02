/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A reading of a capture before it is shown, for filters about more than a MAD alone: which
 * requests have no answer, how long answers took, what was sent again, and what has changed.
 */
#ifndef UMADRIG_HARNESS_SHOW_LOOK_AHEAD_H
#define UMADRIG_HARNESS_SHOW_LOOK_AHEAD_H

#include <glib.h>

#include "harness/capture/frame-traits.h"

/*
 * The traits of all frames of the capture. NULL with an error of COMMAND_ERROR: it cannot be read,
 * or not twice. 'word': of the filter, for the message.
 */
struct frame_traits *look_ahead(const char *path, const char *word, GError **error);

#endif
