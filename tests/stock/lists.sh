#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-lists: the distribution's programs that list a fabric, unmodified, with all their options:
# their complete output is compared with the description, or with what an independent program reads
# with SMPs.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock-fabric.sh"
stock_needs ibnetdiscover iblinkinfo ibhosts ibcacheedit ibaddr ibroute ibtracert ibstat dump_fts \
	dump_lfts \
	dump_mfts check_lft_balance ibidsverify ibfindnodesusing
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch ibnetdiscover iblinkinfo ibhosts ibswitches ibrouters ibnodes ibcacheedit ibaddr \
	ibroute ibtracert ibstat dump_fts dump_lfts check_lft_balance ibidsverify ibfindnodesusing
net=$data/tree.topo

# COMMAND...: its output on node1, sorted, without comments and empty lines, with blanks squeezed.
printed() {
	on node1 "$@" 2>"$work/err" | grep -v -e '^#' -e '^$' | tr -s ' \t' ' ' | sort
}

# NAME COMMAND...: it prints exactly the lines of $work/want.
prints() {
	prints_name=$1
	shift
	printed "$@" >"$work/got"
	if [ ! -s "$work/want" ]; then
		tap_fail "$prints_name" "nothing to compare with"
	elif sort "$work/want" | cmp -s - "$work/got"; then
		tap_pass "$prints_name"
	else
		tap_fail "$prints_name" "$(sort "$work/want" | diff - "$work/got" | head -n 20)" \
			"$(head -n 5 "$work/err")"
	fi
}

# LIST [KIND]
wanted() {
	graph graph-lists.awk -v list="$1" -v of="${2:-}" "$net" >"$work/want"
}

fabric_serve "$net"
graph graph-lists.awk -v list=ids "$net" >"$work/ids"

# ---- nodes ----

for row in ibhosts:ca ibswitches:switch ibrouters:router; do
	wanted nodes "${row#*:}"
	prints "${row%:*}" "${row%:*}"
	prints "${row%:*} -C -P -t" "${row%:*}" -C mlx5_0 -P 1 -t 500
	on node1 "${row%:*}" "$net" 2>/dev/null | tr -s ' \t' ' ' | sort >"$work/got"
	tap_is "${row%:*} FILE" "$(grep -v -e lonely "$work/got")" "$(sort "$work/want")"
done
{ graph graph-lists.awk -v list=nodes -v of=ca "$net"
  graph graph-lists.awk -v list=nodes -v of=switch "$net"; } >"$work/want"
prints "ibnodes: adapters and switches" ibnodes

# ---- ibnetdiscover ----

for row in -l: -H:ca -S:switch -R:router; do
	wanted devices "${row#*:}"
	prints "ibnetdiscover ${row%:*}" ibnetdiscover "${row%:*}"
done
wanted ports
prints "ibnetdiscover -p" ibnetdiscover -p
prints "ibnetdiscover -p -o 8" ibnetdiscover -p -o 8
printed ibnetdiscover >"$work/all"
cp "$work/all" "$work/want"
prints "ibnetdiscover FILE" sh -c "ibnetdiscover $work/topo && cat $work/topo"
prints "ibnetdiscover -m" ibnetdiscover -m
on node1 ibnetdiscover -m 2>/dev/null >"$work/out"
tap_is "and it has gone three hops" \
	"$(sed -n 's/^# Reported max hops discovered: //p' "$work/out")" 3
on node1 ibnetdiscover -s 2>/dev/null >"$work/out"
tap_is "ibnetdiscover -s: each node is new once" \
	"$(sed -n 's/^DR path.*-> new .*{\(.*\)} portnum.*/0x\1/p' "$work/out" | sort)" \
	"$(graph graph-lists.awk -v list=devices "$net" | sed 's/.* : \([^ ]*\) .*/\1/' | sort)"
