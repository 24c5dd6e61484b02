# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/kernels: the scenarios on kernels that are built of sources of Linux: KERNEL="DIR ...", or
# those of the packages that are installed. Some minutes for each. FUZZ=100000: and as many random
# operations, on kmod-stub and on the kernel. Mistakes that are planted into one are found.
check_PROGRAMS += tests/kernels/duel
TESTS += tests/kernels/duel
tests_kernels_duel_SOURCES = tests/kernels/duel.c tests/kernels/duel.h \
	tests/kernels/duel-act.c tests/kernels/duel-play.c tests/kernels/duel-play.h \
	tests/kernels/duel-shrink.c tests/kernels/duel-step.c
tests_kernels_duel_LDADD = $(KMOD_LDADD)
EXTRA_DIST += tests/kernels/check-kernels tests/kernels/planted-bugs tests/kernels/programs.sh \
	tests/kernels/short-message.mad
check-kernels: all tests/kernels/duel check-planted-bugs
	$(AM_TESTS_ENVIRONMENT) KERNEL='$(KERNEL)' FUZZ='$(FUZZ)' \
		$(SHELL) $(srcdir)/tests/kernels/check-kernels
check-planted-bugs: all
	$(AM_TESTS_ENVIRONMENT) KERNEL='$(KERNEL)' $(SHELL) $(srcdir)/tests/kernels/planted-bugs
.PHONY: check-kernels check-planted-bugs
