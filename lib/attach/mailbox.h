/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Waiting for one MAD in a handle's mailbox (lib/attach/protocol.h: mailboxes).
 */
#ifndef UMADRIG_LIB_ATTACH_MAILBOX_H
#define UMADRIG_LIB_ATTACH_MAILBOX_H

#include "lib/attach/attach-memory.h"
#include "lib/attach/spin.h"

/* How often the server has written into the handle's socket so far. */
uint32_t attach_mailbox_written(const struct attach_page *page);

/* When it had written so often there was nothing in the socket, as the calling thread has seen. */
void attach_mailbox_saw_empty(uint64_t cookie, uint32_t written);

/*
 * Waits for a record of the handle with that cookie and page, for as long as '*timeout_ms'
 * (negative: without end) but no longer than ATTACH_MAILBOX_MS, by which the time left is less
 * then. 'owner': the ring's serial. 'spin': looks for a moment before it sleeps, where that has
 * proved to find something; NULL: sleeps. 0: '*ret_record' is the next one. -ESTALE: there may be
 * something in the socket (or the thread has yet to see that there is not). -EAGAIN: nothing has
 * come, or the mailbox is another thread's: poll. -EINTR: nothing has come, but a signal.
 * -ERESTART: woken for nothing; the time that is left is not known here.
 */
int attach_mailbox_wait(struct attach_page *page, uint64_t cookie, uint64_t owner,
			struct attach_spin *spin, int *timeout_ms,
			struct attach_record *ret_record);

/*
 * A signal's handler has interrupted the calling thread's wait, and wants MADs itself, or has left
 * it by longjmp(3): the mailbox is nobody's then. True: '*ret_record', of a handle that
 * it names, came by it and is to be put back.
 */
bool attach_mailbox_leave(struct attach_record *ret_record);

#endif
