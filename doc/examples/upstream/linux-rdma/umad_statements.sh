#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# umad_statements.sh: what ib_umad and ib_mad do, by the *.mad files beside it, at one real ib_umad
# port: a kselftest that prints KTAP. PORT: which one, as mlx5_0/1 (default: the first active one
# that is InfiniBand). Nothing is sent beyond that port. BACKEND=sim: on umadrig's own fabric.
set -u
KSFT_PASS=0 KSFT_FAIL=1 KSFT_SKIP=4
umadrig=${UMADRIG:-umadrig} backend=${BACKEND:-ib_umad} class=${CLASS:-/sys/class}
cd "$(dirname "$0")" || exit $KSFT_FAIL

skip() {
	echo "1..0 # SKIP $1"
	exit $KSFT_SKIP
}
# The first umad port whose link is InfiniBand and Active.
first_port() {
	for umad in "$class"/infiniband_mad/umad*; do
		[ -r "$umad/ibdev" ] || continue
		port=$(cat "$umad/ibdev")/$(cat "$umad/port")
		at=$class/infiniband/${port%/*}/ports/${port#*/}
		case $(cat "$at/link_layer"):$(cat "$at/state") in
		InfiniBand:*ACTIVE) echo "$port"; return ;;
		esac
	done
}

echo "KTAP version 1"
command -v "$umadrig" >/dev/null || skip "no umadrig"
if [ "$backend" = ib_umad ]; then
	PORT=${PORT:-$(first_port)}
	[ -n "$PORT" ] || skip "no ib_umad port that is InfiniBand and active"
	set -- --backend ib_umad --port "A=$PORT"
else
	set -- --backend "$backend"
fi

captures=$(mktemp -d) || exit $KSFT_FAIL
trap 'rmdir "$captures" 2>/dev/null' EXIT
scripts=$PWD
set -- "$@" --tap
# What fails leaves a capture.
(cd "$captures" && "$umadrig" run "$@" "$scripts"/*.mad 2>&1; echo "umadrig's status: $?") | {
	# TAP of umadrig is KTAP but for its first line, and for points that cannot be judged.
	failed=0 passed=0
	while IFS= read -r line; do
		case $line in
		"TAP version"*) continue ;;
		"umadrig's status: "[!0]*) failed=1; line="# $line" ;;
		"umadrig's status: 0") continue ;;
		"not ok"*) failed=1 ;;
		ok*"# SKIP"*) ;;
		ok*) passed=1 ;;
		esac
		printf '%s\n' "$line"
	done
	[ $failed = 0 ] || { echo "# captures of what failed: $captures"; exit $KSFT_FAIL; }
	[ $passed = 1 ] || exit $KSFT_SKIP
	exit $KSFT_PASS
}
