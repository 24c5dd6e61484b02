# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests: tests/<room>.c tests <dir>/<room>.c; scripts end in .sh and print TAP.
UNIT_LDADD = libsim.la $(GLIB_LIBS)
EXTRA_DIST += tests/rig/tap-run
noinst_HEADERS = tests/rig/leak.h tests/rig/send-descriptors.h tests/rig/false-server.h

# -- clock, queue, chance, packets
check_PROGRAMS += tests/sim/event-queue tests/sim/chance tests/kmod-stub/packet
TESTS += tests/sim/event-queue tests/sim/chance tests/kmod-stub/packet
tests_sim_event_queue_LDADD = $(UNIT_LDADD)
tests_sim_chance_LDADD = $(UNIT_LDADD)
tests_kmod_stub_packet_LDADD = $(UNIT_LDADD)

# -- lib
LIB_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
check_PROGRAMS += tests/lib/umad-layout tests/lib/umad-strings
TESTS += tests/lib/umad-layout tests/lib/umad-strings tests/lib/umad-symbols.sh tests/lib/umad-ibsim.sh \
	tests/lib/umad-manual.sh tests/lib/umad-abi.sh tests/lib/umad-usual.sh tests/lib/umad-drop-in.sh \
	tests/lib/umad-valgrind.sh tests/lib/hardening.sh
tests_lib_umad_layout_LDADD = $(GLIB_LIBS)
tests_lib_umad_strings_LDADD = libumad.la $(GLIB_LIBS)
check_LTLIBRARIES += libumad-tree.la
libumad_tree_la_CPPFLAGS = $(LIB_CPPFLAGS)
libumad_tree_la_SOURCES = tests/rig/umad-tree.c tests/rig/umad-tree.h
check_PROGRAMS += tests/lib/umad-device tests/lib/umad-io
TESTS += tests/lib/umad-device tests/lib/umad-io
tests_lib_umad_io_CPPFLAGS = $(LIB_CPPFLAGS)
check_PROGRAMS += tests/lib/attach-distrust tests/lib/socket-message tests/lib/umad-unload
TESTS += tests/lib/attach-distrust tests/lib/socket-message tests/lib/umad-unload
tests_lib_umad_unload_CPPFLAGS = $(LIB_CPPFLAGS)
tests_lib_umad_unload_LDADD = $(GLIB_LIBS)
tests_lib_attach_distrust_CPPFLAGS = $(LIB_CPPFLAGS)
tests_lib_attach_distrust_LDADD = libumad.la $(GLIB_LIBS)
tests_lib_socket_message_CPPFLAGS = $(LIB_CPPFLAGS)
tests_lib_socket_message_LDADD = libbase.la $(GLIB_LIBS)
tests_lib_umad_io_LDADD = libumad.la $(GLIB_LIBS)
tests_lib_umad_device_CPPFLAGS = $(LIB_CPPFLAGS)
tests_lib_umad_device_LDADD = libumad-tree.la libumad.la $(GLIB_LIBS)
check_PROGRAMS += tests/lib/umad-pairs tests/lib/umad-backend tests/lib/umad-faults tests/lib/umad-sim
TESTS += tests/lib/umad-pairs tests/lib/umad-backend tests/lib/umad-faults tests/lib/umad-sim
# The two libraries as programs have them; and the insides of both, with a device between.
tests_lib_umad_sim_SOURCES = tests/lib/umad-sim.c tests/rig/umad-table.c tests/rig/umad-table.h
tests_lib_umad_sim_LDADD = libibumad.la libumadrig.la $(GLIB_LIBS)
check_PROGRAMS += tests/lib/umad-kernel
TESTS += tests/lib/umad-kernel
tests_lib_umad_kernel_SOURCES = tests/lib/umad-kernel.c tests/rig/umad-table.c tests/rig/umad-table.h
tests_lib_umad_kernel_CPPFLAGS = $(LIB_CPPFLAGS) -U_FORTIFY_SOURCE
tests_lib_umad_kernel_LDADD = libumad-tree.la libumad.la $(UNIT_LDADD)
tests_lib_umad_pairs_CPPFLAGS = $(LIB_CPPFLAGS)
tests_lib_umad_pairs_LDADD = libumad-tree.la libumad.la $(GLIB_LIBS)
tests_lib_umad_backend_CPPFLAGS = $(LIB_CPPFLAGS)
tests_lib_umad_backend_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
tests_lib_umad_backend_LDADD = libumad.la $(GLIB_LIBS)
tests_lib_umad_faults_CPPFLAGS = $(LIB_CPPFLAGS) -U_FORTIFY_SOURCE
tests_lib_umad_faults_CFLAGS = $(AM_CFLAGS) -fno-builtin
tests_lib_umad_faults_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=opendir
tests_lib_umad_faults_LDADD = libumad-tree.la libumad.la $(GLIB_LIBS)
EXTRA_DIST += tests/lib/umad-symbols.sh tests/lib/umad-symbols.txt tests/lib/umad-ibsim.sh \
	tests/lib/umad-manual.sh tests/lib/umad-abi.sh tests/lib/umad-abi.c \
	tests/lib/umad-usual.sh tests/lib/umad-drop-in.sh tests/lib/umad-calls.c \
	tests/lib/umad-valgrind.sh tests/lib/hardening.sh tests/rig/usual-tree.sh \
	tests/data/two-switches.net

