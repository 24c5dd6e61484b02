/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The tap: every MAD that this process sends to and receives from real devices, appended to a
 * capture, as the packet that it was or is to become.
 *
 * The capture is a pcap file with ERF records (link type 197) that is there already, with its
 * header: UMAD_TAP names it, and umadrig record makes it. Each MAD is one write(2) in append mode,
 * so that threads, and the processes below one command, share a file. A MAD that is sent has the
 * time before the call, so that records may be a little out of order: umadrig record puts them in
 * order at the end. The tap never waits for another thread or process, allocates nothing on the way
 * of a MAD and changes no result. Where it cannot write (lib/tap-file.h) it ends, and says so.
 *
 * The kernel tells a program less than there is on the wire. Made up are: the sender's own LID and
 * GID (those of the port, a second old at most), P_Key 0xffff, SL of packets received without one,
 * sequence numbers; the ICRC is zero. The kernel's own traffic is not seen: RMPP's ACKs,
 * retransmissions, answers of its agents. RMPP messages are cut into segments again. The upper half
 * of the TIDs by which the kernel tells its agents apart is zero. A file that this process did not
 * open through umad_open_port() has a LID and a GID if another file of its port has been opened so.
 */
#ifndef UMADRIG_LIB_MAD_TAP_H
#define UMADRIG_LIB_MAD_TAP_H

#include <stddef.h>

#include "lib/backend.h"

/*
 * The ib_umad backend with a tap into 'path'. NULL with a message (at most 'reterr_size' bytes) if
 * 'path' is not such a file. There is one tap in a process: another path takes the
 * place of the first.
 */
const struct umad_backend *umad_tap(const char *path, char *reterr, size_t reterr_size);

/* Ends the tap: for tests. */
void umad_tap_close(void);

#endif
