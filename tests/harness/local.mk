# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/harness: the harness: scenario language, commands, quickstart.
# umadrig show: RMPP messages, JSON, drawings.
check_PROGRAMS += tests/harness/rmpp-fold
TESTS += tests/harness/rmpp-fold tests/harness/show-json.sh tests/harness/show-drawings.sh \
	tests/harness/json-schema.sh
EXTRA_DIST += tests/data/perfetto.proto tests/harness/json-schema.sh tests/harness/show-json.sh \
	tests/harness/show-drawings.sh
# The traces of umadrig show --perfetto by protos/perfetto/trace/perfetto_trace.proto of Perfetto's
# source (https://github.com/google/perfetto); make check knows the fields that are used.
check-perfetto: all $(check_PROGRAMS)
	@test -r "$(PERFETTO_PROTO)" || { echo "check-perfetto: PERFETTO_PROTO=FILE names" \
		"protos/perfetto/trace/perfetto_trace.proto of Perfetto's source" >&2; exit 2; }
	@command -v protoc >/dev/null || { echo "check-perfetto: no protoc: install" \
		"protobuf-compiler" >&2; exit 2; }
	$(AM_TESTS_ENVIRONMENT) PERFETTO_PROTO='$(abspath $(PERFETTO_PROTO))' \
		$(srcdir)/tests/harness/show-drawings.sh
.PHONY: check-perfetto
tests_harness_rmpp_fold_SOURCES = tests/harness/rmpp-fold.c harness/show/rmpp-fold.c
tests_harness_rmpp_fold_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_harness_rmpp_fold_LDADD = $(SCRIPT_LDADD)

check_PROGRAMS += tests/harness/trip-times
TESTS += tests/harness/trip-times
tests_harness_trip_times_SOURCES = tests/harness/trip-times.c harness/show/trip-times.c
tests_harness_trip_times_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_harness_trip_times_LDADD = $(GLIB_LIBS)

check_PROGRAMS += tests/harness/reading
TESTS += tests/harness/reading
tests_harness_reading_SOURCES = tests/harness/reading.c $(SHOW_SOURCES) harness/base/command.c
tests_harness_reading_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_harness_reading_LDADD = $(SCRIPT_LDADD)

check_PROGRAMS += tests/harness/explore-guide
TESTS += tests/harness/explore-guide tests/harness/explore-corpus.sh \
	tests/harness/explore-repeats.sh
EXTRA_DIST += tests/harness/explore-corpus.sh tests/harness/explore-repeats.sh
tests_harness_explore_guide_SOURCES = tests/harness/explore-guide.c \
	harness/explore/explore-corpus.c harness/explore/explore-draw.c \
	harness/explore/explore-guide.c harness/explore/explore-plan.c \
	harness/explore/explore-traits.c harness/show/mad-text.c harness/show/text.c \
	harness/base/command.c
tests_harness_explore_guide_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_harness_explore_guide_LDADD = $(SCRIPT_LDADD)

check_PROGRAMS += tests/harness/tapped
TESTS += tests/harness/tapped
tests_harness_tapped_SOURCES = tests/harness/tapped.c harness/record/tapped.c \
	harness/base/command.c
tests_harness_tapped_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_harness_tapped_LDADD = $(GLIB_LIBS)

check_PROGRAMS += tests/harness/bridge-near tests/harness/filter tests/harness/hw-wire \
	tests/harness/script-changes tests/harness/script-check tests/harness/show
TESTS += tests/harness/diff.sh tests/harness/diff-fabric.sh \
	tests/harness/filter tests/harness/hw-wire \
	tests/harness/topology-command.sh \
	tests/harness/show tests/harness/show-tshark.sh tests/harness/show-conversations.sh \
	tests/harness/show-history.sh tests/harness/show-filters.sh tests/harness/report.sh \
	tests/harness/captures.sh tests/harness/show-ip-cm.sh \
	tests/harness/show-pipe.sh tests/harness/show-time.sh tests/harness/show-why.sh \
	tests/harness/replay-discovery.sh tests/harness/replay-order.sh \
	tests/harness/bridge-near tests/harness/lab-table.sh tests/harness/scenarios-matrix.sh \
	tests/harness/scenarios-profiles.sh tests/harness/scenarios-statements.sh \
	tests/harness/script-programs.sh tests/harness/script-virtual-programs.sh \
	tests/harness/script-changes \
	tests/harness/script-check \
	tests/harness/script-run.sh tests/harness/script-replay.sh \
	tests/harness/script-manual.sh tests/harness/script-note.sh \
	tests/harness/script-wire.sh