printf '0x101000a0010 "renamed"\n' >"$work/names"
sed 's/spine # 1;core/renamed/' "$work/all" >"$work/want"
prints "ibnetdiscover --node-name-map" ibnetdiscover --node-name-map "$work/names"
on node1 ibnetdiscover --cache "$work/cache" >/dev/null 2>&1
# Its cache cannot represent what distinguishes FDR10 from QDR.
sed 's/FDR10/QDR/' "$work/all" >"$work/want"
prints "ibnetdiscover --cache, --load-cache" ibnetdiscover --load-cache "$work/cache"
tap_is "ibnetdiscover --diff: nothing" "$(printed ibnetdiscover --diff "$work/cache")" ""

# ibcacheedit only uses files.
on node1 ibcacheedit --switchguid 0x101000a0020:0x777 --caguid 0x101000c0020:0x888 \
	--sysimgguid 0x101000d0010:0x999 --portguid 0x101000c0050:0x101000c0051:0xaaa \
	"$work/cache" "$work/edited" >"$work/out" 2>&1
sed -e 's/FDR10/QDR/' -e 's/0000010\(1000a0020\)/0000010\1/' \
	-e 's/S-00000101000a0020/S-0000000000000777/; s/switchguid=0x101000a0020/switchguid=0x777/' \
	-e 's/H-00000101000c0020/H-0000000000000888/; s/caguid=0x101000c0020/caguid=0x888/' \
	-e 's/sysimgguid=0x101000d0010/sysimgguid=0x999/; s/(101000c0051)/(aaa)/' "$work/all" \
	>"$work/want"
prints "ibcacheedit" ibnetdiscover --load-cache "$work/edited"

# ---- iblinkinfo ----

printed iblinkinfo -l >"$work/links"
on node1 iblinkinfo -l 2>/dev/null >"$work/out"
tap_ok "iblinkinfo -l: all ports" graph graph-linkinfo.awk -v from=S-00000101000a0010 "$net" \
	"$work/out"
# NAME PATTERN|!PATTERN ARGUMENT...: those lines of all.
links_are() {
	links_name=$1
	case $2 in
	!*) grep -v -e "${2#!}" "$work/links" >"$work/want" ;;
	*) grep -e "$2" "$work/links" >"$work/want" ;;
	esac
	shift 2
	prints "$links_name" iblinkinfo -l "$@"
}
guids_of() {
	sed -n "s/^$1 [0-9]* \(0x[0-9a-f]*\) .*/^\1/p" "$work/ids" | sort -u | paste -s -d '|' |
		sed 's/|/\\|/g'
}
links_are "iblinkinfo -o 1" "" -o 1
links_are "iblinkinfo --down" "Down/" --down
links_are "iblinkinfo --switches-only" "$(guids_of switch)" --switches-only
links_are "iblinkinfo --cas-only" "$(guids_of ca)" --cas-only
links_are "iblinkinfo -D: the ports of a switch" "^0x00000101000a0020" -D 0,1
links_are "iblinkinfo -D -n: all around it" "" -D 0,1 -n 2 -a
links_are "iblinkinfo --filterdownports" "!Down/" --filterdownports "$work/cache"
sed 's/ (FDR10)//' "$work/links" >"$work/want"
prints "iblinkinfo --load-cache" iblinkinfo -l --load-cache "$work/cache"
sed 's/"spine # 1;core"/"renamed"/; s/" spine # 1;core"/" renamed"/' "$work/links" >"$work/want"
prints "iblinkinfo --node-name-map" iblinkinfo -l --node-name-map "$work/names"
tap_is "iblinkinfo --diff: nothing" "$(printed iblinkinfo -l --diff "$work/cache")" ""
printed iblinkinfo >"$work/got"
tap_is "iblinkinfo, a node at a time" \
	"$(grep -c '==>' "$work/got") $(grep -c -v '==>' "$work/got")" \
	"$(grep -c . "$work/links") $(graph graph-lists.awk -v list=nodes "$net" | wc -l)"
on node1 iblinkinfo -l -p 2>/dev/null |
	sed -n 's/^\(0x[^ ]*\) .* \([0-9]*\)\[.*(HOQ:\([0-9]*\) VL_Stall:\([0-9]*\)).*/\1 \2 \3 \4/p' |
	sort >"$work/got"