# -- kmod-stub
check_LTLIBRARIES += libkmod-rig.la
libkmod_rig_la_SOURCES = tests/rig/kmod-rig.c tests/rig/kmod-rig.h \
	tests/rig/kmod-rmpp-rig.c tests/rig/kmod-rmpp-rig.h
KMOD_LDADD = libkmod-rig.la $(UNIT_LDADD)
check_PROGRAMS += tests/kmod-stub/dispatch tests/kmod-stub/file tests/kmod-stub/registration \
	tests/kmod-stub/send tests/kmod-stub/smi tests/kmod-stub/switch tests/kmod-stub/timeout tests/kmod-stub/write
TESTS += tests/kmod-stub/dispatch tests/kmod-stub/file tests/kmod-stub/registration \
	tests/kmod-stub/send tests/kmod-stub/smi tests/kmod-stub/switch tests/kmod-stub/timeout tests/kmod-stub/write
tests_kmod_stub_dispatch_LDADD = $(KMOD_LDADD)
tests_kmod_stub_file_LDADD = $(KMOD_LDADD)
tests_kmod_stub_registration_LDADD = $(KMOD_LDADD)
tests_kmod_stub_send_LDADD = $(KMOD_LDADD)
tests_kmod_stub_smi_LDADD = $(KMOD_LDADD)
tests_kmod_stub_switch_LDADD = $(KMOD_LDADD)
tests_kmod_stub_timeout_LDADD = $(KMOD_LDADD)
tests_kmod_stub_write_LDADD = $(KMOD_LDADD)
check_PROGRAMS += tests/kmod-stub/profile tests/kmod-stub/rmpp-dual tests/kmod-stub/rmpp-recv tests/kmod-stub/rmpp-send
TESTS += tests/kmod-stub/profile tests/kmod-stub/rmpp-dual tests/kmod-stub/rmpp-recv tests/kmod-stub/rmpp-send
tests_kmod_stub_profile_LDADD = $(KMOD_LDADD)
tests_kmod_stub_rmpp_dual_LDADD = $(KMOD_LDADD)
tests_kmod_stub_rmpp_recv_LDADD = $(KMOD_LDADD)
tests_kmod_stub_rmpp_send_LDADD = $(KMOD_LDADD)
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
check_PROGRAMS += tests/swarm/swarm
TESTS += tests/swarm/swarm
tests_swarm_swarm_SOURCES = tests/swarm/swarm.c tests/swarm/swarm.h \
	tests/swarm/swarm-memory.c tests/swarm/swarm-memory.h \
	tests/swarm/swarm-oracle.c \
	tests/swarm/swarm-play.c tests/swarm/swarm-play.h \
	tests/swarm/swarm-rmpp.c \
	tests/swarm/swarm-send.c tests/swarm/swarm-send.h \
	tests/swarm/swarm-world.c \
	tests/swarm/swarm-write.c
WRAP_MEMORY = -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc \
	-Wl,--wrap=reallocarray -Wl,--wrap=strdup -Wl,--wrap=free
