#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# The benchmark of the filter works. Nothing is timed.
set -u
. "$top_srcdir/tests/rig/tap.sh"
out=$("$top_builddir/umadrig" exec --how filter -- true 2>&1)
[ $? = 125 ] && tap_skip_all "there is no filter here: $out"
out=$(timeout 300 "$top_srcdir/tests/bench/filter" --smoke 2>&1)
tap_is "every program runs, below the filter and without" "$out" "every program has run"
tap_done
