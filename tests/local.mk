# tests: tests/<room>.c tests <dir>/<room>.c; scripts end in .sh and print TAP.
UNIT_LDADD = libsim.la $(GLIB_LIBS)
EXTRA_DIST += tests/tap-run
noinst_HEADERS = tests/leak.h

# -- clock, queue, chance, packets
check_PROGRAMS += tests/event-queue tests/chance tests/packet
TESTS += tests/event-queue tests/chance tests/packet
tests_event_queue_LDADD = $(UNIT_LDADD)
tests_chance_LDADD = $(UNIT_LDADD)
tests_packet_LDADD = $(UNIT_LDADD)

# -- lib
LIB_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
check_PROGRAMS += tests/umad-layout tests/umad-strings
TESTS += tests/umad-layout tests/umad-strings tests/umad-symbols.sh tests/umad-ibsim.sh \
	tests/umad-manual.sh tests/umad-abi.sh tests/umad-usual.sh tests/umad-drop-in.sh \
	tests/umad-valgrind.sh
tests_umad_layout_LDADD = $(GLIB_LIBS)
tests_umad_strings_LDADD = libumad.la $(GLIB_LIBS)
check_LTLIBRARIES += libumad-tree.la
libumad_tree_la_CPPFLAGS = $(LIB_CPPFLAGS)
libumad_tree_la_SOURCES = tests/umad-tree.c tests/umad-tree.h
check_PROGRAMS += tests/umad-device tests/umad-io
TESTS += tests/umad-device tests/umad-io
tests_umad_io_CPPFLAGS = $(LIB_CPPFLAGS)
tests_umad_io_LDADD = libumad.la $(GLIB_LIBS)
tests_umad_device_CPPFLAGS = $(LIB_CPPFLAGS)
tests_umad_device_LDADD = libumad-tree.la libumad.la $(GLIB_LIBS)
check_PROGRAMS += tests/umad-pairs tests/umad-backend tests/umad-faults tests/umad-sim
TESTS += tests/umad-pairs tests/umad-backend tests/umad-faults tests/umad-sim
# The two libraries as programs have them; and the insides of both, with a device between.
tests_umad_sim_SOURCES = tests/umad-sim.c tests/umad-table.c tests/umad-table.h
tests_umad_sim_LDADD = libibumad.la libumadrig.la $(GLIB_LIBS)
check_PROGRAMS += tests/umad-kernel
TESTS += tests/umad-kernel
tests_umad_kernel_SOURCES = tests/umad-kernel.c tests/umad-table.c tests/umad-table.h
tests_umad_kernel_CPPFLAGS = $(LIB_CPPFLAGS) -U_FORTIFY_SOURCE
tests_umad_kernel_LDADD = libumad-tree.la libumad.la $(UNIT_LDADD)
tests_umad_pairs_CPPFLAGS = $(LIB_CPPFLAGS)
tests_umad_pairs_LDADD = libumad-tree.la libumad.la $(GLIB_LIBS)
tests_umad_backend_CPPFLAGS = $(LIB_CPPFLAGS)
tests_umad_backend_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
tests_umad_backend_LDADD = libumad.la $(GLIB_LIBS)
tests_umad_faults_CPPFLAGS = $(LIB_CPPFLAGS) -U_FORTIFY_SOURCE
tests_umad_faults_CFLAGS = $(AM_CFLAGS) -fno-builtin
tests_umad_faults_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=opendir
tests_umad_faults_LDADD = libumad-tree.la libumad.la $(GLIB_LIBS)
EXTRA_DIST += tests/umad-symbols.sh tests/umad-symbols.txt tests/umad-ibsim.sh \
	tests/umad-manual.sh tests/umad-abi.sh tests/umad-abi.c \
	tests/umad-usual.sh tests/umad-drop-in.sh tests/umad-calls.c \
	tests/umad-valgrind.sh tests/usual-tree.sh \
	tests/ibsim/two-switches.net