sed -n 's/^[a-z]* \([0-9]*\) \(0x[^ ]*\) \([0-9]*\)$/\1 \2 \3/p' "$work/ids" |
	while read -r lid guid num; do
	[ "$num" = 0 ] && num="1 2 3 4 5 6 7 8"
	for port in $num; do
		on node1 smpquery PI "$lid" "$port" 2>/dev/null </dev/null |
			"$AWK" -v guid="$guid" -v port="$port" '
			{ at = index($0, ":"); value = substr($0, at + 1); gsub(/^\.+/, "", value) }
			/^LinkState:/ { down = value == "Down" }
			/^HoqLife:/ { life = value }
			/^VLStallCount:/ { stall = value }
			END { if (!down) print guid, port, life, stall }'
	done
done | sort >"$work/want"
tap_is "iblinkinfo -p: as smpquery has them" "$(cat "$work/got")" "$(cat "$work/want")"

# ---- addresses ----

said=$(while read -r _ lid guid _; do
	lmc=0
	[ "$lid" != 8 ] || lmc=3
	on node1 ibaddr "$lid" 2>/dev/null </dev/null
	on node1 ibaddr -L "$lid" 2>/dev/null </dev/null
	on node1 ibaddr -g "$lid" 2>/dev/null </dev/null
	echo "want $lid $((lid + lmc)) $guid"
done <"$work/ids" | "$AWK" '
	function hex(s,    n, i) {
		n = 0
		for (i = 1; i <= length(s); i++)
			n = 16 * n + index("0123456789abcdef", substr(s, i, 1)) - 1
		return n
	}
	/^GID/ {
		guid = $2
		sub(/^fe80::/, "", guid)
		n = split(guid, a, ":")
		full = ""
		for (i = 1; i <= n; i++)
			full = full substr("0000", 1, 4 - length(a[i])) a[i]
		while (length(full) < 16)
			full = "0" full
		gids++
	}
	/^GID.*LID/ { start = hex(substr($5, 3)); end = hex(substr($7, 3)) }
	/^LID/ { decimal = $3 " " $5 }
	/^want/ {
		if (start " " end " 0x" full != $2 " " $3 " " $4 || decimal != $2 " " $3 || gids != 2)
			print $0 ": " start, end, full, decimal
		checked++
		gids = 0
	}
	END { print checked }')
tap_is "ibaddr, -g, -L: every port" "$said" "$(wc -l <"$work/ids" | tr -d ' ')"
tap_is "ibaddr -l: LMC 2" "$(printed ibaddr -l 8)" "LID start 0x8 end 0xb"
tap_is "ibaddr -D" "$(printed ibaddr -D 0,1)" "$(printed ibaddr 2)"
tap_is "ibaddr: oneself" "$(printed ibaddr)" "$(printed ibaddr 4)"

# ---- forwarding tables ----

# LINES...: "SWITCH-GUID LID PORT" from the output of ibroute and dump_fts.
ways_of() {
	"$AWK" '
		/ of switch / { guid = $0; sub(/.*guid /, "", guid); sub(/ .*/, "", guid) }
		/^0x[0-9a-f]+ [0-9]+/ { print guid, $1, $2 + 0 }' | sort
}
# HOST
tables_read() {
	on "$1" "$walker" -R NR 2>/dev/null >"$work/nodes"
	on "$1" "$walker" -R LFTR 2>/dev/null | "$AWK" '
		FNR == NR { guid[$2] = $3; next }
		{ printf "%s 0x%04x %d\n", guid[$2], $4, $5 }' "$work/nodes" - | sort >"$work/ways"
}
tables_read node1
for program in dump_fts "dump_fts -n" "dump_fts -e -t 500" dump_lfts "dump_lfts -n"; do
	# shellcheck disable=SC2086
	tap_is "$program: all tables" "$(on node1 $program 2>/dev/null | ways_of)" \
		"$(cat "$work/ways")"
done
tap_is "dump_fts FROM TO" "$(on node1 dump_fts 4 6 2>/dev/null | ways_of)" \
	"$(grep ' 0x000[456] ' "$work/ways")"
for program in dump_fts dump_lfts; do
	tap_is "$program -a: those without a way as well" \
		"$(on node1 $program -a 12 13 2>/dev/null | ways_of | grep -c ' 0x000c 255$')" 3
done
for lid in 1 2 3; do
	guid=$("$AWK" -v lid=$lid '$2 == lid { print $3 }' "$work/nodes")
	for options in "" -n; do
		# shellcheck disable=SC2086
		tap_is "ibroute $options $lid" \
			"$(on node1 ibroute $options $lid 2>/dev/null | ways_of)" \
			"$(grep "^$guid" "$work/ways")"
	done
done
tap_is "ibroute -D" "$(on node1 ibroute -D 0,1 2>/dev/null | ways_of)" \
	"$(grep ^0x00000101000a0020 "$work/ways")"
tap_is "ibroute LID FROM TO" "$(on node1 ibroute 2 4 6 2>/dev/null | ways_of)" \
	"$(grep '^0x00000101000a0020 0x000[456] ' "$work/ways")"
tap_is "ibroute -a: those without a way as well" \
	"$(on node1 ibroute -a 2 12 12 2>/dev/null | ways_of)" \
	"0x00000101000a0020 0x000c 255"
"$AWK" '$1 == "ca" || $1 == "router" { printf "0x%04x %s\n", $2, $3 }
	$1 == "switch" { printf "0x%04x %s\n", $2, $3 }' "$work/ids" | sort >"$work/want"
tap_is "ibroute names who is there" "$(on node1 ibroute 1 2>/dev/null |
	sed -n 's/^\(0x[0-9a-f]*\) .*portguid \(0x[0-9a-f]*\):.*/\1 \2/p' |
	grep -v -e '^0x0009' -e '^0x000[ab]' | sort)" \
	"$(cat "$work/want")"

