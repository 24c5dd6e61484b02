# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/fuzz: fuzz targets: replay-X runs one on its corpus.
check_PROGRAMS += tests/fuzz/replay-bridge tests/fuzz/replay-capture tests/fuzz/replay-console \
	tests/fuzz/replay-guest \
	tests/fuzz/replay-ibnl tests/fuzz/replay-kmod tests/fuzz/replay-script \
	tests/fuzz/replay-server tests/fuzz/replay-spec tests/fuzz/replay-stream \
	tests/fuzz/replay-survey tests/fuzz/replay-topology \
	tests/fuzz/replay-walk
TESTS += tests/fuzz/replay-guest \
	tests/fuzz/replay-kmod tests/fuzz/replay-topology tests/fuzz/replay-ibnl \
	tests/fuzz/replay-capture tests/fuzz/replay-spec tests/fuzz/replay-walk \
	tests/fuzz/replay-console tests/fuzz/replay-server tests/fuzz/replay-bridge \
	tests/fuzz/replay-script tests/fuzz/replay-stream \
	tests/fuzz/replay-survey tests/fuzz/every-target.sh
EXTRA_DIST += tests/fuzz/check-fuzz tests/fuzz/corpus-bridge/far-session \
	tests/fuzz/corpus-bridge/far-wrong tests/fuzz/corpus-bridge/near-session \
	tests/fuzz/corpus-bridge/near-wrong tests/fuzz/corpus-bridge/raw \
	tests/fuzz/corpus-capture/erf-extension.pcap \
	tests/fuzz/corpus-capture/infiniband-big.pcap tests/fuzz/corpus-capture/linux-sll.pcap \
	tests/fuzz/corpus-capture/linux-sll2.pcap tests/fuzz/corpus-capture/mixed.pcapng \
	tests/fuzz/corpus-capture/raw-ip.pcap \
	tests/fuzz/corpus-capture/roce-v1-vlan.pcap tests/fuzz/corpus-capture/roce-v2.pcap \
	tests/fuzz/corpus-capture/truncated.pcap tests/fuzz/corpus-console/actions \
	tests/fuzz/corpus-console/ibsim \
	tests/fuzz/corpus-console/mistakes tests/fuzz/corpus-console/moving \
	tests/fuzz/corpus-console/ours tests/fuzz/corpus-console/properties \
	tests/fuzz/corpus-console/triggers \
	tests/fuzz/corpus-guest/environment tests/fuzz/corpus-guest/pieces \
	tests/fuzz/corpus-guest/wrong \
	tests/fuzz/corpus-ibnl/boards tests/fuzz/corpus-ibnl/damaged \
	tests/fuzz/corpus-ibnl/without-end tests/fuzz/corpus-kmod/backlog \
	tests/fuzz/corpus-kmod/bytes tests/fuzz/corpus-kmod/directed \
	tests/fuzz/corpus-kmod/removal tests/fuzz/corpus-kmod/rmpp-answer \
	tests/fuzz/corpus-kmod/rmpp-control tests/fuzz/corpus-kmod/rmpp-dual \
	tests/fuzz/corpus-kmod/rmpp-gone tests/fuzz/corpus-kmod/rmpp-segments \
	tests/fuzz/corpus-kmod/round-trip tests/fuzz/corpus-kmod/timeout \
	tests/fuzz/corpus-kmod/user-rmpp tests/fuzz/corpus-kmod/vendor \
	tests/fuzz/corpus-script/actions tests/fuzz/corpus-script/brackets \
	tests/fuzz/corpus-script/calls \
	tests/fuzz/corpus-script/bytes tests/fuzz/corpus-script/everything \
	tests/fuzz/corpus-script/fault tests/fuzz/corpus-script/fault-where \
	tests/fuzz/corpus-script/include \
	tests/fuzz/corpus-script/packet tests/fuzz/corpus-script/retries \
	tests/fuzz/corpus-script/rows tests/fuzz/corpus-script/schedule \
	tests/fuzz/corpus-script/segments \
	tests/fuzz/corpus-script/wire tests/fuzz/corpus-server/before-hello \
	tests/fuzz/corpus-server/mailbox tests/fuzz/corpus-server/mailbox-owner \
	tests/fuzz/corpus-server/malformed tests/fuzz/corpus-server/memfd \
	tests/fuzz/corpus-server/page tests/fuzz/corpus-server/ring \
	tests/fuzz/corpus-server/ring-full tests/fuzz/corpus-server/ring-handle-closed \
	tests/fuzz/corpus-server/ring-size tests/fuzz/corpus-server/ring-words \
	tests/fuzz/corpus-server/session tests/fuzz/corpus-spec/actions \
	tests/fuzz/corpus-spec/all-options \
	tests/fuzz/corpus-spec/each-quirk tests/fuzz/corpus-spec/faults \
	tests/fuzz/corpus-spec/limits \
	tests/fuzz/corpus-spec/loads \
	tests/fuzz/corpus-spec/mistakes tests/fuzz/corpus-spec/planes \
	tests/fuzz/corpus-spec/quirks \
	tests/fuzz/corpus-stream/file.erf \
	tests/fuzz/corpus-stream/native.pcap.gz tests/fuzz/corpus-stream/raw.pcap \
	tests/fuzz/corpus-stream/roce.pcap.zst tests/fuzz/corpus-stream/sections.pcapng \
	tests/fuzz/corpus-stream/sll.pcap tests/fuzz/corpus-stream/sll2.pcap \
	tests/fuzz/corpus-stream/times-apart.pcapng \
	tests/fuzz/corpus-survey/exit-port-255 \
	tests/fuzz/corpus-survey/records \
	tests/fuzz/corpus-survey/sweep tests/fuzz/corpus-survey/sweep.pcap \
	tests/fuzz/corpus-survey/tables.pcapng \
	tests/fuzz/corpus-topology/damaged \
	tests/fuzz/corpus-topology/directives tests/fuzz/corpus-topology/grouped \
	tests/fuzz/corpus-topology/ibdm tests/fuzz/corpus-topology/ibnetdiscover \
	tests/fuzz/corpus-topology/ibsim tests/fuzz/corpus-topology/mock-ib \
	tests/fuzz/corpus-topology/planes \
	tests/fuzz/corpus-topology/subnet-list \
	tests/fuzz/corpus-topology/subnet-list-damaged \
	tests/fuzz/corpus-topology/tabs-lost tests/fuzz/corpus-walk/by-lid \
	tests/fuzz/corpus-walk/combined tests/fuzz/corpus-walk/directed \
	tests/fuzz/corpus-walk/returning tests/fuzz/every-target.sh