tests_swarm_swarm_LDFLAGS = $(AM_LDFLAGS) $(WRAP_MEMORY)
tests_swarm_swarm_LDADD = $(UNIT_LDADD)
check_PROGRAMS += tests/kmod-stub/memory
TESTS += tests/kmod-stub/memory
tests_kmod_stub_memory_SOURCES = tests/kmod-stub/memory.c tests/swarm/swarm-memory.c tests/swarm/swarm-memory.h
tests_kmod_stub_memory_LDFLAGS = $(AM_LDFLAGS) $(WRAP_MEMORY)
tests_kmod_stub_memory_LDADD = $(KMOD_LDADD)
SWARM_SEEDS = 0..99999
check-swarm: tests/swarm/swarm
	tests/swarm/swarm --seeds $(SWARM_SEEDS) --jobs 2
# Branches of kmod-stub/ that its tests take, from a build of its own below this one.
COVERAGE_TESTS = $(filter tests/kmod-% tests/kmod-stub/packet tests/fuzz/replay-kmod,$(TESTS)) $(SCENARIOS)
coverage:
	$(MKDIR_P) coverage
	srcdir=`cd $(srcdir) && pwd`; cd coverage && $(SHELL) $$srcdir/tests/tools/coverage $$srcdir $(COVERAGE_TESTS)
# Lines and branches of all of it that 'make check' takes, in the same build.
coverage-all:
	$(MKDIR_P) coverage
	srcdir=`cd $(srcdir) && pwd`; cd coverage && $(SHELL) $$srcdir/tests/tools/coverage-all $$srcdir $(TESTS)
EXTRA_DIST += tests/tools/coverage tests/tools/coverage.awk tests/tools/coverage-left tests/tools/coverage-all \
	tests/tools/coverage-all.awk
.PHONY: check-swarm coverage coverage-all

# -- the wire between two real ports
check_PROGRAMS += tests/harness/hw-wire
TESTS += tests/harness/hw-wire
tests_harness_hw_wire_SOURCES = tests/harness/hw-wire.c harness/world/hw-wire.c harness/world/hw-wire.h
tests_harness_hw_wire_CPPFLAGS = $(AM_CPPFLAGS)
tests_harness_hw_wire_LDADD = $(UNIT_LDADD)

# -- topology files
check_PROGRAMS += tests/sim/topology tests/sim/topology-load
TESTS += tests/sim/topology tests/sim/topology-load tests/sim/topology-files.sh
tests_sim_topology_SOURCES = tests/sim/topology.c tests/rig/topology-dump.c tests/rig/topology-dump.h
tests_sim_topology_LDADD = $(UNIT_LDADD)
tests_sim_topology_load_SOURCES = tests/sim/topology-load.c tests/rig/topology-dump.c tests/rig/topology-dump.h
tests_sim_topology_load_LDADD = $(UNIT_LDADD)
check_PROGRAMS += tests/sim/topology-generate tests/sim/topology-ibdm tests/sim/topology-lst tests/sim/topology-write
TESTS += tests/sim/topology-generate tests/sim/topology-ibdm tests/sim/topology-lst tests/sim/topology-write tests/harness/topology-command.sh
tests_sim_topology_generate_LDADD = $(UNIT_LDADD)
tests_sim_topology_ibdm_SOURCES = tests/sim/topology-ibdm.c tests/rig/topology-dump.c tests/rig/topology-dump.h
tests_sim_topology_ibdm_LDADD = $(UNIT_LDADD)
tests_sim_topology_lst_SOURCES = tests/sim/topology-lst.c tests/rig/topology-dump.c tests/rig/topology-dump.h
tests_sim_topology_lst_LDADD = $(UNIT_LDADD)
tests_sim_topology_write_SOURCES = tests/sim/topology-write.c tests/rig/topology-dump.c tests/rig/topology-dump.h
tests_sim_topology_write_LDADD = $(UNIT_LDADD)
EXTRA_DIST += tests/harness/topology-command.sh
check_PROGRAMS += tests/tools/topology-print
tests_tools_topology_print_LDADD = $(UNIT_LDADD)
EXTRA_DIST += tests/sim/topology-files.sh tests/stock/graph-read.awk tests/stock/graph-compare.awk \
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
check_PROGRAMS += tests/sim/mad-dictionary tests/sim/pma tests/harness/show tests/sim/sma tests/sim/sma-set tests/sim/sma-valid tests/sim/cable tests/sim/forward tests/sim/link-error tests/sim/trap
TESTS += tests/sim/mad-dictionary tests/sim/pma tests/harness/show tests/sim/sma tests/sim/sma-set tests/sim/sma-valid tests/sim/cable tests/sim/forward tests/sim/link-error tests/sim/trap
tests_sim_pma_LDADD = $(UNIT_LDADD)
check_PROGRAMS += tests/sim/cc
TESTS += tests/sim/cc
tests_sim_cc_LDADD = $(UNIT_LDADD)
check_PROGRAMS += tests/tools/every-mad
TESTS += tests/harness/show-tshark.sh
EXTRA_DIST += tests/harness/show-tshark.sh tests/harness/malformed-on-purpose
tests_tools_every_mad_LDADD = $(UNIT_LDADD)
tests_harness_show_SOURCES = tests/harness/show.c harness/show/ladder.c harness/show/mad-text.c harness/show/show.c
tests_harness_show_LDADD = $(UNIT_LDADD)
tests_sim_sma_LDADD = $(UNIT_LDADD)
tests_sim_sma_set_LDADD = $(UNIT_LDADD)
tests_sim_sma_valid_LDADD = $(UNIT_LDADD)
noinst_HEADERS += tests/rig/sma-rig.h
tests_sim_cable_LDADD = $(UNIT_LDADD)
tests_sim_forward_LDADD = $(UNIT_LDADD)
tests_sim_link_error_LDADD = $(UNIT_LDADD)
tests_sim_trap_LDADD = $(UNIT_LDADD)
tests_sim_mad_dictionary_CFLAGS = $(AM_CFLAGS) $(IBMAD_CFLAGS)
tests_sim_mad_dictionary_LDADD = $(UNIT_LDADD) $(IBMAD_LIBS)

