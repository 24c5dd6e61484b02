#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-ibutils: ibdiagnet, ibdiagpath and ibis of the distribution, unmodified: the files that they
# write describe the fabric, and the errors that they report are those in it. Some of them fail for
# reasons that have nothing to do with a fabric: that is shown too.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock-fabric.sh"
stock_needs opensm ibdiagnet ibdiagpath ibis ibdmtr ibtopodiff ibtracert
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch ibdiagnet ibdiagpath ibis ibdmtr ibtopodiff ibtracert
member=$top_builddir/tests/tools/sa-member
diag=$work/diag
# Files without a given path are put where the test may write.
IBDM_IBNL_PATH=$diag/ibdiag_ibnl
export IBDM_IBNL_PATH

# HOST PROGRAM...: runs it with its files in $diag; its output is in $work/out.
diagnose() {
	diagnose_host=$1
	shift
	mkdir -p "$diag"
	on "$diagnose_host" timeout -k 5 60 "$@" -o "$diag" >"$work/out" 2>&1
}

# NAME ERRORS WARNINGS: a stage in ibdiagnet's last table.
stage_is() {
	tap_is "$1: $2 errors, $3 warnings" \
		"$(sed -n "s/^ *$1  *\([0-9]*\)  *\([0-9]*\) *\$/\1 \2/p" "$work/out")" "$2 $3"
}

# TABLE: one of ibdiagnet's files as "GUID LID PORT...", in decimal and sorted.
table_of() {
	"$AWK" '
		function number(s,    n, i) {
			n = 0
			s = tolower(s)
			for (i = 3; i <= length(s); i++)
				n = 16 * n + index("0123456789abcdef", substr(s, i, 1)) - 1
			return n
		}
		/Switch 0x/ { guid = $NF; sub(/.*Switch /, "", guid); sub(/ .*/, "", guid) }
		/^0x/ {
			line = guid " " number($1)
			for (i = 3; i <= NF && $i != ":"; i++)
				line = line " " ($i ~ /^0x/ ? number($i) : $i + 0)
			print line
		}' "$diag/ibdiagnet.$1" | sort
}

# ---- a fat tree, with all options ----

fabric_serve generate:fat-tree:8,4,state=cold
sm_start a host-0
tap_is "the subnet is up" "$(sm_wait a 1)" ""
group=ff12:401b:ffff::1
for host in host-2 host-5; do joined=$(on $host "$member" join $group 2>/dev/null); done
mlid=${joined##* }
for record in NR LR LFTR; do on "" "$walker" -R $record 2>/dev/null >"$work/$record"; done
links=$(($(grep -c . "$work/LR") / 2))
diagnose host-0 ibdiagnet -r -u -pm -pc -P all=1000000 -lw 4x -ls 2.5 -c 2 \
	-csv -vlr -wt "$work/topo"
tap_is "ibdiagnet with every report ends well" $? 0
tap_lacks "and without an error" "$(cat "$work/out")" "-E-"
tap_has "all nodes are there" "$(cat "$work/out")" " 14 nodes (6 Switches & 8 CA-s) discovered"
stage_is "Link State Active Check" 0 0
stage_is "Specific Link Width Check" 0 0
stage_is "Specific Link Speed Check" 0 "$links"
stage_is "Performance Counters Report" 0 0
stage_is "Credit Loops Check" 0 0
stage_is "Subnet Manager Check" 0 0
stage_is "Extracting SL Based Routing Info" 0 0
# A link is written once, from one of its ends.
one_way() {
	"$AWK" '{ print ($1 < $3 ? $0 : $3 " " $4 " " $1 " " $2) }' | sort
}
listed() {
	sed -n 's/^{.*NodeGUID:\([0-9A-Fa-f]*\) .*LID:\([0-9A-Fa-f]*\) PN:\([0-9A-Fa-f]*\) } { .*NodeGUID:\([0-9A-Fa-f]*\) .* PN:\([0-9A-Fa-f]*\) } PHY=4x LOG=ACT .*/\1 \3 \4 \5/p' \
		"$diag/ibdiagnet.lst" | tr A-F a-f | one_way
}
listed >"$work/got"
"$AWK" '
	FNR == NR { guid[$2] = substr($3, 3); next }
	{ printf "%s %02x %s %02x\n", guid[$2], $3, guid[$5], $4 }' "$work/NR" "$work/LR" |
		one_way | uniq >"$work/want"
tap_is "ibdiagnet.lst: every link, with its width and state" "$(cat "$work/got")" \
	"$(cat "$work/want")"
"$AWK" '
	FNR == NR { guid[$2] = $3; next }
	{ print guid[$2], $4, $5 }' "$work/NR" "$work/LFTR" | sort >"$work/want"
tap_is "ibdiagnet.fdbs: every entry of every table" "$(table_of fdbs)" "$(cat "$work/want")"
on "" dump_mfts 2>/dev/null | "$AWK" -v mlid="$mlid" '
	/ of switch / { guid = $0; sub(/.*guid /, "", guid); sub(/ .*/, "", guid) }
	/Ports:/ { at = index($0, " 0 ") + 1 }
	$1 == mlid {
		line = guid " " 0xc001
		for (port = 0; port <= 4; port++)
			if (substr($0, at + 2 * port, 1) == "x")
				line = line " " port
		print line
	}' | sed "s/ 0* / $((mlid)) /" | sort >"$work/want"
tap_is "ibdiagnet.mcfdbs: the group's ports" "$(table_of mcfdbs)" "$(cat "$work/want")"
tap_is "ibdiagnet.pkey: every adapter is a full member" \
	"$(sed -n 's/^ *Full .* guid=0x\([0-9a-f]*\) .*/0x\1/p' "$diag/ibdiagnet.pkey" | sort)" \
	"$(sed -n 's/^NR [0-9]* [^ ]* \(0x[0-9a-f]*\) .*Channel Adapter.*/\1/p' "$work/NR" | sort)"
tap_has "ibdiagnet.sm: who is master" "$(cat "$diag/ibdiagnet.sm")" "host-0/P1 lid=0x0001"
tap_is "ibdiagnet.pm: the counters of every port with a cable" \
	"$(grep -c '^port_xmit_pkts' "$diag/ibdiagnet.pm")" "$((2 * links))"
tap_is "of which none counts errors" \
	"$(grep -e '^symbol_error' -e '^port_rcv_errors' "$diag/ibdiagnet.pm" |
	sort -u | grep -c -v '= 0x0$')" 0