# ---- routes ----

on node1 ibtracert 4 6 2>/dev/null | sed -e 's/ lid .*//' -e 's/ca port \|switch port //' \
	-e 's/^\(From\|To\) ca \(.*\) portnum \(.*\)/\1 \2[\3]/' >"$work/want"
on node1 ibtracert -n 4 6 2>/dev/null >"$work/got"
tap_is "ibtracert -n: the same, by GUIDs and ports" "$(cat "$work/got")" "$(cat "$work/want")"
tap_is "ibtracert -f" "$(printed ibtracert -f 4 6)" "$(printed ibtracert 4 6)"
printf '4 6\n5 13\n' >"$work/pairs"
tap_is "ibtracert --ports-file" \
	"$(printed ibtracert --ports-file "$work/pairs" | grep -v '^2 .* pairs processed')" \
	"$({ printed ibtracert 4 6; printed ibtracert 5 13; } | sort)"

# ---- what depends on the tables ----

on node1 dump_lfts 2>/dev/null >"$work/lfts"
# It counts the LIDs that do not belong to switches.
for options in "" -v -e; do
	# shellcheck disable=SC2086
	on node1 check_lft_balance $options -l "$work/lfts" -i "$work/cache" >"$work/out" \
		2>/dev/null
	tap_is "check_lft_balance $options: how many LIDs by each port" "$("$AWK" '
		FILENAME ~ /ids$/ { if ($1 == "switch") switch_lid[sprintf("0x%04x", $2)] = 1; next }
		FILENAME ~ /ways$/ { if (!($2 in switch_lid)) count[$1 " " $3]++; next }
		/^Unbalanced/ { guid = $NF; next }
		{ sub(/:/, "", $2); where = guid " " $2 + 0 }
		count[where] + 0 != $3 { print where " is " $3 ", not " count[where] + 0 }
		{ lines++ }
		END { if (!lines) print "nothing" }' "$work/ids" "$work/ways" "$work/out")" ""
done

# ---- the host's own ports ----

on node3 ibstat 2>/dev/null >"$work/all"
tap_is "ibstat -l" "$(on node3 ibstat -l 2>/dev/null)" "$(sed -n "s/^CA '\(.*\)'/\1/p" "$work/all")"
tap_is "ibstat -p" "$(on node3 ibstat -p 2>/dev/null)" "$(sed -n 's/.*Port GUID: //p' "$work/all")"
tap_is "ibstat -s" "$(on node3 ibstat -s 2>/dev/null)" \
	"$(grep -v "$(printf '\t')\($(printf '\t')\|Port \)" "$work/all")"
