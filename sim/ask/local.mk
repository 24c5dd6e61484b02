# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/ask: captured requests, sent again.
libformats_la_SOURCES += \
	sim/ask/ask.c sim/ask/ask.h \
	sim/ask/ask-device.h \
	sim/ask/ask-port.c sim/ask/ask-port.h