tap_has "paths of two and of four hops" "$(tr -s ' ' <"$work/out")" " 2 8
 4 48"
tap_has "members by group" "$(cat "$work/out")" "| $mlid | 0xffff |"
for row in "pm:PM Counters Info" "logical_state:Links With Logical State" \
	"part:Fabric Partitions Report" "ipoib:IPoIB Subnets Check"; do
	diagnose host-0 ibdiagnet -skip "${row%%:*}"
	tap_is "ibdiagnet -skip ${row%%:*}" \
		"$(grep -A 2 "^-I- ${row#*:}" "$work/out" | sed -n 3p)" \
		"-I- skip option set. no report will be issued"
done
diagnose host-3 ibdiagnet -i 1 -p 1
tap_has "ibdiagnet -i -p: from another host" "$(cat "$work/out")" \
	" 14 nodes (6 Switches & 8 CA-s) discovered"
listed >"$work/want"
diagnose host-0 ibdiagnet -v
tap_has "ibdiagnet -v tells what it does" "$(cat "$work/out")" "running smNodeInfoMad getByDr 1 "
tap_is "and finds the same links" "$(listed)" "$(cat "$work/want")"
diagnose host-0 ibdiagnet -lw 1x
stage_is "Specific Link Width Check" 0 "$links"
diagnose host-0 ibdiagnet -load_db "$diag/ibdiagnet.db"
tap_is "ibdiagnet -load_db" "$?" 0

# The programs that read files read the file that -wt wrote; -t makes ibdiagnet compare, with the
# code of ibtopodiff, which crashes on these two files even without a fabric.
tap_is "ibdmtr: a direct route through what -wt wrote" \
	"$(ibdmtr -t "$work/topo" -s host-0/U1 -p 1 -d 0,1 2>&1 |
	sed -n 's/^ *TO  *Host:\([^ ]*\) .*/\1/p')" \
	"S$(sed -n 's/^NR [0-9]* 0x\([0-9a-f]*\) .* leaf-0$/\1/p' "$work/NR")"
died=$(ibtopodiff -t "$work/topo" -d "$diag/ibdiagnet.lst" -s host-0/U1 -p 1 \
	-g "$(sed -n 's/^NR [0-9]* [^ ]* \(0x[0-9a-f]*\) .* host-0 .*/\1/p' "$work/NR")" \
	>/dev/null 2>&1; echo $?)
diagnose host-0 ibdiagnet -t "$work/topo" -s host-0 2>/dev/null
tap_is "ibdiagnet -t ends as ibtopodiff does" $? "$died"
tap_has "having found the fabric" "$(cat "$work/out")" " 14 nodes (6 Switches & 8 CA-s) discovered"

