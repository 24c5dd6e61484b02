/*
 * Sends to a fabric server that need no reply (attach-protocol.h: sends).
 */
#ifndef UMADRIG_ATTACH_RING_H
#define UMADRIG_ATTACH_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Sends 'size' bytes of umad message through the handle of a cookie, if write(2) of a umad file
 * would certainly take them: 'size' then. 0: that is not certain, or there is no room; the caller
 * makes a call of it. From any thread, also from a signal handler in another call of this.
 */
long attach_ring_send(uint64_t cookie, const uint8_t *umad, size_t size);

/*
 * The caller is about to wait for a MAD (it adds one to 'attach_ring_waiting' first, and takes it
 * away again), or found none: what has been put is to be sent now. Is the server on another CPU, so
 * that it may answer while the caller goes on looking?
 */
bool attach_ring_flush(void);
extern _Atomic uint32_t attach_ring_waiting;

/* A handle is closed: what is remembered of it goes. */
void attach_ring_forget(uint64_t cookie);

/*
 * A port is opened, or has come to its end: is the ring's server still there? There may be another
 * one by now. And are the ring's descriptors what they were? A program that closes all it finds has
 * closed them, too. A new ring is made with the next send then.
 */
void attach_ring_check(void);

#endif