# -- kmod-stub
check_LTLIBRARIES += libkmod-rig.la
libkmod_rig_la_SOURCES = tests/kmod-rig.c tests/kmod-rig.h \
	tests/kmod-rmpp-rig.c tests/kmod-rmpp-rig.h
KMOD_LDADD = libkmod-rig.la $(UNIT_LDADD)
check_PROGRAMS += tests/kmod-dispatch tests/kmod-file tests/kmod-registration \
	tests/kmod-send tests/kmod-smi tests/kmod-switch tests/kmod-timeout tests/kmod-write
TESTS += tests/kmod-dispatch tests/kmod-file tests/kmod-registration \
	tests/kmod-send tests/kmod-smi tests/kmod-switch tests/kmod-timeout tests/kmod-write
tests_kmod_dispatch_LDADD = $(KMOD_LDADD)
tests_kmod_file_LDADD = $(KMOD_LDADD)
tests_kmod_registration_LDADD = $(KMOD_LDADD)
tests_kmod_send_LDADD = $(KMOD_LDADD)
tests_kmod_smi_LDADD = $(KMOD_LDADD)
tests_kmod_switch_LDADD = $(KMOD_LDADD)
tests_kmod_timeout_LDADD = $(KMOD_LDADD)
tests_kmod_write_LDADD = $(KMOD_LDADD)
check_PROGRAMS += tests/kmod-profile tests/kmod-rmpp-dual tests/kmod-rmpp-recv tests/kmod-rmpp-send
TESTS += tests/kmod-profile tests/kmod-rmpp-dual tests/kmod-rmpp-recv tests/kmod-rmpp-send
tests_kmod_profile_LDADD = $(KMOD_LDADD)
tests_kmod_rmpp_dual_LDADD = $(KMOD_LDADD)
tests_kmod_rmpp_recv_LDADD = $(KMOD_LDADD)
tests_kmod_rmpp_send_LDADD = $(KMOD_LDADD)
check_PROGRAMS += tests/fuzz/replay-kmod
TESTS += tests/fuzz/replay-kmod
tests_fuzz_replay_kmod_SOURCES = tests/fuzz/kmod.c tests/fuzz/replay-main.c
tests_fuzz_replay_kmod_LDADD = $(KMOD_LDADD)
EXTRA_DIST += \
	tests/fuzz/corpus-kmod/backlog \
	tests/fuzz/corpus-kmod/bytes tests/fuzz/corpus-kmod/directed \
	tests/fuzz/corpus-kmod/removal tests/fuzz/corpus-kmod/round-trip \
	tests/fuzz/corpus-kmod/rmpp-answer tests/fuzz/corpus-kmod/rmpp-control \
	tests/fuzz/corpus-kmod/rmpp-dual tests/fuzz/corpus-kmod/rmpp-gone \
	tests/fuzz/corpus-kmod/rmpp-segments \
	tests/fuzz/corpus-kmod/timeout tests/fuzz/corpus-kmod/user-rmpp \
	tests/fuzz/corpus-kmod/vendor

# The swarm: random programs on a wire that does what it likes, and an oracle. A few hundred seeds
# here, a hundred thousand in check-swarm.
check_PROGRAMS += tests/swarm
TESTS += tests/swarm
tests_swarm_SOURCES = tests/swarm.c tests/swarm.h \
	tests/swarm-memory.c tests/swarm-memory.h \
	tests/swarm-oracle.c \
	tests/swarm-play.c tests/swarm-play.h \
	tests/swarm-rmpp.c \
	tests/swarm-send.c tests/swarm-send.h \
	tests/swarm-world.c \
	tests/swarm-write.c
WRAP_MEMORY = -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc \
	-Wl,--wrap=reallocarray -Wl,--wrap=strdup -Wl,--wrap=free
