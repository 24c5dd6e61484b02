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
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch mstmread mstmcra mstmwrite mstvpd mstreg mstlink mstflint mstconfig mstmget_temp

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
tap_is "mstmcra reads the same" "$(on mstmcra lid-1 0xf0014; on mstmcra lid-2 0xf0014)" \
	"0x00000257
0x00000218"
tap_has "mstmcra of what is not there fails" "$(on mstmcra lid-1 0x12340)" "cr access read to Lid 1 failed"
tap_has "mstmwrite there fails, too" "$(on mstmwrite lid-2 0xf0014 1)" \
	"cr access write to Lid 2 failed"
# Its source: VPD is read from the file vpd of a PCI device, and fails in band (EPERM).
for lid in 1 2; do on mstvpd lid-$lid; echo $?; done >"$work/got" 2>&1
on mstvpd -m lid-3 >>"$work/got" 2>&1 || echo $? >>"$work/got"
tap_is "mstvpd: no VPD in band" "$(grep -c '^[1-9]' "$work/got")" 3

on mstconfig -d lid-2 q >"$work/got" 2>&1
tap_has "mstconfig q finds no configuration" "$(cat "$work/got" "$work/errors")" -E-

# ---- rows of doc/programs.md ----

rows() {
	tool_rows registers <<'END'
mstmread lid-LID, iblid-LID, ibdr-PATH (0xf0014) | right: the number of the chip, of each device and in each way | mstmread: the chip
mstmcra lid-LID (0xf0014) | right | mstmcra reads
mstmread, mstmcra (elsewhere) | refused: there is nothing | mstmcra of what
mstmwrite lid-LID (elsewhere than at the command interface) | refused: there is nothing | mstmwrite
mstvpd lid-LID, -m | refused: it reads the file vpd of a PCI device, and by its source gives up in band (EPERM) | mstvpd
mstconfig -d LID, q | refused: there is no configuration | mstconfig
mstreg -d LID, --show_regs (4.21) | crashes: why is below the table | mstflint 4.21
mstlink -d LID (4.21) | crashes: why is below the table | mstflint 4.21
mstflint -d LID, q (4.21) | refused: it looks for the flash | mstflint 4.21
mstreg -d LID, --reg_name, --get | right: MGIR; the registers listed below | mstreg: MGIR
mstreg --set, -y, --indexes | refused: registers can only be read | mstreg --set
mstlink -d LID, -p PORT (of a Quantum-2: CAGE/PORT), --json | right, every port: state, speed, width, what is wrong with it | mstlink: each port
mstlink -d LID, -p PORT, --json (a bad cable) | right: one that has lost lanes or speed (`ctl link degrade`), one with errors | mstlink: a cable
mstlink -m | right: part and serial number, the same at both ends | mstlink -m
mstlink -c | right: symbol errors and recoveries as perfquery has them, the rate of `ber=` | mstlink -c
mstlink --show_device | right: the adapter's part and serial number | mstlink --show_device
mstlink -e, --show_fec, --cable, --ddm | refused: no eye is measured, FEC is for Ethernet alone, copper has no DDM | mstlink -e
mstlink --show_serdes_tx | N/A for each lane: nothing is tuned | mstlink -e
mstlink -a, -s | refused: registers can only be read | mstlink -a
mstflint -d LID, q | right: version, PSID; GUIDs are N/A | mstflint q
mstflint -d LID, verify, hw | refused: there is no flash | mstflint verify
mstmget_temp -d LID | 45: it never changes | mstmget_temp
mstreg -d LID, --reg_name, --get, --indexes, --show_reg (for mlxreg_ext, of ibswinfo) | right: names, serial numbers, modules, versions; fans and power supplies as fidelity.md has them. That script, of stanford-rc, has no package: run where IBSWINFO names it | ibswinfo
END
}

# ---- registers ----

case $release in
4.1?|4.20|4.21)
	on mstreg -d lid-2 --show_regs >/dev/null
	tap_is "mstflint 4.21: mstreg crashes" $? 139
	on mstlink -d lid-2 >/dev/null
	tap_is "mstflint 4.21: mstlink crashes" $? 139
	tap_has "mstflint 4.21: mstflint looks for the flash" "$(on mstflint -d lid-1 q)" \
		MFE_BAD_PARAMS
	for point in "mstreg: MGIR" "mstlink: each port" "mstlink -m" "mstlink: a cable" "mstlink -c" \
		"mstlink --show_device" "mstlink -e" "mstlink -a" "mstflint q" "mstflint verify" \
		"mstreg --set" "mstmget_temp" "ibswinfo"; do
		tap_skip "$point" "$crashes"
	done
	rows
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