tests_fuzz_replay_kmod_SOURCES = tests/fuzz/kmod.c tests/fuzz/replay-main.c
tests_fuzz_replay_kmod_LDADD = $(KMOD_LDADD)
tests_fuzz_replay_topology_SOURCES = tests/fuzz/topology.c tests/fuzz/replay-main.c
tests_fuzz_replay_topology_LDADD = $(UNIT_LDADD)
tests_fuzz_replay_ibnl_SOURCES = tests/fuzz/ibnl.c tests/fuzz/replay-main.c
tests_fuzz_replay_ibnl_LDADD = $(UNIT_LDADD)
tests_fuzz_replay_capture_SOURCES = tests/fuzz/capture.c tests/fuzz/mutate-capture.c \
	tests/fuzz/replay-main.c
tests_fuzz_replay_capture_LDADD = $(UNIT_LDADD)
check_PROGRAMS += tests/fuzz/replay-scrub
TESTS += tests/fuzz/replay-scrub
EXTRA_DIST += tests/fuzz/corpus-scrub/cm.pcap tests/fuzz/corpus-scrub/cooked.pcap \
	tests/fuzz/corpus-scrub/names.pcapng tests/fuzz/corpus-scrub/segments.pcap
tests_fuzz_replay_scrub_SOURCES = tests/fuzz/scrub.c tests/fuzz/mutate-capture.c \
	tests/fuzz/replay-main.c
