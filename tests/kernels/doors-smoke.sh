#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# doors-smoke: tests of kmod-stub run on the kernel that UMADRIG_TEST_KERNEL names, or say why not;
# kmod-stub in a shared object passes, a kernel that does something else does not.
set -u
. "$top_srcdir/tests/rig/tap.sh"

case $top_builddir in /*) ;; *) top_builddir=$PWD/$top_builddir ;; esac
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# KERNEL UNIT PATH: its status
unit() {
	UMADRIG_TEST_KERNEL=$top_builddir/.libs/kernel-$1.so "$top_builddir/tests/kmod-stub/$2" -p "$3" \
		>"$work/out" 2>&1
	echo $?
}
tap_is "kmod-stub by another name passes" "$(unit 6-12 write /kmod/write/errors)" 0
tap_is "a test of its structs ends" "$(unit 6-12 registration /kmod/registration/numbers-wrapped)" 77
tap_has "and says why" "$(cat "$work/out")" "# a test of kmod-stub alone: its counter is set"
tap_is "a test of another release ends" "$(unit 6-12 profile /kmod/profile/flow)" 77
tap_has "and says which" "$(cat "$work/out")" "# linux-6.12.117 is as linux-6.1, the test is about linux-6.17"
status=$(unit echo registration /kmod/registration/statements)
tap_ok "a kernel that does something else fails" test "$status" != 0 -a "$status" != 77
tap_done
