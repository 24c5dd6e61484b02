# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/kernels: the scenarios on kernels that are built of sources of Linux: KERNEL="DIR ...", or
# those of the packages that are installed. Some minutes for each.
EXTRA_DIST += tests/kernels/check-kernels tests/kernels/programs.sh
check-kernels: all
	$(AM_TESTS_ENVIRONMENT) KERNEL='$(KERNEL)' $(SHELL) $(srcdir)/tests/kernels/check-kernels
.PHONY: check-kernels