# The shell in which they are written.
cat >"$work/ask.tcl" <<EOT
ibis_opts configure -log_file "$work/ibis.log"
ibis_init
ibis_set_port $(sed -n 's/^NR [0-9]* [^ ]* \(0x[0-9a-f]*\) .* host-0 .*/\1/p' "$work/NR")
smNodeDescMad getByDr {1}
puts [smNodeDescMad dump]
smNodeInfoMad getByLid $(sed -n 's/^NR \([0-9]*\) .* leaf-0$/\1/p' "$work/NR")
puts [smNodeInfoMad cget -node_guid]
EOT
tap_is "ibis: a description by directed route, a GUID by LID" \
	"$(on host-0 timeout -k 5 20 ibis "$work/ask.tcl" 2>/dev/null |
	grep -e description -e ^0x)" \
	"-description leaf-0 
$(sed -n 's/^NR [0-9]* \(0x[0-9a-f]*\) .* leaf-0$/\1/p' "$work/NR")"

# ---- ibdiagpath ----

# Of the 64 ports of a table it takes the one before the right one, because its list begins with the
# word "-lft". So it takes the path that ibtracert takes to the LID that is one less.
to=$(sed -n 's/^NR \([0-9]*\) .* host-7 .*/\1/p' "$work/NR")
from=$(sed -n 's/^NR \([0-9]*\) .* host-0 .*/\1/p' "$work/NR")
on host-0 ibtracert "$from" $((to - 1)) >"$work/want" 2>/dev/null
lids_of() {
	sed -n 's/^-I- To: .*lid=\(0x[0-9a-f]*\) .*/\1/p' "$work/out" |
		while read -r lid; do echo $((lid)); done
}
diagnose host-0 ibdiagpath -l "$from,$to"
tap_is "ibdiagpath by LIDs goes to one less, by its own mistake" "$(lids_of)" \
	"$(sed -n 's/^\[.*-> .* lid \([0-9]*\)-.*/\1/p' "$work/want")"
diagnose host-0 ibdiagpath -n host-7 -t "$work/topo" -s host-0
tap_is "by names as well" "$(lids_of)" \
	"$(sed -n 's/^\[.*-> .* lid \([0-9]*\)-.*/\1/p' "$work/want")"
diagnose host-0 ibdiagpath -d 1,3,2 -pm -pc -c 3 -smp -lw 4x -ls 2.5 -sl 0
tap_is "ibdiagpath along a direct route" "$(lids_of)" "$(on host-0 sh -c '
	for path in 0,1 0,1,3 0,1,3,2; do smpquery -D PI $path 0; done' 2>/dev/null |
		sed -n 's/^Lid:\.*//p')"
fabric_end

# ---- errors are found ----

# Four MADs in ten do not pass the link between leaf-0 and the first spine.
rm -rf "$diag"
fabric_serve "generate:fat-tree:8,4,fault=drop 40% on leaf-0[3]"
diagnose host-0 ibdiagnet -c 20
tap_has "ibdiagnet finds the link that loses MADs" "$(cat "$work/out")" \
	'Link at the end of direct route "1,3"'
fabric_end
# No SM has run here, and two adapters have the same GUID.
fabric_serve "$data/ring.net,state=cold"
"$umadrig" ctl --socket "$work/socket" Guid '"b4"' 0x51000 >"$work/out" 2>&1
diagnose a1 ibdiagnet
tap_has "ibdiagnet sees links in Init" "$(cat "$work/out")" "LOG=INI"
tap_has "and the GUID that two have" "$(cat "$work/out")" "Found 2 Devices with identical NodeGUID"
tap_has "and that there are no LIDs" "$(cat "$work/out")" "Found 12 Devices with LID=0x0000"
tap_has "nor an SM" "$(cat "$work/out")" "Missing master SM"

tool_rows fabric <<'END'
ibdiagnet -o DIRECTORY | crashes | right: links, tables, groups, partitions, SM, counters | ibdiagnet.
ibdiagnet -c, -v, -r, -u, -pm, -pc, -P, -lw, -ls, -skip, -csv, -vlr, -wt, -load_db, -i, -p | crashes | right; a cable that loses MADs is found | ibdiagnet
ibdiagnet -t, -s | crashes | finds the fabric, then crashes comparing it: a bug of its own | ibdiagnet -t
ibis | crashes | right, by LID and by directed route | ibis:
ibdmtr -t, -s, -p, -d | needs no fabric | needs no fabric | ibdmtr
ibtopodiff -t, -d, -s, -p, -g | needs no fabric | needs no fabric; crashes on two files | ibdiagnet -t
END
tool_rows routes <<'END'
ibdiagpath -d, -o, -pm, -pc, -c, -smp, -lw, -ls, -sl | crashes | right along the route; then it may fail in its own Tcl | ibdiagpath along
ibdiagpath -l, -n, -t, -s | crashes | goes to the LID below the one requested: a bug of its own | ibdiagpath by LIDs
END
tap_done