name=$(on node3 ibstat -l 2>/dev/null | head -n 1)
tap_is "ibstat CA" "$(on node3 ibstat "$name" 2>/dev/null)" \
	"$("$AWK" '/^CA/ { n++ } n == 1' "$work/all")"
tap_is "ibstat CA PORT" "$(on node3 ibstat "$name" 2 2>/dev/null | sed 1,2d)" \
	"$("$AWK" '/^\tPort 2/ { on = 1; next } /^CA/ { on = 0 } on' "$work/all" | tr -d '\t')"

# ---- what has changed ----

"$umadrig" ctl --socket "$work/socket" Unlink '"S-00000101000a0020"[4]' >"$work/out" 2>&1
printed ibnetdiscover --diff "$work/cache" | grep '^[<>]' >"$work/got"
on node1 ibnetdiscover --load-cache "$work/cache" 2>/dev/null |
	"$AWK" '/^vendid/ { part = "" } { part = part $0 "\n" }
	/^$/ { if (part ~ /\nCa.*c0020/) printf "%s", part; part = "" }
	END { if (part ~ /\nCa.*c0020/) printf "%s", part }' | grep . | tr -s ' \t' ' ' |
		sed 's/^/< /' >"$work/want"
tap_is "ibnetdiscover --diffcheck ca: the adapter that is cut off" \
	"$(printed ibnetdiscover --diff "$work/cache" --diffcheck ca)" "$(sort "$work/want")"
tap_is "ibnetdiscover --diffcheck sw,router: nothing" \
	"$(printed ibnetdiscover --diff "$work/cache" --diffcheck sw,router)" ""
tap_is "ibnetdiscover --diff: it, and the cable" "$(cat "$work/got")" \
	"$({ cat "$work/want"; echo \
	'< [4] "H-00000101000c0020"[1](101000c0021) # "node2 mlx5_0" lid 8 2xHDR'; } | sort)"
grep -e '^0x00000101000c0021' -e '^0x00000101000a0020.* 4\[' "$work/links" |
	sed 's/^/< /' >"$work/want"
echo '> 0x00000101000a0020 " leaf 1" 2 4[ ] ==( Down/ Polling)==> [ ] "" ( )' >>"$work/want"
prints "iblinkinfo --diff: both ends" iblinkinfo -l --diff "$work/cache"
prints "iblinkinfo --diffcheck port,state" iblinkinfo -l --diff "$work/cache" --diffcheck port,state
fabric_end

# ---- scripts that read the output of the others ----

# They keep it in /var/cache, where the test must not write.
mkdir "$work/perl" "$work/kept"
printf 'require IBswcountlimits; $IBswcountlimits::cache_dir = "%s"; 1;\n' "$work/kept" \
	>"$work/perl/Kept.pm"
from=node1
kept() {
	on "$from" env PERL5OPT="-I$work/perl -MKept" "$@"
}
fabric_serve "$net"
tap_is "ibidsverify finds no fault" "$(kept ibidsverify -R -C mlx5_0 -P 1 2>/dev/null; echo $?)" 0
tap_is "nor in what it has kept, without a fabric" \
	"$(PERL5OPT="-I$work/perl -MKept" ibidsverify -C mlx5_0 -P 1 2>/dev/null; echo $?)" 0
tap_ok "it has kept what it read" test -s "$work/kept/ibnetdiscover-mlx5_0-1.topology"
"$umadrig" ctl --socket "$work/socket" Baselid '"H-00000101000c0050"[1]' 4 >"$work/out" 2>&1
tap_is "ibidsverify: a LID that two have" "$(kept ibidsverify -R 2>/dev/null; echo $?)" \
	"LID 4 already defined for NodeGUID 0x101000c0050
1"
fabric_serve "$net,state=cold"
tap_is "ibidsverify: no port has a LID" \
	"$(kept ibidsverify -R 2>/dev/null | grep -c '^LID 0 found for')" \
	"$(wc -l <"$work/ids" | tr -d ' ')"