EXTRA_DIST += tests/harness/diff.sh tests/harness/diff-fabric.sh tests/harness/show-filters.sh \
	tests/harness/captures.sh tests/harness/report.sh tests/harness/show-ip-cm.sh \
	tests/harness/lab-table.sh tests/harness/malformed-on-purpose \
	tests/harness/replay-discovery.sh tests/harness/replay-order.sh \
	tests/harness/scenarios-matrix.sh \
	tests/harness/scenarios-profiles.sh tests/harness/scenarios-statements.sh \
	tests/harness/script-manual.sh tests/harness/script-note.sh \
	tests/harness/script-programs.sh tests/harness/script-virtual-programs.sh \
	tests/harness/script-replay.sh \
	tests/harness/script-run.sh tests/harness/script-wire.sh \
	tests/harness/show-conversations.sh tests/harness/show-history.sh \
	tests/harness/show-tshark.sh \
	tests/harness/show-pipe.sh tests/harness/show-time.sh tests/harness/show-why.sh \
	tests/harness/topology-command.sh

TESTS += tests/harness/replay-ask.sh tests/harness/replay-timed.sh
EXTRA_DIST += tests/harness/replay-ask.sh tests/harness/replay-timed.sh
# What tshark and the dictionary read.
TESTS += tests/harness/fields-tshark.sh
EXTRA_DIST += tests/harness/fields-tshark.sh tests/harness/wireshark-only

# Scenarios that are written: from what a program did.
check_PROGRAMS += tests/harness/mad-write
TESTS += tests/harness/mad-write tests/harness/bless.sh tests/harness/record-scenario.sh \
	tests/harness/record-from.sh
EXTRA_DIST += tests/harness/bless.sh tests/harness/record-scenario.sh \
	tests/harness/record-from.sh
tests_harness_mad_write_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_harness_mad_write_LDADD = $(SCRIPT_LDADD)

check_PROGRAMS += tests/harness/ask tests/harness/field-name
TESTS += tests/harness/ask tests/harness/field-name
check_PROGRAMS += tests/harness/timed-send
TESTS += tests/harness/timed-send
tests_harness_timed_send_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_harness_timed_send_LDADD = $(SCRIPT_LDADD) $(CAPTURE_LIBS)
tests_harness_ask_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_harness_ask_LDADD = $(SCRIPT_LDADD)
tests_harness_field_name_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_harness_field_name_LDADD = $(SCRIPT_LDADD)

# What the peer's agent does, where it alone is seen.
check_PROGRAMS += tests/harness/peer-only
TESTS += tests/harness/peer-only
tests_harness_peer_only_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_harness_peer_only_LDADD = libscript.a libtrees.la $(IBUMAD_LDADD) -lumadrig libformats.la \
	libkmod-stub.la $(GLIB_LIBS) $(CAPTURE_LIBS)

tests_harness_filter_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_harness_filter_LDADD = $(SCRIPT_LDADD)
tests_harness_hw_wire_SOURCES = tests/harness/hw-wire.c harness/world/hw-wire.c \
	harness/world/hw-wire.h harness/world/world.c harness/world/world.h
tests_harness_hw_wire_CPPFLAGS = $(AM_CPPFLAGS)
tests_harness_hw_wire_LDADD = $(UNIT_LDADD)
tests_harness_show_SOURCES = tests/harness/show.c tests/harness/show-text.c \
	tests/harness/show-row.h $(SHOW_SOURCES) harness/base/command.c
tests_harness_show_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_harness_show_LDADD = $(SCRIPT_LDADD)
tests_harness_bridge_near_SOURCES = tests/harness/bridge-near.c $(BRIDGE_SOURCES)
tests_harness_bridge_near_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_harness_bridge_near_LDADD = libattach.la $(UNIT_LDADD)
tests_harness_script_changes_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_harness_script_changes_LDADD = $(SCRIPT_LDADD)
tests_harness_script_check_SOURCES = tests/harness/script-check.c tests/harness/script-check.h \
	tests/harness/script-check-directives.c tests/harness/script-check-mads.c \
	tests/harness/script-check-sizes.c
tests_harness_script_check_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_harness_script_check_LDADD = $(SCRIPT_LDADD)

BRIDGE_SOURCES = \
	harness/bridge/far.c harness/bridge/frame.c harness/bridge/near-handle.c \
	harness/bridge/near-issm.c harness/bridge/near.c harness/bridge/socket.c \
	harness/base/attach-client.c harness/base/command.c

