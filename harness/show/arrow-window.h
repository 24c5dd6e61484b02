/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The arrows of a drawing, in the order of the capture, and the notes between them. A packet that
 * was dropped has a second record where that happened: its arrow ends there. For this the last
 * ARROW_WINDOW_MAX arrows are held back.
 */
#ifndef UMADRIG_HARNESS_SHOW_ARROW_WINDOW_H
#define UMADRIG_HARNESS_SHOW_ARROW_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/capture/capture.h"

#define ARROW_WINDOW_MAX 256
#define ARROW_LABEL_SIZE 120

/* What makes two records those of one MAD. */
struct arrow_identity {
	uint64_t tid;
	uint32_t modifier;
	uint16_t attr_id;
	uint8_t mgmt_class, method;
	bool returning;
};

/* An arrow, or a note. */
struct arrow {
	int64_t time_ns;
	struct arrow_identity identity;
	unsigned int from, to;	/* rails, as 'rail' numbers them */
	bool died;		/* at 'to', before it arrived */
	bool is_note;
	char label[ARROW_LABEL_SIZE];
	char *words;		/* its comment, or the note, without control characters; or NULL */
	char *why;		/* it was dropped; NULL: unknown, or the comment says so */
};

struct arrow_window;

/* Who draws: numbers the ends of MADs, and gets the arrows, good for the call only. */
struct arrow_drawer {
	void *ctx;
	unsigned int (*rail)(void *ctx, const struct capture_mad *mad, bool source);
	void (*draw)(void *ctx, const struct arrow *arrow);
};

struct arrow_window *arrow_window_new(const struct arrow_drawer *drawer);
void arrow_window_mad(struct arrow_window *window, const struct capture_mad *mad);
void arrow_window_note(struct arrow_window *window, const struct capture_note *note);
/* Draws what is held back. */
void arrow_window_flush(struct arrow_window *window);
/* Frees it; what is held back is not drawn. */
void arrow_window_free(struct arrow_window *window);

#endif
