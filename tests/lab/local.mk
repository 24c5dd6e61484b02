# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/lab: the scenarios on a real kernel.
EXTRA_DIST += tests/lab/README.md tests/lab/check-aarch64 tests/lab/check-any tests/lab/check-lab \
	tests/lab/check-hour tests/lab/check-record tests/lab/guest-init tests/lab/hour \
	tests/lab/labvm \
	tests/lab/probes/Makefile tests/lab/probes/pcapmads.py \
	tests/lab/probes/probe-discover.c tests/lab/probes/probe-io.c \
	tests/lab/probes/probe-life.c tests/lab/probes/probe-match.c \
	tests/lab/probes/probe-register.c tests/lab/probes/probe-rmpp.c \
	tests/lab/probes/probe-timeout.c tests/lab/probes/probe-tools.c \
	tests/lab/probes/removal.c tests/lab/probes/rmpploss.sh tests/lab/probes/rmppone.c \
	tests/lab/probes/umadprobe.c tests/lab/probes/umadprobe.h \
	tests/lab/real-kernel-facts.md tests/lab/replay-timed \
	tests/lab/table.awk tests/lab/umadprobe-6.1.txt

check-lab: all check-lab-hour check-lab-record check-lab-replay
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/lab/check-lab
# Captures between two soft-RoCE ports, by itself.
check-lab-replay: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/lab/replay-timed
# An hour of OpenSM in virtual time, the same there as here, by itself.
check-lab-hour: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/lab/check-hour
# umadrig record on its ports, by itself.
check-lab-record: all tests/tools/gid-ask tests/tools/scrub-leaks
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/lab/check-record
# All points of the matrices (59,000), not every 400th: takes hours.
check-lab-matrix: all
	$(AM_TESTS_ENVIRONMENT) EVERY=1 LABVM_TIMEOUT=7200 $(srcdir)/tests/lab/check-lab
# umadrig on arm64, built with a cross compiler: in qemu, with Debian's packages.
check-aarch64: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/lab/check-aarch64
.PHONY: check-aarch64 check-lab check-lab-hour check-lab-record check-lab-replay check-lab-matrix
