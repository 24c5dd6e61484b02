/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The page of a handle: what programs must know to send without a call, and the mailbox in which a
 * thread waits for one answer. See lib/attach/protocol.h (sends, mailboxes).
 *
 * What is in a page is written here and, but for a counter and the mailbox, never read: programs
 * can write there, and whatever they write into their own mailbox harms only themselves. All with
 * the fabric's lock held.
 */
#ifndef UMADRIG_SIM_SERVER_PAGE_H
#define UMADRIG_SIM_SERVER_PAGE_H

#include "lib/attach/attach-memory.h"
#include "sim/fabric/fabric.h"

struct server_page {
	struct attach_page *shared;	/* NULL: there was no memory, or descriptor, for one */
	int fd;				/* its memfd, where there is one */
	const struct end_port *end;
	uint64_t over_count;		/* sends that were counted as over */
};

/* The page of a handle on 'end', which outlives it. Without memory there is none, and all sends are
 * calls. */
void server_page_open(struct server_page *page, const struct end_port *end);
/* Says that the handle is closed, and gives the memory back. */
void server_page_close(struct server_page *page);
/* The device is gone. */
void server_page_set_closed(struct server_page *page);

/*
 * Puts a plain record into the mailbox, if a thread waits there. What was to be read before is in
 * the socket, and has been read: an open mailbox says so. False: it goes into the socket.
 */
bool server_page_post(struct server_page *page, const struct attach_record *record);
/* Something has been written into the socket, or it has ended: closes the mailbox. */
void server_page_written(struct server_page *page);
/*
 * The ring 'serial' has ended, so its process takes nothing out of the mailbox any more. True:
 * '*ret_record' was there unread, and is the next to be read by others; its handle is not filled
 * in.
 */
bool server_page_take_back(struct server_page *page, uint64_t serial,
			   struct attach_record *ret_record);

/* Its port's M_Key may have changed. */
void server_page_update(struct server_page *page);
/* What may be sent with an agent id. */
void server_page_set_agent(struct server_page *page, uint32_t id, enum attach_agent agent);
/* As kmod_file_write(); 'is_counted': the sender has counted it in the page. */
long server_page_send(struct server_page *page, struct kmod_file *file, const uint8_t *umad,
		      size_t size, bool is_counted);
/* A send of this TID (its low half) and class is over. */
void server_page_send_over(struct server_page *page, uint32_t tid_low, uint8_t mgmt_class);

#endif
