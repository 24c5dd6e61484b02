/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The subnet management interface: what a port does to the hop pointer and paths of a
 * directed-route SMP on its way out and in (IBA vol 1, 14.2.2; linux-mad B.8).
 *
 * 'smp' is a whole MAD of class 0x81. On a switch the wire carries SMPs from port to port itself:
 * what comes up ends there, and the wire has written the port of arrival into the return path.
 */
#ifndef UMADRIG_KMOD_STUB_SMI_H
#define UMADRIG_KMOD_STUB_SMI_H

#include <stdbool.h>
#include <stdint.h>

struct kmod_port_attr;

/* Must an SMP that goes out be fixed up (its first part is directed), or does it go as it is? */
bool smi_starts_directed(const uint8_t *smp);

/* Moves the hop pointer of an SMP that goes out. False: it must not go. */
bool smi_fix_up_send(const struct kmod_port_attr *attr, uint8_t *smp);

/* Does an SMP that was fixed up end in the node itself, without leaving it? */
bool smi_is_local(const uint8_t *smp);

/* The same for an SMP that came in. False: it does not end here and is dropped. */
bool smi_fix_up_receive(const struct kmod_port_attr *attr, uint8_t *smp);

#endif
