# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/rig: what tests share.
noinst_HEADERS += tests/rig/capture-build.h tests/rig/capture-pack.h tests/rig/fabric-rig.h \
	tests/rig/fabric-text.h \
	tests/rig/capture-vectors.h tests/rig/clock-rig.h tests/rig/cm-capture.h \
	tests/rig/guarded-server.h tests/rig/pair-rig.h tests/rig/real-root.h \
	tests/rig/replay-rig.h tests/rig/rig.h \
	tests/rig/roce-capture.h tests/rig/roce-file.h \
	tests/rig/server-rig.h tests/rig/sma-rig.h
EXTRA_DIST += tests/rig/tap-run tests/rig/audit.sh tests/rig/fake-tree.sh tests/rig/golden.sh \
	tests/rig/elsewhere.sh tests/rig/own-tree.sh tests/rig/own-directory.sh \
	tests/rig/process-session.sh tests/rig/real-root.sh \
	tests/rig/samples.sh tests/rig/tap.sh tests/rig/terminal.py tests/rig/transcript.py \
	tests/rig/tool-rows.sh tests/rig/usual-tree.sh
# Whether reports have their forms.
EXTRA_DIST += tests/rig/json_schema.py tests/rig/junit_check.py

# Between make and every test.
check_PROGRAMS += tests/rig/test-run
tests_rig_test_run_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
TESTS += tests/rig/test-run.sh
EXTRA_DIST += tests/rig/test-run.sh

# Rows of doc/programs.md, in tests.
TESTS += tests/rig/row-check.sh
EXTRA_DIST += tests/rig/row-check.sh

# How files of shared libraries are compiled.
TESTS += tests/rig/libtool-quick.sh
EXTRA_DIST += tests/rig/libtool-quick.sh

# Kernels in shared objects: kmod-stub under the names of two releases, the echo kernel, and some
# that are refused.
KERNEL_MODULE_SOURCES = tests/rig/kernel-module.c
KERNEL_MODULE_LDFLAGS = $(LINK_FLAGS) -module -avoid-version -shared -Wl,-Bsymbolic \
	-rpath $(abs_top_builddir)/.libs
KERNEL_MODULE_LIBADD = libkmod-stub.la libbase.la
check_LTLIBRARIES += kernel-5-10.la kernel-6-12.la kernel-echo.la kernel-other-abi.la \
	kernel-other-layout.la kernel-old.la kernel-lacks.la kernel-fails.la
kernel_5_10_la_SOURCES = $(KERNEL_MODULE_SOURCES)
kernel_5_10_la_CPPFLAGS = $(AM_CPPFLAGS) -DMODULE_KERNEL=kmod_stub -DMODULE_RELEASE='"5.10.262"'
kernel_5_10_la_LDFLAGS = $(KERNEL_MODULE_LDFLAGS)
kernel_5_10_la_LIBADD = $(KERNEL_MODULE_LIBADD)
kernel_6_12_la_SOURCES = $(KERNEL_MODULE_SOURCES)
kernel_6_12_la_CPPFLAGS = $(AM_CPPFLAGS) -DMODULE_KERNEL=kmod_stub -DMODULE_RELEASE='"6.12.117"'
kernel_6_12_la_LDFLAGS = $(KERNEL_MODULE_LDFLAGS)
kernel_6_12_la_LIBADD = $(KERNEL_MODULE_LIBADD)
kernel_echo_la_SOURCES = $(KERNEL_MODULE_SOURCES) tests/rig/echo-kernel.c
kernel_echo_la_CPPFLAGS = $(AM_CPPFLAGS) -DMODULE_ECHO -DMODULE_KERNEL=echo_kernel \
	-DMODULE_RELEASE='"6.1.192"'
kernel_echo_la_LDFLAGS = $(KERNEL_MODULE_LDFLAGS)
kernel_echo_la_LIBADD = $(KERNEL_MODULE_LIBADD) $(GLIB_LIBS)
kernel_other_abi_la_SOURCES = $(KERNEL_MODULE_SOURCES)
kernel_other_abi_la_CPPFLAGS = $(AM_CPPFLAGS) -DMODULE_KERNEL=kmod_stub \
	-DMODULE_RELEASE='"6.1.192"' -DMODULE_ABI=4711
kernel_other_abi_la_LDFLAGS = $(KERNEL_MODULE_LDFLAGS)
kernel_other_abi_la_LIBADD = $(KERNEL_MODULE_LIBADD)
kernel_other_layout_la_SOURCES = $(KERNEL_MODULE_SOURCES)
kernel_other_layout_la_CPPFLAGS = $(AM_CPPFLAGS) -DMODULE_KERNEL=kmod_stub \
	-DMODULE_RELEASE='"6.1.192"' -DMODULE_LAYOUT=4711
kernel_other_layout_la_LDFLAGS = $(KERNEL_MODULE_LDFLAGS)
kernel_other_layout_la_LIBADD = $(KERNEL_MODULE_LIBADD)
kernel_old_la_SOURCES = $(KERNEL_MODULE_SOURCES)
kernel_old_la_CPPFLAGS = $(AM_CPPFLAGS) -DMODULE_KERNEL=kmod_stub -DMODULE_RELEASE='"4.19.300"'
kernel_old_la_LDFLAGS = $(KERNEL_MODULE_LDFLAGS)
kernel_old_la_LIBADD = $(KERNEL_MODULE_LIBADD)
kernel_lacks_la_SOURCES = $(KERNEL_MODULE_SOURCES)
kernel_lacks_la_CPPFLAGS = $(AM_CPPFLAGS) -DMODULE_KERNEL=kmod_stub \
	-DMODULE_RELEASE='"6.1.192"' -DMODULE_LACKS=message_read
kernel_lacks_la_LDFLAGS = $(KERNEL_MODULE_LDFLAGS)
kernel_lacks_la_LIBADD = $(KERNEL_MODULE_LIBADD)
kernel_fails_la_SOURCES = $(KERNEL_MODULE_SOURCES)
kernel_fails_la_CPPFLAGS = $(AM_CPPFLAGS) -DMODULE_KERNEL=kmod_stub \
	-DMODULE_RELEASE='"6.1.192"' -DMODULE_FAILS=ENOMEM
kernel_fails_la_LDFLAGS = $(KERNEL_MODULE_LDFLAGS)
kernel_fails_la_LIBADD = $(KERNEL_MODULE_LIBADD)
