/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The formats of files that can be scrubbed: sim/scrub/scrub-pcap.c, sim/scrub/scrub-pcapng.c,
 * sim/scrub/scrub-erf.c.
 */
#ifndef UMADRIG_SIM_SCRUB_SCRUB_FORMAT_H
#define UMADRIG_SIM_SCRUB_SCRUB_FORMAT_H

#include "sim/scrub/scrub-pass.h"

/*
 * Walks through a file, and in SCRUB_WRITE writes it to 'pass->to'. 0; or -EBADMSG where it is
 * broken, with what is wrong and where in 'why' (SCRUB_WHY_SIZE bytes): what is before has been
 * taken. Each file decides by its magic number whether it is the one to be asked.
 */
bool scrub_pcap_is(const uint8_t *data, size_t size);
int scrub_pcap(struct scrub_pass *pass, const uint8_t *data, size_t size, char *why);
bool scrub_pcapng_is(const uint8_t *data, size_t size);
int scrub_pcapng(struct scrub_pass *pass, const uint8_t *data, size_t size, char *why);
/* Of 'name' it counts whether ".erf" is in it: ERF has no magic number. */
bool scrub_erf_is(const uint8_t *data, size_t size, const char *name);
int scrub_erf(struct scrub_pass *pass, const uint8_t *data, size_t size, char *why);

#endif
