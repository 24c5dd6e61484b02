/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which MADs change a fabric that others use.
 *
 * A harness that sends to real ports asks first: what only reads may be sent anywhere, what changes
 * something only where its user has allowed it.
 */
#ifndef UMADRIG_SIM_DICTIONARY_MAD_CHANGE_H
#define UMADRIG_SIM_DICTIONARY_MAD_CHANGE_H

#include <stdint.h>

enum {
	MAD_CHANGE_SIZE = 160,		/* room for the words */
	MAD_CHANGE_OWN_OUI = 0x001405,	/* OpenIB's: its MADs are for test programs alone */
};

/*
 * What the MAD (256 bytes) would change at whatever receives it, as words in 'buf' such as
 * "SubnSet(PortInfo) sets an attribute"; NULL: nothing. That is:
 *
 *	Set		of every class (SMPs; SA: joins and registrations)
 *	Delete		leaves and deregistrations (IBA vol 1, 15.2.2)
 *	Trap		makes an SM sweep; TrapRepress ends another node's trap (13.4.9)
 *	Send		of class BM: a command to a module's hardware (16.2)
 *	any other	that is not known to only read: Report, Send, methods of vendors
 *
 * Get, GetTable, GetTraceTable and GetMulti only read. Responses change nothing, for they have been
 * asked for. Nor does anything of vendor range 2 with MAD_CHANGE_OWN_OUI.
 */
const char *mad_change(const uint8_t *mad, char buf[MAD_CHANGE_SIZE]);

#endif
