/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A sequence while it is played on one kernel.
 */
#ifndef UMADRIG_TESTS_KERNELS_DUEL_PLAY_H
#define UMADRIG_TESTS_KERNELS_DUEL_PLAY_H

#include "tests/kernels/duel.h"
#include "tests/rig/kmod-rig.h"

enum { DUEL_ROOM = RIG_HEADER_SIZE + 70000 };

struct duel_side_file {
	struct rig_file *file;	/* NULL: it is not open */
	bool eager;
	bool registered;	/* once */
	bool wide;		/* headers of 64 bytes */
	unsigned int events;	/* of the last poll */
	uint8_t last[RIG_HEADER_SIZE + MAD_SIZE];	/* the beginning of what was read last */
	bool has_last;
};

struct duel_side_port {
	struct rig_port *at;
	struct kmod_port *issm;
	bool is_sm;
	uint8_t last[MAD_SIZE];	/* what it has transmitted last */
	bool has_last;
	unsigned int skips, loses;
	uint32_t segment;	/* that arrived last */
};

struct duel_play {
	struct rig *rig;
	GString *log;
	GString *said[DUEL_PORTS];	/* in this instant: see end_instant() */
	int step;
	const uint32_t *numbers;	/* of the step */
	struct duel_side_file files[DUEL_FILES];
	struct duel_side_port ports[DUEL_PORTS];
	unsigned int packets;
	void (*transmit)(void *ctx, void *wire, struct packet *packet);
	uint8_t buffer[DUEL_ROOM];
};

/* ---- tests/kernels/duel-play.c ---- */

/* A line about 'at', at the end of this instant. */
void duel_say(struct duel_play *play, const struct rig_port *at, const char *format, ...)
	G_GNUC_PRINTF(3, 4);
/* Reads, with room for 'count' bytes, and says what comes. Returns what the read returned. */
long duel_read(struct duel_play *play, struct duel_side_file *file, unsigned int count);
/* Polls all files, and reads those that are eager. */
void duel_look(struct duel_play *play);
/* All up to and at 'until_ns', and a look at the end of each instant. */
void duel_run(struct duel_play *play, int64_t until_ns);

/* ---- tests/kernels/duel-act.c ---- */

void duel_play_step(struct duel_play *play, const struct duel_step *step);
void duel_close(struct duel_side_file *file);

#endif
