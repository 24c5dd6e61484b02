#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# show-json: every line of "umadrig show --json" is JSON, as the schema and doc/show-json.md say.
set -u
. "$top_srcdir/tests/rig/tap.sh"

command -v python3 >/dev/null 2>&1 || tap_skip_all "no python3"

umadrig=$top_builddir/umadrig
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp"
TMPDIR=$work/tmp
export TMPDIR
PYTHONPATH=$top_srcdir/tests/rig PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE
python3 -c 'import json_schema' 2>/dev/null || tap_skip_all "no python3-jsonschema"

cat >"$work/valid.py" <<'END'
"""valid.py SCHEMA MANUAL LINES: what is wrong with the lines; and how many there are of each kind."""
import collections
import json
import sys

from json_schema import Draft202012Validator, wrong

schema = Draft202012Validator(json.load(open(sys.argv[1])))
manual = open(sys.argv[2]).read()

kinds = collections.Counter()
attributes = set()
for number, line in enumerate(open(sys.argv[3], encoding="ascii"), 1):
    value = json.loads(line)
    kinds[value["kind"]] += 1
    if "fields" in value:
        attributes.add(value["class"] + "." + value["attribute"])
    for name in value:
        if "`%s`" % name not in manual:
            print("doc/show-json.md says nothing of", name)
    for error in list(wrong(schema, value, "line %d" % number))[:5]:
        print(error)
print(*("%s %d" % item for item in sorted(kinds.items())), "attributes %d" % len(attributes))
END

"$umadrig" show --json-schema >"$work/schema" || tap_fail "the schema" ""

# NAME CAPTURE PATTERN: the lines are valid, and what there is of each kind.
valid() {
	"$umadrig" show --json "$2" >"$work/lines" 2>"$work/err"
	said=$(python3 "$work/valid.py" "$work/schema" "$top_srcdir/doc/show-json.md" \
		"$work/lines" 2>&1)
	# shellcheck disable=SC2254
	case $said in
	$3) tap_pass "$1: $said" ;;
	*) tap_fail "$1" "$(printf '%s\n' "$said" | sort | uniq -c | sort -rn | head -n 20)" ;;
	esac
}

"$top_builddir/tests/tools/every-mad" "$work/every.pcapng" >/dev/null 2>&1
valid "a MAD of every kind" "$work/every.pcapng" "mad * attributes *"

cat >"$work/rmpp.py" <<'END'
"""A transfer of three segments, as pcapng."""
import struct
import sys

def block(kind, body):
    size = len(body) + 12
    return struct.pack("<II", kind, size) + body + struct.pack("<I", size)

out = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
name = 'H"1\\[1]'.encode()
out += block(1, struct.pack("<HHI", 247, 0, 0) + struct.pack("<HH", 2, len(name)) + name +
             b"\0" * (-len(name) % 4) + struct.pack("<I", 0))
for segment in (1, 2, 3):
    data = bytes(range(200)) if segment < 3 else b"\0" * 200
    flags = 1 | 2 * (segment == 1) | 4 * (segment == 3)
    length = 3 * 20 + 500 if segment == 1 else 120
    mad = struct.pack(">BBBBHHQHHI", 1, 3, 2, 0x92, 0, 0, 1 << 60, 0x35, 0, 0)
    mad += struct.pack(">BBBBII", 1, 1, flags, 0, segment, length)
    mad += struct.pack(">QHHQ", 0, 8, 0, 0) + data
    packet = struct.pack(">BBHHH", 0, 2, 5, 70, 3) + struct.pack(">BBHII", 100, segment, 0xffff, 1, 0)
    packet += struct.pack(">II", 0x80010000, 1) + mad + b"\0" * 6
    out += block(6, struct.pack("<IIIII", 0, 0, segment * 1000, len(packet), len(packet)) +
                 packet + b"\0" * (-len(packet) % 4))
open(sys.argv[1], "wb").write(out)
END
python3 "$work/rmpp.py" "$work/rmpp.pcapng"
valid "an RMPP message" "$work/rmpp.pcapng" "message 1 attributes 0"
tap_is "its records" "$(python3 -c '
import json, sys
line = json.loads(open(sys.argv[1]).read())
print(line["segments"], line["size"], line["whole"], len(line["records"]), line["port"],
      line["MAD"]["TransactionID"], line["records"][0]["DLID"], line["records"][7])
' "$work/lines")" '3 500 True 8 H"1\[1] 0x1000000000000000 10281 '"$(python3 -c 'print("00" * 52)')"
tap_is "a line for each segment, too, where that is asked for" \
	"$("$umadrig" show --json --segments "$work/rmpp.pcapng" | grep -c '"kind":"mad"')" 3
tap_is "each has its own packet's headers, and the message the first segment's" \
	"$("$umadrig" show --json --segments "$work/rmpp.pcapng" 2>/dev/null | python3 -c '
import json, sys
for line in map(json.loads, sys.stdin):
    print(line["kind"], line["BTH"]["TVer"], line["LRH"]["PktLen"], end=" ")
')" "mad 1 70 mad 2 70 mad 3 70 message 1 70 "
tap_is "as lines: the message, and its segments folded" \
	"$("$umadrig" show "$work/rmpp.pcapng" | sed 's/^.*SubnAdm/SubnAdm/')" \
	'SubnAdmGetTableResp(PathRecord) tid=0x1000000000000000 message of 8 records, 500 bytes
        3 segments, frames 1..3
# 3 frames: 3 MADs, 0 others, 0 damaged'
tap_is "as lines: record by record" \
	"$("$umadrig" show -v "$work/rmpp.pcapng" | grep -c '^        PathRecord [0-9] of 8')" 8

if command -v jq >/dev/null 2>&1; then
	tap_is "jq reads them" "$("$umadrig" show --json "$work/every.pcapng" |
		jq -r 'select(.method == "SubnGet") | .kind' | sort -u)" mad
else
	tap_skip "jq reads them" "no jq"
fi
tap_done
