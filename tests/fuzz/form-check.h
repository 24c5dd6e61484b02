/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What is true of outputs of a form, whatever they are of. Each ends the process where it is not.
 */
#ifndef UMADRIG_TESTS_FUZZ_FORM_CHECK_H
#define UMADRIG_TESTS_FUZZ_FORM_CHECK_H

#include <stddef.h>

/* 'text' has a NUL behind its 'size' bytes. */

/* Whole lines without control characters. */
void form_check_text(const char *text, size_t size);
/* The same, and each line is an object of JSON. */
void form_check_json(const char *text, size_t size);
/* XML: all that begins ends. */
void form_check_xml(const char *text, size_t size);

#endif
