# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/property: what must hold of a fabric while programs use it.
libsim_la_SOURCES += \
	sim/property/property.c sim/property/property.h \
	sim/property/property-condition.c sim/property/property-condition.h \
	sim/property/property-alive.c \
	sim/property/property-credits.c \
	sim/property/property-log.c \
	sim/property/property-masters.c \
	sim/property/property-memory.c \
	sim/property/property-ports.c \
	sim/property/property-program.c \
	sim/property/property-requests.c