# -- captures and replay
check_PROGRAMS += tests/sim/capture-frame tests/sim/capture-read tests/sim/capture-writer tests/sim/replay
TESTS += tests/sim/capture-frame tests/sim/capture-read tests/sim/capture-writer tests/sim/replay
noinst_HEADERS += tests/rig/capture-build.h tests/rig/capture-vectors.h
tests_sim_capture_frame_LDADD = $(UNIT_LDADD)
tests_sim_capture_read_LDADD = $(UNIT_LDADD) $(PCAP_LIBS)
tests_sim_capture_writer_LDADD = $(UNIT_LDADD) $(PCAP_LIBS)
tests_sim_replay_LDADD = $(UNIT_LDADD)
TESTS += tests/harness/replay-discovery.sh
EXTRA_DIST += tests/harness/replay-discovery.sh
check_PROGRAMS += tests/fuzz/replay-capture
TESTS += tests/fuzz/replay-capture
tests_fuzz_replay_capture_SOURCES = tests/fuzz/capture.c tests/fuzz/replay-main.c
tests_fuzz_replay_capture_LDADD = $(UNIT_LDADD)
EXTRA_DIST += \
	tests/fuzz/corpus-capture/erf-extension.pcap tests/fuzz/corpus-capture/infiniband-big.pcap \
	tests/fuzz/corpus-capture/mixed.pcapng tests/fuzz/corpus-capture/roce-v1-vlan.pcap \
	tests/fuzz/corpus-capture/roce-v2.pcap tests/fuzz/corpus-capture/truncated.pcap

# -- fabric, forwarding, hosts, the door
noinst_HEADERS += tests/rig/rig.h
check_PROGRAMS += tests/sim/api tests/sim/attach tests/sim/clock tests/sim/door tests/sim/fabric tests/sim/fault tests/sim/raw-packet tests/sim/report tests/sim/spec
TESTS += tests/sim/api tests/sim/api-symbols.sh tests/sim/attach tests/sim/clock tests/sim/door tests/sim/fabric tests/sim/fault tests/sim/raw-packet tests/sim/report tests/sim/spec
EXTRA_DIST += tests/sim/api-symbols.sh
tests_sim_api_LDADD = $(UNIT_LDADD)
tests_sim_attach_LDADD = libumadrig.la libibumad.la $(GLIB_LIBS)
tests_sim_clock_LDADD = $(UNIT_LDADD)
tests_sim_door_LDADD = $(UNIT_LDADD)
tests_sim_fabric_LDADD = $(UNIT_LDADD)
tests_sim_fault_LDADD = $(UNIT_LDADD)
tests_sim_raw_packet_LDADD = $(UNIT_LDADD)
tests_sim_report_LDADD = $(UNIT_LDADD)
tests_sim_spec_LDADD = $(UNIT_LDADD)
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

