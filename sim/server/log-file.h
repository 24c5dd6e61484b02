/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The files of kernel messages that programs in virtual time have open, as of /dev/kmsg: a place
 * among the messages of a host (sim/fabric/kernel-message.h), and a socket that can be read exactly
 * while there is a message. All functions are called with the fabric's lock held.
 */
#ifndef UMADRIG_SIM_SERVER_LOG_FILE_H
#define UMADRIG_SIM_SERVER_LOG_FILE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/fabric/fabric.h"
#include "sim/server/lockstep.h"
#include "sim/server/ready-socket.h"

struct log_files {
	struct server_lockstep *lockstep;
	struct watch_set *watches;
	GPtrArray *all;			/* of struct log_file *, in the order of opening */
};

struct log_file {
	struct ready_socket ready;
	struct log_files *files;
	const struct umadrig_host *host;
	uint64_t next;			/* the message that is read next */
};

/* 'watches' outlives the files; so do the accounts and hosts that they are opened for. */
void log_files_init(struct log_files *files, struct watch_set *watches);
/* Closes all of them. */
void log_files_clear(struct log_files *files);

/*
 * Opens one at the oldest message, which counts as a handle of 'account'; '*ret_fd': the program's
 * end. 0 or -errno.
 */
int log_file_open(struct log_files *files, const struct umadrig_host *host,
		  struct server_account *account, int *ret_fd);
void log_file_close(struct log_file *file);
/* The file of a token, or NULL. */
struct log_file *log_file_find(const struct log_files *files, uint64_t token);

/*
 * The number of the next message, which '*file' goes beyond. -EAGAIN: there is none; -EPIPE: some
 * were forgotten before they could be read, which is told once.
 */
int log_file_take(struct log_file *file, uint64_t *ret_number);
/* The next one is this. */
void log_file_seek(struct log_file *file, uint64_t number);

/* Is none left for it, while its socket still says so? */
bool log_file_is_at_end(const struct log_file *file);

/* Where there are messages, programs can read: to be called before any of them goes on. */
void log_files_look(struct log_files *files);

#endif
