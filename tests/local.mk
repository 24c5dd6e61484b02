# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests: those of a room in the folder of its name; scripts end in .sh and print TAP. Here is what
# several folders share.
UNIT_LDADD = libsim.la $(GLIB_LIBS)
LIB_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
KMOD_LDADD = libkmod-rig.la $(UNIT_LDADD)
SERVER_LDADD = libumad.la $(UNIT_LDADD)
SCRIPT_CPPFLAGS = $(AM_CPPFLAGS)
SCRIPT_LDADD = libscript.la libibumad.la $(UNIT_LDADD)
WRAP_MEMORY = -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc \
	-Wl,--wrap=reallocarray -Wl,--wrap=strdup -Wl,--wrap=free
noinst_HEADERS = tests/rig/leak.h tests/rig/peak-memory.h tests/rig/send-descriptors.h \
	tests/rig/false-server.h tests/rig/system-poll.h
EXTRA_DIST += tests/data/commands.net tests/data/ring.net tests/data/tree.topo \
	tests/data/sample.mad tests/data/two-switches.net

check_LTLIBRARIES += libumad-tree.la libkmod-rig.la
libumad_tree_la_CPPFLAGS = $(LIB_CPPFLAGS)
libumad_tree_la_SOURCES = tests/rig/umad-tree.c tests/rig/umad-tree.h
libkmod_rig_la_SOURCES = tests/rig/kmod-rig.c tests/rig/kmod-rig.h \
	tests/rig/kmod-rmpp-rig.c tests/rig/kmod-rmpp-rig.h

check_PROGRAMS += tests/lost-answer
tests_lost_answer_SOURCES = doc/examples/lost-answer.c
tests_lost_answer_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/sim/api
tests_lost_answer_LDADD = libibumad.la libumadrig.la
tests_lost_answer_LDFLAGS = $(AM_LDFLAGS) -no-install

# What runs under sanitizers, whose runtime no preloading allows: everything but shell scripts, of
# which the matrix of segments needs no preloading.
check-unit:
	$(MAKE) check TESTS='tests/harness/scenarios-matrix.sh $(filter-out %.sh,$(TESTS))'
# distcheck with a few tests of each kind, the whole suite having run elsewhere.
SMOKE_TESTS = tests/sim/event-queue tests/sim/door tests/harness/exec-run.sh \
	tests/harness/install.sh tests/harness/quickstart-install.sh
distcheck-smoke:
	$(MAKE) distcheck TESTS='$(SMOKE_TESTS)'
.PHONY: check-unit distcheck-smoke

include tests/lib/local.mk
include tests/kmod-stub/local.mk
include tests/sim/local.mk
include tests/harness/local.mk
include tests/python/local.mk
include tests/swarm/local.mk
include tests/fuzz/local.mk
include tests/stock/local.mk
include tests/upstream/local.mk
include tests/tools/local.mk
include tests/any/local.mk
include tests/rig/local.mk
include tests/bench/local.mk
include tests/distros/local.mk
include tests/lab/local.mk
include tests/tidy/local.mk
