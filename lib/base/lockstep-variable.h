/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Programs in virtual time: where their session's table is (lib/lockstep/table.h). */
#ifndef UMADRIG_LIB_BASE_LOCKSTEP_VARIABLE_H
#define UMADRIG_LIB_BASE_LOCKSTEP_VARIABLE_H

#define LOCKSTEP_VARIABLE "UMADRIG_LOCKSTEP"

#endif
