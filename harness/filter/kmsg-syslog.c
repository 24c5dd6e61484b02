/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * kmsg-syslog.c: syslog(2), with the numbers that Linux gives its actions (klogctl(3)).
 */
#include "config.h"

#include <errno.h>
#include <glib.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>

#include "harness/filter/host-view.h"
#include "harness/filter/kernel-reader.h"
#include "harness/filter/kernel-ring-read.h"
#include "harness/filter/kmsg-file.h"
#include "harness/filter/memory.h"
#include "harness/filter/thread-status.h"
#include "lib/base/kernel-ring.h"
#include "lib/base/syslog-action.h"
#include "lib/words/number.h"

/* Its record as syslog(2) shows it: "<6>[   12.345678] text". Appends nothing of what is none. */
static void append_line(GString *lines, const char *record)
{
	enum { LEVEL, NUMBER, TIME, FIELDS };
	const char *semicolon = strchr(record, ';'), *text = semicolon ? semicolon + 1 : NULL;
	g_autofree char *head = semicolon ? g_strndup(record, (gsize)(semicolon - record)) : NULL;
	g_auto(GStrv) fields = head ? g_strsplit(head, ",", -1) : NULL;
	uint64_t at_us;

	if (!fields || g_strv_length(fields) < FIELDS ||
	    number_parse_decimal(fields[TIME], 0, UINT64_MAX, &at_us) < 0)
		return;
	g_string_append_printf(lines, "<%s>[%5" G_GUINT64_FORMAT ".%06u] %.*s\n", fields[LEVEL],
			       at_us / G_USEC_PER_SEC, (unsigned int)(at_us % G_USEC_PER_SEC),
			       (int)strcspn(text, "\n"), text);
}

/* The latest messages from 'first' on, as many as there is room for. */
static GString *lines_from(int shown, uint64_t first, size_t room)
{
	uint64_t count = kernel_ring_count(shown, KERNEL_MESSAGES);
	GString *lines = g_string_new(NULL);
	char record[KERNEL_RECORD_MAX + 1];

	for (uint64_t i = MAX(first, kernel_ring_first(shown, KERNEL_MESSAGES)); i < count; i++) {
		ssize_t size = kernel_ring_read(shown, KERNEL_MESSAGES, i, record);

		if (size < 0)
			continue;
		record[size] = '\0';
		append_line(lines, record);
	}
	while (lines->len > room)
		g_string_erase(lines, 0, strcspn(lines->str, "\n") + 1);
	return lines;
}

static long read_all(struct supervisor *supervisor, const struct seccomp_notif *call,
		     struct host_view *view, bool clears)
{
	const __u64 *args = call->data.args;
	int shown = host_view_values(view), size = (int)args[2];
	uint64_t count = kernel_ring_count(shown, KERNEL_MESSAGES);
	g_autoptr(GString) lines = NULL;
	int r;

	if (!args[1] || size < 0)
		return -EINVAL;
	lines = lines_from(shown, kernel_readers_cleared(supervisor->kernel, host_view_host(view)),
			   (size_t)size);
	r = memory_write((pid_t)call->pid, args[1], lines->str, lines->len);
	if (r == 0 && clears)
		kernel_readers_clear(supervisor->kernel, host_view_host(view), count);
	return r < 0 ? r : (long)lines->len;
}

/* Linux: CAP_SYSLOG. */
static bool may_all(pid_t tid)
{
	static const char name[] = "\nCapEff:\t";
	char text[THREAD_STATUS_SIZE], digits[2 + 16 + 1] = "0x";
	const char *at = thread_status_read(tid, text, sizeof(text)) ? strstr(text, name) : NULL;
	uint64_t rights;

	if (!at)
		return false;
	g_strlcpy(digits + 2, at + strlen(name), sizeof(digits) - 2);
	return number_parse(digits, 0, UINT64_MAX, &rights) == 0 && (rights >> CAP_SYSLOG & 1);
}

static long do_action(struct supervisor *supervisor, const struct seccomp_notif *call,
		      struct host_view *view)
{
	int action = (int)call->data.args[0], r = syslog_refusal(action, may_all((pid_t)call->pid));

	if (r < 0)
		return r;
	switch (action) {
	case SYSLOG_READ_ALL:
	case SYSLOG_READ_CLEAR:
		return read_all(supervisor, call, view, action == SYSLOG_READ_CLEAR);
	case SYSLOG_CLEAR:
		kernel_readers_clear(supervisor->kernel, host_view_host(view),
				     kernel_ring_count(host_view_values(view), KERNEL_MESSAGES));
		return 0;
	case SYSLOG_SIZE_BUFFER:
		return SYSLOG_BUFFER_SIZE;
	}
	return 0;
}

long kmsg_on_syslog(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	struct host_view *view = supervisor->views && supervisor->kernel ?
				 host_view_of_thread(supervisor->views, (pid_t)call->pid) : NULL;

	if (!view)
		return CALL_GOES_ON;
	return do_action(supervisor, call, view);
}
