#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# same-bytes: all shipped scenarios except the matrices (ten thousand points), run twice with one
# seed, write the same captures byte for byte; and so do the builds by other compilers whose
# directories UMADRIG_OTHERS names.
set -u
. "$top_srcdir/tests/rig/tap.sh"

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# Runs all scenarios with the umadrig of build directory $1; the captures' checksums.
fingerprint() {
	rm -rf "$work/captures"
	(cd "$top_srcdir" && find scenarios -name '*.mad' ! -name 'matrix-*' ! -path '*/programs/*' -exec \
		"$1/umadrig" run --seed 7 --keep "$work/captures" {} +) \
		>"$work/output" 2>&1 || { tail -n 20 "$work/output"; return 1; }
	(cd "$work/captures" && find . -name '*.pcapng' -exec cksum {} + | sort -k 3)
}

first=$(fingerprint "$top_builddir") || {
	tap_fail "all scenarios pass" "$first"
	tap_done
	exit 1
}
count=$(printf '%s\n' "$first" | wc -l)
if [ "$count" -ge 20 ]; then
	tap_pass "there are captures to compare ($count)"
else
	tap_fail "there are captures to compare" "only $count: $first"
fi
tap_is "a second run writes the same bytes" "$(fingerprint "$top_builddir")" "$first"
for other in ${UMADRIG_OTHERS:-}; do
	tap_is "${other##*/} writes the same bytes" "$(fingerprint "$other")" "$first"
done
tap_done
