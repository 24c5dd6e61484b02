# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/sim: the simulator.
check_PROGRAMS += tests/sim/api tests/sim/attach tests/sim/cable tests/sim/capture-frame \
	tests/sim/capture-identity \
	tests/sim/capture-read tests/sim/capture-stream tests/sim/capture-writer tests/sim/cc \
	tests/sim/chance \
	tests/sim/clock tests/sim/clock-fork tests/sim/clock-own-wait tests/sim/clock-parties \
	tests/sim/clock-pending \
	tests/sim/clock-threads tests/sim/console tests/sim/conversation tests/sim/door \
	tests/sim/errands \
	tests/sim/event-queue \
	tests/sim/fabric tests/sim/fabric-drop tests/sim/fabric-host tests/sim/fault \
	tests/sim/fault-where tests/sim/lie \
	tests/sim/forward tests/sim/link-error \
	tests/sim/load tests/sim/mad-dictionary tests/sim/pma tests/sim/private-directory \
	tests/sim/property tests/sim/register \
	tests/sim/route \
	tests/sim/raw-packet tests/sim/replay tests/sim/replay-fabric tests/sim/replay-memory \
	tests/sim/replay-rmpp tests/sim/replay-roce \
	tests/sim/report tests/sim/server \
	tests/sim/server-depth tests/sim/server-descriptors tests/sim/server-handle \
	tests/sim/server-hostile tests/sim/server-issm tests/sim/server-size \
	tests/sim/server-limits tests/sim/server-path tests/sim/server-slices \
	tests/sim/server-token tests/sim/server-users tests/sim/server-views \
	tests/sim/server-load tests/sim/server-mailbox tests/sim/server-ring tests/sim/server-send \
	tests/sim/sma tests/sim/sma-set tests/sim/sma-valid tests/sim/spec tests/sim/survey \
	tests/sim/topology \
	tests/sim/topology-generate tests/sim/topology-ibdm tests/sim/topology-load \
	tests/sim/topology-lst tests/sim/topology-mock-ib tests/sim/topology-write tests/sim/trap
TESTS += tests/sim/survey tests/sim/capture-identity tests/sim/event-queue tests/sim/chance \
	tests/sim/topology tests/sim/topology-load \
	tests/sim/topology-files.sh tests/sim/topology-generate tests/sim/topology-ibdm \
	tests/sim/topology-lst tests/sim/topology-mock-ib tests/sim/topology-write \
	tests/sim/mad-dictionary tests/sim/pma \
	tests/sim/load tests/sim/route \
	tests/sim/sma tests/sim/sma-set tests/sim/sma-valid tests/sim/cable tests/sim/forward \
	tests/sim/link-error tests/sim/register tests/sim/trap tests/sim/cc \
	tests/sim/capture-frame \
	tests/sim/capture-read tests/sim/capture-stream tests/sim/capture-writer \
	tests/sim/conversation \
	tests/sim/replay tests/sim/replay-fabric tests/sim/replay-memory tests/sim/replay-rmpp \
	tests/sim/replay-roce tests/sim/api \
	tests/sim/api-symbols.sh tests/sim/attach tests/sim/clock tests/sim/clock-fork \
	tests/sim/clock-own-wait tests/sim/clock-parties tests/sim/clock-pending \
	tests/sim/clock-threads tests/sim/door \
	tests/sim/errands \
	tests/sim/fabric tests/sim/fabric-drop tests/sim/fabric-host tests/sim/fault \
	tests/sim/fault-where tests/sim/lie \
	tests/sim/property tests/sim/raw-packet tests/sim/report tests/sim/spec \
	tests/sim/console tests/sim/private-directory tests/sim/server tests/sim/server-depth \
	tests/sim/server-descriptors tests/sim/server-handle tests/sim/server-hostile \
	tests/sim/server-issm tests/sim/server-size tests/sim/server-load \
	tests/sim/server-limits tests/sim/server-path tests/sim/server-slices \
	tests/sim/server-token tests/sim/server-users tests/sim/server-views \
	tests/sim/server-mailbox tests/sim/server-ring tests/sim/server-send \
	tests/sim/server-stock.sh
