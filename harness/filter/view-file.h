/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Files of programs that follow what the view of a host shows: verbs devices and their events
 * (harness/filter/uverbs-file.h), and readers of what a kernel says (kernel-reader.h).
 *
 * The program has one end of a pipe or of a pair of sockets at a high number, and the supervisor
 * the other end, which has an error when no copy of the program's is left.
 */
#ifndef UMADRIG_HARNESS_FILTER_VIEW_FILE_H
#define UMADRIG_HARNESS_FILTER_VIEW_FILE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "harness/filter/program-descriptor.h"
#include "harness/filter/supervisor.h"

struct host_view;
struct view_file;

struct view_file_kind {
	const char *name;		/* of several: "files of verbs devices" */
	size_t size;			/* of the structure that begins with a view_file */
	unsigned int most, most_of_one;	/* of all programs, and of a process */
	/* What its view shows may have changed, or there is room in a socket that was full. */
	void (*look)(struct view_file *file);
	/* The directory that it follows is there no longer. NULL: nothing is to be done. */
	void (*end)(struct view_file *file);
	/* The program has none of its ends any more. NULL: the same. */
	void (*drop)(struct view_file *file);
	/* Frees what the structure has besides. NULL: nothing. */
	void (*free)(struct view_file *file);
};

struct view_files {
	struct supervisor_watch values;	/* inotify, while there are files; fd -1: none */
	struct supervisor *supervisor;
	const struct view_file_kind *kind;
	GPtrArray *all;			/* of struct view_file * that programs have */
	GPtrArray *gone;		/* of those that calls still know of */
	bool has_said_limit;
};

struct view_file {
	struct supervisor_watch watch;	/* our end */
	struct view_files *files;
	struct descriptor_id id;	/* of the program's end */
	char *host;			/* NULL: the default */
	pid_t program;
	int values_watch;		/* of inotify, for what it follows; -1: none */
	bool is_gone;			/* the program has closed it, or gets nothing any more */
	unsigned int users;		/* calls that know of it */
};

void view_files_init(struct view_files *files, struct supervisor *supervisor,
		     const struct view_file_kind *kind);
void view_files_clear(struct view_files *files);

/* Values of views have changed. */
void view_files_look(struct view_files *files);
/* Is any of them of the view whose host_view_changes_fd() that is? */
bool view_files_use(const struct view_files *files, int changes_fd);

/* May the program have one more? 0, or -EMFILE. */
int view_files_check_limit(struct view_files *files, pid_t program);

/* A file of these ends, which are closed where there is none: NULL with errno. */
struct view_file *view_file_new(struct view_files *files, int end, int program_end);
/* It follows the files in 'directory' of the view's values. */
void view_file_follow(struct view_file *file, struct host_view *view, const char *directory);
/*
 * Answers the call with 'program_end' at 'number', and closes that end: 0; or -errno, and then the
 * file is dropped and the call is still to be answered.
 */
int view_file_give(struct view_file *file, const struct seccomp_notif *call, int program_end,
		   int number, int flags);
/* The program's reads end there now. */
void view_file_drop(struct view_file *file);

/* What descriptor 'fd' of thread 'tid' is. NULL: none. Valid until memory is read or written. */
struct view_file *view_file_find(const struct view_files *files, pid_t tid, int fd);

/* Around what a call does with it: memory may take long, and the program may close it meanwhile. */
void view_file_hold(struct view_file *file);
void view_file_release(struct view_file *file);

/* The view of its host, with values that are up to date; NULL: it has gone. */
struct host_view *view_file_view(const struct view_file *file);
/* host_view_values() of that; -1: it has gone. */
int view_file_values(const struct view_file *file);

#endif