fabric_serve generate:fat-tree:16,8
balanced() {
	on "" ibnetdiscover --cache "$work/cache" >/dev/null 2>&1
	on "" dump_lfts 2>/dev/null >"$work/lfts"
	tap_is "check_lft_balance: $1" \
		"$(on "" check_lft_balance -l "$work/lfts" -i "$work/cache" 2>/dev/null)" ""
}
balanced "a full fat tree is balanced from the beginning"
fabric_serve generate:fat-tree:16,8,state=cold
sm_start a host-0
tap_is "a full fat tree is up" "$(sm_wait a 1)" ""
from=""
tables_read ""
guid_of() {
	sed -n "s/^NR [0-9]* \(0x[0-9a-f]*\) .* $1\$/\1/p" "$work/nodes"
}
# It calls ibroute -G, which asks the SA.
kept ibfindnodesusing -R "$(guid_of leaf-0)" 5 >"$work/out" 2>&1
# GUID PORT: the adapters that the switch's table routes through the port.
through() {
	"$AWK" -v guid="$1" -v port="$2" '
		FNR == NR {
			name = $0
			if (sub(/.*Channel Adapter /, "", name))
				of[sprintf("0x%04x", $2)] = name
			next
		}
		$1 == guid && $3 == port && $2 in of { print of[$2] }' "$work/nodes" "$work/ways" |
		tr -s ' ' '\n' | sort
}
# Names are separated by blanks in a line: where one ends is ambiguous.
ends_of() {
	"$AWK" -v mark="$1" 'index($0, mark) { on = 1; next } /==/ { on = 0 } on && NF' \
		"$work/out" |
		tr -s ' ' '\n' | grep . | sort
}
tap_is "ibfindnodesusing: who is reached through the port" "$(ends_of '==>>')" \
	"$(through "$(guid_of leaf-0)" 5)"
tap_is "ibfindnodesusing: and through the other end" "$(ends_of '<<==')" \
	"$(through "$(guid_of spine-0)" 1)"
tap_ok "there are some" test "$(through "$(guid_of spine-0)" 1 | wc -l)" -ge 8
balanced "OpenSM's is as well"

tool_rows fabric <<'END'
ibnetdiscover -l, -H, -S, -R, -p, -s, -o N, FILE, --node-name-map FILE | right | right, every line | ibnetdiscover -l
ibnetdiscover --cache, --load-cache, --diff, --diffcheck | right | right (a cache cannot hold FDR10) | ibnetdiscover --cache
ibcacheedit --switchguid, --caguid, --sysimgguid, --portguid | needs no fabric | needs no fabric | ibcacheedit
ibhosts, ibswitches, ibrouters -C, -P, -t, FILE | right | right, every line | ibhosts
ibnodes | right | right, every line | ibnodes
iblinkinfo --down, --switches-only, --cas-only, --filterdownports | right | right, every line | iblinkinfo --down
iblinkinfo -p, --load-cache, --diff, --diffcheck, -o N, --node-name-map FILE | right | right, every line | iblinkinfo -p
iblinkinfo -D, -n, -a | right | right: parts of the fabric | iblinkinfo -D
ibidsverify -R, -C, -P | right | right: no fault, a duplicate LID, no LIDs | ibidsverify
ibstat -l, -p, -s, CA, CA PORT | right, one port | right, all adapters and ports of the host | ibstat
END
tool_rows ports <<'END'
ibaddr -g, -l, -L, -D | right | right, every port | ibaddr
END
tool_rows routes <<'END'
ibtracert -n, -f, --ports-file | right | right | ibtracert -n
ibroute -a, -n, -D, FROM TO | right | right, every entry | ibroute
dump_fts -a, -n, -e, -t MS, FROM TO | right | right, every entry | dump_fts
dump_lfts -a, -n | right | right, every entry | dump_lfts
check_lft_balance -l, -i, -e, -v | right | right; a fat tree is balanced, with OpenSM's tables and with the initial ones | check_lft_balance
ibfindnodesusing -R | right | right | ibfindnodesusing
END
tap_done
