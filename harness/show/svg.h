/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A ladder as SVG, for reports and web pages. Pages that have it inline may set its colours: the
 * custom properties --ladder-ink, -paper, -faint, -answer and -lost.
 */
#ifndef UMADRIG_HARNESS_SHOW_SVG_H
#define UMADRIG_HARNESS_SHOW_SVG_H

#include "harness/show/view.h"

/* The rails are planned for a width of so many characters. */
#define SVG_COLUMNS 280

extern const struct view_kind svg_view;

#endif
