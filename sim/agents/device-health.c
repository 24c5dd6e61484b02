/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Health of devices: see sim/agents/device-health.h.
 *
 * mlx5_core has the function, the line and the process in front of its warnings and errors. The
 * lines are those of Debian's 6.1; a timer finds the error, and a worker of the kernel recovers.
 */
#include "sim/agents/device-health.h"

#include <glib.h>

#include "sim/agents/device-chip.h"
#include "sim/agents/register-parts.h"
#include "sim/fabric/kernel-message.h"
#include "sim/fabric/node.h"

enum {
	SENSOR_FIRMWARE = 5,		/* what has told of the error */
	SYNDROME_FIRMWARE = 1,
	ASSERT_VARIABLES = 6,
	WORKER = 7,			/* the process of a kernel's worker */
};

unsigned int device_degrees(const struct node *node)
{
	return node->degrees ? node->degrees : HEALTH_DEGREES_USUAL;
}

unsigned int device_degrees_highest(const struct node *node)
{
	return MAX(node->degrees_highest, HEALTH_DEGREES_USUAL);
}

void device_set_degrees(struct node *node, unsigned int degrees)
{
	node->degrees = (uint8_t)degrees;
	node->degrees_highest = MAX(node->degrees_highest, node->degrees);
	if (degrees < HEALTH_DEGREES_LOW)
		node->is_hot = false;
	if (degrees < HEALTH_DEGREES_HIGH || node->is_hot)
		return;
	node->is_hot = true;
	kernel_say(node, KERNEL_WARNING,
		   "temp_warn:173:(pid 0): High temperature on sensors with bit set 0 1");
}

/* What the firmware has written of its state, with the line that prints it. */
static void say_state(struct node *node)
{
	const struct device_chip *chip = device_chip_find(node);
	uint32_t version[3];

#define SAY(line, format, ...) \
	kernel_say(node, KERNEL_ERR, "print_health_info:" #line ":(pid 0): " format, ##__VA_ARGS__)
	register_firmware_version(version);
	SAY(441, "Health issue observed, firmware internal error, severity(3) ERROR:");
	for (unsigned int i = 0; i < ASSERT_VARIABLES; i++)
		SAY(445, "assert_var[%u] 0x%08x", i, 0);
	SAY(448, "assert_exit_ptr 0x%08x", 0);
	SAY(449, "assert_callra 0x%08x", 0);
	SAY(450, "fw_ver %u.%u.%u", version[0], version[1], version[2]);
	SAY(452, "time %u", 0);
	SAY(453, "hw_id 0x%08x", chip ? chip->hw_id : 0);
	SAY(454, "rfr %d", 1);
	SAY(455, "severity %d (%s)", KERNEL_ERR, "ERROR");
	SAY(456, "irisc_index %d", 0);
	SAY(457, "synd 0x%x: %s", SYNDROME_FIRMWARE, "firmware internal error");
	SAY(459, "ext_synd 0x%04x", 0);
	SAY(460, "raw fw_ver 0x%08x", version[0] << 24 | version[1] << 16 | version[2]);
#undef SAY
}

void device_say_fatal(struct node *node)
{
	kernel_say(node, KERNEL_ERR, "poll_health:836:(pid 0): Fatal error %d detected",
		   SENSOR_FIRMWARE);
	say_state(node);
	kernel_say(node, KERNEL_WARNING,
		   "mlx5_health_try_recover:347:(pid %d): handling bad device here", WORKER);
	kernel_say(node, KERNEL_ERR,
		   "mlx5_health_try_recover:353:(pid %d): starting health recovery flow", WORKER);
	kernel_say(node, KERNEL_ERR,
		   "mlx5_health_try_recover:355:(pid %d): health recovery failed", WORKER);
}
