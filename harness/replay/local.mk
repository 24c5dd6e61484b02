# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/replay: what sends captured MADs through libibumad.
libscript_a_SOURCES += \
	harness/replay/ask-umad.c harness/replay/ask-umad.h \
	harness/replay/timed-send.c harness/replay/timed-send.h
