/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The order of the MADs of a capture: see sim/capture/capture.h.
 */
#include <errno.h>
#include <glib.h>

#include "sim/capture/capture.h"
#include "sim/capture/stable-sort.h"

static gint compare_times(gconstpointer a, gconstpointer b, gpointer ctx)
{
	const struct capture_mad *one = a, *two = b;

	(void)ctx;
	if (one->time_ns != two->time_ns)
		return one->time_ns < two->time_ns ? -1 : 1;
	return (one->frame > two->frame) - (one->frame < two->frame);
}

/* As much earlier; damaged times may be further apart than a time can say. */
static int64_t earlier(int64_t time_ns, int64_t by_ns)
{
	int64_t result_ns;

	if (__builtin_sub_overflow(time_ns, by_ns, &result_ns))
		return by_ns < 0 ? INT64_MAX : INT64_MIN;
	return result_ns;
}

static void sort(struct capture *capture)
{
	int64_t before_ns;

	stable_sort(capture->mads, capture->mad_count, sizeof(*capture->mads), compare_times, NULL);
	/* Times count from the first frame, which may no longer be the earliest one. */
	before_ns = capture->mad_count ? MIN(capture->mads[0].time_ns, 0) : 0;
	if (__builtin_add_overflow(capture->first_ns, before_ns, &capture->first_ns))
		capture->first_ns = INT64_MIN;
	for (size_t i = 0; i < capture->mad_count; i++)
		capture->mads[i].time_ns = earlier(capture->mads[i].time_ns, before_ns);
	for (size_t i = 0; i < capture->note_count; i++)
		capture->notes[i].time_ns = earlier(capture->notes[i].time_ns, before_ns);
}

int capture_put_in_order(struct capture *capture, bool any_order, char *reterr, size_t reterr_size)
{
	const struct capture_counts *counts = &capture->counts;

	if (!counts->backwards)
		return 0;
	if (any_order) {
		sort(capture);
		return 0;
	}
	g_snprintf(reterr, reterr_size, "%s: time goes backwards at frame %u, so what answers what "
		   "is uncertain: look at it (umadrig show), then put it in order (reordercap %s "
		   "SORTED.pcapng) or have its times do that (order=any)", capture->file,
		   counts->first_backwards, capture->file);
	return -EINVAL;
}