EXTRA_DIST += tests/sim/api-symbols.sh tests/sim/server-stock.sh tests/sim/topology-files.sh

# Processes that this one starts.
check_PROGRAMS += tests/sim/descendants tests/sim/environment-padding tests/sim/kernel-mapped \
	tests/sim/process-loop \
	tests/sim/process-output tests/sim/process-spawn
TESTS += tests/sim/descendants tests/sim/environment-padding tests/sim/kernel-mapped \
	tests/sim/process-loop \
	tests/sim/process-loop-old.sh \
	tests/sim/process-output tests/sim/process-spawn
EXTRA_DIST += tests/sim/process-loop-old.sh
tests_sim_descendants_LDADD = $(UNIT_LDADD)
tests_sim_environment_padding_LDADD = $(UNIT_LDADD)
tests_sim_kernel_mapped_LDADD = $(UNIT_LDADD)
tests_sim_process_loop_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_sim_process_loop_LDADD = $(UNIT_LDADD)
tests_sim_process_output_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_sim_process_output_LDADD = $(UNIT_LDADD)
tests_sim_process_spawn_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_sim_process_spawn_LDADD = $(UNIT_LDADD)

check_PROGRAMS += tests/sim/replay-ask tests/sim/replay-captures tests/sim/replay-timed
TESTS += tests/sim/replay-ask tests/sim/replay-captures tests/sim/replay-timed
tests_sim_replay_ask_LDADD = $(UNIT_LDADD)
tests_sim_replay_captures_LDADD = $(UNIT_LDADD)
tests_sim_replay_timed_LDADD = $(UNIT_LDADD)
check_PROGRAMS += tests/sim/kernel
TESTS += tests/sim/kernel
tests_sim_kernel_SOURCES = tests/sim/kernel.c tests/rig/echo-kernel.c tests/rig/echo-kernel.h
tests_sim_kernel_LDADD = $(UNIT_LDADD)
check_PROGRAMS += tests/sim/built-kernel
TESTS += tests/sim/built-kernel
tests_sim_built_kernel_CPPFLAGS = $(LIB_CPPFLAGS)
tests_sim_built_kernel_LDADD = $(UNIT_LDADD)

check_PROGRAMS += tests/sim/plane tests/sim/plane-pairs
TESTS += tests/sim/plane tests/sim/plane-pairs
tests_sim_plane_LDADD = $(UNIT_LDADD)
tests_sim_plane_pairs_LDADD = $(UMADRIG_LDADD)
check_PROGRAMS += tests/sim/virtual-device tests/sim/virtual-function
TESTS += tests/sim/virtual-device tests/sim/virtual-function
tests_sim_virtual_device_LDADD = $(UMADRIG_LDADD)
tests_sim_virtual_function_LDADD = $(UNIT_LDADD)
check_PROGRAMS += tests/sim/lockstep-end
TESTS += tests/sim/lockstep-end
tests_sim_lockstep_end_LDADD = $(UNIT_LDADD)

check_PROGRAMS += tests/sim/lockstep-signal
TESTS += tests/sim/lockstep-signal
tests_sim_lockstep_signal_LDADD = $(UNIT_LDADD)
check_PROGRAMS += tests/sim/quirk
TESTS += tests/sim/quirk
tests_sim_quirk_LDADD = $(UNIT_LDADD)
check_PROGRAMS += tests/sim/sa tests/sim/sa-component tests/sim/sa-store
TESTS += tests/sim/sa tests/sim/sa-component tests/sim/sa-store
tests_sim_sa_store_SOURCES = tests/sim/sa-store.c tests/sim/sa-store-aliases.c \
	tests/sim/sa-store-groups.c tests/sim/sa-store-reports.c tests/sim/sa-asker.c \
	tests/sim/sa-asker.h
