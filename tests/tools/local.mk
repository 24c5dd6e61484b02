# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/tools: programs under test, and tools for tests.
check_LTLIBRARIES += tests/tools/verbs-stand-in.la
check_PROGRAMS += tests/tools/every-mad tests/tools/exec-probe tests/tools/fabric-walk \
	tests/tools/deny tests/tools/filter-here tests/tools/gid-ask tests/tools/slip \
	tests/tools/issm-calls tests/tools/own-fabric \
	tests/tools/odd-client tests/tools/raw-calls tests/tools/replay-ask tests/tools/sa-ask \
	tests/tools/sa-member \
	tests/tools/srp-target tests/tools/topology-print
check_PROGRAMS += tests/tools/flood tests/tools/scrub-leaks
check_PROGRAMS += tests/tools/lockstep-calls tests/tools/lockstep-glib \
	tests/tools/lockstep-left tests/tools/lockstep-stuck tests/tools/lockstep-user \
	tests/tools/addresses
EXTRA_DIST += tests/tools/agree-tshark tests/tools/site-in-browser \
	tests/tools/coverage tests/tools/coverage.awk tests/tools/coverage-branches \
	tests/tools/coverage-branches.awk tests/tools/coverage-left

# For tests that print when something was: PATH=$top_builddir/tests/tools/exact:$PATH
check_PROGRAMS += tests/tools/exact/sleep
tests_tools_exact_sleep_LDADD = -lm

check_PROGRAMS += tests/tools/interrupted
tests_tools_interrupted_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_tools_interrupted_LDADD =

check_PROGRAMS += tests/tools/frame-relay
tests_tools_frame_relay_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_tools_frame_relay_LDADD =

check_PROGRAMS += tests/tools/planted
tests_tools_planted_LDADD = $(IBUMAD_LDADD) libbase.la
tests_tools_planted_LDFLAGS = $(AM_LDFLAGS) -pthread

tests_tools_topology_print_LDADD = $(UNIT_LDADD)
tests_tools_every_mad_LDADD = $(UNIT_LDADD)
tests_tools_scrub_leaks_LDADD = $(GLIB_LIBS)
tests_tools_lockstep_calls_SOURCES = tests/tools/lockstep-calls.c tests/tools/lockstep-calls.h \
	tests/tools/bare-call.h \
	tests/tools/lockstep-calls-file-times.c tests/tools/lockstep-calls-files.c \
	tests/tools/lockstep-calls-locks.c tests/tools/lockstep-calls-looks.c \
	tests/tools/lockstep-calls-machine.c tests/tools/lockstep-calls-notices.c \
	tests/tools/lockstep-calls-numbers.c tests/tools/lockstep-calls-queues.c \
	tests/tools/lockstep-calls-messages.c tests/tools/lockstep-calls-ports.c \
	tests/tools/lockstep-calls-proc.c tests/tools/lockstep-calls-processes.c \
	tests/tools/lockstep-calls-refusals.c \
	tests/tools/lockstep-calls-senders.c \
	tests/tools/lockstep-calls-shared.c tests/tools/lockstep-calls-signals.c \
	tests/tools/lockstep-calls-sockets.c tests/tools/lockstep-calls-splices.c \
	tests/tools/lockstep-calls-tcp.c tests/tools/lockstep-calls-terminals.c \
	tests/tools/lockstep-calls-threads.c \
	tests/tools/lockstep-calls-time.c tests/tools/lockstep-calls-timers.c
tests_tools_lockstep_calls_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_tools_lockstep_calls_LDADD =
tests_tools_lockstep_glib_LDADD = $(GLIB_LIBS)
# ld.so finds its functions when they are called, as it does for most programs.
tests_tools_lockstep_left_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_tools_lockstep_left_LDFLAGS = $(AM_LDFLAGS) -Wl,-z,lazy
tests_tools_lockstep_left_LDADD =
tests_tools_lockstep_stuck_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_tools_lockstep_stuck_LDADD =
tests_tools_lockstep_user_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_tools_lockstep_user_LDADD =
tests_tools_deny_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_tools_deny_LDADD =
tests_tools_filter_here_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_tools_filter_here_LDADD =
tests_tools_slip_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_tools_slip_LDADD =
tests_tools_srp_target_LDADD = $(IBUMAD_LDADD)
tests_tools_verbs_stand_in_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -rpath \
	$(abs_builddir)
