# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/distros: bare Debian systems.
EXTRA_DIST += tests/distros/check-current tests/distros/check-distros tests/distros/check-rpm \
	tests/distros/check-surroundings \
	tests/distros/roots tests/distros/steps tests/distros/type-page

check-distros:
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/distros/check-distros
# The programs of Debian 13 and unstable; make check-current CURRENT=sid is one of them.
CURRENT = trixie sid
check-current: all $(check_PROGRAMS) $(check_LTLIBRARIES)
	$(AM_TESTS_ENVIRONMENT) CURRENT='$(CURRENT)' $(srcdir)/tests/distros/check-current
# The suite where tests have other surroundings, or TESTS.
check-surroundings: all $(check_PROGRAMS) $(check_LTLIBRARIES)
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/distros/check-surroundings $(TESTS)
# RPM packages, where there is rpmbuild.
check-rpm:
	$(MAKE) dist
	$(AM_TESTS_ENVIRONMENT) RPM_ARCHIVE=$(distdir).tar.xz $(srcdir)/tests/distros/check-rpm
.PHONY: check-distros check-current check-rpm check-surroundings