tests_sim_sa_store_LDADD = $(UNIT_LDADD)
tests_sim_sa_LDADD = $(UNIT_LDADD)
tests_sim_sa_component_LDADD = $(UNIT_LDADD)

check_PROGRAMS += tests/sim/wireshark
TESTS += tests/sim/wireshark
tests_sim_wireshark_LDADD = $(UNIT_LDADD)

tests_sim_event_queue_LDADD = $(UNIT_LDADD)
tests_sim_chance_LDADD = $(UNIT_LDADD)
check_PROGRAMS += tests/sim/facts
TESTS += tests/sim/facts
tests_sim_facts_SOURCES = tests/sim/facts.c
tests_sim_facts_LDADD = $(UNIT_LDADD)
tests_sim_survey_SOURCES = tests/sim/survey.c tests/rig/topology-dump.c \
	tests/rig/topology-dump.h
tests_sim_survey_LDADD = $(UNIT_LDADD)
tests_sim_topology_SOURCES = tests/sim/topology.c tests/rig/topology-dump.c \
	tests/rig/topology-dump.h
tests_sim_topology_LDADD = $(UNIT_LDADD)
tests_sim_topology_load_SOURCES = tests/sim/topology-load.c tests/rig/topology-dump.c \
	tests/rig/topology-dump.h
tests_sim_topology_load_LDADD = $(UNIT_LDADD)
tests_sim_topology_generate_LDADD = $(UNIT_LDADD)
tests_sim_topology_ibdm_SOURCES = tests/sim/topology-ibdm.c tests/rig/topology-dump.c \
	tests/rig/topology-dump.h
tests_sim_topology_ibdm_LDADD = $(UNIT_LDADD)
tests_sim_topology_lst_SOURCES = tests/sim/topology-lst.c tests/rig/topology-dump.c \
	tests/rig/topology-dump.h
tests_sim_topology_lst_LDADD = $(UNIT_LDADD)
tests_sim_topology_mock_ib_SOURCES = tests/sim/topology-mock-ib.c tests/rig/topology-dump.c \
	tests/rig/topology-dump.h
tests_sim_topology_mock_ib_LDADD = $(UNIT_LDADD)
tests_sim_topology_write_SOURCES = tests/sim/topology-write.c tests/rig/topology-dump.c \
	tests/rig/topology-dump.h
tests_sim_topology_write_LDADD = $(UNIT_LDADD)
tests_sim_load_LDADD = $(UNIT_LDADD) -lm
tests_sim_pma_LDADD = $(UNIT_LDADD)
tests_sim_cc_LDADD = $(UNIT_LDADD)
tests_sim_sma_LDADD = $(UNIT_LDADD)
tests_sim_sma_set_LDADD = $(UNIT_LDADD)
tests_sim_sma_valid_LDADD = $(UNIT_LDADD)
tests_sim_cable_LDADD = $(UNIT_LDADD)
tests_sim_route_LDADD = $(UNIT_LDADD)
tests_sim_forward_LDADD = $(UNIT_LDADD)
tests_sim_link_error_LDADD = $(UNIT_LDADD)
tests_sim_trap_LDADD = $(UNIT_LDADD)
tests_sim_mad_dictionary_CFLAGS = $(AM_CFLAGS) $(IBMAD_CFLAGS)
tests_sim_mad_dictionary_LDADD = $(UNIT_LDADD) $(IBMAD_LIBS)
tests_sim_capture_frame_LDADD = $(UNIT_LDADD)
tests_sim_capture_identity_LDADD = $(UNIT_LDADD)
tests_sim_capture_read_LDADD = $(UNIT_LDADD) $(CAPTURE_LIBS)
tests_sim_capture_stream_LDADD = $(UNIT_LDADD) $(CAPTURE_LIBS)
tests_sim_capture_writer_LDADD = $(UNIT_LDADD) $(CAPTURE_LIBS)
check_PROGRAMS += tests/sim/diff
TESTS += tests/sim/diff
tests_sim_diff_SOURCES = tests/sim/diff.c tests/sim/diff-made.c tests/sim/diff-made.h
tests_sim_diff_LDADD = $(UNIT_LDADD)
tests_sim_conversation_LDADD = $(UNIT_LDADD)
tests_sim_replay_LDADD = $(UNIT_LDADD)
tests_sim_replay_fabric_LDADD = $(UNIT_LDADD)
tests_sim_replay_memory_LDADD = $(UNIT_LDADD)
tests_sim_replay_rmpp_LDADD = $(UNIT_LDADD)
tests_sim_replay_roce_LDADD = $(UNIT_LDADD)
check_PROGRAMS += tests/sim/scrub
TESTS += tests/sim/scrub
tests_sim_scrub_SOURCES = tests/sim/scrub.c tests/sim/scrub-fields.c tests/sim/scrub-rig.c \
	tests/sim/scrub-rig.h
