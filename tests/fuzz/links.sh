#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# links: each fuzz target links as make check-fuzz links it, with static libraries alone, and runs.
# The programs of make check have shared ones: they do not show it.
set -u
. "$top_srcdir/tests/rig/tap.sh"

[ -w "$top_builddir" ] || tap_skip_all "they are linked in the build directory, which is not writable"
made=$top_builddir/tests/fuzz/linked
trap 'rm -f "$top_builddir"/tests/fuzz/replay-*-linked; rm -rf "$made"' EXIT
mkdir -p "$made" || exit 99

# What make check was called with is not for this one: it may name tests.
tap_ok "all fuzz targets link without shared libraries of ours" env MAKEFLAGS= MFLAGS= \
	"${MAKE:-make}" -s -C "$top_builddir" link-fuzz EXEEXT=-linked
count=0
for target in "$top_srcdir"/tests/fuzz/corpus-*; do
	name=${target##*/corpus-}
	program=$top_builddir/tests/fuzz/replay-$name-linked
	seed=$(find "$target" -type f | sort | head -n 1)
	tap_ok "$name" test -x "$program"
	tap_is "$name loads none" "$(ldd "$program" 2>&1 | grep umad)" ""
	"$program" "$seed" >"$made/out" 2>&1
	tap_is "$name runs" "$?:$(grep -c '^ok' "$made/out")" 0:2
	count=$((count + 1))
done
tap_ok "there are targets" test $count -gt 15
tap_done
