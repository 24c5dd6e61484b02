#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# schedules-smoke: the benchmark of schedules works. Nothing is timed.
set -u
. "$top_srcdir/tests/rig/tap.sh"

if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of programs"
fi
said=$("$top_srcdir/tests/bench/schedules" --smoke 2>&1)
tap_has "what comes late is found" "$said" "late  mixed  found in   1 of   1 series"
tap_has "and what comes in the middle" "$said" "mid   mixed  found in   1 of   1 series"
tap_has "walks are counted as well" "$said" "late  walk   found in "
tap_done
