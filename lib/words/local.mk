# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# lib/words: what people write: numbers, times, rates, percentages, sizes, schedules, places, lists.
# libc only.
libbase_la_SOURCES += \
	lib/words/decimal.c lib/words/decimal.h \
	lib/words/duration.c lib/words/duration.h \
	lib/words/list.c lib/words/list.h \
	lib/words/node-place.c lib/words/node-place.h \
	lib/words/number.c lib/words/number.h \
	lib/words/percent.c lib/words/percent.h \
	lib/words/rate.c lib/words/rate.h \
	lib/words/schedule.c lib/words/schedule.h \
	lib/words/schedule-switch.c lib/words/schedule-switch.h \
	lib/words/size.c lib/words/size.h
