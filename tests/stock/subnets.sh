#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-subnets: two subnets in one fabric, with a router between them. Cold, each has an OpenSM of
# its own: both give the same LIDs, and no SM looks through the router. Warm, each has the fabric's
# own SA, whose paths to the other subnet are OpenSM's.
SUBST
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock-fabric.sh"
stock_needs opensm ibping ibnetdiscover saquery sminfo smpquery
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch opensm saquery sminfo smpquery ibhosts ibrouters ibping

cat >"$work/two.net" <<'EOF'
Switch 4 "S1"
[1] "a1"[1]
[2] "a2"[1]
[3] "R1"[1]

Hca 1 "a1"
[1] "S1"[1]

Hca 1 "a2"
[1] "S1"[2]

Switch 4 "S2"
[1] "b1"[1]
[2] "b2"[1]
[3] "R1"[2]

Hca 1 "b1"
[1] "S2"[1]

Hca 1 "b2"
[1] "S2"[2]

Rt 2 "R1"
[1] "S1"[3]
[2] "S2"[3]
EOF

# HOST: the descriptions of the nodes that its SA knows, sorted, on one line.
nodes_of() {
	on "$1" saquery NR 2>/dev/null | sed -n 's/.*NodeDescription\.*//p' |
		sort | paste -s -d ' ' -
}

# HOST: the LIDs of its subnet's end ports, sorted, on one line.
lids_of() {
	on "$1" saquery NR 2>/dev/null | sed -n 's/.*\tlid\.*//p' | sort -n | paste -s -d ' ' -
}

# HOST: its own LID.
lid_of() {
	on "$1" smpquery -D portinfo 0 2>/dev/null | sed -n 's/^Lid:\.*//p'
}

# NAME PREFIX: OpenSM's configuration for a subnet that a router joins to others.
configure() {
	echo "subnet_prefix 0x$2" >"$work/$1.conf"
	echo '* *' >"$work/routes"
}

# HOST: the GID of its port, as the SMA has it.
gid_of() {
	prefix=$(on "$1" smpquery -D portinfo 0 2>/dev/null | sed -n 's/^GidPrefix:\.*0x//p')
	guid=$(on "$1" smpquery -D nodeinfo 0 2>/dev/null | sed -n 's/^PortGuid:\.*0x//p')
	echo "$prefix$guid" | sed 's/..../&:/g; s/:$//'
}

# HOST: its LID, and the router's, in its subnet.
lids_on_way() {
	on "$1" saquery NR 2>/dev/null | awk '/\tlid\./ { gsub(/.*\./, ""); lid = $0 }
		/NodeDescription/ { gsub(/.*\./, ""); at[$0] = lid }
		END { print at["'"$1"'"], at["R1"] }'
}

# HOST SGID DGID: the path that its SA gives, with the names of the LIDs' ports.
path_of() {
	set -- "$@" $(lids_on_way "$1")
	on "$1" saquery PR --sgid "$2" --dgid "$3" 2>/dev/null | tr -d '\t ' |
		grep -E '^(dgid|sgid|dlid|slid|hop|pkey|sl|mtu|rate|pkt_life)' |
		sed "s/^\(slid\.*\)$4\$/\1$1/; s/^\(dlid\.*\)$5\$/\1R1/"
}

configure a fec0000000000001
configure b fec0000000000002
fabric_serve "$work/two.net,state=cold"
sm_start a a1 -F "$work/a.conf" --prefix_routes_file "$work/routes"
sm_start b b1 -F "$work/b.conf" --prefix_routes_file "$work/routes"
tap_is "the first subnet is up" "$(sm_wait a 1)" ""
tap_is "the second subnet is up" "$(sm_wait b 1)" ""
tap_has "its OpenSM is master" "$(on a2 sminfo 2>/dev/null)" "SMINFO_MASTER"
tap_has "and so is the other" "$(on b2 sminfo 2>/dev/null)" "SMINFO_MASTER"
tap_is "the first has its nodes alone" "$(nodes_of a2)" "R1 S1 a1 a2"
tap_is "the second has its nodes alone" "$(nodes_of b2)" "R1 S2 b1 b2"
tap_is "both have the same LIDs" "$(lids_of a2)" "$(lids_of b2)"

# HOST FROM: a responder on HOST, which FROM reaches.
responds() {
	on "$1" ibping -S 2>/dev/null &
	lid=$(lid_of "$1")
	tap_ok "$2 pings $1" within 20 on "$2" \
		sh -c "ibping -c 1 $lid | grep -q ' 0% packet loss'"
}

# The same LID in the other subnet has no responder yet.
responds b1 b2
tap_has "a2 does not reach it by its LID" \
	"$(on a2 ibping -c 1 "$lid" 2>/dev/null)" " 100% packet loss"
responds a1 a2

to_b1=$(path_of a2 "$(gid_of a2)" "$(gid_of b1)")
fabric_end

fabric_serve "$work/two.net"
tap_is "warm, the first subnet has its nodes alone" "$(nodes_of a2)" "R1 S1 a1 a2"
tap_is "and the second" "$(nodes_of b2)" "R1 S2 b1 b2"
tap_is "both have the same LIDs" "$(lids_of a2)" "$(lids_of b2)"
tap_has "each has a master" "$(on b2 sminfo 2>/dev/null)" "SMINFO_MASTER"
tap_is "the GIDs have the prefixes of their subnets" \
	"$(gid_of a2 | cut -c 1-19) $(gid_of b1 | cut -c 1-19)" \
	"fec0:0000:0000:0001 fec0:0000:0000:0002"
echo "$to_b1" >"$work/opensm"
path_of a2 "$(gid_of a2)" "$(gid_of b1)" >"$work/builtin"
tap_has "OpenSM gives a path over the router" "$to_b1" "dlid....................R1"
tap_is "and so does the fabric" "$(cat "$work/builtin")" "$to_b1"
fabric_end

fabric_serve "generate:rail:2,2,8,subnets=2,routers=1"
tap_is "a generated subnet has its hosts alone" \
	"$(on s2-host-1 ibhosts 2>/dev/null | grep -c '"s2-host-[01] mlx5_[01]"')" 4
tap_is "and no others" "$(on s2-host-1 ibhosts 2>/dev/null | grep -c .)" 4
tap_has "and the router" "$(on s2-host-1 ibrouters 2>/dev/null)" "ports 2 \"router-0\""
fabric_end

tool_rows subnet <<'END'
opensm --prefix_routes_file FILE, -F FILE (two of them in two subnets of one cold fabric, a router between them) | - | each brings its own subnet up, with the same LIDs as the other, and does not look through the router | the first has its nodes
ibping -S, -c, smpquery -D (the same) | - | each subnet's own | b2 pings
saquery NR, PR, --sgid, --dgid (of another subnet) | - | warm, each subnet has its own nodes and GID prefix; the path over the router is OpenSM's (with a prefix route for all) | OpenSM gives a path
ibhosts, ibrouters, sminfo (`generate:...,subnets=2,routers=1`) | - | those of its subnet | a generated subnet
END
tap_done
