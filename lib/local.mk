# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# lib: libibumad.so.3 (libc only). libumad.la has all of it, for unit tests of its insides.
noinst_LTLIBRARIES += libumad.la
# Plain libc calls only: preload shims replace read(), not __read_chk() (doc/compatibility.md).
libumad_la_CPPFLAGS = -I$(top_srcdir) -I$(top_srcdir)/lib/include -D_GNU_SOURCE \
	-U_FORTIFY_SOURCE -DUMADRIG_LIBRARY='"$(libdir)/libumadrig.so.0"'
libumad_la_LIBADD = libattach.la libbase.la
libumad_la_SOURCES = \
	lib/address.c \
	lib/agent.c \
	lib/backend.c lib/backend.h \
	lib/backend-ib-umad.c \
	lib/backend-list.h \
	lib/backend-release.c \
	lib/backend-sim.c \
	lib/ca-list.c lib/ca-list.h \
	lib/debug.c lib/debug.h \
	lib/device.c \
	lib/dump.c lib/dump.h \
	lib/fail.h \
	lib/handle-table.c lib/handle-table.h \
	lib/io.c \
	lib/mad-tap.c lib/mad-tap.h \
	lib/pairs.c \
	lib/raw-call.c lib/raw-call.h \
	lib/raw-device.c lib/raw-device.h \
	lib/raw-door.h \
	lib/registration-argument.h \
	lib/registration.h \
	lib/select.c lib/select.h \
	lib/strings.c \
	lib/sysfs.c lib/sysfs.h \
	lib/tap-file.c lib/tap-file.h \
	lib/tap-port.c lib/tap-port.h \
	lib/umad-port.c lib/umad-port.h \
	lib/user-memory.c lib/user-memory.h
include lib/attach/local.mk
include lib/base/local.mk
include lib/words/local.mk

# The library, its pkg-config file and its headers are installed where they shadow nothing.
umadlibdir = $(libdir)/umadrig
umadlib_LTLIBRARIES = libibumad.la
libibumad_la_SOURCES =
libibumad_la_LIBADD = libumad.la
# 7:0:4 makes libibumad.so.3.4.0: the usual soname, with four additions to the interface since.
# Never unloaded: a thread that has called a fabric server has something to do at its end.
libibumad_la_LDFLAGS = $(LINK_FLAGS) -version-info 7:0:4 -Wl,-z,nodelete \
	-Wl,--version-script=$(top_srcdir)/lib/libibumad.map
EXTRA_libibumad_la_DEPENDENCIES = $(top_srcdir)/lib/libibumad.map
EXTRA_DIST += lib/libibumad.map

include lib/lockstep/local.mk
include lib/raw/local.mk
include lib/stand-in/local.mk
include lib/guest/local.mk

umadpkgconfigdir = $(libdir)/umadrig/pkgconfig
umadpkgconfig_DATA = lib/libibumad.pc

umadincludedir = $(includedir)/umadrig/infiniband
umadinclude_HEADERS = \
	lib/include/infiniband/umad.h \
	lib/include/infiniband/umad_cm.h \
	lib/include/infiniband/umad_sa.h \
	lib/include/infiniband/umad_sa_mcm.h \
	lib/include/infiniband/umad_sm.h \
	lib/include/infiniband/umad_str.h \
	lib/include/infiniband/umad_types.h
