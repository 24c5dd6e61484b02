# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/filter: which MADs are meant: header fields by their short names, and filters.
libformats_la_SOURCES += \
	sim/filter/filter-end.c \
	sim/filter/filter-parse.c sim/filter/filter-parser.h \
	sim/filter/filter-scan.c \
	sim/filter/filter-test.c sim/filter/filter-test.h \
	sim/filter/filter-value.c \
	sim/filter/mad-filter.c sim/filter/mad-filter.h \
	sim/filter/term.c sim/filter/term.h
