/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The components of SA attributes, as the bits of a ComponentMask number them (IBA vol 1, 15.2.5).
 */
#ifndef UMADRIG_SIM_DICTIONARY_SA_COMPONENT_H
#define UMADRIG_SIM_DICTIONARY_SA_COMPONENT_H

#include <stddef.h>
#include <stdint.h>

/* Enough for any name of a field, or "component 63". */
#define SA_COMPONENT_NAME_SIZE 64

/*
 * Widths in bits, component 0 first, ended by 0. They follow each other without gaps: reserved
 * fields are components too. Of an attribute that is not known, none; of others perhaps not all.
 */
const uint16_t *sa_component_widths(uint16_t attr_id);

/* Those components that are reserved fields: nobody asks for them (a ComponentMask). */
uint64_t sa_component_reserved(uint16_t attr_id);

/*
 * What component 'number' is called: the name of the field that it is, "reserved", or "component N"
 * where that is not known. At most 'size' bytes with the terminator.
 */
void sa_component_name(uint16_t attr_id, unsigned int number, char *buf, size_t size);

#endif
