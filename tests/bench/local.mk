# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/bench: benchmarks, and a smoke run of each.
check_PROGRAMS += tests/bench/capture tests/bench/echo tests/bench/madrate tests/bench/replay \
	tests/bench/rmpp
TESTS += tests/bench/smoke.sh tests/bench/rmpp-smoke.sh tests/bench/scale-smoke.sh \
	tests/bench/clients-smoke.sh tests/bench/instructions-smoke.sh \
	tests/bench/capture-smoke.sh tests/bench/replay-smoke.sh
EXTRA_DIST += tests/bench/README tests/bench/capture-smoke.sh tests/bench/clients \
	tests/bench/clients-smoke.sh \
	tests/bench/compare-ibsim tests/bench/fat-tree tests/bench/instructions \
	tests/bench/instructions-smoke.sh tests/bench/instructions.recorded \
	tests/bench/replay-smoke.sh tests/bench/rmpp-smoke.sh tests/bench/scale \
	tests/bench/scale-plot.awk tests/bench/scale-smoke.sh tests/bench/sides.bash \
	tests/bench/smoke.sh tests/bench/syscalls

tests_bench_capture_LDADD = $(STATIC_LDADD) $(CAPTURE_LIBS)
tests_bench_madrate_LDADD = $(IBUMAD_LDADD)
tests_bench_replay_LDADD = $(STATIC_LDADD)
tests_bench_rmpp_LDADD = $(STATIC_LDADD)

BENCHES = $(filter tests/bench/%,$(check_PROGRAMS))
.PHONY: bench bench-clients bench-instructions bench-scale record-instructions
bench: all $(BENCHES)
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/syscalls || test $$? = 2
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/compare-ibsim
	tests/bench/rmpp
	tests/bench/capture
	tests/bench/replay
# Start-up and memory by size: the table and the drawing of doc/scale.md, in the build directory.
bench-scale: all $(BENCHES)
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/scale >scale.txt
	cat scale.txt
	$(AWK) -f $(srcdir)/tests/bench/scale-plot.awk scale.txt >scale.svg
# Instructions of a round trip in process, which do not depend on the machine's load.
bench-instructions: all $(BENCHES)
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/instructions
record-instructions: all $(BENCHES)
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/instructions --record
# ibnetdiscover and opensm on the same fabrics.
bench-clients: all $(BENCHES)
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/clients

# What calls on other files cost below umadrig exec.
check_PROGRAMS += tests/bench/raw
TESTS += tests/bench/raw-smoke.sh
EXTRA_DIST += tests/bench/raw-smoke.sh
tests_bench_raw_CPPFLAGS = $(LIB_CPPFLAGS)
.PHONY: bench-raw
bench-raw: all $(BENCHES)
	LD_PRELOAD=$(abs_builddir)/.libs/libibumad.so.3:$(abs_builddir)/.libs/libumadraw.so \
		tests/bench/raw

# What umadrig show costs, beside tshark.
TESTS += tests/bench/show-smoke.sh
EXTRA_DIST += tests/bench/show tests/bench/show-memory tests/bench/show-smoke.sh
.PHONY: bench-show
bench-show: all $(BENCHES)
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/show
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/show-memory

# What scenarios cost, beside starts of a program.
TESTS += tests/bench/scenarios-smoke.sh
EXTRA_DIST += tests/bench/scenarios tests/bench/scenarios-smoke.sh
.PHONY: bench-scenarios
bench-scenarios: all $(BENCHES)
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/scenarios

# What programs pay below the filter of umadrig exec.
check_PROGRAMS += tests/bench/umad-raw
TESTS += tests/bench/filter-smoke.sh
EXTRA_DIST += tests/bench/filter tests/bench/filter-smoke.sh
.PHONY: bench-filter
bench-filter: all $(BENCHES)
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/filter

# What virtual time costs programs.
check_PROGRAMS += tests/bench/lockstep-costs
TESTS += tests/bench/lockstep-smoke.sh
EXTRA_DIST += tests/bench/lockstep tests/bench/lockstep-smoke.sh tests/bench/foreign-costs.c \
	tests/bench/throws.h
tests_bench_lockstep_costs_LDADD = -lpthread
.PHONY: bench-lockstep
bench-lockstep: all $(BENCHES)
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/lockstep || test $$? = 2

# How soon schedules show a bug.
TESTS += tests/bench/schedules-smoke.sh
EXTRA_DIST += tests/bench/schedules tests/bench/schedules-smoke.sh
.PHONY: bench-schedules
bench-schedules: all tests/tools/planted
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/schedules

# What counters that move cost, read and unread.
check_PROGRAMS += tests/bench/load
TESTS += tests/bench/load-smoke.sh
EXTRA_DIST += tests/bench/load-smoke.sh
tests_bench_load_LDADD = $(STATIC_LDADD)
.PHONY: bench-load
bench-load: all $(BENCHES)
	tests/bench/load

# What a kernel that was built costs beside kmod-stub, for the newest one, or KERNEL="6.1 7.2"; with
# UMADRIG_REWRITE=1 into doc/kernel.md.
check_PROGRAMS += tests/bench/kernel-memory
TESTS += tests/bench/kernels-smoke.sh
EXTRA_DIST += tests/bench/kernels tests/bench/kernels-smoke.sh
tests_bench_kernel_memory_LDADD = $(STATIC_LDADD)
.PHONY: bench-kernels
bench-kernels: all $(BENCHES)
	$(AM_TESTS_ENVIRONMENT) KERNEL='$(KERNEL)' $(srcdir)/tests/bench/kernels

# What whole kernels cost beside kmod-stub, for all that were built, or KERNEL="6.12 uml:6.12".
# check-guests runs a little of it.
EXTRA_DIST += tests/bench/guests
.PHONY: bench-guests
bench-guests: all $(BENCHES)
	$(AM_TESTS_ENVIRONMENT) KERNEL='$(KERNEL)' $(srcdir)/tests/bench/guests

# What a run of umadrig explore costs, beside BASE: a build directory or a revision.
TESTS += tests/bench/explore-smoke.sh
EXTRA_DIST += tests/bench/explore tests/bench/explore-smoke.sh
.PHONY: bench-explore
bench-explore: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/bench/explore
