# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/bridge: a fabric server for programs of another machine.
umadrig_SOURCES += \
	harness/bridge/bridge.h \
	harness/bridge/far.c \
	harness/bridge/frame.c \
	harness/bridge/near-handle.c harness/bridge/near-handle.h \
	harness/bridge/near-issm.c harness/bridge/near-issm.h \
	harness/bridge/near.c \
	harness/bridge/socket.c
