/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sendfile, splice, tee and vmsplice. Some wait in the middle, so this process makes them, with
 * copies of both descriptors; lib/lockstep/splices.h has what they do.
 */
#ifndef UMADRIG_LIB_STAND_IN_CALL_SPLICES_H
#define UMADRIG_LIB_STAND_IN_CALL_SPLICES_H

long call_splices_sendfile(void);
long call_splices_splice(void);
long call_splices_tee(void);
long call_splices_vmsplice(void);

#endif
