/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A device's health: how hot it is, and firmware that fails. The host's kernel says so, as Linux
 * 6.1's mlx5_core does (sim/fabric/kernel-message.h).
 */
#ifndef UMADRIG_SIM_AGENTS_DEVICE_HEALTH_H
#define UMADRIG_SIM_AGENTS_DEVICE_HEALTH_H

struct node;

enum {
	HEALTH_DEGREES_USUAL = 45,
	HEALTH_DEGREES_HIGH = 105,	/* the device warns from here on */
	HEALTH_DEGREES_LOW = 95,	/* from where it is no longer too high */
	HEALTH_DEGREES_MAX = 200,
};

/* Degrees Celsius, as its registers tell: now, and the highest so far. */
unsigned int device_degrees(const struct node *node);
unsigned int device_degrees_highest(const struct node *node);

/* Up to HEALTH_DEGREES_MAX. The device warns once each time that it becomes too hot. Lock held. */
void device_set_degrees(struct node *node, unsigned int degrees);

/*
 * Its firmware reports an error from which it cannot recover: what the driver prints until it gives
 * up. The caller then removes the device. Lock held.
 */
void device_say_fatal(struct node *node);

#endif
