/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Archives: POSIX ustar, as the bundles of `umadrig record` are, and captures in them.
 */
#ifndef UMADRIG_SIM_CAPTURE_TAR_H
#define UMADRIG_SIM_CAPTURE_TAR_H

#include <stdbool.h>

#include "sim/capture/source.h"

/* The block that precedes each file: offsets and sizes. */
enum {
	TAR_BLOCK_SIZE = 512,
	TAR_NAME = 0,
	TAR_NAME_SIZE = 100,
	TAR_MODE = 100,
	TAR_UID = 108,
	TAR_GID = 116,
	TAR_SIZE = 124,
	TAR_SIZE_SIZE = 12,
	TAR_TIME = 136,
	TAR_SUM = 148,
	TAR_SUM_SIZE = 8,
	TAR_TYPE = 156,
	TAR_MAGIC = 257,
};

/*
 * If the source is an archive, goes to the first capture in it, so that the source is that file's
 * bytes and no others. False: it is an archive that has none near its beginning.
 */
bool tar_enter(struct capture_source *source);

#endif