tests_fuzz_replay_scrub_LDADD = $(UNIT_LDADD)
tests_fuzz_replay_stream_SOURCES = tests/fuzz/stream.c tests/fuzz/mutate-capture.c \
	tests/fuzz/replay-main.c
tests_fuzz_replay_stream_LDADD = $(UNIT_LDADD)
tests_fuzz_replay_spec_SOURCES = tests/fuzz/spec.c tests/fuzz/replay-main.c
tests_fuzz_replay_spec_LDADD = $(UNIT_LDADD)
tests_fuzz_replay_guest_SOURCES = tests/fuzz/guest.c tests/fuzz/replay-main.c \
	lib/guest/guest-channel.c lib/guest/guest-order.c
tests_fuzz_replay_guest_LDADD = $(UNIT_LDADD)
tests_fuzz_replay_survey_SOURCES = tests/fuzz/survey.c tests/fuzz/form-check.c \
	tests/fuzz/form-check.h tests/fuzz/replay-main.c harness/show/fabric-difference.c
tests_fuzz_replay_survey_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_fuzz_replay_survey_LDADD = $(SCRIPT_LDADD)
tests_fuzz_replay_walk_SOURCES = tests/fuzz/walk.c tests/fuzz/replay-main.c
tests_fuzz_replay_walk_LDADD = $(UNIT_LDADD)
tests_fuzz_replay_console_SOURCES = tests/fuzz/console.c tests/fuzz/replay-main.c
tests_fuzz_replay_console_LDADD = $(UNIT_LDADD)
tests_fuzz_replay_server_SOURCES = tests/fuzz/server.c tests/fuzz/replay-main.c
tests_fuzz_replay_server_CPPFLAGS = $(LIB_CPPFLAGS)
tests_fuzz_replay_server_LDADD = $(SERVER_LDADD)
tests_fuzz_replay_bridge_SOURCES = tests/fuzz/bridge.c tests/fuzz/replay-main.c $(BRIDGE_SOURCES)
tests_fuzz_replay_bridge_CPPFLAGS = $(AM_CPPFLAGS)
tests_fuzz_replay_bridge_LDADD = libattach.la $(UNIT_LDADD)
tests_fuzz_replay_script_SOURCES = tests/fuzz/script.c tests/fuzz/replay-main.c
tests_fuzz_replay_script_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_fuzz_replay_script_LDADD = $(SCRIPT_LDADD)

check_PROGRAMS += tests/fuzz/replay-diff
TESTS += tests/fuzz/replay-diff
EXTRA_DIST += tests/fuzz/corpus-diff/cm tests/fuzz/corpus-diff/directed \
	tests/fuzz/corpus-diff/one-side \
	tests/fuzz/corpus-diff/others tests/fuzz/corpus-diff/rmpp tests/fuzz/corpus-diff/smp
tests_fuzz_replay_diff_SOURCES = tests/fuzz/diff.c tests/fuzz/form-check.c \
	tests/fuzz/form-check.h tests/fuzz/replay-main.c
tests_fuzz_replay_diff_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_fuzz_replay_diff_LDADD = $(SCRIPT_LDADD)

check_PROGRAMS += tests/fuzz/replay-letters
TESTS += tests/fuzz/replay-letters
EXTRA_DIST += tests/fuzz/corpus-letters/adapters tests/fuzz/corpus-letters/files \
	tests/fuzz/corpus-letters/packets tests/fuzz/corpus-letters/programs
tests_fuzz_replay_letters_SOURCES = tests/fuzz/letters.c tests/fuzz/replay-main.c
tests_fuzz_replay_letters_LDADD = $(STATIC_LDADD)

