/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The subnet management interface: what a port does to the hop pointer and paths of a
 * directed-route SMP on its way out and in (IBA vol 1, 14.2.2; linux-mad B.8).
 *
 * 'smp' is a whole MAD of class 0x81. On a switch the wire carries SMPs from port to port itself:
 * SMPs that come up end there, and the wire has written the port of arrival into the return path.
 */
#ifndef UMADRIG_KMOD_STUB_SMI_H
#define UMADRIG_KMOD_STUB_SMI_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/wire.h"

struct kmod_port_attr;

/* Is it on its way back? */
static inline bool smi_is_returning(const uint8_t *smp)
{
	return get_be16(smp + MAD_STATUS) & SMP_DIRECTION;
}

static inline bool smi_slid_is_permissive(const uint8_t *smp)
{
	return get_be16(smp + SMP_DR_SLID) == LID_PERMISSIVE;
}

static inline bool smi_dlid_is_permissive(const uint8_t *smp)
{
	return get_be16(smp + SMP_DR_DLID) == LID_PERMISSIVE;
}

/*
 * Must an outgoing SMP be fixed up (because its first part is directed), or is it sent unchanged?
 */
static inline bool smi_starts_directed(const uint8_t *smp)
{
	return smi_is_returning(smp) ? smi_dlid_is_permissive(smp) : smi_slid_is_permissive(smp);
}

/* Moves the hop pointer of an outgoing SMP. False: it must not be sent. */
bool smi_fix_up_send(const struct kmod_port_attr *attr, uint8_t *smp);

/* Does an SMP that was fixed up end in the node itself, without leaving it? */
static inline bool smi_is_local(const uint8_t *smp)
{
	return smi_is_returning(smp) ? smp[SMP_HOP_PTR] == 0 :
				       smp[SMP_HOP_PTR] == smp[SMP_HOP_CNT] + 1;
}

/* The same for an SMP that came in. False: it does not end here and is dropped. */
bool smi_fix_up_receive(const struct kmod_port_attr *attr, bool has_driver, uint8_t *smp);

#endif