check_PROGRAMS += tests/sim/console tests/fuzz/replay-console
TESTS += tests/sim/console tests/fuzz/replay-console
tests_sim_console_LDADD = $(UNIT_LDADD)
tests_fuzz_replay_console_SOURCES = tests/fuzz/console.c tests/fuzz/replay-main.c
tests_fuzz_replay_console_LDADD = $(UNIT_LDADD)
EXTRA_DIST += tests/fuzz/corpus-console/ibsim tests/fuzz/corpus-console/mistakes \
	tests/fuzz/corpus-console/ours

# -- private directories
check_PROGRAMS += tests/sim/private-directory
tests_sim_private_directory_LDADD = $(UNIT_LDADD)
TESTS += tests/sim/private-directory

# -- server
noinst_HEADERS += tests/rig/server-rig.h
check_PROGRAMS += tests/sim/server tests/sim/server-depth tests/sim/server-guard tests/sim/server-hostile tests/sim/server-load tests/sim/server-mailbox tests/sim/server-send \
	tests/fuzz/replay-server
TESTS += tests/sim/server tests/sim/server-depth tests/sim/server-guard tests/sim/server-hostile tests/sim/server-load tests/sim/server-mailbox tests/sim/server-send \
	tests/sim/server-stock.sh tests/fuzz/replay-server
SERVER_LDADD = libumad.la $(UNIT_LDADD)
tests_sim_server_CPPFLAGS = $(LIB_CPPFLAGS)
tests_sim_server_LDADD = $(SERVER_LDADD)
tests_sim_server_depth_CPPFLAGS = $(LIB_CPPFLAGS)
tests_sim_server_depth_LDADD = $(SERVER_LDADD)
tests_sim_server_guard_CPPFLAGS = $(LIB_CPPFLAGS)
tests_sim_server_guard_LDADD = $(SERVER_LDADD)
tests_sim_server_hostile_CPPFLAGS = $(LIB_CPPFLAGS)
tests_sim_server_hostile_LDADD = $(SERVER_LDADD)
tests_sim_server_load_CPPFLAGS = $(LIB_CPPFLAGS)
tests_sim_server_load_LDADD = $(SERVER_LDADD)
tests_sim_server_mailbox_CPPFLAGS = $(LIB_CPPFLAGS)
tests_sim_server_mailbox_LDADD = $(SERVER_LDADD)
tests_sim_server_send_CPPFLAGS = $(LIB_CPPFLAGS)
tests_sim_server_send_LDADD = $(SERVER_LDADD)
tests_fuzz_replay_server_SOURCES = tests/fuzz/server.c tests/fuzz/replay-main.c
tests_fuzz_replay_server_CPPFLAGS = $(LIB_CPPFLAGS)
tests_fuzz_replay_server_LDADD = $(SERVER_LDADD)
EXTRA_DIST += tests/sim/server-stock.sh \
	tests/fuzz/corpus-server/before-hello tests/fuzz/corpus-server/malformed \
	tests/fuzz/corpus-server/mailbox tests/fuzz/corpus-server/mailbox-owner \
	tests/fuzz/corpus-server/memfd tests/fuzz/corpus-server/page \
	tests/fuzz/corpus-server/ring tests/fuzz/corpus-server/ring-full \
	tests/fuzz/corpus-server/ring-handle-closed tests/fuzz/corpus-server/ring-size \
	tests/fuzz/corpus-server/ring-words \
	tests/fuzz/corpus-server/session
check_PROGRAMS += tests/fuzz/replay-bridge tests/harness/bridge-near
TESTS += tests/fuzz/replay-bridge tests/harness/bridge-near
BRIDGE_SOURCES = harness/bridge/far.c harness/bridge/frame.c harness/bridge/near-handle.c \
	harness/bridge/near-issm.c harness/bridge/near.c harness/bridge/socket.c harness/base/command.c
