/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Verbs devices of programs: what open(2) of /dev/infiniband/uverbsN gives them, and the files of
 * events that they make with it.
 *
 * A device is the reading end of a pipe at a high number, of which nothing is ever read: its calls
 * are trapped (harness/filter/uverbs-write.c, uverbs-ioctl.c), and a copy that no trap sees cannot
 * write. A file of events is one end of a pair of sockets, into whose other end the supervisor puts
 * each event as read(2) of Linux's ib_uverbs returns it; waiting and polling are the kernel's.
 *
 * Only what asks is answered: a program learns of devices, ports and events, but can make nothing
 * that would move data.
 */
#ifndef UMADRIG_HARNESS_FILTER_UVERBS_FILE_H
#define UMADRIG_HARNESS_FILTER_UVERBS_FILE_H

#include <stdbool.h>
#include <sys/types.h>

#include "harness/filter/view-file.h"
#include "lib/backend.h"
#include "lib/base/verbs-values.h"

struct host_view;
struct uverbs_files;

enum { UVERBS_DOMAINS = 64 };		/* of a device that is open */

struct uverbs_file {
	struct view_file common;
	bool is_events;
	bool is_cm;			/* rdma_cm: each command is refused */
	bool may_write;			/* access mode of open(2) */
	bool has_context;		/* GET_CONTEXT was done */
	bool is_dead;			/* the device has gone */
	char device[UMAD_BACKEND_NAME_SIZE];
	unsigned int number;		/* N of uverbsN */
	const struct uverbs_file *parent;	/* of events: the device */
	uint64_t domains;		/* bit n: protection domain n is there */
	/* Of events: what the program knows of each port, from 1 on. */
	struct verbs_port *ports;
	unsigned int port_count;
};

struct uverbs_files *uverbs_files_new(struct supervisor *supervisor);
/* NULL is allowed. */
void uverbs_files_free(struct uverbs_files *files);

/* As file_open() (harness/filter/file-table.h), of uverbs'number', which is 'device'. */
long uverbs_file_open(struct supervisor *supervisor, const struct seccomp_notif *call,
		      struct host_view *view, const char *device, unsigned int number, int flags);

/* The same of rdma_cm, which is of no device. */
long uverbs_file_open_cm(struct supervisor *supervisor, const struct seccomp_notif *call,
			 struct host_view *view, int flags);

/* As view_file_find() (harness/filter/view-file.h). */
struct uverbs_file *uverbs_file_find(struct supervisor *supervisor, pid_t tid, int fd);

/* ---- for its commands ---- */

/*
 * The supervisor's end of a new file of events, which is the device's from now on; '*ret_end': the
 * program's, the caller's. NULL with errno.
 */
struct uverbs_file *uverbs_file_new_events(struct uverbs_file *device, int *ret_end);

/* Says once for which command of what program there is no answer, and why. */
void uverbs_file_refuse(struct uverbs_file *file, pid_t tid, const char *command);

#endif
