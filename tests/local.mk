# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests: those of a room in the folder of its name; scripts end in .sh and print TAP. Here is what
# several folders share.
#
# Test programs link with the build tree's shared libraries by -l, not by their .la files: make
# sees no dependency then, so a change of the simulator links one library and no test again. The
# rule at the end makes the libraries before the first link; tests/fuzz/check-fuzz, which has no
# shared ones, links others.
LINKED_FIRST = libsim-check.la libibumad.la libumadrig.la
UNIT_LDADD = libtrees.la -L. -lsim-check libkmod-stub.la libbase.la $(GLIB_LIBS)
# What replaces functions at link time (--wrap), measures, or calls what headers define inline for
# the simulator alone (sim/time/clock.h) has the simulator inside of itself.
STATIC_LDADD = libtrees.la libsim.la $(GLIB_LIBS)
LIB_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
KMOD_LDADD = libkmod-rig.la $(UNIT_LDADD)
IBUMAD_LDADD = -L. -libumad
UMADRIG_LDADD = libtrees.la -L. -lumadrig -libumad $(GLIB_LIBS)
SERVER_LDADD = libumad.la $(UNIT_LDADD)
SCRIPT_CPPFLAGS = $(AM_CPPFLAGS)
SCRIPT_LDADD = libscript.a $(IBUMAD_LDADD) $(UNIT_LDADD)
WRAP_MEMORY = -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc \
	-Wl,--wrap=reallocarray -Wl,--wrap=strdup -Wl,--wrap=free
noinst_HEADERS = tests/rig/leak.h tests/rig/peak-memory.h tests/rig/send-descriptors.h \
	tests/rig/false-server.h tests/rig/invariant-rig.h tests/rig/system-poll.h
EXTRA_DIST += tests/data/commands.net tests/data/ring.net tests/data/tree.topo \
	tests/data/sample.mad tests/data/two-switches.net tests/data/two.net

check_LTLIBRARIES += libsim-check.la libtrees.la libumad-tree.la libkmod-rig.la
libsim_check_la_SOURCES =
libsim_check_la_LIBADD = libsim.la
libsim_check_la_LDFLAGS = $(LINK_FLAGS) -avoid-version -shared -no-undefined \
	-rpath $(abs_top_builddir)/.libs
libtrees_la_CPPFLAGS = $(AM_CPPFLAGS) -DTOP_SRCDIR='"$(abs_top_srcdir)"' \
	-DTOP_BUILDDIR='"$(abs_top_builddir)"'
libtrees_la_SOURCES = tests/rig/trees.c tests/rig/trees.h
libumad_tree_la_CPPFLAGS = $(LIB_CPPFLAGS)
libumad_tree_la_SOURCES = tests/rig/umad-tree.c tests/rig/umad-tree.h
libkmod_rig_la_SOURCES = tests/rig/kmod-rig.c tests/rig/kmod-rig.h \
	tests/rig/kmod-rmpp-rig.c tests/rig/kmod-rmpp-rig.h

check_PROGRAMS += tests/lost-answer
tests_lost_answer_SOURCES = doc/examples/lost-answer.c
tests_lost_answer_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/sim/api
tests_lost_answer_LDADD = $(IBUMAD_LDADD) -lumadrig

# What runs under sanitizers, whose runtime no preloading allows: everything but shell scripts, of
# which the matrix of segments needs no preloading. Of that every seventh point: each scenario
# and each size is among them, and the whole matrix runs without sanitizers.
MATRIX_EVERY = 7
UNIT_TESTS = tests/harness/scenarios-matrix.sh $(filter-out %.sh,$(TESTS))
check-unit:
	UMADRIG_MATRIX_EVERY=$(MATRIX_EVERY) $(MAKE) check TESTS='$(UNIT_TESTS)'
# How many tests these two have, for ./quickstart test.
count-check:
	@echo $(words $(TESTS))
count-check-unit:
	@echo $(words $(UNIT_TESTS))
# distcheck with a few tests of each kind, the whole suite having run elsewhere; those that say what
# another compilation and static libraries change are here.
SMOKE_TESTS = tests/sim/event-queue tests/sim/door tests/lib/umad-drop-in.sh \
	tests/harness/exec-run.sh tests/harness/install.sh tests/harness/quickstart-install.sh \
	tests/harness/same-bytes.sh
distcheck-smoke:
	XZ_OPT=-0 $(MAKE) distcheck TESTS='$(SMOKE_TESTS)' \
		DISTCHECK_CONFIGURE_FLAGS='--enable-werror --enable-static CFLAGS=-O0'
# What the compiler has to say of all files; test programs are not made.
CHECK_OBJECTS = $(sort $(foreach program,$(check_PROGRAMS:$(EXEEXT)=),\
	$($(subst -,_,$(subst /,_,$(program)))_OBJECTS)))
check-warnings: all-am $(check_LTLIBRARIES)
	$(MAKE) CFLAGS='$(CFLAGS) -fsyntax-only -Wno-unused-command-line-argument' $(CHECK_OBJECTS)
# Seconds of each test that "make check" ran, those of a processor, and its name, slowest first.
check-slowest:
	@$(AWK) '/^# took .* of a processor$$/ { name = FILENAME; sub(/\.log$$/, "", name); \
		printf "%8.1f %8.1f  %s\n", $$3, $$5, name }' $(wildcard $(TEST_LOGS)) /dev/null | \
		sort -k 1,1nr
.PHONY: check-slowest check-unit check-warnings count-check count-check-unit distcheck-smoke

include tests/lib/local.mk
include tests/kmod-stub/local.mk
include tests/sim/local.mk
include tests/harness/local.mk
include tests/python/local.mk
include tests/nightly/local.mk
include tests/swarm/local.mk
include tests/fuzz/local.mk
include tests/stock/local.mk
include tests/upstream/local.mk
include tests/tools/local.mk
include tests/any/local.mk
include tests/rig/local.mk
include tests/bench/local.mk
include tests/distros/local.mk
include tests/kernels/local.mk
include tests/lab/local.mk
include tests/release/local.mk
include tests/static/local.mk
include tests/tidy/local.mk

# make check TESTS="PROGRAM ..." builds these programs alone; scripts may need any of the others.
NEEDED_BY_TESTS = $(if $(filter %.sh %.py %.mad,$(TESTS)),,$(TESTS:=$(EXEEXT)))
AM_MAKEFLAGS = $(if $(filter command,$(origin TESTS)),$(if $(NEEDED_BY_TESTS),\
	check_PROGRAMS='tests/rig/test-run$(EXEEXT) $(NEEDED_BY_TESTS)'))

# With "|" they are there, but are no reason to link again.
$(check_PROGRAMS): | $(LINKED_FIRST)
# No file is made of the script beside it (tests/tidy/tidy of tidy.sh), whichever of them is newer.
%: %.sh