tests_sim_scrub_LDADD = $(UNIT_LDADD)
tests_sim_api_LDADD = $(UNIT_LDADD)
tests_sim_attach_LDADD = $(UMADRIG_LDADD)
tests_sim_clock_LDADD = $(STATIC_LDADD)
tests_sim_clock_fork_LDADD = $(STATIC_LDADD)
tests_sim_clock_own_wait_LDADD = $(STATIC_LDADD)
tests_sim_clock_parties_LDADD = $(STATIC_LDADD)
tests_sim_clock_pending_LDADD = $(STATIC_LDADD)
tests_sim_clock_threads_LDADD = $(STATIC_LDADD)
tests_sim_door_LDADD = $(UNIT_LDADD)
tests_sim_fabric_LDADD = $(UNIT_LDADD)
tests_sim_fabric_drop_LDADD = $(UNIT_LDADD)
tests_sim_fabric_host_LDADD = $(UNIT_LDADD)
tests_sim_fault_SOURCES = tests/sim/fault.c tests/sim/fault-mistakes.c \
	tests/sim/fault-mistakes.h
tests_sim_fault_LDADD = $(UNIT_LDADD)
tests_sim_fault_where_LDADD = $(UNIT_LDADD)
tests_sim_lie_LDADD = $(UNIT_LDADD)
tests_sim_raw_packet_LDADD = $(UNIT_LDADD)
tests_sim_property_LDADD = $(UNIT_LDADD)
tests_sim_register_LDADD = $(UNIT_LDADD)
tests_sim_report_LDADD = $(UNIT_LDADD)
tests_sim_spec_LDADD = $(UNIT_LDADD)
tests_sim_console_LDADD = $(UNIT_LDADD)
tests_sim_errands_LDADD = $(UNIT_LDADD)
tests_sim_private_directory_LDADD = $(UNIT_LDADD)
tests_sim_server_CPPFLAGS = $(LIB_CPPFLAGS)
tests_sim_server_LDADD = $(SERVER_LDADD)
tests_sim_server_handle_CPPFLAGS = $(LIB_CPPFLAGS)
tests_sim_server_handle_LDADD = $(SERVER_LDADD)
tests_sim_server_issm_CPPFLAGS = $(LIB_CPPFLAGS)
tests_sim_server_issm_LDADD = $(SERVER_LDADD)
tests_sim_server_size_CPPFLAGS = $(LIB_CPPFLAGS)
tests_sim_server_size_LDADD = $(SERVER_LDADD)
tests_sim_server_depth_CPPFLAGS = $(LIB_CPPFLAGS)
tests_sim_server_depth_LDADD = $(SERVER_LDADD)
tests_sim_server_descriptors_CPPFLAGS = $(LIB_CPPFLAGS)
tests_sim_server_descriptors_LDADD = $(SERVER_LDADD)
tests_sim_server_limits_CPPFLAGS = $(LIB_CPPFLAGS)
tests_sim_server_limits_LDADD = $(SERVER_LDADD)
tests_sim_server_path_CPPFLAGS = $(LIB_CPPFLAGS)
tests_sim_server_path_LDADD = $(SERVER_LDADD)
tests_sim_server_slices_CPPFLAGS = $(LIB_CPPFLAGS)
tests_sim_server_slices_LDADD = $(SERVER_LDADD)
tests_sim_server_token_CPPFLAGS = $(LIB_CPPFLAGS)
tests_sim_server_token_LDADD = $(SERVER_LDADD)
tests_sim_server_users_CPPFLAGS = $(LIB_CPPFLAGS)
tests_sim_server_users_LDADD = $(SERVER_LDADD)
tests_sim_server_views_CPPFLAGS = $(LIB_CPPFLAGS)
tests_sim_server_views_LDADD = $(SERVER_LDADD)
tests_sim_server_hostile_SOURCES = tests/sim/server-hostile.c \
	tests/sim/server-attacks.c tests/sim/server-attacks.h
