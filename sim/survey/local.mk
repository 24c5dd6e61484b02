# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/survey: what a capture says of the fabric that it was made in.
libformats_la_SOURCES += \
	sim/survey/node-info.h \
	sim/survey/survey.c sim/survey/survey.h \
	sim/survey/survey-attribute.h \
	sim/survey/survey-facts.c sim/survey/survey-facts.h \
	sim/survey/survey-gap.c sim/survey/survey-gap.h \
	sim/survey/survey-map.c sim/survey/survey-map.h \
	sim/survey/survey-parts.h \
	sim/survey/survey-route.c sim/survey/survey-route.h \
	sim/survey/survey-table.c sim/survey/survey-table.h \
	sim/survey/survey-topology.c
