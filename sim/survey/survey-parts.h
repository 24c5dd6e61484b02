/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What a survey consists of. */
#ifndef UMADRIG_SIM_SURVEY_SURVEY_PARTS_H
#define UMADRIG_SIM_SURVEY_SURVEY_PARTS_H

#include "sim/survey/survey.h"

struct survey {
	struct survey_map *map;
	struct survey_facts *facts;
	struct survey_routes *routes;
	struct survey_tables *tables;
	struct survey_counts counts;
};

/* survey_record_fn: 'ctx' is the survey. */
void survey_record(void *ctx, uint16_t attribute, const uint8_t *record);

#endif
