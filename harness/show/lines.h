/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A capture as lines, one for each MAD, with its fields below it where that is asked for.
 */
#ifndef UMADRIG_HARNESS_SHOW_LINES_H
#define UMADRIG_HARNESS_SHOW_LINES_H

#include "harness/show/view.h"

extern const struct view_kind lines_view;

#endif