tests_swarm_LDFLAGS = $(AM_LDFLAGS) $(WRAP_MEMORY)
tests_swarm_LDADD = $(UNIT_LDADD)
check_PROGRAMS += tests/kmod-memory
TESTS += tests/kmod-memory
tests_kmod_memory_SOURCES = tests/kmod-memory.c tests/swarm-memory.c tests/swarm-memory.h
tests_kmod_memory_LDFLAGS = $(AM_LDFLAGS) $(WRAP_MEMORY)
tests_kmod_memory_LDADD = $(KMOD_LDADD)
SWARM_SEEDS = 0..99999
check-swarm: tests/swarm
	tests/swarm --seeds $(SWARM_SEEDS) --jobs 2
# Branches of kmod-stub/ that its tests take, from a build of its own below this one.
COVERAGE_TESTS = $(filter tests/kmod-% tests/packet tests/fuzz/replay-kmod,$(TESTS)) $(SCENARIOS)
coverage:
	$(MKDIR_P) coverage
	srcdir=`cd $(srcdir) && pwd`; cd coverage && $(SHELL) $$srcdir/tests/coverage $$srcdir $(COVERAGE_TESTS)
# Lines and branches of all of it that 'make check' takes, in the same build.
coverage-all:
	$(MKDIR_P) coverage
	srcdir=`cd $(srcdir) && pwd`; cd coverage && $(SHELL) $$srcdir/tests/coverage-all $$srcdir $(TESTS)
EXTRA_DIST += tests/coverage tests/coverage.awk tests/coverage-left tests/coverage-all \
	tests/coverage-all.awk
.PHONY: check-swarm coverage coverage-all

# -- the wire between two real ports
check_PROGRAMS += tests/hw-wire
TESTS += tests/hw-wire
tests_hw_wire_SOURCES = tests/hw-wire.c harness/hw-wire.c harness/hw-wire.h
tests_hw_wire_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/harness
tests_hw_wire_LDADD = $(UNIT_LDADD)

# -- topology files
check_PROGRAMS += tests/topology tests/topology-load
TESTS += tests/topology tests/topology-load tests/topology-files.sh
tests_topology_SOURCES = tests/topology.c tests/topology-dump.c tests/topology-dump.h
tests_topology_LDADD = $(UNIT_LDADD)
tests_topology_load_SOURCES = tests/topology-load.c tests/topology-dump.c tests/topology-dump.h
tests_topology_load_LDADD = $(UNIT_LDADD)
check_PROGRAMS += tests/topology-generate tests/topology-ibdm tests/topology-lst tests/topology-write
TESTS += tests/topology-generate tests/topology-ibdm tests/topology-lst tests/topology-write tests/topology-command.sh
tests_topology_generate_LDADD = $(UNIT_LDADD)
tests_topology_ibdm_SOURCES = tests/topology-ibdm.c tests/topology-dump.c tests/topology-dump.h
tests_topology_ibdm_LDADD = $(UNIT_LDADD)
tests_topology_lst_SOURCES = tests/topology-lst.c tests/topology-dump.c tests/topology-dump.h
tests_topology_lst_LDADD = $(UNIT_LDADD)
tests_topology_write_SOURCES = tests/topology-write.c tests/topology-dump.c tests/topology-dump.h
tests_topology_write_LDADD = $(UNIT_LDADD)
EXTRA_DIST += tests/topology-command.sh
check_PROGRAMS += tests/topology-print
tests_topology_print_LDADD = $(UNIT_LDADD)
EXTRA_DIST += tests/topology-files.sh tests/graph-read.awk tests/graph-compare.awk \
	tests/data/commands.net tests/data/ring.net tests/data/tree.topo
check_PROGRAMS += tests/fuzz/replay-topology
TESTS += tests/fuzz/replay-topology
tests_fuzz_replay_topology_SOURCES = tests/fuzz/topology.c tests/fuzz/replay-main.c
tests_fuzz_replay_topology_LDADD = $(UNIT_LDADD)
EXTRA_DIST += \
	tests/fuzz/corpus-topology/damaged tests/fuzz/corpus-topology/directives \
	tests/fuzz/corpus-topology/grouped tests/fuzz/corpus-topology/ibnetdiscover \
	tests/fuzz/corpus-topology/ibdm tests/fuzz/corpus-topology/ibsim \
	tests/fuzz/corpus-topology/subnet-list tests/fuzz/corpus-topology/subnet-list-damaged