tests_harness_bridge_near_SOURCES = tests/harness/bridge-near.c $(BRIDGE_SOURCES)
tests_harness_bridge_near_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_harness_bridge_near_LDADD = libformats.la $(GLIB_LIBS)
tests_fuzz_replay_bridge_SOURCES = tests/fuzz/bridge.c tests/fuzz/replay-main.c $(BRIDGE_SOURCES)
tests_fuzz_replay_bridge_CPPFLAGS = $(AM_CPPFLAGS)
tests_fuzz_replay_bridge_LDADD = libformats.la $(GLIB_LIBS)
EXTRA_DIST += \
	tests/fuzz/corpus-bridge/far-session tests/fuzz/corpus-bridge/far-wrong \
	tests/fuzz/corpus-bridge/near-session tests/fuzz/corpus-bridge/near-wrong \
	tests/fuzz/corpus-bridge/raw

# -- scenario language
SCRIPT_CPPFLAGS = $(AM_CPPFLAGS)
SCRIPT_LDADD = libscript.la libibumad.la $(UNIT_LDADD)
check_PROGRAMS += tests/harness/script-check tests/fuzz/replay-script
TESTS += tests/harness/lab-table.sh tests/harness/scenarios-matrix.sh tests/harness/scenarios-profiles.sh tests/harness/scenarios-statements.sh tests/harness/script-programs.sh tests/harness/script-check tests/harness/script-run.sh tests/harness/script-replay.sh tests/harness/script-manual.sh tests/harness/script-note.sh tests/harness/script-wire.sh \
	tests/fuzz/replay-script
tests_harness_script_check_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_harness_script_check_LDADD = $(SCRIPT_LDADD)
tests_fuzz_replay_script_SOURCES = tests/fuzz/script.c tests/fuzz/replay-main.c
tests_fuzz_replay_script_CPPFLAGS = $(SCRIPT_CPPFLAGS)
tests_fuzz_replay_script_LDADD = $(SCRIPT_LDADD)
EXTRA_DIST += tests/harness/lab-table.sh tests/harness/scenarios-matrix.sh tests/harness/scenarios-profiles.sh tests/harness/scenarios-statements.sh tests/harness/script-programs.sh tests/harness/script-run.sh tests/harness/script-manual.sh tests/harness/script-note.sh tests/harness/script-replay.sh tests/harness/script-wire.sh tests/fuzz/corpus-script/bytes tests/fuzz/corpus-script/everything \
	tests/fuzz/corpus-script/include \
	tests/fuzz/corpus-script/retries tests/fuzz/corpus-script/rows \
	tests/fuzz/corpus-script/segments tests/fuzz/corpus-script/fault \
	tests/fuzz/corpus-script/packet tests/fuzz/corpus-script/wire

# -- commands, quickstart, guards
COMMAND_TESTS = \
	tests/harness/bridge.sh \
	tests/harness/ctl.sh \
	tests/harness/example.sh \
	tests/harness/exec-guard.sh \
	tests/harness/exec-hide.sh \
	tests/harness/exec-run.sh \
	tests/harness/exec-sysfs.sh \
	tests/harness/install.sh \
	tests/harness/main.sh \
	tests/harness/quickstart-install.sh \
	tests/harness/contributing.sh tests/harness/readme.sh \
	tests/harness/replay-answer.sh \
	tests/harness/same-bytes.sh \
	tests/harness/workflows.sh
TESTS += $(COMMAND_TESTS)
EXTRA_DIST += $(COMMAND_TESTS) tests/rig/tap.sh
# Programs under test: as others are, not libtool's scripts.
check_PROGRAMS += tests/tools/exec-probe tests/tools/replay-ask
check_PROGRAMS += tests/tools/srp-target
tests_tools_srp_target_LDADD = libibumad.la
tests_tools_srp_target_LDFLAGS = $(AM_LDFLAGS) -no-install
check_LTLIBRARIES += tests/tools/verbs-stand-in.la
tests_tools_verbs_stand_in_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared -rpath $(abs_builddir)
tests_tools_replay_ask_LDADD = libibumad.la
check_PROGRAMS += tests/lost-answer
tests_lost_answer_SOURCES = doc/examples/lost-answer.c
tests_lost_answer_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/sim/api
tests_lost_answer_LDADD = libibumad.la libumadrig.la
tests_lost_answer_LDFLAGS = $(AM_LDFLAGS) -no-install
tests_tools_replay_ask_LDFLAGS = $(AM_LDFLAGS) -no-install
tests_tools_exec_probe_LDADD = libibumad.la
tests_tools_exec_probe_LDFLAGS = $(AM_LDFLAGS) -no-install

