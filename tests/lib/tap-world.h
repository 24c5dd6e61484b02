/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The tap between libibumad and a kernel (tests/lib/tap-world.c): tested by itself, and a world of
 * tests/lib/umad-kernel.c.
 */
#ifndef UMADRIG_TESTS_LIB_TAP_WORLD_H
#define UMADRIG_TESTS_LIB_TAP_WORLD_H

struct capture;
struct umadrig_fabric;

/* Puts a tap in front of the backend of the tree that has begun. */
void tap_world_begin(void);
/* What went through it, to be freed; nothing of it is damaged. The tap is gone. */
struct capture *tap_world_end(void);

void test_tap(void);
void test_tap_refuses(void);

/* ---- tests/lib/umad-kernel.c ---- */

/* A world with a tap on it; and the end of any, once there is no tap. */
void begin_tapped(struct umadrig_fabric *fabric);
void end(void);

#endif
