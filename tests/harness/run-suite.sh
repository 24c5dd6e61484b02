#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# run-suite [all]: the shipped scenarios pass under --twice --shuffle -j2: none depends on another,
# and each writes the same capture twice. Without those that run programs and the matrices (sixty
# thousand points); "all" ("make check-suite"): with them.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

if [ "${1:-}" = all ]; then
	find "$top_srcdir/scenarios" -name '*.mad'
else
	find "$top_srcdir/scenarios" -name '*.mad' ! -name 'matrix-*' ! -path '*/programs/*'
fi | sort >scripts
# The options of a run, then its scripts.
suite() {
	xargs -d '\n' "$umadrig" run "$@" <scripts
}

suite --list | sed 's/^[^ ]*: //' | tr '#' / | sort >listed
tap_ok "there are many" test "$(grep -c . listed)" -gt 250
suite --twice --shuffle -j2 --keep captures >out 2>err
tap_is "status" $? 0
grep '^# in the order of' out
tap_is "nothing fails" "$(grep '^not ok' out | head -n 20)" ""
sed -n 's/^ok [0-9]* - [^ ]*: //p' out | sed 's/ # SKIP .*//' | sort >ran
tap_is "each is run once" "$(diff listed ran | head -n 5)" ""
tap_is "each that is not skipped has a capture" "$(find captures -name '*.pcapng' | wc -l)" \
	"$(grep '^ok' out | grep -vc '# SKIP')"
tap_is "nothing is left behind" "$(find . -name 'umadrig-*')" ""
tap_done
