#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# mstflint: its programs read registers and configuration space of simulated devices in band
# (-d lid-LID), unmodified; what they print is compared with the fabric, good and damaged.
#
# mstflint 4.21, Debian 12's, cannot read registers in band: it uses a PCI device that there is none
# of, and crashes (doc/programs.md). The points about registers are of later releases.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
command -v mstreg >/dev/null 2>&1 || tap_skip_all "no mstreg here (Debian: mstflint)"
[ "$(id -u)" = 0 ] || tap_skip_all "mstflint's programs are for root alone"
stock_needs mstmread mstlink mstflint python3
release=$(mstreg -v | sed -n 's/.*mstflint \([0-9]*\.[0-9]*\).*/\1/p')
crashes="mstflint $release crashes when it reads a register in band"

# A Quantum-2 and a ConnectX-5, -6 and -7, each at the highest speed that both ends of its cable
# have; port 4 of the switch is free. In the order of LIDs: the switch, H1, H2, H3.
cat >"$work/fabric.net" <<'END'
vendid=0x2c9
devid=0xd2f2
switchguid=0x10(10)
Switch	5 "S-0000000000000010"		# "Edge" enhanced port 0 lid 1 lmc 0
[1]	"H-0000000000000020"[1](21) 		# "H1" lid 2 4xNDR
[2]	"H-0000000000000030"[1](31) 		# "H2" lid 3 2xHDR
[3]	"H-0000000000000040"[1](41) 		# "H3" lid 4 4xEDR

vendid=0x2c9
devid=0x1021
caguid=0x20
Ca	1 "H-0000000000000020"		# "H1"
[1](21) 	"S-0000000000000010"[1]		# lid 2 lmc 0 "Edge" lid 1 4xNDR

vendid=0x2c9
devid=0x101b
caguid=0x30
Ca	1 "H-0000000000000030"		# "H2"
[1](31) 	"S-0000000000000010"[2]		# lid 3 lmc 0 "Edge" lid 1 2xHDR

vendid=0x2c9
devid=0x1017
caguid=0x40
Ca	1 "H-0000000000000040"		# "H3"
[1](41) 	"S-0000000000000010"[3]		# lid 4 lmc 0 "Edge" lid 1 4xEDR
END

on() { stock H1 "$work/fabric.net" "$@" 2>"$work/errors"; }

# ---- configuration space ----

cat >"$work/chips" <<'END'
for lid in 1 2 3 4; do mstmread lid-$lid 0xf0014; done
mstmread iblid-2 0xf0014
mstmread ibdr-0.1 0xf0014
END
tap_is "mstmread: the chip of each device; with SMPs by LID, and by directed route" \
	"$(on sh "$work/chips")" "Read 0x000f0014:0x00000257
Read 0x000f0014:0x00000218
Read 0x000f0014:0x0000020f
Read 0x000f0014:0x0000020d
Read 0x000f0014:0x00000218
Read 0x000f0014:0x00000257"
tap_has "mstmread of what is not there fails" "$(on mstmread lid-1 0x12340 2>&1)" \
	"cr access read to Lid 1 failed"

# ---- registers ----

case $release in
4.1?|4.20|4.21)
	on mstreg -d lid-2 --show_regs >/dev/null
	tap_is "mstreg $release crashes" $? 139
	for point in "the chip" "each port" "the cable" "a bad cable" counters mstflint "a write"; do
		tap_skip "$point" "$crashes"
	done
	tap_done
	exit
	;;
esac

cat >"$work/chips" <<'END'
for lid in 1 2; do mstreg -d lid-$lid --reg_name MGIR --get; done
END
tap_is "mstreg: MGIR of the switch, and of H1" "$(on sh "$work/chips" |
	sed -n 's/^\(device_id\|num_ports\|hw_dev_id\) *| 0x0*/\1 /p')" "device_id d2f2
num_ports 5
hw_dev_id 257
device_id 1021
num_ports 1
hw_dev_id 218"

# What mstlink says, a line for each of its runs: fields of its JSON, and a dash for the others.
cat >"$work/links.py" <<'END'
import json, sys

text, decoder = sys.stdin.read().strip(), json.JSONDecoder()
while text:
    run, end = decoder.raw_decode(text)
    text = text[end:].strip()
    fields = {}
    for part in run["result"]["output"].values():
        fields.update(part)
    print(*(fields.get(name, "-") for name in sys.argv[1:]))
