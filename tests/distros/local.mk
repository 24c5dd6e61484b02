# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/distros: bare Debian systems.
EXTRA_DIST += tests/distros/check-distros tests/distros/steps

check-distros:
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/distros/check-distros
.PHONY: check-distros
