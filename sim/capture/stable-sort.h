/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A stable sort. GLib 2.82 has a function without a limit of 2^31 elements, and calls the older one
 * deprecated.
 */
#ifndef UMADRIG_SIM_CAPTURE_STABLE_SORT_H
#define UMADRIG_SIM_CAPTURE_STABLE_SORT_H

#include <glib.h>
#include <stddef.h>

/* Sorts count elements of size bytes; elements that compare as equal keep their order. */
static inline void stable_sort(void *array, size_t count, size_t size, GCompareDataFunc compare,
			       void *data)
{
#if GLIB_CHECK_VERSION(2, 82, 0)
	g_sort_array(array, count, size, compare, data);
#else
	g_qsort_with_data(array, (gint)count, size, compare, data);
#endif
}

#endif