check_PROGRAMS += tests/fuzz/replay-match
TESTS += tests/fuzz/replay-match
EXTRA_DIST += tests/fuzz/corpus-match/cm tests/fuzz/corpus-match/directed \
	tests/fuzz/corpus-match/others tests/fuzz/corpus-match/rmpp tests/fuzz/corpus-match/smp
tests_fuzz_replay_match_SOURCES = tests/fuzz/match.c tests/fuzz/replay-main.c
tests_fuzz_replay_match_LDADD = $(UNIT_LDADD)

check_PROGRAMS += tests/fuzz/replay-show
TESTS += tests/fuzz/replay-show
EXTRA_DIST += tests/fuzz/corpus-show/all tests/fuzz/corpus-show/classes \
	tests/fuzz/corpus-show/long-line tests/fuzz/corpus-show/names \
	tests/fuzz/corpus-show/no-data \
	tests/fuzz/corpus-show/rmpp tests/fuzz/corpus-show/smps tests/fuzz/corpus-show/wrong-filter
tests_fuzz_replay_show_SOURCES = tests/fuzz/show.c tests/fuzz/replay-main.c $(SHOW_SOURCES) \
	harness/base/command.c
tests_fuzz_replay_show_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_fuzz_replay_show_LDADD = $(SCRIPT_LDADD)

check_PROGRAMS += tests/fuzz/replay-reading
TESTS += tests/fuzz/replay-reading
EXTRA_DIST += tests/fuzz/corpus-reading/moved.pcapng tests/fuzz/corpus-reading/notes.pcapng \
	tests/fuzz/corpus-reading/walk.pcapng
tests_fuzz_replay_reading_SOURCES = tests/fuzz/reading.c tests/fuzz/form-check.c \
	tests/fuzz/form-check.h tests/fuzz/mutate-capture.c \
	tests/fuzz/replay-main.c $(SHOW_SOURCES) harness/base/command.c
tests_fuzz_replay_reading_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_fuzz_replay_reading_LDADD = $(SCRIPT_LDADD)

check_PROGRAMS += tests/fuzz/replay-page
TESTS += tests/fuzz/replay-page
EXTRA_DIST += tests/fuzz/corpus-page/lost.pcapng tests/fuzz/corpus-page/sweep.pcapng
tests_fuzz_replay_page_SOURCES = tests/fuzz/page.c tests/fuzz/form-check.c \
	tests/fuzz/form-check.h tests/fuzz/mutate-capture.c tests/fuzz/replay-main.c \
	harness/report/capture-report.c harness/report/fabric-svg.c harness/report/html-page.c \
	harness/report/report-table.c $(SHOW_SOURCES) harness/base/command.c harness/base/xml.c
tests_fuzz_replay_page_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_fuzz_replay_page_LDADD = $(SCRIPT_LDADD)

# Fuzzed programs have no shared libraries of ours: tests/fuzz/check-fuzz links them by link-fuzz,
# and so does tests/fuzz/links.sh, which make check runs, under other names.
FUZZ_TARGETS = $(patsubst tests/fuzz/replay-%$(EXEEXT),%,\
	$(filter tests/fuzz/replay-%,$(TESTS)))
link-fuzz:
	$(MAKE) UNIT_LDADD='$$(STATIC_LDADD)' IBUMAD_LDADD=libumad.la \
		LINKED_FIRST='libsim.la libumad.la' \
		$(FUZZ_TARGETS:%=tests/fuzz/replay-%$(EXEEXT))
check-fuzz:
	+$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/fuzz/check-fuzz $(FUZZ_TARGETS)
.PHONY: check-fuzz link-fuzz
TESTS += tests/fuzz/links.sh
EXTRA_DIST += tests/fuzz/links.sh