END
links() { python3 "$work/links.py" "$@"; }

# The ports of a Quantum-2 have two numbers: of the cage, and in it.
cat >"$work/ports" <<'END'
for port in 1/1 1/2 2/1 2/2; do mstlink -d lid-1 -p $port --json "$@"; done
for lid in 2 3 4; do mstlink -d lid-$lid --json "$@"; done
END
tap_is "mstlink: each port" \
	"$(on sh "$work/ports" | links State Speed Width "Status Opcode")" \
	"Active IB-NDR 4x 0
Active IB-HDR 2x 0
Active IB-EDR 4x 0
Polling N/A N/A 1024
Active IB-NDR 4x 0
Active IB-HDR 2x 0
Active IB-EDR 4x 0"
tap_is "mstlink -m: the cables, the same at both ends" \
	"$(on sh "$work/ports" -m | links Identifier "Cable Type" "Vendor Part Number" \
		"Vendor Serial Number")" \
	"OSFP Passive copper cable SIM-4xNDR SIM000000-001
QSFP28 Passive copper cable SIM-2xHDR SIM000000-002
QSFP28 Passive copper cable SIM-4xEDR SIM000000-003
N/A N/A N/A N/A
OSFP Passive copper cable SIM-4xNDR SIM000000-001
QSFP28 Passive copper cable SIM-2xHDR SIM000000-002
QSFP28 Passive copper cable SIM-4xEDR SIM000000-003"

# COMMAND...: what mstlink says of both ends of the first cable after it.
cat >"$work/both" <<'END'
mstlink -d lid-1 -p 1/1 --json -c
mstlink -d lid-2 --json -c
END
damaged() {
	"$umadrig" exec --fabric "$work/fabric.net" --host H1 --do "$1" -- \
		sh "$work/both" 2>"$work/errors" | links State Speed Width "Status Opcode" \
		"Raw Physical BER" "Link Error Recovery Counter"
}
tap_is "mstlink: a cable that lost lanes and speed" \
	"$(damaged 'link degrade Edge[1] 1x HDR')" "Active IB-HDR 1x 34 15E-255 1
Active IB-HDR 1x 34 15E-255 1"
tap_is "mstlink: a cable with errors" "$(damaged 'link degrade Edge[1] ber=2e-9')" \
	"Active IB-NDR 4x 0 2E-9 0
Active IB-NDR 4x 0 2E-9 0"

# In virtual time errors are known to the one: 400 Gb/s, one bit of 10^9, for 10 s and more.
cat >"$work/later" <<'END'
sleep 10
mstlink -d lid-1 -p 1/1 --json -c
perfquery 1 1
END
"$umadrig" exec --fabric "$work/fabric.net,clock=virtual" --host H1 \
	--do 'link degrade Edge[1] ber=1e-9' -- sh "$work/later" >"$work/got" 2>"$work/errors"
tap_is "mstlink -c counts what performance management does, in virtual time" \
	"$(sed '/^# Port counters/,$d' "$work/got" | links "Symbol Errors")" \
	"$(sed -n 's/^SymbolErrorCounter:\.*//p' "$work/got")"
tap_has "and that is right" "$(sed -n 's/^SymbolErrorCounter:\.*/ /p' "$work/got")" " 40"

# ---- mstflint ----

version=$("$umadrig" --version | sed -n 's/^umadrig \([0-9.]*\).*/\1/p')
tap_is "mstflint q" "$(on mstflint -d lid-1 q | grep '^Product\|^PSID')" \
	"Product Version:       $version
PSID:                  umadrig"
tap_is "mstflint q with the filter alone" "$("$umadrig" exec --how filter \
	--fabric "$work/fabric.net" --host H1 -- mstflint -d lid-4 q 2>"$work/errors" |
	grep '^Product\|^PSID')" "Product Version:       $version
PSID:                  umadrig"
tap_has "mstreg --set is refused" "$(on mstreg -d lid-2 --reg_name PAOS --set admin_status=2 \
	-y --indexes local_port=1,swid=0,lp_msb=0,plane_ind=0 || cat "$work/errors")" \
	"is not supported by the device"
tap_done
