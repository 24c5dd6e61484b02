# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/rig: what tests share.
noinst_HEADERS += tests/rig/capture-build.h tests/rig/capture-pack.h tests/rig/fabric-rig.h \
	tests/rig/fabric-text.h \
	tests/rig/capture-vectors.h tests/rig/clock-rig.h tests/rig/cm-capture.h \
	tests/rig/guarded-server.h tests/rig/pair-rig.h tests/rig/replay-rig.h tests/rig/rig.h \
	tests/rig/roce-capture.h tests/rig/roce-file.h \
	tests/rig/server-rig.h tests/rig/sma-rig.h
EXTRA_DIST += tests/rig/tap-run tests/rig/audit.sh tests/rig/golden.sh tests/rig/own-tree.sh \
	tests/rig/own-directory.sh tests/rig/process-session.sh tests/rig/samples.sh \
	tests/rig/tap.sh tests/rig/transcript.py tests/rig/usual-tree.sh
# Whether reports have their forms.
EXTRA_DIST += tests/rig/json_schema.py tests/rig/junit_check.py

# Between make and every test.
check_PROGRAMS += tests/rig/test-run
tests_rig_test_run_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
TESTS += tests/rig/test-run.sh
EXTRA_DIST += tests/rig/test-run.sh

# How files of shared libraries are compiled.
TESTS += tests/rig/libtool-quick.sh
EXTRA_DIST += tests/rig/libtool-quick.sh