# Tests of the commands, of quickstart, and of what they promise.
COMMAND_TESTS = \
	tests/harness/addresses.sh \
	tests/harness/bridge.sh \
	tests/harness/ci-explore.sh tests/harness/ci-templates.sh \
	tests/harness/completion.sh \
	tests/harness/ctl.sh \
	tests/harness/doctor.sh \
	tests/harness/editors.sh \
	tests/harness/env.sh \
	tests/harness/example.sh \
	tests/harness/exec-ends.sh \
	tests/harness/exec-flood.sh \
	tests/harness/exec-guard.sh \
	tests/harness/exec-hide.sh \
	tests/harness/exec-how.sh \
	tests/harness/exec-limits.sh \
	tests/harness/false-greens.sh \
	tests/harness/filter-reality.sh \
	tests/harness/exec-issm.sh \
	tests/harness/exec-keeper.sh \
	tests/harness/exec-other-user.sh \
	tests/harness/exec-run.sh \
	tests/harness/exec-by-path.sh tests/harness/exec-raw.sh tests/harness/exec-sanitizers.sh \
	tests/harness/exec-signals.sh \
	tests/harness/exec-sm.sh \
	tests/harness/exec-sysfs.sh \
	tests/harness/exec-with-sm.sh \
	tests/harness/explore.sh tests/harness/explore-plan.sh tests/harness/exec-plan.sh \
	tests/harness/exec-guest.sh \
	tests/harness/exec-start.sh \
	tests/harness/lie.sh \
	tests/harness/fields.sh \
	tests/harness/install.sh \
	tests/harness/lockstep-calls.sh tests/harness/lockstep-ends.sh \
	tests/harness/lockstep-languages.sh tests/harness/lockstep-programs.sh \
	tests/harness/lockstep-fifos.sh tests/harness/lockstep-filter.sh \
	tests/harness/lockstep-foreign.sh \
	tests/harness/lockstep-messages.sh \
	tests/harness/lockstep-stops.sh \
	tests/harness/lockstep-tcp.sh tests/harness/lockstep-uevents.sh \
	tests/harness/check-current.sh tests/harness/check-surroundings.sh \
	tests/harness/main.sh \
	tests/harness/manual.sh \
	tests/harness/python-dist.sh \
	tests/harness/quickstart-install.sh \
	tests/harness/quickstart-test.sh \
	tests/harness/contributing.sh \
	tests/harness/readme.sh \
	tests/harness/replay-answer.sh \
	tests/harness/project-url.sh \
	tests/harness/kernel.sh tests/harness/kernel-checks.sh \
	tests/harness/kernel-uml.sh \
	tests/harness/kernel-faults.sh tests/harness/kernel-faults-here.sh \
	tests/harness/reuse-lint.sh \
	tests/harness/run-ports.sh \
	tests/harness/same-bytes.sh \
	tests/harness/scrub.sh \
	tests/harness/show-command.sh \
	tests/harness/site.sh \
	tests/harness/tables.sh \
	tests/harness/transcript.sh \
	tests/harness/tutorial.sh \
	tests/harness/type-page.sh \
	tests/harness/workflows.sh
TESTS += $(COMMAND_TESTS)
EXTRA_DIST += $(COMMAND_TESTS)

# What a server's capture is worth.
TESTS += tests/harness/serve.sh
EXTRA_DIST += tests/harness/serve.sh tests/harness/stands-for-driver

# What is said of scenarios that fail.
TESTS += tests/harness/reports.sh
EXTRA_DIST += tests/harness/reports.sh tests/data/failures.txt

# Scripts with mistakes, and in one style.
TESTS += tests/harness/mistakes.sh tests/harness/format.sh
EXTRA_DIST += tests/harness/mistakes.sh tests/harness/format.sh tests/data/mistakes.txt

# The language's grammar, held against what is shipped and against the parser.
TESTS += tests/harness/grammar.sh
EXTRA_DIST += tests/harness/hostile-guest-calls.py
EXTRA_DIST += tests/harness/grammar.sh tests/rig/derive.py tests/tools/script-grammar

# Every word of the language, used well and used wrongly.
TESTS += tests/harness/call-symbols.sh tests/harness/keywords.sh
EXTRA_DIST += tests/harness/call-symbols.sh tests/harness/keywords.sh tests/data/keywords.txt

TESTS += tests/harness/record.sh
EXTRA_DIST += tests/harness/record.sh