# What runs under sanitizers, whose runtime no preloading allows: everything but shell scripts, of
# which the matrix of segments needs no preloading.
check-unit:
	$(MAKE) check TESTS='tests/harness/scenarios-matrix.sh $(filter-out %.sh,$(TESTS))'
# distcheck with a few tests of each kind, the whole suite having run elsewhere.
SMOKE_TESTS = tests/sim/event-queue tests/sim/door tests/harness/exec-run.sh tests/harness/install.sh tests/harness/quickstart-install.sh
distcheck-smoke:
	$(MAKE) distcheck TESTS='$(SMOKE_TESTS)'
.PHONY: check-unit distcheck-smoke

# -- stock programs
# What an SM has made of a fabric, read and looked over by a program of nobody's side.
check_PROGRAMS += tests/tools/fabric-walk
tests_tools_fabric_walk_SOURCES = tests/tools/fabric-walk.c tests/tools/walk.c tests/tools/walk.h tests/tools/walk-check.c \
	tests/tools/walk-records.c
tests_tools_fabric_walk_LDADD = libibumad.la $(GLIB_LIBS)
tests_tools_fabric_walk_LDFLAGS = $(AM_LDFLAGS) -no-install
TESTS += tests/stock/ibnetdiscover.sh tests/stock/smpquery.sh tests/stock/links.sh \
	tests/stock/opensm.sh tests/stock/faults.sh
EXTRA_DIST += tests/stock/stock.sh tests/stock/ibnetdiscover.sh tests/stock/smpquery.sh tests/stock/links.sh \
	tests/stock/opensm.sh tests/stock/faults.sh \
	tests/stock/graph-linkinfo.awk tests/stock/graph-queries.awk tests/stock/graph-route.awk
# Counters, and what else answers on QP1.
TESTS += tests/stock/agents.sh tests/stock/perfquery.sh
EXTRA_DIST += tests/stock/agents.sh tests/stock/perfquery.sh
# Those with a fabric that lives on while programs come and go.
check_PROGRAMS += tests/tools/sa-member
tests_tools_sa_member_LDADD = libibumad.la
tests_tools_sa_member_LDFLAGS = $(AM_LDFLAGS) -no-install
TESTS += tests/stock/sweeps.sh tests/stock/loss.sh tests/stock/saquery.sh \
	tests/stock/osmtest.sh tests/stock/tools.sh tests/stock/crashes.sh tests/stock/lists.sh tests/stock/smps.sh \
	tests/stock/records.sh tests/stock/ibutils.sh tests/stock/programs.sh
check_PROGRAMS += tests/tools/odd-client
tests_tools_odd_client_LDADD = libibumad.la
tests_tools_odd_client_LDFLAGS = $(AM_LDFLAGS) -no-install
EXTRA_DIST += tests/stock/stock-fabric.sh tests/stock/sweeps.sh tests/stock/loss.sh tests/stock/saquery.sh \
	tests/stock/osmtest.sh tests/stock/tools.sh tests/stock/crashes.sh tests/stock/lists.sh tests/stock/smps.sh \
	tests/stock/records.sh tests/stock/ibutils.sh tests/stock/programs.sh \
	tests/stock/graph-lists.awk tests/stock/sa-records.awk

# A full subnet; in make check a twentieth of one.
TESTS += tests/stock/full.sh
EXTRA_DIST += tests/stock/full.sh