tests_sim_server_hostile_CPPFLAGS = $(LIB_CPPFLAGS)
tests_sim_server_hostile_LDADD = $(SERVER_LDADD)
tests_sim_server_ring_CPPFLAGS = $(LIB_CPPFLAGS)
tests_sim_server_ring_LDADD = libumad.la $(STATIC_LDADD)
tests_sim_server_ring_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=clock_gettime
tests_sim_server_load_CPPFLAGS = $(LIB_CPPFLAGS)
tests_sim_server_load_LDADD = $(SERVER_LDADD)
tests_sim_server_mailbox_CPPFLAGS = $(LIB_CPPFLAGS)
tests_sim_server_mailbox_LDADD = $(SERVER_LDADD)
tests_sim_server_send_CPPFLAGS = $(LIB_CPPFLAGS)
tests_sim_server_send_LDADD = $(SERVER_LDADD)

# A server under load, for a minute; most useful with --enable-sanitizers.
check-crowd: tests/sim/server-load
	$(AM_TESTS_ENVIRONMENT) UMADRIG_CROWD_SECONDS=60 tests/sim/server-load -p /server-load/crowd
.PHONY: check-crowd
# A server and a supervisor among hostile programs, and what innocent ones wait beside each attack,
# in one table: some minutes each. The server is most useful with --enable-sanitizers.
HOSTILE_ENVIRONMENT = $(AM_TESTS_ENVIRONMENT) UMADRIG_HOSTILE_SECONDS=60 \
	UMADRIG_HOSTILE_ROWS=$(abs_builddir)/hostile-rows
check-hostile: tests/sim/server-hostile all tests/tools/filter-here
	@rm -f hostile-rows
	$(HOSTILE_ENVIRONMENT) tests/sim/server-hostile
	$(HOSTILE_ENVIRONMENT) $(srcdir)/tests/harness/filter-hostile.sh
	@$(AWK) -f $(srcdir)/tests/tools/hostile-table.awk hostile-rows
.PHONY: check-hostile
CLEANFILES += hostile-rows
EXTRA_DIST += tests/tools/hostile-table.awk

check_PROGRAMS += tests/sim/programs
TESTS += tests/sim/programs
tests_sim_programs_LDADD = $(UMADRIG_LDADD)

check_PROGRAMS += tests/sim/subnet
TESTS += tests/sim/subnet
tests_sim_subnet_LDADD = $(UNIT_LDADD)
check_PROGRAMS += tests/sim/router
TESTS += tests/sim/router
tests_sim_router_LDADD = $(UNIT_LDADD)
check_PROGRAMS += tests/sim/invariants
TESTS += tests/sim/invariants
tests_sim_invariants_SOURCES = tests/sim/invariants.c lib/lockstep/table-check.c
tests_sim_invariants_LDADD = $(SERVER_LDADD)

# Hosts that are guests, with a small program in the place of their kernel.
check_PROGRAMS += tests/sim/guests tests/sim/hca-machine
TESTS += tests/sim/guests tests/sim/hca-machine
tests_sim_guests_LDADD = $(STATIC_LDADD)
tests_sim_hca_machine_LDADD = $(STATIC_LDADD)
