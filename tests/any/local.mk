# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/any: one program in many languages; tests/harness/any-programs.sh builds and runs it.
ANY_TESTS = tests/harness/any-programs.sh
TESTS += $(ANY_TESTS)
EXTRA_DIST += $(ANY_TESTS) tests/any/neighbour-library.c tests/any/neighbour-shell \
	tests/any/neighbour.c tests/any/neighbour.go tests/any/neighbour.py tests/any/neighbour.rs \
	tests/rig/any.sh

# With every language.
check-any: all $(check_PROGRAMS)
	$(AM_TESTS_ENVIRONMENT) ANY_ALL=1 $(srcdir)/tests/harness/any-programs.sh
.PHONY: check-any
