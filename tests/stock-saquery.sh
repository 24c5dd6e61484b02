#!/bin/sh
# stock-saquery: the distribution's saquery gets whole answers from the distribution's OpenSM, both
# unmodified: every record that the fabric has, as a program that asks no SA reads it with SMPs, and as
# many as the description says. Nothing is left out at any size.
# $OPENSM_ALL: fabrics of 1,000 and 5,000 HCAs too.
: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/stock-fabric.sh"
stock_needs opensm saquery
member=$top_builddir/tests/sa-member
sm_limit=${OPENSM_ALL:+600}
sm_limit=${sm_limit:-120}

# KIND ARGUMENT...: what saquery says, a sorted line a record, in $work/got.
query() {
	query_kind=$1
	shift
	on "" saquery "$query_kind" "$@" >"$work/out" 2>"$work/err"
	query_status=$?
	"$AWK" -v kind="$query_kind" -f "$top_srcdir/tests/sa-records.awk" "$work/out" |
		LC_ALL=C sort >"$work/got"
	return "$query_status"
}

# NAME KIND ARGUMENT...: they are those of the fabric.
records_are() {
	records_name=$1 records_kind=$2
	shift
	on "" "$walker" -R "$records_kind" 2>/dev/null | LC_ALL=C sort >"$work/want"
	if ! query "$@"; then
		tap_fail "$records_name: saquery $records_kind" "$(cat "$work/err")"
	elif [ -s "$work/want" ] && cmp -s "$work/want" "$work/got"; then
		tap_pass "$records_name: saquery $records_kind, $(wc -l <"$work/got") records"
	else
		tap_fail "$records_name: saquery $records_kind" \
			"$(wc -l <"$work/want") wanted, $(wc -l <"$work/got") came" \
			"$(diff "$work/want" "$work/got" | head -n 10)"
	fi
}

# NAME COUNT: that many came last; the second way to know it is arithmetic.
came() {
	tap_is "$1" "$(wc -l <"$work/got" | tr -d ' ')" "$2"
}

# NAME FROM TO: one path, from LID to LID, asked for in three ways.
path_is() {
	query PR --slid "$2" --dlid "$3"
	path_one=$(cat "$work/got")
	on "" saquery --src-to-dst "$2:$3" 2>/dev/null >"$work/out"
	path_two=$("$AWK" -v kind=PR -f "$top_srcdir/tests/sa-records.awk" "$work/out")
	path_gids=$("$AWK" -F '\\.\\.+' '/sgid/ { s = $2 } /dgid/ { d = $2 } END { print s "-" d }' \
		"$work/out")
	path_three=$(on "" saquery --sgid-to-dgid "$path_gids" 2>/dev/null |
		"$AWK" -v kind=PR -f "$top_srcdir/tests/sa-records.awk")
	[ "$path_one" = "PR $2 $3" ] && [ "$path_two" = "PR $2 $3" ] &&
		[ "$path_three" = "PR $2 $3" ] && return
	echo "from $2 to $3: '$path_one' '$path_two' '$path_three'"
}

# NAME COUNT: paths between so many pairs that lie all over the LIDs.
paths_are() {
	query NR
	wrong=$("$AWK" -v count="$2" '
		{ lid[NR] = $2 }
		END {
			for (i = 0; i < count; i++)
				print lid[1 + int(i * NR / count)], lid[1 + (i * 7919 + 13) % NR]
		}' "$work/got" | while read -r from to; do
		path_is "$1" "$from" "$to"
	done)
	tap_is "$1: PR by source and destination, $2 pairs" "$wrong" ""
}

# HCAS: a fat tree with an SM, and everything in it.
tree_is_whole() {
	tree=fat-tree:$1
	"$umadrig" topology --check --generate "$tree" >"$work/count"
	nodes=$(sed 's/.*: \([0-9]*\) switch[a-z]*, \([0-9]*\) CAs.*/\1 \2/' "$work/count" |
		"$AWK" '{ print $1 + $2 }')
	links=$(sed 's/.* \([0-9]*\) links.*/\1/' "$work/count")
	fabric_serve "generate:$tree,state=cold"
	sm_start a ""
	tap_is "$tree is up" "$(sm_wait a 1)" ""
	in_order "$tree"
	records_are "$tree" NR
	came "$tree: a record for each node" "$nodes"
	records_are "$tree" PIR
	records_are "$tree" LR
	came "$tree: one for each end of a link" $((2 * links))
	records_are "$tree" LFTR
}

# HCAS [-t MILLISECONDS]: and all paths.
paths_are_whole() {
	tree=fat-tree:$1
	shift
	records_are "$tree" PR "$@"
	came "$tree: a path from each node to each" $((nodes * nodes))
}

tree_is_whole 6,4
paths_are_whole 6,4

# ---- what programs told the SA ----

first=ff12:401b:ffff::1 second=ff12:401b:ffff::2
query NR
hosts=$(sed -n 's/^NR .* Channel Adapter \(.*\) HCA-1$/\1/p' "$work/got")
query MCMR
groups=$(wc -l <"$work/got")
said=$(for host in $hosts; do on "$host" "$member" join "$first" 2>/dev/null; done)
tap_is "all HCAs join a group" "$(echo "$said" | sort | uniq -c | "$AWK" '{ print $1, $3 }')" "6 0x0000"
mlid=$(echo "$said" | sed -n '$s/.*mlid //p')
said=$(on "" "$member" join "$second" 2>/dev/null)
tap_has "one joins another" "$said" "status 0x0000 mlid 0xc"
query MCMR
came "saquery MCMR: two groups more" $((groups + 2))
tap_is "the first with its members" "$(on "" saquery --smkey 1 -m "$mlid" 2>/dev/null | grep -c PortGid)" 6
tap_is "whose names only those are told who know the SM_Key" \
	"$(on "" saquery -m "$mlid" 2>/dev/null | sed -n 's/.*PortGid\.*//p')" ":: (<unknown>)"
for host in $hosts; do on "$host" "$member" leave "$first" >/dev/null 2>&1; done
query MCMR
came "they leave, and the group ends" $((groups + 1))

tap_is "no service is registered" "$(on "" saquery SR 2>/dev/null)" ""
said=$(for host in $hosts; do
	on "$host" "$member" register 0x1000 "of $host" 2>/dev/null
	on "$host" "$member" register 0x1001 "of $host too" 2>/dev/null
done)
tap_is "every HCA registers two" "$(echo "$said" | sort | uniq -c | "$AWK" '{ print $1, $3 }')" \
	"12 0x0000"
for host in $hosts; do
	echo "SR 0x0000000000001000 of $host"
	echo "SR 0x0000000000001001 of $host too"
done | LC_ALL=C sort >"$work/want"
query SR
tap_is "saquery SR: these" "$(cat "$work/got")" "$(cat "$work/want")"
fabric_end

tree_is_whole 100
paths_are_whole 100
if [ -n "${OPENSM_ALL:-}" ]; then
	tree_is_whole 1000
	paths_are fat-tree:1000 50
	query PR
	tap_is "fat-tree:1000: saquery's own second is too short for all paths" "$?" 110
	tap_has "as it says" "$(cat "$work/err")" "Connection timed out"
	paths_are_whole 1000 -t 200000
	tree_is_whole 5000
	paths_are fat-tree:5000 50
fi
tap_done
