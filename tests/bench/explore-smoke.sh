#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# explore-smoke: the benchmark of explore works. Nothing is timed.
set -u
. "$top_srcdir/tests/rig/tap.sh"

if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of programs"
fi
PATH=$PATH:/usr/sbin:/sbin
command -v opensm >/dev/null || tap_skip_all "no opensm here"
said=$(BASE=$top_builddir "$top_srcdir/tests/bench/explore" --smoke 2>&1)
tap_is "runs, and what they take beside another build" "$(printf '%s\n' "$said" | sed 's/[0-9][0-9.]*/N/g')" \
	"  N HCAs: N runs a second, N ms of a processor; base N, N ms: N times as many runs, N of the processor"
said=$(BASE=nowhere "$top_srcdir/tests/bench/explore" --smoke 2>&1)
tap_is "a base that is none" "$?:$said" \
	"1:explore: BASE=nowhere is neither a build directory nor a revision"
tap_done
