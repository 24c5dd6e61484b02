# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/facts: what is known of a fabric, and what differs between two.
libformats_la_SOURCES += \
	sim/facts/facts.c sim/facts/facts.h \
	sim/facts/facts-cable.c sim/facts/facts-cable.h \
	sim/facts/facts-change.c sim/facts/facts-change.h \
	sim/facts/facts-compare.c sim/facts/facts-compare.h \
	sim/facts/facts-pair.c sim/facts/facts-pair.h \
	sim/facts/facts-part.c sim/facts/facts-part.h \
	sim/facts/facts-tables.c sim/facts/facts-tables.h \
	sim/facts/facts-way.c sim/facts/facts-way.h
