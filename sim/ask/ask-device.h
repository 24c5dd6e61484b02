/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the port that asks needs of a umad device: a table of functions, for libibumad (real ports
 * and simulated ones, harness/replay/ask-umad.h) and for the umad files of a fabric in this process
 * (sim/api/replay-ask.c).
 */
#ifndef UMADRIG_SIM_ASK_ASK_DEVICE_H
#define UMADRIG_SIM_ASK_ASK_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kmod-stub/packet.h"

struct ask_device;

/* What came for an agent. */
struct ask_received {
	int status;		/* 0: from the wire; ETIMEDOUT and the like: a send comes back */
	uint8_t *mad;		/* the device's until its next call; at least MAD_SIZE bytes */
	size_t size;		/* of the MAD, or of a whole RMPP message */
	uint16_t slid;
	uint8_t sl;
	uint32_t src_qp;
	bool has_grh;
	uint8_t sgid[16];
};

struct ask_agent {
	uint8_t mgmt_class, version, rmpp_version;
	uint32_t oui;		/* of vendor range 2; else 0 */
	bool takes_sends;
};

struct ask_device_ops {
	/*
	 * An agent that takes nothing but answers, and with 'takes_sends' the method Send, which
	 * answers in some classes. Its id, or -errno.
	 */
	int (*add_agent)(struct ask_device *device, const struct ask_agent *agent);
	/*
	 * Sends 'size' bytes to the destination that 'addr' has (LID, GID, QP, Q_Key, SL, P_Key).
	 * 'timeout_ms' 0: no answer is awaited. 0, or -errno.
	 */
	int (*send)(struct ask_device *device, int agent, const struct packet_addr *addr,
		    const uint8_t *mad, size_t size, int timeout_ms);
	/* Waits for the next. 0; -ETIMEDOUT: nothing came; or another -errno. */
	int (*receive)(struct ask_device *device, int timeout_ms, struct ask_received *ret);
	void (*close)(struct ask_device *device);
};

/* What the devices of both kinds begin with. */
struct ask_device {
	const struct ask_device_ops *ops;
	char *name;		/* "mlx5_0/1" */
	uint8_t port_num;
};

#endif
