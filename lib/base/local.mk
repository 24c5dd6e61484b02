# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# lib/base: what all rooms share: bytes on the wire, the monotonic clock. libc only.
libumad_la_SOURCES += \
	lib/base/monotonic.h \
	lib/base/wire.h
