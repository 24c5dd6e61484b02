# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# lib/attach: the client of a fabric server. libattach.la is part of libumad.la, and of the command
# for calls in its own name. It needs libbase.la, which both have already.
noinst_LTLIBRARIES += libattach.la
libattach_la_CPPFLAGS = $(libumad_la_CPPFLAGS)
libattach_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
libattach_la_SOURCES = \
	lib/attach/attach-device.c lib/attach/attach-device.h \
	lib/attach/attach-handle.c lib/attach/attach-handle.h \
	lib/attach/attach-kernel.c lib/attach/attach-kernel.h \
	lib/attach/attach-memory.h \
	lib/attach/attach-spec.c lib/attach/attach-spec.h \
	lib/attach/backend.c \
	lib/attach/call.c lib/attach/call.h \
	lib/attach/issm-link.c lib/attach/issm-link.h \
	lib/attach/mailbox.c lib/attach/mailbox.h \
	lib/attach/protocol.h \
	lib/attach/receive.c lib/attach/receive.h \
	lib/attach/ring.c lib/attach/ring.h \
	lib/attach/spin.h