# ---- what else there is ----

digits=$(echo "$version" | tr . ' ')
# shellcheck disable=SC2086 # words
firmware=$(printf '%02d.%02d.%04d' $digits)

tap_is "mstlink --show_device" "$(on mstlink -d lid-2 --show_device |
	sed -n 's/^\(Part Number\|Serial Number\|FW Version\)  *: //p' | tr '\n' ' ')" \
	"SIM-MT4129 SIM0000000000000020 $firmware "
cat >"$work/lacks" <<'END'
mstlink -d lid-2 -e
mstlink -d lid-2 --show_fec
mstlink -d lid-2 --cable --ddm
mstlink -d lid-2 --show_serdes_tx
END
on sh "$work/lacks" >"$work/got"
cat "$work/errors" >>"$work/got"
tap_is "mstlink -e, --show_fec, --ddm, --show_serdes_tx: what a link does not have" \
	"$(grep -c 'SLRG.*is not supported\|FEC information is not available\|not support DDM' \
	"$work/got") $(grep -c '^Lane [0-3].*N/A' "$work/got")" "3 4"
cat >"$work/sets" <<'END'
mstlink -d lid-2 -a DN
mstlink -d lid-1 -p 1/1 -s HDR
END
tap_is "mstlink -a, -s are refused" "$(on sh "$work/sets" | grep -c 'Sending P[AT][OY]S.*exception')" 2
cat >"$work/flash" <<'END'
mstflint -d lid-1 verify
mstflint -d lid-1 hw query
END
tap_is "mstflint verify, hw query: there is no flash" \
	"$(on sh "$work/flash" | grep -c MFE_BAD_PARAMS)" 2
tap_is "mstmget_temp" "$(on mstmget_temp -d lid-1 | tr -d ' ')" 45

# ---- ibswinfo of stanford-rc, which no package has: where IBSWINFO names the script ----

# A line for each module, power supply and fan; all of the switch is as mstreg and the fabric say.
# shellcheck disable=SC2086 # words
ibswinfo_expected() {
	cat <<END
=================================================
 Edge
=================================================
part number        | SIM-MT54002
serial number      | SIM0000000000000010
product name       | Quantum-2, simulated
revision           | 0
modules            | 5
max ports          | 5
PSID               | umadrig
GUID               | 0x0000000000000010
firmware version   | $(printf '%d.%04d.%04d' $digits)
CPLD               | 1
END
}
if [ -f "${IBSWINFO:-}" ]; then
	mkdir "$work/mft"
	printf '#!/bin/sh\necho mst, mft 4.18.0-1, built on a day\n' >"$work/mft/mst"
	printf '#!/bin/sh\nexec mstreg "$@"\n' | tee "$work/mft/mlxreg" >"$work/mft/mlxreg_ext"
	chmod 755 "$work/mft"/*
	in_band() { PATH=$work/mft:$PATH on bash "$IBSWINFO" "$@"; }
	in_band -d lid-1 >"$work/got"
	tap_is "ibswinfo: the switch" "$(sed '/^CPLD/q' "$work/got")" "$(ibswinfo_expected)"
	tap_is "ibswinfo: its power supplies and fans" \
		"$(grep -c '^PSU[01] status  *| OK$\|power (W) *| 300$\|^fan#[123] (rpm) *| 6000$' \
		"$work/got")" 7
	tap_is "ibswinfo -o inventory, vitals, status, -T" "$(for of in inventory vitals status; do
		in_band -d lid-1 -o $of -T; done | grep -c '^[a-z]')" 31
	in_band -d lid-2 >"$work/got"
	tap_is "ibswinfo of an adapter fails" "$?$(grep -o '^error:' "$work/errors")" 1error:
else
	tap_skip "ibswinfo" "IBSWINFO does not name the script of stanford-rc/ibswinfo"
fi
tap_skip "mstflint 4.21" "this is $release"
rows
tap_done
