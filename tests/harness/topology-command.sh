#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# topology-command: umadrig topology reads, checks, converts and makes fabrics; what it writes is
# what ibnetdiscover finds there.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"

# NAME STATUS OUT ERR ARGUMENT...: what stdout and stderr contain ("": nothing at all).
row() {
	name=$1 status=$2 out=$3 err=$4
	shift 4
	"$umadrig" topology "$@" >"$work/out" 2>"$work/err"
	tap_is "$name: status" $? "$status"
	if [ -n "$out" ]; then tap_has "$name: printed" "$(cat "$work/out")" "$out"
	else tap_is "$name: nothing printed" "$(cat "$work/out")" ""; fi
	if [ -n "$err" ]; then tap_has "$name: error" "$(cat "$work/err")" "$err"
	else tap_is "$name: no error" "$(cat "$work/err")" ""; fi
}

tree=$data/tree.topo
"$AWK" '/^caguid=0x101000c0020/ { cut = 1 } /^$/ { cut = 0 } !cut' "$tree" >"$work/cut.topo"
: >"$work/empty"

row "a file" 0 'Switch	8 "S-00000101000a0010"' "" "$tree"
mkfifo "$work/fifo"
row "a pipe to which nobody writes" 1 "" "it is a pipe, and nobody writes to it" "$work/fifo"
row "a device without an end" 1 "" "it is neither a file nor a pipe" /dev/zero
truncate -s 300M "$work/large"
row "a file that is too large" 1 "" "it is too large" "$work/large"
# One that is empty at first: it is waited for.
(sleep 0.3; cat "$tree") | "$umadrig" topology /dev/stdin >"$work/out" 2>&1
tap_has "a pipe" "$(cat "$work/out")" 'Switch	8 "S-00000101000a0010"'
rm "$work/fifo" "$work/large"
row "as ibnetdiscover" 0 '# Topology file: generated' "" "$tree" --format ibnetdiscover
row "as dot" 0 'graph fabric {' "" "$tree" --format dot
row "as json" 0 '"description": "spine # 1;core"' "" "$tree" -f json
row "a good file is checked" 0 "$tree: " "" --check "$tree"
row "damage is told and the rest written" 0 'S-00000101000a0010' "leads to 'H-00000101000c0020'" "$work/cut.topo"
row "damage fails a check" 1 "1 error, " "error: 'S-00000101000a0020'[4]" "$work/cut.topo" --check
row "no file" 1 "" "$work/none: No such file or directory" "$work/none"
row "an empty file" 1 "" "it is empty" --check "$work/empty"
row "a made one" 0 '"leaf-0"' "" --generate fat-tree:4,4,2
row "a made one by its file's name" 0 '"leaf-0"' "" generate:fat-tree:4,4,2
row "the full subnet" 0 "3600 switches, 45551 CAs" "" --check --generate fat-tree:45551,64,3
row "subnets" 0 "26 links, 2 subnets; 0 errors" "" \
	--check --generate fat-tree:6,4,2,subnets=2,routers=1
row "rails" 0 '"MF0;pod-0-leaf-3:MQM9700/U1"' "" --generate rail:4,4,8
row "a style" 0 'Switch	9 "S-0002c90200000000"' "" --generate fat-tree:4,8,2,aggregation=yes,speed=XDR
row "a style that there is not" 1 "" "speed=SDR: expected EDR, HDR, NDR or XDR" \
	--generate fat-tree:4,4,speed=SDR
row "an option of a fabric" 0 '# lid 0 lmc 0' "" --generate fat-tree:4,4,state=cold
row "a quirk" 0 '"host-0 NVSwitch-1"' "" generate:rail:1,5,8,quirk=hgx-b200,seed=3
row "a quirk of a file" 0 'Switch	8 "S-00000101000a0010"' "" "$tree,quirk=roce:node1" -f ibnetdiscover
row "a quirk that there is not" 1 "" "quirk=none: expected NAME" "$tree,quirk=none"
row "a quirk where nothing is" 1 "" "there is no node or host 'node99'" "$tree,quirk=roce:node99"
row "an option that there is not" 1 "" "option 'sate=cold'" --generate fat-tree:4,4,sate=cold
row "a check with options" 2 "" "--check is for a file alone" --check "$tree,state=cold"
row "one that cannot be made" 1 "" "hold 8 HCAs, not 9" --generate fat-tree:9,4,2
row "quirks" 0 "port-guid-0        port  the port GUID is 0" "" --quirks
row "quirks as JSON" 0 '{"name": "port-guid-0", "of": "port", "meaning": "the port GUID is 0"}' "" \
	--quirks --format json