check_PROGRAMS += tests/fuzz/replay-ibnl
TESTS += tests/fuzz/replay-ibnl
tests_fuzz_replay_ibnl_SOURCES = tests/fuzz/ibnl.c tests/fuzz/replay-main.c
tests_fuzz_replay_ibnl_LDADD = $(UNIT_LDADD)
EXTRA_DIST += tests/fuzz/corpus-ibnl/boards tests/fuzz/corpus-ibnl/damaged \
	tests/fuzz/corpus-ibnl/without-end

# -- MAD dictionary, SMA and PMA
check_PROGRAMS += tests/mad-dictionary tests/pma tests/show tests/sma tests/sma-set tests/sma-valid tests/cable tests/forward tests/link-error tests/trap
TESTS += tests/mad-dictionary tests/pma tests/show tests/sma tests/sma-set tests/sma-valid tests/cable tests/forward tests/link-error tests/trap
tests_pma_LDADD = $(UNIT_LDADD)
check_PROGRAMS += tests/cc
TESTS += tests/cc
tests_cc_LDADD = $(UNIT_LDADD)
check_PROGRAMS += tests/every-mad
TESTS += tests/show-tshark.sh
EXTRA_DIST += tests/show-tshark.sh tests/malformed-on-purpose
tests_every_mad_LDADD = $(UNIT_LDADD)
tests_show_SOURCES = tests/show.c harness/ladder.c harness/mad-text.c harness/show.c
tests_show_LDADD = $(UNIT_LDADD)
tests_sma_LDADD = $(UNIT_LDADD)
tests_sma_set_LDADD = $(UNIT_LDADD)
tests_sma_valid_LDADD = $(UNIT_LDADD)
noinst_HEADERS += tests/sma-rig.h
tests_cable_LDADD = $(UNIT_LDADD)
tests_forward_LDADD = $(UNIT_LDADD)
tests_link_error_LDADD = $(UNIT_LDADD)
tests_trap_LDADD = $(UNIT_LDADD)
tests_mad_dictionary_CFLAGS = $(AM_CFLAGS) $(IBMAD_CFLAGS)
tests_mad_dictionary_LDADD = $(UNIT_LDADD) $(IBMAD_LIBS)

# -- captures and replay
check_PROGRAMS += tests/capture-frame tests/capture-read tests/capture-writer tests/replay
TESTS += tests/capture-frame tests/capture-read tests/capture-writer tests/replay
noinst_HEADERS += tests/capture-build.h tests/capture-vectors.h
tests_capture_frame_LDADD = $(UNIT_LDADD)
tests_capture_read_LDADD = $(UNIT_LDADD) $(PCAP_LIBS)
tests_capture_writer_LDADD = $(UNIT_LDADD) $(PCAP_LIBS)
tests_replay_LDADD = $(UNIT_LDADD)
TESTS += tests/replay-discovery.sh
EXTRA_DIST += tests/replay-discovery.sh
check_PROGRAMS += tests/fuzz/replay-capture
TESTS += tests/fuzz/replay-capture
tests_fuzz_replay_capture_SOURCES = tests/fuzz/capture.c tests/fuzz/replay-main.c
tests_fuzz_replay_capture_LDADD = $(UNIT_LDADD)
EXTRA_DIST += \
	tests/fuzz/corpus-capture/erf-extension.pcap tests/fuzz/corpus-capture/infiniband-big.pcap \
	tests/fuzz/corpus-capture/mixed.pcapng tests/fuzz/corpus-capture/roce-v1-vlan.pcap \
	tests/fuzz/corpus-capture/roce-v2.pcap tests/fuzz/corpus-capture/truncated.pcap

