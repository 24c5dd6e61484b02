/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The date of virtual time: what programs, their logs and captures have at its begin.
 */
#ifndef UMADRIG_LIB_BASE_SESSION_DATE_H
#define UMADRIG_LIB_BASE_SESSION_DATE_H

#include <stdint.h>

/*
 * 2023-11-14 22:13:20 UTC, in seconds since 1970. A fixed instant, because the same run has to give
 * the same bytes; not 1970, because a record of a capture may lie one latency before the begin.
 */
#define SESSION_DATE_S INT64_C(1700000000)
#define SESSION_DATE_TEXT "2023-11-14 22:13:20 UTC"

#endif
