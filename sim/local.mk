# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim: fabric, clock, captures. libsim.la holds all of it (and kmod-stub), for unit tests;
# libumadrig.so.0 is the same with an export list. libformats.la has the parts that know of no
# fabric and have no state (MAD dictionary, captures, topology files, lib/base): the umadrig command
# has its own copy of it beside libumadrig.
noinst_LTLIBRARIES += libformats.la libsim.la
libformats_la_LIBADD = libbase.la
libformats_la_SOURCES =
libsim_la_LIBADD = libformats.la libkmod-stub.la $(GLIB_LIBS) $(CAPTURE_LIBS)
libsim_la_SOURCES =
include lib/json/local.mk
include sim/agents/local.mk
include sim/api/local.mk
include sim/ask/local.mk
include sim/capture/local.mk
include sim/console/local.mk
include sim/dictionary/local.mk
include sim/diff/local.mk
include sim/excerpt/local.mk
include sim/fabric/local.mk
include sim/facts/local.mk
include sim/filter/local.mk
include sim/guests/local.mk
include sim/host/local.mk
include sim/kernels/local.mk
include sim/process/local.mk
include sim/programs/local.mk
include sim/property/local.mk
include sim/run/local.mk
include sim/sa/local.mk
include sim/scrub/local.mk
include sim/server/local.mk
include sim/survey/local.mk
include sim/system/local.mk
include sim/time/local.mk
include sim/topology/local.mk

lib_LTLIBRARIES += libumadrig.la
libumadrig_la_SOURCES =
libumadrig_la_LIBADD = libsim.la
libumadrig_la_LDFLAGS = $(LINK_FLAGS) -version-info 0:0:0 -no-undefined \
	-Wl,--version-script=$(srcdir)/sim/api/libumadrig.map
EXTRA_libumadrig_la_DEPENDENCIES = sim/api/libumadrig.map
EXTRA_DIST += sim/api/libumadrig.map
include_HEADERS += sim/api/umadrig.h
pkgconfig_DATA += sim/api/umadrig.pc