# -- fabric, forwarding, hosts, the door
noinst_HEADERS += tests/rig.h
check_PROGRAMS += tests/api tests/attach tests/clock tests/door tests/fabric tests/fault tests/raw-packet tests/report tests/spec
TESTS += tests/api tests/api-symbols.sh tests/attach tests/clock tests/door tests/fabric tests/fault tests/raw-packet tests/report tests/spec
EXTRA_DIST += tests/api-symbols.sh
tests_api_LDADD = $(UNIT_LDADD)
tests_attach_LDADD = libumadrig.la libibumad.la $(GLIB_LIBS)
tests_clock_LDADD = $(UNIT_LDADD)
tests_door_LDADD = $(UNIT_LDADD)
tests_fabric_LDADD = $(UNIT_LDADD)
tests_fault_LDADD = $(UNIT_LDADD)
tests_raw_packet_LDADD = $(UNIT_LDADD)
tests_report_LDADD = $(UNIT_LDADD)
tests_spec_LDADD = $(UNIT_LDADD)
check_PROGRAMS += tests/fuzz/replay-spec tests/fuzz/replay-walk
TESTS += tests/fuzz/replay-spec tests/fuzz/replay-walk
tests_fuzz_replay_spec_SOURCES = tests/fuzz/spec.c tests/fuzz/replay-main.c
tests_fuzz_replay_spec_LDADD = $(UNIT_LDADD)
tests_fuzz_replay_walk_SOURCES = tests/fuzz/walk.c tests/fuzz/replay-main.c
tests_fuzz_replay_walk_LDADD = $(UNIT_LDADD)
EXTRA_DIST += \
	tests/fuzz/corpus-spec/all-options tests/fuzz/corpus-spec/limits \
	tests/fuzz/corpus-spec/faults tests/fuzz/corpus-spec/mistakes \
	tests/fuzz/corpus-walk/by-lid tests/fuzz/corpus-walk/combined \
	tests/fuzz/corpus-walk/directed tests/fuzz/corpus-walk/returning

check_PROGRAMS += tests/console tests/fuzz/replay-console
TESTS += tests/console tests/fuzz/replay-console
tests_console_LDADD = $(UNIT_LDADD)
tests_fuzz_replay_console_SOURCES = tests/fuzz/console.c tests/fuzz/replay-main.c
tests_fuzz_replay_console_LDADD = $(UNIT_LDADD)
EXTRA_DIST += tests/fuzz/corpus-console/ibsim tests/fuzz/corpus-console/mistakes \
	tests/fuzz/corpus-console/ours

# -- private directories
check_PROGRAMS += tests/private-directory
tests_private_directory_LDADD = $(UNIT_LDADD)
TESTS += tests/private-directory

# -- server
noinst_HEADERS += tests/server-rig.h
check_PROGRAMS += tests/server tests/server-depth tests/server-load tests/server-mailbox tests/server-send \
	tests/fuzz/replay-server
TESTS += tests/server tests/server-depth tests/server-load tests/server-mailbox tests/server-send \
	tests/server-stock.sh tests/fuzz/replay-server
