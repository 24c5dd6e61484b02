/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* umad_str.h: names of classes, methods, attributes and status values. */
#ifndef _UMAD_STR_H
#define _UMAD_STR_H

#include <infiniband/umad.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each returns a constant string, never NULL; there is one for unknown values. */
const char *umad_class_str(uint8_t mgmt_class);
const char *umad_method_str(uint8_t mgmt_class, uint8_t method);
const char *umad_attribute_str(uint8_t mgmt_class, __be16 attr_id);

/* The part of a MAD's status that all classes share: bits 0 to 4. */
const char *umad_common_mad_status_str(__be16 status);
/* The same under the name of its manual page. */
const char *umad_mad_status_str(__be16 status);
/* The part that the SA defines: the high byte. */
const char *umad_sa_mad_status_str(__be16 status);

#ifdef __cplusplus
}
#endif
#endif
