/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The answer of a foreign program's call, by which its thread also takes the signals that have come
 * meanwhile. Their handlers see who sent them: for the kernel that would be this process.
 */
#ifndef UMADRIG_LIB_STAND_IN_FOREIGN_ANSWER_H
#define UMADRIG_LIB_STAND_IN_FOREIGN_ANSWER_H

/* Answers the calling thread's call: 'answer' is one that struct stopped_call has. */
void foreign_answer(long answer);

#endif