# Fabrics of thousands of nodes. On one processor, in seconds: 90, 300, 240, 410, 65; a full subnet
# 550, of which OpenSM 415; the crowd 60.
check-fabric: all
	$(AM_TESTS_ENVIRONMENT) OPENSM_ALL=1 $(srcdir)/tests/stock/opensm.sh
	$(AM_TESTS_ENVIRONMENT) OPENSM_ALL=1 $(srcdir)/tests/stock/loss.sh
	$(AM_TESTS_ENVIRONMENT) OPENSM_ALL=1 $(srcdir)/tests/stock/sweeps.sh
	$(AM_TESTS_ENVIRONMENT) OPENSM_ALL=1 $(srcdir)/tests/stock/saquery.sh
	$(AM_TESTS_ENVIRONMENT) OPENSM_ALL=1 $(srcdir)/tests/stock/osmtest.sh
	$(AM_TESTS_ENVIRONMENT) OPENSM_ALL=1 $(srcdir)/tests/stock/full.sh
	$(MAKE) check-crowd
	$(MAKE) check-hostile
# A server under load, for a minute; of most interest with --enable-sanitizers.
check-crowd: tests/sim/server-load
	$(AM_TESTS_ENVIRONMENT) UMADRIG_CROWD_SECONDS=60 tests/sim/server-load -p /server-load/crowd
.PHONY: check-crowd
# A server among programs that mean harm, for a minute; with --enable-sanitizers, too.
check-hostile: tests/sim/server-hostile
	$(AM_TESTS_ENVIRONMENT) UMADRIG_HOSTILE_SECONDS=60 tests/sim/server-hostile --verbose
.PHONY: check-hostile
.PHONY: check-fabric

# -- bench and lab
noinst_PROGRAMS += tests/bench/echo tests/bench/madrate tests/bench/rmpp
tests_bench_madrate_LDADD = libibumad.la
tests_bench_rmpp_LDADD = $(UNIT_LDADD)
TESTS += tests/bench/smoke.sh tests/bench/rmpp-smoke.sh tests/bench/scale-smoke.sh tests/bench/clients-smoke.sh \
	tests/bench/instructions-smoke.sh
EXTRA_DIST += tests/bench/README tests/bench/fat-tree tests/bench/compare-ibsim \
	tests/bench/smoke.sh tests/bench/syscalls tests/bench/rmpp-smoke.sh \
	tests/bench/scale tests/bench/scale-plot.awk tests/bench/scale-smoke.sh tests/bench/sides.bash \
	tests/bench/clients tests/bench/clients-smoke.sh \
	tests/bench/instructions tests/bench/instructions-smoke.sh
EXTRA_DIST += tests/lab/README.md tests/lab/check-lab tests/lab/table.awk tests/lab/labvm \
	tests/lab/probes/Makefile \
	tests/lab/probes/pcapmads.py tests/lab/probes/removal.c tests/lab/probes/rmpploss.sh tests/lab/probes/rmppone.c \
	tests/lab/probes/umadprobe.c tests/lab/real-kernel-facts.md tests/lab/umadprobe-6.1.txt

.PHONY: bench bench-clients bench-instructions bench-scale check-fuzz check-lab check-lab-matrix
bench: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/syscalls || test $$? = 2
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/compare-ibsim
	tests/bench/rmpp
# Start-up and memory by size: the table and the drawing of doc/scale.md, in the build directory.
bench-scale: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/scale >scale.txt
	cat scale.txt
	$(AWK) -f $(srcdir)/tests/bench/scale-plot.awk scale.txt >scale.svg
# Instructions of a round trip in process: the same on a busy machine.
bench-instructions: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/instructions
# ibnetdiscover and opensm on the same fabrics.
bench-clients: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/clients
TESTS += tests/fuzz/every-target.sh
EXTRA_DIST += tests/fuzz/check-fuzz tests/fuzz/every-target.sh
check-fuzz:
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/fuzz/check-fuzz $(patsubst tests/fuzz/replay-%,%,\
		$(filter tests/fuzz/replay-%,$(TESTS)))

check-lab: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/lab/check-lab
# All points of the matrices (59,000), not every 400th: hours.
check-lab-matrix: all
	$(AM_TESTS_ENVIRONMENT) EVERY=1 LABVM_TIMEOUT=7200 $(srcdir)/tests/lab/check-lab

# -- the rules of the tree
TIDY_TESTS = tests/tidy/tidy.sh tests/tidy/broken.sh
TESTS += $(TIDY_TESTS)
EXTRA_DIST += $(TIDY_TESTS) tests/tidy/tidy tests/tidy/circles.py tests/tidy/includes.py \
	tests/tidy/references.py tests/tidy/source.py tests/tidy/tree.py tests/tidy/words.py
