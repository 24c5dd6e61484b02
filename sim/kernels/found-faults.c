/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Faults of kernels: see sim/kernels/found-faults.h.
 */
#include "sim/kernels/found-faults.h"

#include <glib.h>
#include <stdbool.h>

enum { FAULTS_MAX = 16384 };	/* bytes */

static GMutex lock;
static GString *faults;		/* NULL: none */

void found_faults_keep(const char *host, const char *text)
{
	g_mutex_lock(&lock);
	if (!faults)
		faults = g_string_new(NULL);
	if (faults->len < FAULTS_MAX)
		g_string_append_printf(faults, "%s%s%s\n", text, host ? ", at " : "",
				       host ? host : "");
	g_mutex_unlock(&lock);
}

char *found_faults_take(void)
{
	char *text = NULL;

	g_mutex_lock(&lock);
	if (faults)
		text = g_string_free(g_steal_pointer(&faults), false);
	g_mutex_unlock(&lock);
	return text;
}