row "quirks of a file" 2 "" "--quirks goes alone, or with --format json" --quirks "$tree"
row "no file named" 2 "" "expected one FILE, --generate SPEC or --from-capture FILE"
row "two files" 2 "" "one FILE" "$tree" "$tree"
row "a file and a made one" 2 "" "one FILE" "$tree" --generate torus:3,1
row "another format" 2 "" "ibnetdiscover, dot or json" "$tree" --format xml
row "a format for a check" 2 "" "exclude each other" "$tree" --format dot --check
row "help" 0 "dragonfly+:GROUPS" "" --help

# Tabs that a terminal swallowed: the same fabric, and a line that says so.
for fabric in "$tree" generate:fat-tree:16,4,3 \
	"$shared/ibnetdiscover/ufm_sdk-selene.compute.txt"; do
	case $fabric in
	"$shared"*) [ -e "$fabric" ] || continue ;;
	esac
	"$umadrig" topology "$fabric" >"$work/written" 2>"$work/err"
	tr -d '\t' <"$work/written" >"$work/tabless"
	"$umadrig" topology "$work/tabless" >"$work/again" 2>"$work/err"
	name=$(basename "$fabric")
	tap_ok "$name without tabs is the same fabric" cmp "$work/written" "$work/again"
	tap_is "$name: one line tells of the headers" "$(grep -c 'without the tab' "$work/err")" 1
	tap_is "$name: and nothing is wrong" "$(grep -c ': error: ' "$work/err")" 0
done

# A fabric of 500 switches, 192 of which are the chips of one director and share its outer GUID:
# nothing is lost, with tabs and without, and no GUID is invented.
"$umadrig" topology generate:fat-tree:2000,20,3 >"$work/written" 2>"$work/err"
tap_is "as large as real ones" "$(grep -c '^Switch' "$work/written") $(grep -c '^Ca' "$work/written")" \
	"500 2000"
