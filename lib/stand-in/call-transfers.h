/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls that read and write. This process waits until a copy of the descriptor is ready; then the
 * kernel makes the call in the foreign program, where it does not wait. What depends on the process
 * that makes it, and what may wait in the middle, is made here.
 */
#ifndef UMADRIG_LIB_STAND_IN_CALL_TRANSFERS_H
#define UMADRIG_LIB_STAND_IN_CALL_TRANSFERS_H

long call_transfers_read(void);
long call_transfers_readv(void);
long call_transfers_recv(void);
long call_transfers_recvmsg(void);
long call_transfers_write(void);
long call_transfers_writev(void);
long call_transfers_send(void);
long call_transfers_sendmsg(void);
long call_transfers_recvmmsg(void);
long call_transfers_sendmmsg(void);

#endif