# umadrig run: reports, workers, what is selected.
RUN_TESTS = \
	tests/harness/run-expected.sh \
	tests/harness/run-progress.sh \
	tests/harness/run-reports.sh \
	tests/harness/run-selection.sh \
	tests/harness/run-suite.sh \
	tests/harness/run-watch.sh \
	tests/harness/run-workers.sh
TESTS += $(RUN_TESTS)
EXTRA_DIST += $(RUN_TESTS)
# All shipped scenarios, with those that run programs: some minutes.
.PHONY: check-suite
check-suite: all
	$(AM_TESTS_ENVIRONMENT) sh $(srcdir)/tests/harness/run-suite.sh all

# One text of a fault means one rule everywhere.
check_PROGRAMS += tests/harness/fault-spelling
TESTS += tests/harness/fault-spelling
tests_harness_fault_spelling_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_harness_fault_spelling_LDADD = libscript.a $(IBUMAD_LDADD) $(STATIC_LDADD)

# Programs that load no library of ours.
check_PROGRAMS += tests/harness/seccomp-filter
TESTS += tests/harness/seccomp-filter
tests_harness_seccomp_filter_SOURCES = tests/harness/seccomp-filter.c \
	tests/rig/filter-below.c tests/rig/filter-below.h
tests_harness_seccomp_filter_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_harness_seccomp_filter_LDADD = libfilter.a $(SERVER_LDADD)

# What programs below a seccomp filter mean by their paths, and see there.
check_PROGRAMS += tests/harness/filter-host-view tests/harness/filter-path \
	tests/harness/filter-path-call
TESTS += tests/harness/filter-host-view tests/harness/filter-path tests/harness/filter-path-call \
	tests/harness/filter-store.sh tests/harness/filter-sysfs.sh tests/harness/kernel-says.sh \
	tests/harness/verbs.sh
EXTRA_DIST += tests/harness/filter-store.sh
EXTRA_DIST += tests/harness/filter-sysfs.sh tests/harness/kernel-says.sh tests/harness/verbs.sh
tests_harness_filter_host_view_CPPFLAGS = $(LIB_CPPFLAGS)
tests_harness_filter_host_view_LDADD = libfilter.a $(SERVER_LDADD)
tests_harness_filter_path_CPPFLAGS = $(LIB_CPPFLAGS)
tests_harness_filter_path_LDADD = libfilter.a $(UNIT_LDADD)
tests_harness_filter_path_call_SOURCES = tests/harness/filter-path-call.c \
	tests/rig/filter-below.c tests/rig/filter-below.h
tests_harness_filter_path_call_CPPFLAGS = $(LIB_CPPFLAGS)
tests_harness_filter_path_call_LDADD = libfilter.a $(SERVER_LDADD)

# Umad files of programs below a seccomp filter.
check_PROGRAMS += tests/harness/filter-device tests/harness/filter-file
TESTS += tests/harness/filter-device tests/harness/filter-file tests/harness/filter-calls.sh \
	tests/harness/filter-cost.sh tests/harness/filter-hostile.sh
EXTRA_DIST += tests/harness/filter-calls.sh tests/harness/filter-cost.sh \
	tests/harness/filter-hostile.sh \
	tests/tools/device-calls.c tests/tools/hostile-calls.c
tests_harness_filter_device_SOURCES = tests/harness/filter-device.c \
	tests/rig/filter-below.c tests/rig/filter-below.h
tests_harness_filter_device_CPPFLAGS = $(LIB_CPPFLAGS)
tests_harness_filter_device_LDADD = libfilter.a $(SERVER_LDADD)
tests_harness_filter_file_SOURCES = tests/harness/filter-file.c \
	tests/rig/filter-rig.c tests/rig/filter-rig.h
tests_harness_filter_file_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_harness_filter_file_LDADD = libfilter.a $(SERVER_LDADD)

check_PROGRAMS += tests/harness/call-lane
TESTS += tests/harness/call-lane
tests_harness_call_lane_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_harness_call_lane_LDADD = libfilter.a $(SERVER_LDADD)

check_PROGRAMS += tests/harness/view-copy
TESTS += tests/harness/view-copy
tests_harness_view_copy_CPPFLAGS = $(LIB_CPPFLAGS)
tests_harness_view_copy_LDADD = libfilter.a $(SERVER_LDADD)

# Programs in containers, and the manifests for them.
TESTS += tests/harness/container.sh
EXTRA_DIST += tests/harness/container.sh
