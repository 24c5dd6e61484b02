/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Opening a fabric: by the name of a file with options, or by the text of one.
 */
#ifndef UMADRIG_SIM_RUN_OPEN_H
#define UMADRIG_SIM_RUN_OPEN_H

#include <stdbool.h>
#include <stddef.h>

struct topology;
struct umadrig_fabric;

/*
 * As umadrig_fabric_open(). 'is_served': the caller does the work of a real clock's service thread,
 * and enters and leaves the fabric when something is due according to clock_due_ns().
 */
struct umadrig_fabric *fabric_open(const char *spec, bool is_served, char *reterr,
				   size_t reterr_size);

/* As umadrig_fabric_parse(). */
struct umadrig_fabric *fabric_parse(const char *text, const char *options, char *reterr,
				    size_t reterr_size);

/*
 * What the fabric is made of that fabric_open() makes of 'spec', to be freed with topology_free();
 * its diagnostics go to stderr. NULL with a message if it cannot be made.
 */
struct topology *topology_open(const char *spec, char *reterr, size_t reterr_size);

#endif