SERVER_LDADD = libumad.la $(UNIT_LDADD)
tests_server_CPPFLAGS = $(LIB_CPPFLAGS)
tests_server_LDADD = $(SERVER_LDADD)
tests_server_depth_CPPFLAGS = $(LIB_CPPFLAGS)
tests_server_depth_LDADD = $(SERVER_LDADD)
tests_server_load_CPPFLAGS = $(LIB_CPPFLAGS)
tests_server_load_LDADD = $(SERVER_LDADD)
tests_server_mailbox_CPPFLAGS = $(LIB_CPPFLAGS)
tests_server_mailbox_LDADD = $(SERVER_LDADD)
tests_server_send_CPPFLAGS = $(LIB_CPPFLAGS)
tests_server_send_LDADD = $(SERVER_LDADD)
tests_fuzz_replay_server_SOURCES = tests/fuzz/server.c tests/fuzz/replay-main.c
tests_fuzz_replay_server_CPPFLAGS = $(LIB_CPPFLAGS)
tests_fuzz_replay_server_LDADD = $(SERVER_LDADD)
EXTRA_DIST += tests/server-stock.sh \
	tests/fuzz/corpus-server/before-hello tests/fuzz/corpus-server/malformed \
	tests/fuzz/corpus-server/mailbox tests/fuzz/corpus-server/mailbox-owner \
	tests/fuzz/corpus-server/memfd tests/fuzz/corpus-server/page \
	tests/fuzz/corpus-server/ring tests/fuzz/corpus-server/ring-full \
	tests/fuzz/corpus-server/ring-handle-closed tests/fuzz/corpus-server/ring-size \
	tests/fuzz/corpus-server/ring-words \
	tests/fuzz/corpus-server/session
check_PROGRAMS += tests/fuzz/replay-bridge
TESTS += tests/fuzz/replay-bridge
tests_fuzz_replay_bridge_SOURCES = tests/fuzz/bridge.c tests/fuzz/replay-main.c \
	harness/bridge-far.c harness/bridge-frame.c harness/bridge-near.c harness/bridge-socket.c \
	harness/exec-guard.c
tests_fuzz_replay_bridge_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/harness
tests_fuzz_replay_bridge_LDADD = libformats.la $(GLIB_LIBS)
EXTRA_DIST += \
	tests/fuzz/corpus-bridge/far-session tests/fuzz/corpus-bridge/far-wrong \
	tests/fuzz/corpus-bridge/near-session tests/fuzz/corpus-bridge/near-wrong \
	tests/fuzz/corpus-bridge/raw

# -- scenario language
SCRIPT_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/harness
SCRIPT_LDADD = libscript.la libibumad.la $(UNIT_LDADD)
check_PROGRAMS += tests/script-check tests/fuzz/replay-script
TESTS += tests/lab-table.sh tests/scenarios-matrix.sh tests/scenarios-profiles.sh tests/scenarios-statements.sh tests/script-programs.sh tests/script-check tests/script-run.sh tests/script-replay.sh tests/script-manual.sh tests/script-wire.sh \
	tests/fuzz/replay-script
tests_script_check_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_script_check_LDADD = $(SCRIPT_LDADD)
tests_fuzz_replay_script_SOURCES = tests/fuzz/script.c tests/fuzz/replay-main.c
tests_fuzz_replay_script_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_fuzz_replay_script_LDADD = $(SCRIPT_LDADD)
EXTRA_DIST += tests/lab-table.sh tests/scenarios-matrix.sh tests/scenarios-profiles.sh tests/scenarios-statements.sh tests/script-programs.sh tests/script-run.sh tests/script-manual.sh tests/script-replay.sh tests/script-wire.sh tests/fuzz/corpus-script/bytes tests/fuzz/corpus-script/everything \
	tests/fuzz/corpus-script/include \
	tests/fuzz/corpus-script/retries tests/fuzz/corpus-script/rows \
	tests/fuzz/corpus-script/segments tests/fuzz/corpus-script/fault \
	tests/fuzz/corpus-script/packet tests/fuzz/corpus-script/wire

# -- commands, quickstart, guards
COMMAND_TESTS = \
	tests/bridge.sh \
	tests/ctl.sh \
	tests/example.sh \
	tests/exec-guard.sh \
	tests/exec-hide.sh \
	tests/exec-run.sh \
	tests/exec-sysfs.sh \
	tests/install.sh \
	tests/main.sh \
	tests/quickstart-install.sh \
	tests/readme.sh \
	tests/replay-answer.sh \
	tests/same-bytes.sh
