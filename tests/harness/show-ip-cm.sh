#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# show: what RDMA CM says in a ConnectRequest (addresses and ports by IP), as tshark has it, and
# that others, whose private data means something else, are left alone.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

printf 'Hca 1 "H1"\n[1] "H2"[1]\n\nHca 1 "H2"\n[1] "H1"[1]\n' >two.net
# NAME SERVICE VERSIONS SOURCE DESTINATION: NAME.pcapng, a ConnectRequest.
request() {
	cat >"$1.mad" <<END
scenario "$1"
topology "two.net" self="H1[1]" peer="H2[1]"
0  peer listens class=0x07 version=2 methods={Send}
0  fd = umad_open_port(\$CA, \$PORT)
+0 cm = umad_register(fd, class=0x07, version=2)
+0 umad_send(fd, cm, ComMgtSend(ConnectRequest) to=peer bytes[32..39]=$2 bytes[164..165]=$3 bytes[166..167]=0x8ae3 bytes[168..175]=$4 bytes[176..183]=$5 bytes[192..199]=$6 bytes[200..203]=0xdeadbeef) = 0
+0 > ComMgtSend(ConnectRequest)
END
	"$umadrig" run --keep . "$1.mad" >"$1.tap" 2>&1 || sed 's/^/# /' "$1.tap"
	"$umadrig" show -v "$1.pcapng" frame=1 | tr -s ' ' >"$1.shown"
}
# NAME FIELD: what is shown of it.
shown() {
	sed -n "s/^ $2 //p" "$1.shown"
}
request four 0x0000000001061f90 0x0040 0 0x0a000001 0x0a000002
request six 0x0000000001111f91 0x0060 0xfd00000000000000 0x1 0x2
request other 0x1000000001061f90 0x0040 0 0x0a000001 0x0a000002
request none 0x0000000001061f90 0x0000 0 0x0a000001 0x0a000002

for row in "four Protocol 0x06" "four DestinationPort 8080" "four MajorVersion 0" "four IPVersion 4" \
	"four SourcePort 35555" "four SourceIP 10.0.0.1" "four DestinationIP 10.0.0.2" \
	"six Protocol 0x11" "six DestinationPort 8081" "six IPVersion 6" "six SourceIP fd00::1" \
	"six DestinationIP ::2"; do
	# shellcheck disable=SC2086 # three words
	set -- $row
	tap_is "$1: $2" "$(shown "$1" "$2")" "$3"
done
for name in other none; do
	tap_is "not of RDMA CM: $name" "$(shown $name SourceIP)" ""
done
tap_has "JSON" "$("$umadrig" show --json four.pcapng frame=1)" \
	'"Details":{"Protocol":6,"DestinationPort":8080,"MajorVersion":0,"MinorVersion":0,"IPVersion":4,"SourcePort":35555,"SourceIP":"10.0.0.1"'
if python3 -c 'import json_schema' 2>/dev/null || python3 -c 'import jsonschema' 2>/dev/null; then
	"$umadrig" show --json-schema >show.json
	for name in four six other none; do
		"$umadrig" show --json $name.pcapng frame=1 >>lines.json
	done
	tap_has "JSON as its schema says" "$(python3 "$top_srcdir/tests/rig/json_schema.py" show.json lines.json 2>&1)" " valid"
else
	tap_skip "JSON against its schema" "no python3-jsonschema"
fi

if command -v tshark >/dev/null; then
	p=infiniband.cm.req.ip_cm
	for row in "four $p.sip4 $p.dip4 10.0.0.1 10.0.0.2" "six $p.sip6 $p.dip6 fd00::1 ::2"; do
		# shellcheck disable=SC2086 # five words
		set -- $row
		tap_is "tshark: $1" "$(tshark -r "$1.pcapng" -T fields -e "$p.sport" -e "$2" -e "$3" frame.number==1 2>/dev/null |
			tr '\t' ' ')" "0x8ae3 $4 $5"
	done
else
	tap_skip "tshark's fields" "tshark is not installed"
fi

tap_done
