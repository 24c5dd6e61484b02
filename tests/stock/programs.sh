#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-programs: doc/programs.md lists every program of the packages that it covers, every option
# that queries a fabric, and only tests that exist.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs dpkg ibstat
table=$top_srcdir/doc/programs.md
# The first cell of each row; the last.
sed -n 's/^| \([^|]*[^| ]\) *|.*/\1/p' "$table" |
	grep -v -e '^program, options$' -e '^-' >"$work/rows"
# Behind a colon is a point of the test.
sed -n 's/^|.*| *\([^|]*\) |$/\1/p' "$table" | grep -v '^test, and its point$' | sed 's/: .*//' |
	tr -d ' ' | tr ',' '\n' | grep -v -e '^test$' -e '^scenario$' -e '^-*$' >"$work/tests"
tap_ok "there is a table" test "$(grep -c . "$work/rows")" -gt 50

# Options of all programs, which the text above the table covers; "--" has no long name.
common='config|Ca|Port|Lid|Guid|Direct|timeout|sm_port|m_key|errors|verbose|debug|help|version|node-name-map|outstanding_smps|show_keys|pkey-idx'
for package in infiniband-diags opensm ibutils srptools mstflint ibverbs-utils; do
	for file in $(dpkg -L "$package" 2>/dev/null | grep -E '^(/usr)?/s?bin/.'); do
		program=${file##*/}
		grep -w -e "$program" "$work/rows" >"$work/of"
		if [ ! -s "$work/of" ]; then
			tap_fail "$program of $package" "no row of doc/programs.md begins with it"
			continue
		fi
		[ "$package" = infiniband-diags ] || { tap_pass "$program of $package"; continue; }
		# "  --long, -s <value>   text": either of the two will do.
		missing=$(timeout -k 1 10 "$program" -h 2>&1 </dev/null |
			sed -n 's/^ *--\([A-Za-z0-9_-]*\)\(, -\(.\)\)\{0,1\}[ <,].*/\1 \3/p' |
			grep -v -w -E "^($common)" |
			while read -r long short; do
				[ -n "$short" ] || { short=$long; [ ${#long} -gt 1 ] || continue; }
				tr ',()' '   ' <"$work/of" |
					grep -q -e " --$long\( \|\$\)" -e " -$short\( \|\$\)" ||
					echo "--$long -$short"
			done)
		tap_is "$program of $package, with its options" "$missing" ""
	done || :
done
[ "$tap_count" -gt 1 ] || tap_skip "the programs of the packages" "none of them is installed"

# What umadrig itself lists of fabrics and nodes has a row, too.
words() { sed 's/[|,]/ /g' "$work/rows" | tr ' ' '\n' | sed 's/^\([a-z-]*\)=.*/\1=/'; }
words >"$work/words"
"$umadrig" topology --quirks | sed 's/ .*//' >"$work/own"
tap_ok "quirks are listed" grep -q '^roce$' "$work/own"
"$umadrig" topology --help |
	sed -n '/^Fabrics that --generate/,/^followed by/s/^  \([a-z+-]*\):.*/\1/p' >>"$work/own"
tap_ok "and shapes" grep -q '^rail$' "$work/own"
"$umadrig" topology --help | sed -n '/^followed by/,$s/^  \([a-z]*=.*\)  .*/\1/p' |
	grep -o '[a-z]*=' >>"$work/own"
tap_ok "and options of shapes" grep -q '^planes=$' "$work/own"
tap_is "each has a row" "$(grep -v -x -F -f "$work/words" "$work/own")" ""

while read -r name; do
	for file in "$top_srcdir"/tests/"$name" "$top_srcdir"/tests/*/"$name" \
		"$top_srcdir"/tests/*/"$name.c" "$top_srcdir/scenarios/programs/$name"; do
		[ ! -e "$file" ] || continue 2
	done
	echo "$name"
done <"$work/tests" >"$work/wrong"
tap_is "every test that it names is there" "$(cat "$work/wrong")" ""
for file in "$top_srcdir"/tests/stock/*.sh; do
	name=stock/${file##*/}
	case $name in stock/stock.sh | stock/stock-fabric.sh | stock/programs.sh) continue ;; esac
	grep -q "^$name\$" "$work/tests" || echo "$name"
done >"$work/wrong"
tap_is "and every test with such programs is named" "$(cat "$work/wrong")" ""
tap_done