TESTS += $(COMMAND_TESTS)
EXTRA_DIST += $(COMMAND_TESTS) tests/tap.sh
# Programs under test: as others are, not libtool's scripts.
check_PROGRAMS += tests/exec-probe tests/replay-ask
check_PROGRAMS += tests/srp-target
tests_srp_target_LDADD = libibumad.la
tests_srp_target_LDFLAGS = $(AM_LDFLAGS) -no-install
check_LTLIBRARIES += tests/verbs-stand-in.la
tests_verbs_stand_in_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -rpath $(abs_builddir)
tests_replay_ask_LDADD = libibumad.la
check_PROGRAMS += tests/lost-answer
tests_lost_answer_SOURCES = doc/examples/lost-answer.c
tests_lost_answer_LDADD = libibumad.la libumadrig.la
tests_lost_answer_LDFLAGS = $(AM_LDFLAGS) -no-install
tests_replay_ask_LDFLAGS = $(AM_LDFLAGS) -no-install
tests_exec_probe_LDADD = libibumad.la
tests_exec_probe_LDFLAGS = $(AM_LDFLAGS) -no-install

# What runs under sanitizers, whose runtime no preloading allows: everything but shell scripts, of
# which the matrix of segments needs no preloading.
check-unit:
	$(MAKE) check TESTS='tests/scenarios-matrix.sh $(filter-out %.sh,$(TESTS))'
# distcheck with a few tests of each kind, the whole suite having run elsewhere.
SMOKE_TESTS = tests/event-queue tests/door tests/exec-run.sh tests/install.sh tests/quickstart-install.sh
distcheck-smoke:
	$(MAKE) distcheck TESTS='$(SMOKE_TESTS)'
.PHONY: check-unit distcheck-smoke

# -- stock programs
# What an SM has made of a fabric, read and looked over by a program of nobody's side.
check_PROGRAMS += tests/fabric-walk
tests_fabric_walk_SOURCES = tests/fabric-walk.c tests/walk.c tests/walk.h tests/walk-check.c \
	tests/walk-records.c
tests_fabric_walk_LDADD = libibumad.la $(GLIB_LIBS)
tests_fabric_walk_LDFLAGS = $(AM_LDFLAGS) -no-install
TESTS += tests/stock-ibnetdiscover.sh tests/stock-smpquery.sh tests/stock-links.sh \
	tests/stock-opensm.sh tests/stock-faults.sh
EXTRA_DIST += tests/stock.sh tests/stock-ibnetdiscover.sh tests/stock-smpquery.sh tests/stock-links.sh \
	tests/stock-opensm.sh tests/stock-faults.sh \
	tests/graph-linkinfo.awk tests/graph-queries.awk tests/graph-route.awk
# Counters, and what else answers on QP1.
TESTS += tests/stock-agents.sh tests/stock-perfquery.sh
EXTRA_DIST += tests/stock-agents.sh tests/stock-perfquery.sh
# Those with a fabric that lives on while programs come and go.
check_PROGRAMS += tests/sa-member
tests_sa_member_LDADD = libibumad.la
tests_sa_member_LDFLAGS = $(AM_LDFLAGS) -no-install
TESTS += tests/stock-sweeps.sh tests/stock-loss.sh tests/stock-saquery.sh \
	tests/stock-osmtest.sh tests/stock-tools.sh tests/stock-crashes.sh tests/stock-lists.sh tests/stock-smps.sh \
	tests/stock-records.sh tests/stock-ibutils.sh tests/stock-programs.sh
check_PROGRAMS += tests/odd-client
tests_odd_client_LDADD = libibumad.la
tests_odd_client_LDFLAGS = $(AM_LDFLAGS) -no-install
EXTRA_DIST += tests/stock-fabric.sh tests/stock-sweeps.sh tests/stock-loss.sh tests/stock-saquery.sh \
	tests/stock-osmtest.sh tests/stock-tools.sh tests/stock-crashes.sh tests/stock-lists.sh tests/stock-smps.sh \
	tests/stock-records.sh tests/stock-ibutils.sh tests/stock-programs.sh \
	tests/graph-lists.awk tests/sa-records.awk

