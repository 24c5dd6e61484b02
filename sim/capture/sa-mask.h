/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a question to the SA asks: the components that its ComponentMask selects.
 */
#ifndef UMADRIG_SIM_CAPTURE_SA_MASK_H
#define UMADRIG_SIM_CAPTURE_SA_MASK_H

#include <stdint.h>

#include "lib/base/wire.h"

#define SA_DATA_SIZE (MAD_SIZE - SA_DATA)

/*
 * Copies the data of an SA MAD (SA_DATA_SIZE bytes) with every component that 'mask' does not
 * select zeroed. Where the components are not known (those of other attributes, and those after the
 * last one listed), all bytes are copied if the mask selects anything there.
 */
void sa_mask_data(uint16_t attr_id, uint64_t mask, const uint8_t *data, uint8_t *ret_data);

#endif