${AWK:-awk} '
	/^switchguid=/ && count < 192 {
		node = $0
		sub(/^switchguid=0x/, "", node)
		sub(/[(].*/, "", node)
		$0 = "switchguid=0x2c90200aaaa00(" node ")"
		count++
	}
	{ print }' "$work/written" >"$work/director"
tr -d '\t' <"$work/director" >"$work/tabless"
for kind in director tabless; do
	"$umadrig" topology "$work/$kind" >"$work/again" 2>"$work/err"
	tap_ok "a director's chips, $kind: the same fabric" cmp "$work/written" "$work/again"
	tap_has "a director's chips, $kind: said once" "$(cat "$work/err")" \
		"192 switches have their system's GUID in switchguid="
	tap_is "a director's chips, $kind: nothing is wrong" "$(grep -c ': error: ' "$work/err")" 0
	tap_ok "a director's chips, $kind: exec takes it" "$umadrig" exec --fabric "$work/$kind" -- \
		"$top_builddir/tests/tools/exec-probe" open
done

# Most of a fabric lost: nothing runs on what is left of it, unless it is asked for.
"$umadrig" topology generate:fat-tree:432,12,3 | sed 's/^Switch./Switch/;s/^Switch[0-9]*/& of/' \
	>"$work/lossy.topo"
row "many errors" 1 "; 2592 errors, 180 warnings" \
	"180 of 612 nodes, 2592 of 2592 ends of links, 2772 of " "$work/lossy.topo" --check
tap_is "of which a thousand are shown" "$(grep -c -e ': error: ' -e ': warning: ' "$work/err")" 1001
cat >"$work/lossy.mad" <<'TEXT'
topology "lossy.topo" PARTIAL
scenario "on a rest"
  0~1ms > nothing
TEXT
for partial in "" ,partial=no ,partial=yes; do
	word=${partial#,}
	sed "s/ PARTIAL/ $word/" "$work/lossy.mad" >"$work/this.mad"
	"$umadrig" exec --fabric "$work/lossy.topo$partial" -- true >"$work/out" 2>"$work/exec"
	exec_status=$?
	timeout 10 "$umadrig" serve --fabric "$work/lossy.topo$partial" --socket "$work/socket" \
		>"$work/out" 2>"$work/serve" &
	server=$!
	if [ "$word" = partial=yes ]; then
		tap_is "$word: exec runs the program" "$exec_status" 124
		within 10 grep -q UMAD_BACKEND "$work/out"
		tap_has "$word: serve serves" "$(cat "$work/out")" UMAD_BACKEND=attach
		kill "$server"
		wait "$server"
		"$umadrig" run "$work/this.mad" >"$work/run" 2>&1
		tap_has "$word: run runs" "$(cat "$work/run")" "ok 1"
		continue
	fi
	wait "$server"
	tap_is "${word:-by default}: serve refuses" $? 125
	tap_is "${word:-by default}: exec refuses" "$exec_status" 125
	(cd "$work" && "$umadrig" run this.mad) >"$work/run" 2>&1
	for file in exec serve run; do
		tap_has "${word:-by default}: $file says why" "$(cat "$work/$file")" \
			"lossy.topo:11: too much of the file is lost: "
		tap_has "${word:-by default}: $file names the cure" "$(cat "$work/$file")" \
			"partial=yes"
	done
done

"$umadrig" topology "$tree" >/dev/full 2>"$work/err"
tap_is "a full disk: status" $? 1
tap_has "a full disk: error" "$(cat "$work/err")" "cannot write"

if command -v dot >/dev/null 2>&1; then
	"$umadrig" topology "$tree" -f dot >"$work/tree.dot"
	tap_ok "Graphviz reads it" dot -Tplain -o "$work/plain" "$work/tree.dot"
else
	tap_skip "Graphviz reads it" "no dot here (Debian: graphviz)"
fi

# What is written is what ibnetdiscover prints when it looks at that fabric.
discovers() {
	"$umadrig" topology "$1" >"$work/written" 2>"$work/err"
	if ! stock "" "$1" ibnetdiscover >"$work/found" 2>"$work/err"; then
		tap_fail "$1: ibnetdiscover finds what was written" "$(tail -n 20 "$work/err")"
	elif summary=$(graph graph-compare.awk "$work/written" "$work/found"); then
		tap_pass "$1: ibnetdiscover finds what was written"
	else
		tap_fail "$1: ibnetdiscover finds what was written" "$(echo "$summary" | tail -n 20)"
	fi
}
PATH=$PATH:/usr/sbin:/sbin
if nm -D "$top_builddir/.libs/libibumad.so.3" 2>/dev/null | grep -q __asan_; then
	tap_skip "ibnetdiscover" "a library with sanitizers cannot be put in front of a program without"
elif ! command -v ibnetdiscover >/dev/null 2>&1; then
	tap_skip "ibnetdiscover" "no ibnetdiscover here (Debian: infiniband-diags)"
else
	for fabric in "$tree" "$data/ring.net" generate:fat-tree:14,4,3 generate:torus:3x3x2,1 \
		generate:dragonfly+:3,2,2,2 generate:rail:5,3,8,2,aggregation=yes \
		generate:torus:2x2,1,hcas=2,ports=2,names=vendor,speed=EDR,width=2x; do
		discovers "$fabric"
	done
	[ ! -d "$shared" ] || for file in "$shared"/opensm/*.lst; do
		discovers "$file"
	done
	stock host-3 "generate:fat-tree:8,4,2,state=cold,seed=7" ibnetdiscover >"$work/cold" 2>&1
	tap_is "options follow a made fabric's numbers: no LID in a cold one" \
		"$(grep -c 'lid [1-9]' "$work/cold") $(grep -c '^Ca' "$work/cold")" "0 8"
fi
tap_done
