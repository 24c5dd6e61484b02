/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The umad files of all programs below the supervisor.
 *
 * The files have an epoll instance of their own, so that what has happened to them can be seen to
 * before a call that must come after it: in Linux, agents are gone when close(2) returns.
 */
#ifndef UMADRIG_HARNESS_FILTER_FILE_TABLE_H
#define UMADRIG_HARNESS_FILTER_FILE_TABLE_H

#include <glib.h>

#include "harness/filter/program-descriptor.h"
#include "harness/filter/filter-file.h"
#include "harness/filter/supervisor.h"
#include "lib/backend.h"

enum {
	FILE_TABLE_MAX = 4096,		/* open files of all programs */
	FILE_TABLE_DEAD_MAX = 1024,	/* that are remembered when their device has gone */
};

struct file_table {
	struct supervisor *supervisor;
	struct file_keeper keeper;
	GHashTable *files;		/* by inode */
	GHashTable *programs;		/* pid -> how many files it has opened that are open */
	GQueue dead;			/* files whose device has gone, oldest first */
	struct umad_file *gone;		/* to be freed */
	unsigned int most;		/* open files: FILE_TABLE_MAX, or what descriptors allow */
	int loop;			/* epoll */
	struct supervisor_watch watch;
	struct descriptor_cache descriptors;
	/* What the last look into /proc has said. */
	struct {
		pid_t tid;
		int fd;
		struct umad_file *file;
	} found;
	bool has_said_limit, has_said_number;
};

/* Watched by 'supervisor'. NULL with errno. */
struct file_table *file_table_new(struct supervisor *supervisor, const struct umad_backend *fabric);
/* Closes all files. NULL is allowed. */
void file_table_free(struct file_table *table);

/*
 * Takes notice of all that has happened so far. Frees files: to be called before file_find(). The
 * supervisor has done so before a call, unless another thread was killed just then: what opens and
 * registers calls it itself, because it must see what was closed.
 */
void file_table_settle(struct file_table *table);

/* Which file is descriptor 'fd' of thread 'tid'? NULL: none of ours. */
struct umad_file *file_find(struct supervisor *supervisor, pid_t tid, int fd);
/*
 * The same without a look, which costs more than all else that has to be done for a small read: the
 * file that was found there last, if it was the last that was looked for. It may be another one by
 * now. NULL: not known.
 */
struct umad_file *file_likely(const struct supervisor *supervisor, pid_t tid, int fd);

unsigned int file_umad_number(const struct umad_file *file);	/* N of umadN */
const char *file_host(const struct umad_file *file);		/* NULL: the default */

/*
 * Opens umad number 'umad', port 'portnum' of 'ca_name' on 'host' (NULL: the default), which is the
 * calling thread's present one, for the program, with the 'flags' of open(2): CALL_ANSWERED by the
 * descriptor, or open(2)'s errno.
 */
long file_open(struct supervisor *supervisor, const struct seccomp_notif *call, const char *host,
	       const char *ca_name, unsigned int portnum, unsigned int umad, int flags);

/*
 * Puts a new socket in the place of the one that the call's first argument is: what was in flight
 * is forgotten, and copies of the descriptor report the end of file. 0 or -errno.
 */
int file_replace_end(struct umad_file *file, const struct seccomp_notif *call);

#endif
