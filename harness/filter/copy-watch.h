/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A copy of a server's files (harness/base/view-copy.h) is brought up to date when a program looks;
 * for those who wait for events somebody has to look: whoever has any adds the view here.
 */
#ifndef UMADRIG_HARNESS_FILTER_COPY_WATCH_H
#define UMADRIG_HARNESS_FILTER_COPY_WATCH_H

#include "harness/filter/supervisor.h"

struct copy_watch;
struct host_view;
struct view_files;

/* What is called when a copy has changed, and what says whether that one is waited for. */
typedef void copy_look_fn(struct view_files *files);
/* 'changes_fd': host_view_changes_fd() of the view. */
typedef bool copy_use_fn(const struct view_files *files, int changes_fd);

struct copy_watch *copy_watch_new(copy_look_fn *look, copy_use_fn *use);
/* NULL is allowed. */
void copy_watch_free(struct supervisor *supervisor, struct copy_watch *watch);

/* These look when a copy has changed. They outlive it. */
void copy_watch_join(struct copy_watch *watch, struct view_files *files);

/*
 * Of several hosts on servers that are not seen here, the first one that somebody waits for is
 * watched. Nothing is done for a view that is no copy.
 */
void copy_watch_add(struct supervisor *supervisor, struct host_view *view);

/* Nobody waits for what has been watched until now, or not any more. */
void copy_watch_settle(struct supervisor *supervisor);

#endif