check_PROGRAMS += tests/fuzz/replay-plan
TESTS += tests/fuzz/replay-plan
EXTRA_DIST += tests/fuzz/corpus-plan/bytes tests/fuzz/corpus-plan/empty-command \
	tests/fuzz/corpus-plan/good tests/fuzz/corpus-plan/mistakes
tests_fuzz_replay_plan_SOURCES = tests/fuzz/plan.c tests/fuzz/replay-main.c \
	harness/base/plan-file.c harness/base/command.c
tests_fuzz_replay_plan_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_fuzz_replay_plan_LDADD = $(SCRIPT_LDADD)

check_PROGRAMS += tests/fuzz/replay-expected
TESTS += tests/fuzz/replay-expected
EXTRA_DIST += tests/fuzz/corpus-expected/bytes tests/fuzz/corpus-expected/good \
	tests/fuzz/corpus-expected/mistakes
tests_fuzz_replay_expected_SOURCES = tests/fuzz/expected.c tests/fuzz/replay-main.c \
	harness/cmd/run-expected.c harness/cmd/tap.c harness/base/command.c
tests_fuzz_replay_expected_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_fuzz_replay_expected_LDADD = $(SCRIPT_LDADD)

check_PROGRAMS += tests/fuzz/replay-path
TESTS += tests/fuzz/replay-path
EXTRA_DIST += tests/fuzz/corpus-path/classes tests/fuzz/corpus-path/link \
	tests/fuzz/corpus-path/nodes tests/fuzz/corpus-path/number tests/fuzz/corpus-path/other \
	tests/fuzz/corpus-path/real
tests_fuzz_replay_path_SOURCES = tests/fuzz/path.c tests/fuzz/replay-main.c
tests_fuzz_replay_path_LDADD = libfilter.a $(UNIT_LDADD)

check_PROGRAMS += tests/fuzz/replay-sa
TESTS += tests/fuzz/replay-sa
EXTRA_DIST += tests/fuzz/corpus-sa/groups tests/fuzz/corpus-sa/paths \
	tests/fuzz/corpus-sa/services tests/fuzz/corpus-sa/subscriptions \
	tests/fuzz/corpus-sa/tables tests/fuzz/corpus-sa/wrong
tests_fuzz_replay_sa_SOURCES = tests/fuzz/sa.c tests/fuzz/replay-main.c
tests_fuzz_replay_sa_LDADD = $(STATIC_LDADD)

check_PROGRAMS += tests/fuzz/replay-register
TESTS += tests/fuzz/replay-register
EXTRA_DIST += tests/fuzz/corpus-register/counters tests/fuzz/corpus-register/diagnosis \
	tests/fuzz/corpus-register/gmps tests/fuzz/corpus-register/module \
	tests/fuzz/corpus-register/smps tests/fuzz/corpus-register/space \
	tests/fuzz/corpus-register/tlvs tests/fuzz/corpus-register/wrong
tests_fuzz_replay_register_SOURCES = tests/fuzz/register.c tests/fuzz/replay-main.c
tests_fuzz_replay_register_LDADD = $(STATIC_LDADD)

check_PROGRAMS += tests/fuzz/replay-events
TESTS += tests/fuzz/replay-events
EXTRA_DIST += tests/fuzz/corpus-events/filter \
	tests/fuzz/corpus-events/malformed tests/fuzz/corpus-events/messages \
	tests/fuzz/corpus-events/no-socket tests/fuzz/corpus-events/options \
	tests/fuzz/corpus-events/overrun tests/fuzz/corpus-events/session \
	tests/fuzz/corpus-events/several tests/fuzz/corpus-events/wrong
tests_fuzz_replay_events_SOURCES = tests/fuzz/events.c tests/fuzz/replay-main.c
tests_fuzz_replay_events_CPPFLAGS = $(LIB_CPPFLAGS)
tests_fuzz_replay_events_LDADD = $(SERVER_LDADD)
