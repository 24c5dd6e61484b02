/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The bytes in which a MAD differs from what a script says about it.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_MAD_MAD_HEX_H
#define UMADRIG_HARNESS_SCRIPT_MAD_MAD_HEX_H

#include "harness/script/mad/pattern.h"

/*
 * Appends, under a ruler (harness/script/mad/hex-ruler.h), the bytes of what mad_compare() finds:
 * of the MAD, of the data of a whole message, or of a whole packet. Nothing where other things
 * differ.
 */
void mad_hex(const struct mad_pattern *pattern, const struct mad_env *env,
	     const struct mad_instance *actual, GString *out);

#endif
