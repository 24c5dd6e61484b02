/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The table of the dictionary's names and Wireshark's, for sim/dictionary/wireshark.c.
 */
#ifndef UMADRIG_SIM_DICTIONARY_WIRESHARK_NAMES_H
#define UMADRIG_SIM_DICTIONARY_WIRESHARK_NAMES_H

#include <stdbool.h>
#include <stdint.h>

struct wireshark_name {
	const char *field;	/* the dictionary's; NULL: the end */
	const char *name;	/* Wireshark's, with "infiniband." before it */
	bool numbered;		/* "GUID" is GUID0, GUID1, ...: from 'first' on, each 'step'-th */
	uint8_t first, step;
	uint16_t entry;		/* bits of an entry, of which the field is a table; 0: it is none */
	uint16_t bit, width;	/* the part of the field or entry; width 0: all of it */
	const char *wrong;	/* see struct wireshark_span */
};

/* What an attribute has: up to three tables, ended by NULL. NULL: Wireshark shows bytes only. */
const struct wireshark_name *const *wireshark_names_of_attribute(uint8_t mgmt_class,
								 uint16_t attr_id);
/* The table of a header, or NULL; that of all details of notices. */
const struct wireshark_name *wireshark_names_of_header(const char *header);
const struct wireshark_name *wireshark_names_of_notices(void);

#endif
