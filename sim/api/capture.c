/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sim/api/umadrig.h's functions about captures, and those that show MADs as captures do.
 */
#include <errno.h>
#include <glib.h>

#include "sim/capture/shown.h"
#include "sim/fabric/entry.h"
#include "sim/fabric/record.h"
#include "sim/host/kernel.h"

int umadrig_capture_start(struct umadrig_fabric *fabric, const char *path, const char *comment,
			  char *reterr, size_t reterr_size)
{
	int ret = fabric_enter(fabric);

	if (ret < 0) {
		g_snprintf(reterr, reterr_size, "%s: the fabric is this process's parent's", path);
		return ret;
	}
	ret = record_start(fabric, path, comment, reterr, reterr_size);
	fabric_leave(fabric);
	return ret;
}

int umadrig_capture_stop(struct umadrig_fabric *fabric)
{
	int ret = fabric_enter(fabric);

	if (ret < 0)
		return ret;
	ret = record_stop(fabric);
	fabric_leave(fabric);
	return ret;
}

void umadrig_capture_comment(struct umadrig_fabric *fabric, const char *text)
{
	if (fabric_enter(fabric) < 0)
		return;
	g_free(fabric->capture_comment);
	fabric->capture_comment = g_strdup(text);
	fabric_leave(fabric);
}

void umadrig_capture_note(struct umadrig_fabric *fabric, const char *text)
{
	if (fabric_enter(fabric) < 0)
		return;
	if (fabric->capture)
		capture_writer_note(fabric->capture, fabric->queue.now_ns, text);
	fabric_leave(fabric);
}

int64_t umadrig_capture_each(const char *path, umadrig_mad_fn *fn, void *ctx, char *reterr,
			     size_t reterr_size)
{
	struct capture *capture = capture_read(path, reterr, reterr_size);
	size_t shown = 0;
	bool go_on = true;

	if (!capture)
		return -EINVAL;
	while (go_on && shown < capture->mad_count) {
		struct umadrig_mad out = capture_mad_shown(&capture->mads[shown++]);

		go_on = fn(ctx, &out);
	}
	capture_free(capture);
	return (int64_t)shown;
}

void umadrig_trace(struct umadrig_fabric *fabric, umadrig_trace_fn *fn, void *ctx)
{
	if (fabric_enter(fabric) < 0)
		return;
	fabric->trace = fn;
	fabric->trace_ctx = ctx;
	fabric_listen(fabric);
	fabric_leave(fabric);
}

void umadrig_watch(struct umadrig_fabric *fabric, umadrig_mad_fn *fn, void *ctx)
{
	if (fabric_enter(fabric) < 0)
		return;
	fabric->watch = fn;
	fabric->watch_ctx = ctx;
	fabric_watch_changed(fabric);
	fabric_leave(fabric);
}
