#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# The benchmark of libumadraw works. Nothing is timed.
set -u
. "$top_srcdir/tests/rig/tap.sh"
libraries=$top_builddir/.libs
[ -e "$libraries/libumadraw.so" ] || tap_skip_all "no shared library was built (--disable-shared)"
out=$(LD_PRELOAD="$libraries/libibumad.so.3:$libraries/libumadraw.so" "$top_builddir/tests/bench/raw" --smoke 2>&1)
tap_is "each call is ours, and works" "$?:$(echo "$out" | grep -c works)" "0:3"
tap_done
