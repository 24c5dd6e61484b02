#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# fields: the MAD dictionary as text and as JSON, errors about unknown names, and that
# doc/fields-json.md describes every member of the JSON.
set -u
. "$top_srcdir/tests/rig/tap.sh"

umadrig=$top_builddir/umadrig
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# NAME EXPECTED ARGUMENT...: a line of the output, its blanks squeezed.
line() {
	name=$1 expected=$2
	shift 2
	"$umadrig" fields "$@" | tr -s ' ' | sed 's/^ //' >"$work/out"
	if grep -qxF -e "$expected" "$work/out"; then tap_pass "$name"
	else tap_fail "$name" "no line '$expected' in: $(head -n 20 "$work/out")"; fi
}

# ---- text ----

line "the list has headers" "headers: LRH GRH BTH DETH MAD SMP DirectedRoute RMPP SA Vendor2"
line "the list has classes, alike ones together" \
	"SUBN_DR 0x81, SUBN_LID 0x01: class version 1, attributes from byte 64 of the MAD"
line "and ranges" "VENDOR2 0x30-0x4f: class version 1, attributes from byte 40 of the MAD"
line "the list has attributes" "0x0015 PortInfo 64 bytes"
line "and those without fields" "0x0010 BKeyInfo (known by name only)"
line "an attribute" "PortInfo 0x0015: 64 bytes" PortInfo
line "its classes" "in SUBN_LID 0x01 at byte 64 of the MAD" PortInfo
line "its fields" "128 16 Lid lid" PortInfo
line "the names of values" "16 8 NodeType enum 1=CA 2=Switch 3=Router" NodeInfo
line "case and underscores do not matter" "P_KeyTable 0x0016: 64 bytes" pkeytable
line "a header" "208 5 RRespTime dec" rmpp
line "what a header's bits are counted from" "LRH: a header, bits counted from its own first byte" \
	LRH
line "a class has its attributes' fields" "64 128 DGID gid" SA
line "a class by the prefix of its methods" "128 16 Lid lid" Subn
line "an attribute of several layouts: SMPs" "in SUBN_DR 0x81 at byte 64 of the MAD" Notice
line "an attribute of several layouts: others" "512 128 NoticeIssuerGID gid" Notice
line "the details of notices" "NoticeDataDetails of trap 129 to 131" Notice
line "their fields" "192 64 MKEY hex" Notice
line "several names" "LinkRecord 0x0020: 8 bytes" SwitchInfo LinkRecord
tap_is "an attribute is printed once, however many classes have it" \
	"$("$umadrig" fields InformInfo | grep -c '^InformInfo')" 1
tap_is "a class that has it is named alone" \
	"$("$umadrig" fields PERF | grep -c 'in .* at byte')" \
	"$("$umadrig" fields PERF | grep -c '^  0x')"

# ---- errors ----

out=$("$umadrig" fields PortInf 2>&1 >/dev/null)
tap_is "an unknown name: status" $? 2
tap_has "an unknown name: a suggestion" "$out" "called 'PortInf': did you mean 'PortInfo'?"
out=$("$umadrig" fields --json PortInfo Nonsense 2>&1 >/dev/null)
tap_is "an unknown name among others: status" $? 2
tap_has "a name that is like no other" "$out" "'Nonsense'; without a name all are listed"
tap_is "nothing is printed then" "$("$umadrig" fields --json PortInfo Nonsense 2>/dev/null)" ""
"$umadrig" fields --frobnicate >/dev/null 2>&1
tap_is "an unknown option: status" $? 2
out=$("$umadrig" fields --wireshark PortInfo 2>&1 >/dev/null)
tap_is "a dissector of one attribute: status" $? 2
tap_has "a dissector of one attribute: why" "$out" "the whole dictionary"
if [ -c /dev/full ]; then
	"$umadrig" fields >/dev/full 2>/dev/null
	tap_is "a full disk: status" $? 1
fi

# ---- JSON ----

if ! command -v python3 >/dev/null; then
	tap_skip "JSON" "no python3"
	tap_done
	exit
fi
"$umadrig" fields --json >"$work/all.json"
"$umadrig" fields --json PortInfo LRH >"$work/one.json"
python3 - "$work" "$top_srcdir/doc/fields-json.md" >"$work/said" 2>&1 <<'EOF'
import json
import re
import sys

everything = json.load(open(sys.argv[1] + "/all.json"))
one = json.load(open(sys.argv[1] + "/one.json"))
page = open(sys.argv[2]).read()
words = set(re.findall(r"`([^`]*)`", page))

def members(value):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from members(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from members(inner)

for key in sorted(set(members(everything)) - words):
    print("doc/fields-json.md does not name the member", key)
for header in everything["headers"]:
    if header["name"] not in words:
        print("doc/fields-json.md does not name the header", header["name"])

fields = 0
for info in everything["classes"]:
    for attribute in info["attributes"]:
        used = set()
        for field in attribute["fields"]:
            fields += 1
            bits = set(range(field["bit"], field["bit"] + field["width"]))
            if used & bits or max(bits) >= attribute["size"] * 8:
                print(attribute["name"], field["name"], "lies where another does, or outside")
            used |= bits
            if field["format"] not in words:
                print("doc/fields-json.md does not name the format", field["format"])
            named = field["format"] in ("enum", "flags")
            if "values" in field and not named and field["format"] != "hex" or \
               named and "values" not in field:
                print(field["name"], "has values and no names, or names and no values")
if fields < 1000:
    print("only", fields, "fields")

if everything["format"] != "umadrig-fields" or everything["version"] != 1:
    print("another format, or another version")
if [h["name"] for h in one["headers"]] != ["LRH"]:
    print("LRH alone was asked for")
if [(c["name"], [a["name"] for a in c["attributes"]]) for c in one["classes"]] != \
        [("SUBN_DR", ["PortInfo"]), ("SUBN_LID", ["PortInfo"])]:
    print("PortInfo alone was asked for")
lid = [f for f in one["classes"][0]["attributes"][0]["fields"] if f["name"] == "Lid"]
if lid != [{"name": "Lid", "bit": 128, "width": 16, "format": "lid", "identity": "lid"}]:
    print("PortInfo.Lid is", lid)
if {"value": 1, "name": "SubnGet"} not in one["classes"][0]["methods"]:
    print("SubnGet is missing")
EOF
tap_is "JSON: whole, sound, and as documented" "$(cat "$work/said")" ""

tap_done
