# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/kernel: kernels of Linux's own files, built. What is compiled with them is installed; of a
# build tree it is found by a link beside the program.
noinst_LIBRARIES += libkernel-build.a
libkernel_build_a_CPPFLAGS = $(AM_CPPFLAGS) -DKERNEL_FILES='"$(pkgdatadir)/kernel"'
libkernel_build_a_SOURCES = \
	harness/kernel/kernel-build.c harness/kernel/kernel-build.h \
	harness/kernel/kernel-faults.c harness/kernel/kernel-faults.h \
	harness/kernel/kernel-files.c harness/kernel/kernel-files.h \
	harness/kernel/kernel-option.c harness/kernel/kernel-option.h \
	harness/kernel/kernel-sanitizer.c harness/kernel/kernel-sanitizer.h \
	harness/kernel/kernel-tree.c harness/kernel/kernel-tree.h \
	harness/kernel/uml-build.c harness/kernel/uml-build.h
all-local: kernel-files
kernel-files:
	$(AM_V_GEN)ln -s '$(abs_top_srcdir)' $@
CLEANFILES += kernel-files
