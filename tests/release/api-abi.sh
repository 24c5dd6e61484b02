#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# api-abi: programs that were linked with libumadrig.so.0 of the release whose header is in
# tests/release/umadrig.h.txt run with this one: what that header declares has not changed, as
# abidiff says, and more may have come. And it does detect what would break them.
#
# Before a release, a wanted change is recorded by make record-abi. After it, what is recorded
# stays, and a change needs another number in libumadrig's -version-info, or another name.
set -u
. "$top_srcdir/tests/rig/tap.sh"

command -v abidiff >/dev/null || tap_skip_all "no abidiff (abigail-tools)"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
recorded=$top_srcdir/tests/release/umadrig.h.txt now=$top_srcdir/sim/api/umadrig.h

# NAME HEADER: a library NAME.so, which has a variable for each function and struct of the recorded
# header, of the types that HEADER gives them.
names() {
	sed -e 's,/\*.*\*/,,' -e '/\/\*/,/\*\//d' "$recorded"
}
functions=$(names | grep -v '^typedef' | grep -o 'umadrig_[a-z_]*(' | tr -d '(' | sort -u)
structs=$(names | sed -n 's/^struct \(umadrig_[a-z_]*\) {$/\1/p')
enums=$(names | sed -n 's/^enum \(umadrig_[a-z_]*\) {$/\1/p')
compile() {
	mkdir -p "$work/$1"
	cp "$2" "$work/$1/umadrig.h"
	{
		echo '#include "umadrig.h"'
		for name in $functions; do
			echo "extern __typeof__($name) *abi_$name; __typeof__($name) *abi_$name;"
		done
		for name in $structs; do
			echo "struct $name abi_struct_$name;"
		done
		for name in $enums; do
			echo "enum $name abi_enum_$name;"
		done
	} >"$work/$1/abi.c"
	${CC:-cc} -std=gnu11 -g -O0 -w -shared -fPIC -I"$work/$1" -o "$work/$1.so" "$work/$1/abi.c"
}
differ() {
	abidiff --no-show-locs "$work/recorded.so" "$work/$1.so"
}

tap_ok "the recorded header declares functions" test "$(echo "$functions" | wc -l)" -gt 40
tap_ok "and structs" test "$(echo "$structs" | wc -l)" -gt 5
tap_ok "it compiles" compile recorded "$recorded"
tap_ok "this one has all of it" compile now "$now"
tap_ok "and has it as it was (before a release: make record-abi)" differ now

# NAME SED-SCRIPT: a copy of the header with a fault that must be detected.
must_see() {
	sed "$2" "$recorded" >"$work/faulty.h"
	if cmp -s "$work/faulty.h" "$recorded"; then
		tap_fail "seen: $1" "the fault was not made: $2"
	elif compile faulty "$work/faulty.h" 2>/dev/null && differ faulty >/dev/null 2>&1; then
		tap_fail "seen: $1"
	else
		tap_pass "seen: $1"
	fi
}
must_see "a function that is gone" '/^void umadrig_attach(/d'
must_see "a parameter that is gone" 's/^\(void umadrig_fabric_close(\).*;/\1void);/'
must_see "a result of another type" 's/^int64_t umadrig_now(/int32_t umadrig_now(/'
must_see "a struct that has grown" 's/^struct umadrig_fault {/&\n\tint more;/'
must_see "an enumerator in the middle" 's/^enum umadrig_fault_act {/&\n\tUMADRIG_FAULT_OTHER,/'
cp "$recorded" "$work/more.h"
sed -i 's/^void umadrig_attach(/int umadrig_more(int a);\n&/' "$work/more.h"
tap_ok "another function compiles" compile more "$work/more.h"
tap_ok "and is no change" differ more
library=$top_builddir/.libs/libumadrig.so.0
if [ -e "$library" ]; then
	tap_has "the library's name is the one that programs ask for" \
		"$(objdump -p "$library" 2>/dev/null || readelf -d "$library")" libumadrig.so.0
else
	tap_skip "the library's name" "no shared library"
fi

tap_done
