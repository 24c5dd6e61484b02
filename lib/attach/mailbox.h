/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Waiting for one MAD in a handle's mailbox (lib/attach/protocol.h: mailboxes).
 */
#ifndef UMADRIG_LIB_ATTACH_MAILBOX_H
#define UMADRIG_LIB_ATTACH_MAILBOX_H

#include "lib/attach/attach-memory.h"
#include "lib/attach/spin.h"

/* How often the server has written into the handle's socket. */
uint32_t attach_mailbox_written(const struct attach_page *page);

/* The calling thread found the socket empty, after the server had written into it so often. */
void attach_mailbox_saw_empty(uint64_t token, uint32_t written);

/*
 * Waits for a record of the handle with that token and page, for as long as '*timeout_ms'
 * (negative: without limit) but no longer than ATTACH_MAILBOX_MS; then '*timeout_ms' becomes the
 * time that is left. 'owner': the ring's serial. 'spin': decides whether to look for a moment
 * before it sleeps; NULL: sleeps at once. Returns 0: '*ret_record' is the next one. -ESTALE: there
 * may be something in the socket (or the thread has yet to see that there is not). -EAGAIN: nothing
 * has come, or the mailbox is another thread's: poll. -EINTR: interrupted by a signal, and nothing
 * has come. -ERESTART: woken for nothing; the time that is left is not known here.
 */
int attach_mailbox_wait(struct attach_page *page, uint64_t token, uint64_t owner,
			struct attach_spin *spin, int *timeout_ms,
			struct attach_record *ret_record);

/*
 * The same for some microseconds, in which it looks and does not sleep. -EAGAIN: nothing has come,
 * into the socket neither; or the mailbox is another thread's.
 */
int attach_mailbox_look(struct attach_page *page, uint64_t token, uint64_t owner,
			struct attach_spin *spin, struct attach_record *ret_record);

/*
 * Gives up the mailbox that the calling thread waits at, if any: a signal handler has interrupted
 * the wait and wants MADs itself, or has left it by longjmp(3). True: '*ret_record', which names
 * its handle, was in it and must be put back.
 */
bool attach_mailbox_leave(struct attach_record *ret_record);

#endif
