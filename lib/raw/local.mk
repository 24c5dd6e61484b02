# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# lib/raw: libumadraw.so, which umadrig exec preloads beside libibumad: read(2), write(2) and
# ioctl(2) on handles. Without sanitizers: it runs before theirs do.
umadlib_LTLIBRARIES += libumadraw.la
libumadraw_la_CPPFLAGS = $(libumad_la_CPPFLAGS)
libumadraw_la_CFLAGS = -std=gnu11 $(BIND_CFLAGS) $(WARN_CFLAGS) $(HARDEN_CFLAGS)
libumadraw_la_LDFLAGS = $(HARDEN_LDFLAGS) -module -avoid-version -shared -Wl,-z,nodelete \
	-Wl,--version-script=$(top_srcdir)/lib/raw/libumadraw.map
EXTRA_libumadraw_la_DEPENDENCIES = $(top_srcdir)/lib/raw/libumadraw.map
EXTRA_DIST += lib/raw/libumadraw.map
libumadraw_la_SOURCES = \
	lib/base/handle-name.c lib/base/handle-name.h \
	lib/base/issm-pipe-open.c lib/base/issm-pipe-open.h \
	lib/base/kernel-ring.h lib/base/lockstep-variable.h \
	lib/base/open-flags.c lib/base/open-flags.h \
	lib/base/sysfs-place.c lib/base/sysfs-place.h \
	lib/base/syslog-action.h \
	lib/raw-door.h \
	lib/raw/copy.c \
	lib/raw/descriptor.c lib/raw/descriptor.h \
	lib/raw/epoll.c \
	lib/raw/issm-device.c lib/raw/issm-device.h \
	lib/raw/kmsg-device.c lib/raw/kmsg-device.h \
	lib/raw/netlink-exchange.h \
	lib/raw/netlink-receive.c \
	lib/raw/netlink-socket.c lib/raw/netlink-socket.h \
	lib/raw/next.c \
	lib/raw/no-message.c \
	lib/raw/no-socket.c \
	lib/raw/poll.c \
	lib/raw/raw.h \
	lib/raw/sysfs-call.c \
	lib/raw/sysfs-path.c lib/raw/sysfs-path.h \
	lib/raw/transfer.c \
	lib/raw/umad-device.c lib/raw/umad-device.h \
	lib/raw/uninterrupted.c \
	lib/raw/virtual-wait.c lib/raw/virtual-wait.h \
	lib/user-memory.c lib/user-memory.h \
	lib/words/number.c lib/words/number.h
