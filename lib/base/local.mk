# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# lib/base: what all rooms share: bytes on the wire, headers and ioctls of umad files, the
# monotonic clock, attributes of ports, messages with descriptors, their flags, names and tokens of
# handles, pipes in place of issm devices, environments.
# libc only. libbase.la is part of libumad.la and of libformats.la, so that each library and the
# command has a copy of its own, which it does not export.
noinst_LTLIBRARIES += libbase.la
libbase_la_CPPFLAGS = $(libumad_la_CPPFLAGS)
libbase_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
libbase_la_SOURCES = \
	lib/base/descriptor-ioctl.h \
	lib/base/elf-strings.h lib/base/mapping-base.h \
	lib/base/environment-padding.c lib/base/environment-padding.h \
	lib/base/environment-read.c lib/base/environment-read.h \
	lib/base/handle-name.c lib/base/handle-name.h \
	lib/base/handle-token.c lib/base/handle-token.h \
	lib/base/invariant.h \
	lib/base/issm-pipe-open.c lib/base/issm-pipe-open.h \
	lib/base/kernel-ring.h \
	lib/base/lockstep-variable.h \
	lib/base/mix64.h \
	lib/base/monotonic.h \
	lib/base/open-flags.c lib/base/open-flags.h \
	lib/base/port-attr.c lib/base/port-attr.h \
	lib/base/session-date.h \
	lib/base/socket-message.c lib/base/socket-message.h \
	lib/base/sysfs-place.c lib/base/sysfs-place.h \
	lib/base/syslog-action.h \
	lib/base/umad-command.h \
	lib/base/user-header.h \
	lib/base/verbs-values.h \
	lib/base/wire.h \
	lib/base/write-quietly.c lib/base/write-quietly.h
