/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A captured MAD as the public header shows it.
 */
#ifndef UMADRIG_SIM_CAPTURE_SHOWN_H
#define UMADRIG_SIM_CAPTURE_SHOWN_H

#include "sim/api/umadrig.h"
#include "sim/capture/capture.h"

/* It points into 'mad'. */
struct umadrig_mad capture_mad_shown(const struct capture_mad *mad);

#endif
