#!/bin/sh
# stock-opensm: the distribution's OpenSM, unmodified, brings a fabric up from after power-up: every
# port gets a LID, every link becomes Active, and the tables it writes lead from each to each.
# $OPENSM_ALL: all shared topologies, not only the small ones.
set -u
: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
: "${top_builddir:=.}"
: "${AWK:=awk}"
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/stock.sh"
stock_needs opensm

# FABRIC ARGUMENT...: OpenSM sweeps once and ends. Its log is in $work/log, the report in
# $work/report.
sm() {
	sm_fabric=$1
	shift
	rm -rf "$work/log" "$work/report" "$work/cache"
	mkdir "$work/cache"
	OSM_CACHE_DIR=$work/cache OSM_TMP_DIR=$work/cache timeout -k 5 120 \
		"$umadrig" exec --fabric "$sm_fabric,state=cold,report=$work/report" -- \
		opensm -o -f "$work/log" "$@" >"$work/out" 2>&1
}

# "ends 3 with-lid 3 active 3", "links ...", "ways ...": all of them are the same number.
all_well() {
	"$AWK" '
		/^(ends|links|ways) / {
			for (i = 4; i <= NF; i += 2)
				if ($i != $2)
					bad = bad "\n" $0
			seen[$1] = $2
		}
		/^(link|lost) / || (/^end / && !/ Active$/) { bad = bad "\n" $0 }
		END {
			if (seen["ends"] < 2 || seen["links"] < 1 || seen["ways"] < 4)
				bad = bad "\nthere is no fabric"
			print substr(bad, 2)
		}' "$work/report"
}

# NAME FABRIC ARGUMENT...
comes_up() {
	up_name=$1
	shift
	if ! sm "$@"; then
		tap_fail "$up_name" "$(cat "$work/out")" "$(tail -n 20 "$work/log" 2>&1)"
	elif ! grep -q "SUBNET UP" "$work/log"; then
		tap_fail "$up_name" "it is not up" "$(tail -n 20 "$work/log")"
	else
		up_wrong=$(all_well 2>&1 | head -n 20)
		if [ -z "$up_wrong" ]; then
			tap_pass "$up_name: $(grep -E '^(ends|links|ways) ' "$work/report" |
				"$AWK" '{ printf "%s%s %s", sep, $2, $1; sep = ", " }')"
		else
			tap_fail "$up_name" "$up_wrong"
		fi
	fi
}

comes_up tree.topo "$data/tree.topo"
comes_up "tree.topo by updn" "$data/tree.topo" -R updn
comes_up "tree.topo with four LIDs a port" "$data/tree.topo" -l 2
comes_up ring.net "$data/ring.net"

# Nothing that a broken fabric has passes for well.
sm "$data/tree.topo"
sed 's/lead [0-9]*/lead 1/' "$work/report" >"$work/broken"
mv "$work/broken" "$work/report"
tap_has "a way less is noticed" "$(all_well)" "lead 1"

if [ -d "$shared" ]; then
	for file in "$shared"/ibsim/* "$shared"/ibnetdiscover/*; do
		if [ -z "${OPENSM_ALL:-}" ] && [ "$(wc -c <"$file")" -gt 20000 ]; then
			continue
		fi
		comes_up "$(basename "$file")" "$file"
	done
else
	tap_skip "shared topologies" "no $shared here"
fi
tap_done
