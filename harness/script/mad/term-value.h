/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Where a named field is in an instance of a MAD, and what its value is: shared by building
 * (harness/script/mad/build.c) and comparing (harness/script/mad/compare.c).
 */
#ifndef UMADRIG_HARNESS_SCRIPT_MAD_TERM_VALUE_H
#define UMADRIG_HARNESS_SCRIPT_MAD_TERM_VALUE_H

#include "harness/script/mad/pattern.h"

/* First bit of a term that lies in the MAD. */
unsigned int term_bit(const struct mad_pattern *pattern, const struct mad_term *term);

/*
 * Reads or sets its value there; the term has at most 64 bits. For roles and data it reads 0, and
 * sets nothing.
 */
uint64_t term_get(const struct mad_pattern *pattern, const struct mad_term *term,
		  const struct mad_instance *instance);
void term_set(const struct mad_pattern *pattern, const struct mad_term *term,
	      struct mad_instance *instance, uint64_t value);

/* The bytes of a term that is wider than 64 bits, inside 'instance'. */
uint8_t *term_bytes(const struct mad_pattern *pattern, const struct mad_term *term,
		    struct mad_instance *instance);

/*
 * The term's value. 'ret_known': which bits of the number are known. On failure returns false, and
 * a message in 'reterr' (may be NULL).
 */
bool term_number(const struct mad_term *term, const struct mad_env *env, uint64_t *ret,
		 uint64_t *ret_known, GString *reterr);

/*
 * The value of a wide term, zero-padded; 'ret' has the term's width. False: it has no value here.
 */
bool term_wide(const struct mad_term *term, const struct mad_env *env, uint8_t *ret);

/*
 * Bits to be added to the term's number. A MAD with rmpp= is Active (IBA vol 1, 13.6.2.1) without
 * its flags saying so; a script that wants otherwise sets bytes[26]=.
 */
uint64_t term_implied(const struct mad_pattern *pattern, const struct mad_term *term);

/*
 * The part of the data named by 'term' that a segment of class 'mgmt_class' carries. If there is no
 * such part, returns false, and a message in 'reterr' (may be NULL).
 */
bool term_piece(const struct mad_term *term, const struct mad_env *env, uint8_t mgmt_class,
		const uint8_t **ret_bytes, size_t *ret_size, GString *reterr);

/* Binds everything that the pattern captures. */
void terms_capture(const struct mad_pattern *pattern, const struct mad_env *env,
		   const struct mad_instance *instance);

#endif
