#!/bin/sh
# scenarios-matrix: every single MAD of messages in segments, requests and ACKs too, lost, late, twice, corrupt
# with wrong CRCs and with right ones: each has the outcome that its scenario states. A line for each class;
# the points that fail are shown.
set -u
. "$top_srcdir/tests/tap.sh"

case $top_builddir in /*) ;; *) top_builddir=$PWD/$top_builddir ;; esac
case $top_srcdir in /*) ;; *) top_srcdir=$PWD/$top_srcdir ;; esac
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99

# NAME LEAST: the matrix has at least LEAST points, and all of them pass.
matrix() {
	out=$("$top_builddir/umadrig" run "$top_srcdir/scenarios/rmpp/matrix-$1.mad" 2>said)
	status=$?
	[ "$status" = 0 ] || head -n 50 said | sed 's/^/# /'
	tap_is "$1: all pass" "$status:$(printf '%s\n' "$out" | grep '^not ok' | head -n 5)" 0:
	tap_ok "$1: at least $2 points" test "$(printf '%s\n' "$out" | grep -c '^ok')" -ge "$2"
}

matrix sa 19665
matrix vendor 19665
matrix device 19665

tap_done
