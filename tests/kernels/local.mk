# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/kernels: the scenarios on kernels that are built of sources of Linux: KERNEL="DIR ...", or
# those of the packages that are installed. Some minutes for each. FUZZ=100000: and as many random
# operations, on kmod-stub and on the kernel. Mistakes that are planted into one are found. At its
# doors, kmod.h and /dev/infiniband/umadN, it answers as kmod-stub does.
check_PROGRAMS += tests/kernels/at-once tests/kernels/duel tests/kernels/rdma-cm \
	tests/kernels/rmpp-sizes tests/kernels/umad-fuzz
TESTS += tests/kernels/at-once.sh tests/kernels/duel tests/kernels/doors-smoke.sh \
	tests/kernels/rmpp-sizes tests/kernels/umad-fuzz
tests_kernels_at_once_LDADD = $(KMOD_LDADD)
tests_kernels_duel_SOURCES = tests/kernels/duel.c tests/kernels/duel.h \
	tests/kernels/duel-act.c tests/kernels/duel-play.c tests/kernels/duel-play.h \
	tests/kernels/duel-shrink.c tests/kernels/duel-step.c
tests_kernels_duel_LDADD = $(KMOD_LDADD)
tests_kernels_rmpp_sizes_CPPFLAGS = $(LIB_CPPFLAGS)
tests_kernels_rmpp_sizes_LDADD = $(UNIT_LDADD)
tests_kernels_umad_fuzz_SOURCES = tests/kernels/umad-fuzz.c tests/kernels/umad-fuzz-guide.c \
	tests/kernels/umad-fuzz-guide.h
tests_kernels_umad_fuzz_CPPFLAGS = $(LIB_CPPFLAGS)
tests_kernels_umad_fuzz_LDADD = $(UNIT_LDADD)
EXTRA_DIST += tests/kernels/at-once.sh tests/kernels/check-kernels tests/kernels/coverage-kernel \
	tests/kernels/doors tests/kernels/doors-smoke.sh tests/kernels/file-session \
	tests/kernels/guest-checks tests/kernels/guest-fabric tests/kernels/hca-churn.c \
	tests/kernels/hca-serve.c tests/kernels/module-machine.h \
	tests/kernels/hca-module tests/kernels/module.config \
	tests/kernels/guests tests/kernels/guest-programs \
	tests/kernels/guest-python tests/kernels/guest-scenarios tests/kernels/guest-session \
	tests/kernels/planted-bugs tests/kernels/planted-guest \
	tests/kernels/jiffies.mad tests/kernels/last-segment.mad tests/kernels/local-response.mad \
	tests/kernels/cm.mad tests/kernels/question.mad \
	tests/kernels/programs.sh \
	tests/kernels/short-message.mad
KERNEL_DOORS = $(filter tests/kmod-stub/%,$(check_PROGRAMS)) tests/tools/filter-here \
	tests/tools/raw-calls
check-kernels: all tests/kernels/at-once tests/kernels/duel tests/swarm/swarm \
		check-planted-bugs check-kernel-doors check-guests
	$(AM_TESTS_ENVIRONMENT) KERNEL='$(KERNEL)' FUZZ='$(FUZZ)' \
		FAIL_ALLOCATIONS='$(FAIL_ALLOCATIONS)' \
		$(SHELL) $(srcdir)/tests/kernels/check-kernels
check-planted-bugs: all tests/kernels/at-once
	$(AM_TESTS_ENVIRONMENT) KERNEL='$(KERNEL)' $(SHELL) $(srcdir)/tests/kernels/planted-bugs
check-kernel-doors: all $(KERNEL_DOORS)
	$(AM_TESTS_ENVIRONMENT) KERNEL='$(KERNEL)' $(SHELL) $(srcdir)/tests/kernels/doors
# Whole kernels: minutes each, once. UMADRIG_TEST_UML=IMAGE: those that are there already.
check-guests: all tests/bench/madrate tests/kernels/rdma-cm tests/kernels/rmpp-sizes \
		tests/kernels/umad-fuzz
	$(AM_TESTS_ENVIRONMENT) KERNEL='$(KERNEL)' UMADRIG_TEST_UML='$(UMADRIG_TEST_UML)' \
		$(SHELL) $(srcdir)/tests/kernels/guests
# A mistake of Linux's is put back into a whole kernel, and found: KERNEL=TREE or PLANTED_TREE=TREE.
check-planted-guest: all tests/kernels/umad-fuzz
	$(AM_TESTS_ENVIRONMENT) KERNEL='$(KERNEL)' PLANTED_TREE='$(PLANTED_TREE)' \
		PLANTED_UML='$(PLANTED_UML)' $(SHELL) $(srcdir)/tests/kernels/planted-guest
# The driver as a module, in qemu with KASAN and lockdep: KERNEL=TREE (ten minutes, once).
check-hca-module: all
	$(AM_TESTS_ENVIRONMENT) KERNEL='$(KERNEL)' CYCLES='$(CYCLES)' CC='$(CC)' \
		$(SHELL) $(srcdir)/tests/kernels/hca-module
# UMAD_FUZZ="-n 5000 -s 1-1000 uml:6.12+kasan": what is tried, as umad-fuzz takes it.
check-umad-fuzz: all tests/kernels/umad-fuzz
	$(AM_TESTS_ENVIRONMENT) tests/kernels/umad-fuzz $(UMAD_FUZZ)
# Which lines of a kernel's files the scenarios run through: KERNEL="DIR ...", or as above.
coverage-kernel: all
	$(AM_TESTS_ENVIRONMENT) KERNEL='$(KERNEL)' $(SHELL) $(srcdir)/tests/kernels/coverage-kernel
.PHONY: check-guests check-hca-module check-kernels check-kernel-doors check-planted-bugs \
	check-planted-guest check-umad-fuzz coverage-kernel
