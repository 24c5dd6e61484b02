/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The page of a handle: what programs must know to send without a call, and the mailbox in which a
 * thread waits for one answer. See lib/attach/protocol.h (sends, mailboxes).
 *
 * The server writes pages and, except for a counter and the mailbox, never reads them: programs can
 * write there, and what they write into their own mailbox harms only themselves. All functions are
 * called with the fabric's lock held.
 */
#ifndef UMADRIG_SIM_SERVER_PAGE_H
#define UMADRIG_SIM_SERVER_PAGE_H

#include "lib/attach/attach-memory.h"
#include "sim/fabric/fabric.h"

struct server_page {
	struct attach_page *shared;	/* NULL: there was no memory or descriptor for it */
	int fd;				/* its memfd, if there is a page */
	const struct end_port *end;
	uint64_t over_count;		/* sends counted as over */
};

/*
 * Makes the page of a handle on 'end', which outlives it. Without memory there is no page, and all
 * sends are calls.
 */
void server_page_open(struct server_page *page, const struct end_port *end);
/* Marks the handle as closed, and frees the memory. */
void server_page_close(struct server_page *page);
/* Marks the handle as closed, because its device is gone. */
void server_page_set_closed(struct server_page *page);

/*
 * Puts a plain record into the mailbox, if a thread waits there. Earlier records went into the
 * socket; that the mailbox is open says that they have been read. False: the record is to go into
 * the socket.
 */
bool server_page_post(struct server_page *page, const struct attach_record *record);
/* Closes the mailbox, because something has been written into the socket, or it has ended. */
void server_page_written(struct server_page *page);
/*
 * The ring 'serial' has ended, so its process takes nothing out of the mailbox any more. True:
 * '*ret_record' was in it unread, and is to be the next that others read; its 'handle' is not
 * filled in.
 */
bool server_page_take_back(struct server_page *page, uint64_t serial,
			   struct attach_record *ret_record);

/* To be called when its port's M_Key may have changed. */
void server_page_update(struct server_page *page);
/* Sends may soon be refused for want of memory, or not any more. */
void server_page_set_near_limit(struct server_page *page, bool is_near);
/* Sets what may be sent with an agent id. */
void server_page_set_agent(struct server_page *page, uint32_t id, enum attach_agent agent);
/*
 * As kmod_file_write_lent(), with 'loan' NULL for bytes that are copied; 'is_counted': the sender
 * has counted it in the page.
 */
long server_page_send(struct server_page *page, struct kmod_file *file, const uint8_t *umad,
		      size_t size, bool is_counted, struct kmod_loan *loan);
/* A send of this TID (its low half) and class is over. */
void server_page_send_over(struct server_page *page, uint32_t tid_low, uint8_t mgmt_class);

#endif
