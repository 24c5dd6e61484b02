#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# call-symbols: every function that libibumad exports can be called in a scenario, or is here with
# the reason why it cannot.
set -u
. "$top_srcdir/tests/rig/tap.sh"

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

sed -n 's/^\t\t\(umad_[a-z0-9_]*\);$/\1/p' "$top_srcdir/lib/libibumad.map" | LC_ALL=C sort >"$work/symbols"
tap_ok "the symbols: $(wc -l <"$work/symbols")" test "$(wc -l <"$work/symbols")" -ge 45
"$top_builddir/tests/tools/keyword-list" | sed -n 's/^call \(umad_.*\)/\1/p' | LC_ALL=C sort >"$work/calls"

# What another call frees at once: SYMBOL CALL.
cat >"$work/behind" <<'END'
umad_free_ca_device_list umad_get_ca_device_list
umad_release_ca umad_get_ca
umad_release_port umad_get_port
END
cut -d' ' -f1 "$work/behind" | LC_ALL=C sort >"$work/reasons"
tap_is "each is a call, or has a reason" \
	"$(LC_ALL=C comm -23 "$work/symbols" "$work/calls" | LC_ALL=C comm -23 - "$work/reasons")" ""
tap_is "nothing has a reason that is a call, or is not there" \
	"$(LC_ALL=C comm -12 "$work/calls" "$work/reasons"
	LC_ALL=C comm -13 "$work/symbols" "$work/reasons")" ""
# umad_alloc() is a function of the header.
tap_is "every other call is there" "$(LC_ALL=C comm -13 "$work/symbols" "$work/calls")" umad_alloc

while read -r symbol call; do
	tap_is "$call() calls $symbol()" \
		"$(sed -n "/^void call_$call(/,/^}/p" "$top_srcdir/harness/script/verb/call-device.c" |
		grep -c "$symbol(")" 1
done <"$work/behind"

tap_done
