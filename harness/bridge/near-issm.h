/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The issm paths of a bridge's near end: each is a pipe (sim/system/issm-pipe.h) that replaces a
 * path that the far end identifies by a number.
 */
#ifndef UMADRIG_HARNESS_BRIDGE_NEAR_ISSM_H
#define UMADRIG_HARNESS_BRIDGE_NEAR_ISSM_H

#include <glib.h>
#include <stdint.h>

#include "sim/system/issm-pipe.h"

struct bridge_stream;
struct private_directory;

struct near_issm {
	const struct private_directory *directory;	/* where the paths are */
	struct issm_watch watch;	/* made with the first one */
	GPtrArray *pipes;	/* of struct issm_at */
};

/*
 * 'directory' may be made later. It must stay valid until near_issm_clear(), which removes the
 * paths.
 */
void near_issm_init(struct near_issm *issm, const struct private_directory *directory);
void near_issm_clear(struct near_issm *issm);

/*
 * The path on this side for 'id' of the far end, made when first requested and valid until
 * near_issm_clear(). Returns 0 or -errno.
 */
int near_issm_path(struct near_issm *issm, uint32_t id, const char **ret_path);
/* Sends over 'stream' which paths have been opened or closed since the last call. */
void near_issm_look(struct near_issm *issm, struct bridge_stream *stream);

#endif
