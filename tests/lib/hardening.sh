#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# hardening: the libraries and the command are built with the compiler's protections against bad
# input. HARDENING lists those that configure found.
set -u
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=$PWD}"
. "$top_srcdir/tests/rig/tap.sh"

libraries="$top_builddir/.libs/libibumad.so.3 $top_builddir/.libs/libumadraw.so
	$top_builddir/.libs/libumadrig.so.0"
command=$top_builddir/.libs/umadrig
[ -e "$command" ] || command=$top_builddir/umadrig
for file in $libraries "$command"; do
	[ -e "$file" ] || tap_skip_all "no shared libraries were built (--disable-shared)"
done
for tool in nm readelf; do
	command -v $tool >/dev/null || tap_skip_all "no $tool (binutils)"
done

# WORD NAME COMMAND...: the command succeeds, if configure found that the compiler supports it.
check() {
	word=$1
	name=$2
	shift 2
	case " ${HARDENING-} " in
	*" $word "*) tap_ok "$name" "$@" ;;
	*) tap_skip "$name" "not in this build: $word (see configure)" ;;
	esac
}
has_relro() {
	readelf -lW "$1" | grep -q GNU_RELRO
}
is_bound_at_once() {
	readelf -dW "$1" | grep -Eq 'BIND_NOW|FLAGS_1.* NOW'
}
calls() {
	nm -D --undefined-only "$1" | grep -Eq "$2"
}
is_pie() {
	readelf -hW "$1" | grep -Eq 'Type: +DYN' && readelf -dW "$1" | grep -Eq 'FLAGS_1.* PIE'
}
# libc is called only by the plain names, which preload shims replace (doc/compatibility.md).
is_not_fortified() {
	! calls "$1" '__(memcpy|strcpy|snprintf|fprintf|read|recv)_chk'
}
for file in $libraries "$command"; do
	name=${file##*/}
	check relro "$name: what relocation writes is read-only afterwards" has_relro "$file"
	check now "$name: all symbols are bound when it is loaded" is_bound_at_once "$file"
	check stack-protector "$name: functions with arrays watch their stack" calls "$file" \
		__stack_chk_fail
done
# It changes the canary of a program that starts, so none of its functions has one.
lockstep=$top_builddir/.libs/libumadlockstep.so
check relro "${lockstep##*/}: what relocation writes is read-only afterwards" has_relro "$lockstep"
check now "${lockstep##*/}: all symbols are bound when it is loaded" is_bound_at_once "$lockstep"
tap_is "${lockstep##*/}: has no canary" \
	"$(nm -D --undefined-only "$lockstep" | grep -c __stack_chk_fail)" 0
check fortify "libumadrig: libc checks sizes" calls "$top_builddir/.libs/libumadrig.so.0" \
	'__[a-z]+_chk'
check fortify "umadrig: libc checks sizes" calls "$command" '__[a-z]+_chk'
tap_ok "libibumad: plain libc calls only" is_not_fortified "$top_builddir/.libs/libibumad.so.3"
check pie "umadrig: can be loaded at any address" is_pie "$command"
tap_done
