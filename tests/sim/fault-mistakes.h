/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The part of tests/sim/fault that is about rules that are none.
 */
#ifndef UMADRIG_TESTS_SIM_FAULT_MISTAKES_H
#define UMADRIG_TESTS_SIM_FAULT_MISTAKES_H

void test_mistakes(void);
void test_colons(void);
void test_objections(void);

#endif
