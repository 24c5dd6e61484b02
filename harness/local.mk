# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness: the umadrig command. libscript.a is the scenario language without a world to run in: for
# unit tests and fuzzing too.
bin_PROGRAMS += umadrig
umadrig_SOURCES =
umadrig_LDFLAGS = $(LINK_FLAGS) $(PIE_LDFLAGS)
umadrig_LDADD = libfilter.a libkernel-build.a libumadrig.la libibumad.la libattach.la \
	libscript.a libformats.la libkmod-stub.la $(GLIB_LIBS) $(CAPTURE_LIBS)
noinst_LIBRARIES += libscript.a
libscript_a_SOURCES = harness/script/verb-table.c harness/script/verb-table.h
include harness/base/local.mk
include harness/bridge/local.mk
include harness/capture/local.mk
include harness/cmd/local.mk
include harness/doctor/local.mk
include harness/exec/local.mk
include harness/explore/local.mk
include harness/fields/local.mk
include harness/filter/local.mk
include harness/kernel/local.mk
include harness/replay/local.mk
include harness/record/local.mk
include harness/script/check/local.mk
include harness/script/draft/local.mk
include harness/script/mad/local.mk
include harness/script/parse/local.mk
include harness/script/run/local.mk
include harness/script/tree/local.mk
include harness/script/verb/local.mk
include harness/report/local.mk
include harness/show/local.mk
include harness/world/local.mk
