# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/replay: captured requests, sent again.
libscript_la_SOURCES += \
	harness/replay/ask.c harness/replay/ask.h \
	harness/replay/ask-port.c harness/replay/ask-port.h
