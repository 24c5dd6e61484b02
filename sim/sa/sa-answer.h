/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * From a request to the message that answers it (IBA vol 1, 15.4).
 */
#ifndef UMADRIG_SIM_SA_SA_ANSWER_H
#define UMADRIG_SIM_SA_SA_ANSWER_H

#include <glib.h>
#include <stdint.h>

#include "sim/sa/sa-request.h"

/* The SM_Key of a trusted request; 0 is that of any other (15.4.2). It is OpenSM's. */
#define SA_SM_KEY_TRUSTED UINT64_C(1)

/*
 * Carries out 'request', whose MAD 'mad' has 'size' bytes, at least MAD_SIZE, and makes the answer:
 * the header of subnet administration, then the records, with RMPP's Active flag if it is a table.
 * From 'request', 'subnet', 'from' and 'header' are read; the rest is filled in. NULL: there
 * is no answer. To be freed with g_byte_array_unref().
 */
GByteArray *sa_answer(struct sa_request *request, const uint8_t *mad, size_t size);

/* The answer that says SA_NO_RESOURCES in place of 'answer', which is changed. */
void sa_answer_refuse(GByteArray *answer);

#endif