# A full subnet; in make check a twentieth of one.
TESTS += tests/stock-full.sh
EXTRA_DIST += tests/stock-full.sh

# Fabrics of thousands of nodes. On one processor, in seconds: 90, 300, 240, 410, 65; a full subnet
# 550, of which OpenSM 415; the crowd 60.
check-fabric: all
	$(AM_TESTS_ENVIRONMENT) OPENSM_ALL=1 $(srcdir)/tests/stock-opensm.sh
	$(AM_TESTS_ENVIRONMENT) OPENSM_ALL=1 $(srcdir)/tests/stock-loss.sh
	$(AM_TESTS_ENVIRONMENT) OPENSM_ALL=1 $(srcdir)/tests/stock-sweeps.sh
	$(AM_TESTS_ENVIRONMENT) OPENSM_ALL=1 $(srcdir)/tests/stock-saquery.sh
	$(AM_TESTS_ENVIRONMENT) OPENSM_ALL=1 $(srcdir)/tests/stock-osmtest.sh
	$(AM_TESTS_ENVIRONMENT) OPENSM_ALL=1 $(srcdir)/tests/stock-full.sh
	$(MAKE) check-crowd
# A server under load, for a minute; of most interest with --enable-sanitizers.
check-crowd: tests/server-load
	$(AM_TESTS_ENVIRONMENT) UMADRIG_CROWD_SECONDS=60 tests/server-load -p /server-load/crowd
.PHONY: check-crowd
.PHONY: check-fabric

# -- bench and lab
noinst_PROGRAMS += tests/bench/echo tests/bench/madrate tests/bench/rmpp
tests_bench_madrate_LDADD = libibumad.la
tests_bench_rmpp_LDADD = $(UNIT_LDADD)
TESTS += tests/bench/smoke.sh tests/bench/rmpp-smoke.sh tests/bench/scale-smoke.sh tests/bench/clients-smoke.sh
EXTRA_DIST += tests/bench/README tests/bench/fat-tree tests/bench/compare-ibsim \
	tests/bench/smoke.sh tests/bench/syscalls tests/bench/rmpp-smoke.sh \
	tests/bench/scale tests/bench/scale-plot.awk tests/bench/scale-smoke.sh tests/bench/sides.bash \
	tests/bench/clients tests/bench/clients-smoke.sh
EXTRA_DIST += tests/lab/README.md tests/lab/check-lab tests/lab/table.awk tests/lab/labvm \
	tests/lab/probes/Makefile \
	tests/lab/probes/pcapmads.py tests/lab/probes/removal.c tests/lab/probes/rmpploss.sh tests/lab/probes/rmppone.c \
	tests/lab/probes/umadprobe.c tests/lab/real-kernel-facts.md tests/lab/umadprobe-6.1.txt

.PHONY: bench bench-clients bench-scale check-fuzz check-lab check-lab-matrix
bench: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/syscalls || test $$? = 2
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/compare-ibsim
	tests/bench/rmpp
# Start-up and memory by size: the table and the drawing of doc/scale.md, in the build directory.
bench-scale: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/scale >scale.txt
	cat scale.txt
	$(AWK) -f $(srcdir)/tests/bench/scale-plot.awk scale.txt >scale.svg
# ibnetdiscover and opensm on the same fabrics.
bench-clients: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/clients
EXTRA_DIST += tests/fuzz/check-fuzz
check-fuzz:
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/fuzz/check-fuzz $(patsubst tests/fuzz/replay-%,%,\
		$(filter tests/fuzz/replay-%,$(TESTS)))

check-lab: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/lab/check-lab
# All points of the matrices (59,000), not every 400th: hours.
check-lab-matrix: all
	$(AM_TESTS_ENVIRONMENT) EVERY=1 LABVM_TIMEOUT=7200 $(srcdir)/tests/lab/check-lab
