/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Answers of subnet administration, record by record, whether they fit in one MAD or come in the
 * segments of an RMPP transfer, in any order and more than once.
 */
#ifndef UMADRIG_SIM_SURVEY_SURVEY_TABLE_H
#define UMADRIG_SIM_SURVEY_SURVEY_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "sim/capture/capture.h"

/* A record of 'attribute' (its number), of at least the size that the dictionary says. */
typedef void survey_record_fn(void *ctx, uint16_t attribute, const uint8_t *record);

struct survey_tables;

struct survey_tables *survey_tables_new(survey_record_fn *fn, void *ctx);
/* NULL is allowed. What is not complete is dropped. */
void survey_tables_free(struct survey_tables *tables);

/* An answer without an error, or a segment of one. Records are handed out when all are there. */
void survey_table_take(struct survey_tables *tables, const struct capture_mad *mad);

/* Nothing more will come: hands out the records that are whole of the tables that are not. */
void survey_tables_finish(struct survey_tables *tables);

/* Tables of which segments were missing. */
unsigned int survey_tables_incomplete(const struct survey_tables *tables);

#endif
