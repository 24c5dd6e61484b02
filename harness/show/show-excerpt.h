/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a filter leaves of a capture, in a file of its own.
 */
#ifndef UMADRIG_HARNESS_SHOW_SHOW_EXCERPT_H
#define UMADRIG_HARNESS_SHOW_SHOW_EXCERPT_H

#include <glib.h>

#include "harness/capture/filter.h"

/*
 * Writes the frames of 'in' that fit 'filter' to 'out', '*ret_written' of them. 'with_answers': of
 * a MAD that fits, its whole conversation: requests, what was sent again, answers, all segments.
 * False with an error of COMMAND_ERROR. '*ret_warning', to be freed: the file is damaged; or NULL.
 */
bool show_excerpt(const char *in, const char *out, const struct filter *filter, bool with_answers,
		  size_t *ret_written, char **ret_warning, GError **error);

#endif
