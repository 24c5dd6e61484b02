/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The ioctl commands of a umad file as numbers, for what cannot use the structs that programs
 * bring along (linux-mad B.1): direction, size of the request, 0x1b, and a serial number.
 */
#ifndef UMADRIG_HARNESS_FILTER_UMAD_COMMAND_H
#define UMADRIG_HARNESS_FILTER_UMAD_COMMAND_H

#define UMAD_COMMAND_REGISTER_AGENT 0xc01c1b01u
#define UMAD_COMMAND_UNREGISTER_AGENT 0x40041b02u
#define UMAD_COMMAND_ENABLE_PKEY 0x00001b03u
#define UMAD_COMMAND_REGISTER_AGENT2 0xc0281b04u

#endif
