# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/static: what is found without running anything.
EXTRA_DIST += tests/static/accepted tests/static/check-static tests/static/findings.awk
TESTS += tests/static/findings.sh
EXTRA_DIST += tests/static/findings.sh

# In a separate build below this one; STATIC_TOOLS: some of "shellcheck cppcheck clang".
check-static:
	$(MKDIR_P) static
	srcdir=`cd $(srcdir) && pwd`; cd static && TOOLS='$(STATIC_TOOLS)' \
		$(SHELL) $$srcdir/tests/static/check-static $$srcdir ..
.PHONY: check-static
