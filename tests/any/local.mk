# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/any: programs that load no library of ours, in many languages; tests build and run them.
ANY_TESTS = tests/harness/any-programs.sh tests/harness/any-python.sh tests/harness/any-storm.sh \
	tests/harness/any-schedules.sh tests/harness/any-surroundings.sh \
	tests/harness/any-unprivileged.sh \
	tests/harness/any-verbs.sh \
	tests/harness/any-virtual.sh
TESTS += $(ANY_TESTS)
check_PROGRAMS += tests/tools/docker-denials
EXTRA_DIST += $(ANY_TESTS) tests/any/children.go \
	tests/any/neighbour-library.c tests/any/neighbour-shell \
	tests/any/neighbour.c tests/any/neighbour.go tests/any/neighbour.py tests/any/neighbour.rs \
	tests/any/kernel-says.c tests/any/kernel-says.txt \
	tests/any/rdma-cm.c tests/any/rdma-core tests/any/rdma.c tests/any/storm.c \
	tests/any/say.h \
	tests/any/uevent-says.c tests/any/uevent-says.txt \
	tests/any/verbs.c tests/rig/any.sh

# All of them, where 'make check' may go without a compiler or a tool; a minute of each storm; on a
# real device, in the lab.
check-any: all $(check_PROGRAMS)
	$(AM_TESTS_ENVIRONMENT) ANY_ALL=1 $(srcdir)/tests/harness/any-programs.sh
	$(AM_TESTS_ENVIRONMENT) ANY_ALL=1 $(srcdir)/tests/harness/any-unprivileged.sh
	$(AM_TESTS_ENVIRONMENT) ANY_ALL=1 $(srcdir)/tests/harness/any-virtual.sh
	$(AM_TESTS_ENVIRONMENT) ANY_ALL=1 ANY_HOW=filter $(srcdir)/tests/harness/any-virtual.sh
	$(AM_TESTS_ENVIRONMENT) ANY_ALL=1 $(srcdir)/tests/harness/any-python.sh
	$(AM_TESTS_ENVIRONMENT) ANY_ALL=1 $(srcdir)/tests/harness/any-surroundings.sh
	$(AM_TESTS_ENVIRONMENT) ANY_SCHEDULES=1000 $(srcdir)/tests/harness/any-schedules.sh
	$(AM_TESTS_ENVIRONMENT) ANY_SECONDS=60 $(srcdir)/tests/harness/any-storm.sh
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/any/rdma-core
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/lab/check-any
.PHONY: check-any
