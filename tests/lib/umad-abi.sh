#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# umad-abi: types and calls of our headers equal those of libibumad-dev's, according to abidiff; and
# it does detect a moved member, a changed type and a missing parameter.
set -u
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/rig/tap.sh"

command -v abidiff >/dev/null || tap_skip_all "no abidiff (abigail-tools)"
usual=
for dir in /usr/include /usr/local/include; do
	[ -e "$dir/infiniband/umad_str.h" ] && usual=$dir && break
done
[ -n "$usual" ] || tap_skip_all "no usual headers (libibumad-dev)"

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# NAME INCLUDE-DIR [FLAG...]: a library with the types in its debug information.
compile() {
	name=$1
	dir=$2
	shift 2
	${CC:-cc} -std=gnu11 -g -O0 -w -shared -fPIC "$@" -isystem "$dir" -o "$work/$name.so" \
		"$top_srcdir/tests/lib/umad-abi.c"
}

tap_ok "the usual headers compile" compile usual "$usual"
tap_ok "ours compile" compile ours "$top_srcdir/lib/include"
tap_ok "ours compile with what is newer" compile newer "$top_srcdir/lib/include" -DNEW_CALLS
nm -D --defined-only "$work/usual.so" | grep -c ' abi_' >"$work/count"
tap_is "all of it is there to be compared" "$(cat "$work/count")" \
	"$(sed '/^#ifdef NEW_CALLS/,$d' "$top_srcdir/tests/lib/umad-abi.c" |
		grep -Ec '^(CALL|TYPE)\(|^(union|ib_|umad_).*;$')"
tap_ok "abidiff: ours are the usual ones" abidiff --no-show-locs "$work/usual.so" "$work/ours.so"
abidiff --no-show-locs "$work/usual.so" "$work/newer.so" >"$work/diff" 2>&1
tap_lacks "abidiff: what is newer changes nothing that is older" "$(cat "$work/diff")" \
	"hanged variable"

# NAME SED-SCRIPT HEADER: a copy of our headers with a fault that must be detected.
must_see() {
	rm -rf "$work/faulty"
	cp -r "$top_srcdir/lib/include" "$work/faulty"
	chmod -R u+w "$work/faulty"
	sed -i "$2" "$work/faulty/infiniband/$3"
	if cmp -s "$work/faulty/infiniband/$3" "$top_srcdir/lib/include/infiniband/$3"; then
		tap_fail "abidiff sees $1" "the fault was not made: $2"
	elif ! compile faulty "$work/faulty"; then
		tap_fail "abidiff sees $1" "the faulty header does not compile"
	elif abidiff "$work/usual.so" "$work/faulty.so" >/dev/null 2>&1; then
		tap_fail "abidiff sees $1"
	else
		tap_pass "abidiff sees $1"
	fi
}
must_see "a member that is moved" '/uint8_t sl;/{h;d};/uint8_t path_bits;/G' umad.h
must_see "a member of another type" 's/__be64 tid;/uint8_t tid[8];/' umad_types.h
must_see "an array of another size" 's/char fw_ver\[20\]/char fw_ver[24]/' umad.h
must_see "a parameter that is gone" \
	's/umad_poll(int portid, int timeout_ms)/umad_poll(int portid)/' umad.h
tap_done