tests_tools_flood_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_tools_flood_LDADD = $(IBUMAD_LDADD)
tests_tools_own_fabric_LDADD = $(UMADRIG_LDADD)
tests_tools_gid_ask_LDADD = $(IBUMAD_LDADD)
tests_tools_replay_ask_LDADD = $(IBUMAD_LDADD)
tests_tools_exec_probe_LDADD = $(IBUMAD_LDADD)
tests_tools_fabric_walk_SOURCES = tests/tools/fabric-walk.c tests/tools/walk.c tests/tools/walk.h \
	tests/tools/walk-check.c \
	tests/tools/walk-records.c
tests_tools_fabric_walk_LDADD = $(IBUMAD_LDADD) $(GLIB_LIBS)
tests_tools_issm_calls_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_tools_issm_calls_LDADD = $(IBUMAD_LDADD) libbase.la
tests_tools_raw_calls_SOURCES = tests/tools/raw-calls.c tests/tools/raw-calls-waits.c \
	tests/tools/raw-calls.h
tests_tools_raw_calls_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_tools_raw_calls_LDADD = $(IBUMAD_LDADD)
tests_tools_sa_ask_LDADD = $(IBUMAD_LDADD) $(GLIB_LIBS)
tests_tools_sa_member_LDADD = $(IBUMAD_LDADD)
tests_tools_odd_client_LDADD = $(IBUMAD_LDADD)

# Branches of kmod-stub/ that its tests take, from a separate build below this one.
COVERAGE_TESTS = $(filter tests/kmod-stub/% tests/fuzz/replay-kmod,$(TESTS)) $(SCENARIOS)
coverage-branches:
	$(MKDIR_P) coverage
	srcdir=`cd $(srcdir) && pwd`; cd coverage && \
		$(SHELL) $$srcdir/tests/tools/coverage-branches $$srcdir $(COVERAGE_TESTS)
# Lines and branches of everything that 'make check' covers, in the same build.
coverage:
	$(MKDIR_P) coverage
	srcdir=`cd $(srcdir) && pwd`; cd coverage && \
		$(SHELL) $$srcdir/tests/tools/coverage $$srcdir $(TESTS)
.PHONY: coverage coverage-branches
check_PROGRAMS += tests/tools/keyword-list
tests_tools_keyword_list_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_tools_keyword_list_LDADD = $(SCRIPT_LDADD)
check_PROGRAMS += tests/tools/word-tables
EXTRA_DIST += tests/tools/port-pickers
EXTRA_DIST += tests/tools/bash-complete tests/tools/bash-types tests/tools/grammar-check
EXTRA_DIST += tests/tools/zsh-complete
tests_tools_word_tables_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_tools_word_tables_LDADD = $(SCRIPT_LDADD)

check_PROGRAMS += tests/tools/script-parse
tests_tools_script_parse_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_tools_script_parse_LDADD = $(SCRIPT_LDADD)
# Built by tests/harness/lockstep-filter.sh.
EXTRA_DIST += tests/tools/lockstep-loads.c tests/tools/lockstep-openmp.c
# Built by tests/harness/lockstep-foreign.sh, in each way.
EXTRA_DIST += tests/tools/lockstep-foreign.c tests/tools/lockstep-foreign-shared.c \
	tests/tools/lockstep-foreign-children.c tests/tools/lockstep-foreign-signals.c \
	tests/tools/lockstep-foreign-connections.c tests/tools/lockstep-foreign-messages.c \
	tests/tools/lockstep-foreign-notices.c tests/tools/lockstep-foreign-splices.c \
	tests/tools/lockstep-foreign-terminals.c tests/tools/lockstep-foreign-refusals.c \
	tests/tools/lockstep-foreign-paths.c \
	tests/tools/lockstep-foreign.h tests/tools/lockstep-hostile.c

# In the place of a guest's kernel: tests/sim/guests.c.
check_PROGRAMS += tests/tools/fake-guest
tests_tools_fake_guest_SOURCES = tests/tools/fake-guest.c tests/tools/fake-guest.h \
	tests/tools/fake-guest-datagram.c tests/tools/fake-guest-device.c \
	tests/tools/fake-guest-file.c \
	tests/tools/fake-guest-program.c tests/tools/fake-guest-socket.c \
	tests/tools/fake-guest-time.c
tests_tools_fake_guest_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_tools_fake_guest_LDADD =
