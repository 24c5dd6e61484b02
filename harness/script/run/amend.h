/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Amendments: what lines would have to say for a point to pass (umadrig run --bless).
 *
 * Where a point runs to be amended, a line whose value differs does not fail: it notes what its
 * text would have to be, and the point goes on as if it said so already. What no other value can
 * put right (a MAD that is missing or one too many) fails as ever.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_RUN_AMEND_H
#define UMADRIG_HARNESS_SCRIPT_RUN_AMEND_H

#include "harness/script/run/timeline.h"

/* Another text for a part of a line. */
struct amendment {
	struct place place;	/* where it begins; its width is not that of the old text */
	size_t size;		/* bytes of the old text; 0: something is inserted */
	char *text;
};

struct amendments {
	GPtrArray *list;	/* of struct amendment *, in the order of the run */
	char *refused;		/* why the line that failed could not be amended; or NULL */
};

struct amendments *amendments_new(void);
/* NULL is allowed. */
void amendments_free(struct amendments *amendments);

/*
 * For verbs: true if the point is run to be amended, and 'text' was noted for 'value' of the
 * current line; the line then counts as met. False: it fails as it would.
 */
bool run_amend(struct run *run, const struct expr *value, const char *text);
/* The same: ' = TEXT' behind the word 'last', where the line has no value yet. */
bool run_amend_behind(struct run *run, const struct expr *last, const char *text);
/* The same for the line's time, which was 'at_ns'; 'due' is then that instant. */
bool run_amend_time(struct run *run, const struct plan_step *step, struct due_window *due,
		    int64_t at_ns);
/* The same for a field of a MAD: struct mad_env's 'amend'. */
bool run_amend_term(void *ctx, const struct mad_pattern *pattern, const struct mad_term *term,
		    const struct mad_instance *actual);

/* Notes why the line cannot be amended, if it is to be; false. The first reason counts. */
bool run_amend_refuse(struct run *run, const char *format, ...) G_GNUC_PRINTF(2, 3);

#endif
