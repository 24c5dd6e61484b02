/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * One way to show a capture: MADs and notes go in one by one, in the order of the file, and what is
 * to be seen of them goes to a stream. A view holds a window of the capture, never all of it.
 */
#ifndef UMADRIG_HARNESS_SHOW_VIEW_H
#define UMADRIG_HARNESS_SHOW_VIEW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/capture/filter.h"
#include "harness/capture/mad-ends.h"
#include "harness/show/rmpp-fold.h"
#include "harness/show/show-clock.h"
#include "sim/capture/capture.h"

/* What the totals of conversations are of; SHOW_BYS has the words. */
enum show_by {
	SHOW_BY_ATTRIBUTE,	/* with the method */
	SHOW_BY_CLASS,
	SHOW_BY_REQUESTER,
	SHOW_BY_RESPONDER,
};
#define SHOW_BYS "attribute|class|requester|responder"

/* What a view is made with. All of it outlives the view. */
struct view_setup {
	FILE *stream;
	bool verbose;			/* every field */
	bool segments;			/* those of RMPP messages, too */
	struct show_clock *clock;	/* how times are shown */
	enum show_by by;		/* what conversations are counted by */
	const char *ports;		/* of a history, divided by commas; NULL: all */
	const struct filter *filter;	/* NULL: every MAD */
	struct mad_ends *ends;		/* which ports have which addresses, as far as is known */
	bool learns;			/* more of that from each MAD */
	/* Of the packet of the MAD (or the message's head) that comes; NULL: not known. */
	const struct capture_headers *headers;
	struct ladder_plan *plan;	/* of ladders: their rails */
	struct frame_traits *marks;	/* of a history: frames are marked, not printed; or NULL */
	size_t columns;			/* width of the lines of ladders; 0: any */
};

struct ladder_plan;
struct view;

struct view_kind {
	bool named;	/* ports are drawn: their names are learned in a reading before */
	bool planned;	/* and so are their places */
	bool unchecked;	/* wrong CRCs are not shown */
	/* Called by view_new(), which fills in the struct view. */
	struct view *(*new)(const struct view_setup *setup);
	/* The next MAD, of those that the filter keeps. 'mad' is good for the call only. */
	void (*mad)(struct view *view, const struct capture_mad *mad);
	/*
	 * The next RMPP message, whole; its segments are then shown only where the setup says so.
	 * NULL: all MADs are shown as they come.
	 */
	void (*message)(struct view *view, const struct rmpp_message *message);
	/* The next note. NULL: notes are not shown. */
	void (*note)(struct view *view, const struct capture_note *note);
	/* No more is there for now: what is held back goes out, as far as it can. May be NULL. */
	void (*idle)(struct view *view);
	/* There is no more: what was in the file, and how many MADs were shown. Frees the view. */
	void (*end)(struct view *view, const struct capture_counts *counts, uint64_t shown);
};

/* What every view begins with. */
struct view {
	const struct view_kind *kind;
	struct view_setup setup;
};

static inline struct view *view_new(const struct view_kind *kind, const struct view_setup *setup)
{
	struct view *view = kind->new(setup);

	view->kind = kind;
	view->setup = *setup;
	return view;
}

#endif
