/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Dumps of headers, for umad_dump() and for debug level 2. */
#ifndef UMADRIG_LIB_DUMP_H
#define UMADRIG_LIB_DUMP_H

#include <infiniband/umad.h>

void umad_dump_header(const struct ib_user_mad *umad);

#endif
