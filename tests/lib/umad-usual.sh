#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# umad-usual: the usual library and ours side by side, on the same made-up /sys/class and /dev in a
# mount namespace of their own. Where the usual one does what is documented the results are the
# same; and no call of ours makes more system calls.
set -u
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=$PWD}"
. "$top_srcdir/tests/rig/tap.sh"

ours=$top_builddir/.libs
[ -e "$ours/libibumad.so.3" ] || tap_skip_all "no shared library was built (--disable-shared)"
ours=$(cd "$ours" && pwd)
usual=
for dir in /usr/lib/*/ /usr/lib64/; do
	[ -e "${dir}libibumad.so.3" ] && usual=${dir%/} && break
done
[ -n "$usual" ] || tap_skip_all "no libibumad.so.3 of the distribution (libibumad3)"
if nm -D "$ours/libibumad.so.3" | grep -q __asan_; then
	tap_skip_all "a library with sanitizers cannot be put in front of a program without"
fi

if [ "${1-}" != inside ]; then
	unshare -m mount -t tmpfs none /sys/class 2>/dev/null ||
		tap_skip_all "a mount namespace is not allowed here"
	work=$(mktemp -d) || exit 99
	trap 'rm -rf "$work"' EXIT
	${CC:-cc} -std=gnu11 -I"$top_srcdir/lib/include" -o "$work/calls" \
		"$top_srcdir/tests/lib/umad-calls.c" \
		-L"$ours" -libumad || exit 99
	top_srcdir=$top_srcdir top_builddir=$top_builddir unshare -m sh "$0" inside "$work"
	exit
fi

work=$2
. "$top_srcdir/tests/rig/usual-tree.sh"
add_port mlx5_0 1 1 2 InfiniBand
add_port mlx5_0 2 2 5 InfiniBand
add_port mlx5_1 1 4 5 InfiniBand
add_port mlx5_1 2 4 5 InfiniBand

# LIBRARY-DIR CALL...
run() {
	LD_LIBRARY_PATH=$1
	shift
	LD_LIBRARY_PATH=$LD_LIBRARY_PATH "$work/calls" "$@" 2>&1
}

# How many system calls does a call add to those of a program without calls?
count_calls() {
	LD_LIBRARY_PATH=$1 strace -o "$work/strace" "$work/calls" none >"$work/out" 2>&1
	none=$(wc -l <"$work/strace")
	LD_LIBRARY_PATH=$1
	shift
	LD_LIBRARY_PATH=$LD_LIBRARY_PATH strace -o "$work/strace" "$work/calls" "$@" >"$work/out" \
		2>&1
	echo $(($(wc -l <"$work/strace") - none))
}

strace=$(command -v strace) && strace -o "$work/strace" true 2>/dev/null || strace=
while read -r call; do
	# shellcheck disable=SC2086 # a call and its arguments
	tap_is "$call: the same from both" "$(run "$ours" $call)" "$(run "$usual" $call)"
	# A failing call need not be fast.
	# shellcheck disable=SC2086
	case $(run "$ours" $call) in *"= -"*) continue ;; esac
	if [ -z "$strace" ]; then
		tap_skip "$call: no more system calls" "no strace, or it is not allowed here"
		continue
	fi
	# shellcheck disable=SC2086
	our_count=$(count_calls "$ours" $call)
	# shellcheck disable=SC2086
	usual_count=$(count_calls "$usual" $call)
	name="$call: no more system calls ($our_count, usual $usual_count)"
	if [ "$our_count" -le "$usual_count" ]; then tap_pass "$name"; else tap_fail "$name"; fi
done <<'END'
names
ca mlx5_0
ca mlx5_1
ca nosuch
ca -
port mlx5_0 1
port mlx5_0 2
port mlx5_0 3
port mlx5_0 0
port mlx5_1 0
port - 0
port - 2
portguids mlx5_1
portguids -
issm mlx5_0 2
issm mlx5_1 2
issm mlx5_1 3
issm - 0
open mlx5_0 1
open mlx5_1 2
open mlx5_1 3
open nosuch 1
open nosuch 0
open - 0
reopen mlx5_1 2
send mlx5_1 1
recv mlx5_1 1
poll mlx5_1 1
close mlx5_1 1
END

# Where the usual library does not do what is documented: doc/compatibility.md has the reasons.
while IFS='|' read -r call usual_result our_result; do
	# shellcheck disable=SC2086
	tap_is "$call: the usual result" "$(run "$usual" $call)" "$usual_result"
	# shellcheck disable=SC2086
	tap_is "$call: ours" "$(run "$ours" $call)" "$our_result"
done <<'END'
port - 3|port: = -5|port: = -19
portguids nosuch|portguids: = -1|portguids: = -2
port mlx5_0 -1|port: = -5|port: = -22
END
tap_done
