#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# show-drawings: ladders that fit their width, sequence diagrams, and traces that Perfetto opens.
set -u
. "$top_srcdir/tests/rig/tap.sh"

umadrig=$top_builddir/umadrig
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp"
TMPDIR=$work/tmp
export TMPDIR
cd "$work" || exit 99

# Questions, answers, one that is lost on its way, one that is sent again, and a note.
cat >draw.mad <<'END'
scenario "draw"

0      note "it; begins #1"
+1ms   < VendGet(0x0010) class=0x32 tid=7
+0     > VendGetResp(0x0010) class=0x32 status=0x000c
+1ms   < VendGet(0x0011) class=0x32 tid=8
+0     > VendGetResp(0x0011) class=0x32 status=0x000c
END
"$umadrig" run --keep . draw.mad >run.out 2>&1
"$umadrig" show draw.pcapng >lines 2>&1

# ---- ladders ----

COLUMNS=200 "$umadrig" show --ladder draw.pcapng >wide
tap_is "a wide ladder has all labels" "$(grep -c '>VendGet\|-VendGet(0x0010)-' wide)" 1
for columns in 60 80 100; do
	COLUMNS=$columns "$umadrig" show --ladder draw.pcapng >narrow
	tap_is "a ladder of $columns columns fits" \
		"$(awk -v most="$columns" 'length > most' narrow)" ""
	tap_is "and says as much" "$(tr -s ' \n' '  ' <narrow | grep -o 'tid=0x[0-9a-f]*' | sort |
		uniq -c)" "$(tr -s ' \n' '  ' <wide | grep -o 'tid=0x[0-9a-f]*' | sort | uniq -c)"
done
tap_is "a ladder goes to 80 columns where nothing says how wide it is" \
	"$(env -u COLUMNS "$umadrig" show --ladder draw.pcapng | awk 'length > 80')" ""
port=$(awk '$4 == ">" { print $3; exit }' lines)
"$umadrig" show --ladder --ports "$port,other" - <draw.pcapng >chosen 2>err
tap_is "ports are chosen, and standard input is drawn" "$(head -n 1 chosen | tr -s ' ')" \
	" $port other (others)"
cat draw.pcapng | "$umadrig" show --ladder - >out 2>err
tap_is "a pipe without --ports: status" "$?" 2
tap_is "a pipe without --ports: what is needed" "$(grep -c 'cannot be read twice.*--ports' err)" 1
"$umadrig" show --ports "$port" draw.pcapng >out 2>err
tap_is "--ports without a ladder: status" "$?" 2
"$umadrig" show --ladder draw.pcapng 'status=0x7777' >out 2>err
tap_is "nothing to draw" "$(cat out)" \
	"# $(awk '/frames:/ { print $2 }' lines) frames, none of them a MAD that fits the filter"

# ---- Mermaid ----

"$umadrig" show --mermaid draw.pcapng >diagram
tap_is "a diagram begins as one" "$(head -n 1 diagram)" sequenceDiagram
tap_is "every participant is declared once, before it takes part" "$(awk '
	$1 == "participant" { if ($2 in seen) print "twice", $2; seen[$2] = 1; next }
	match($0, /p[0-9]+(->>|-x)p[0-9]+:/) {
		n = split(substr($0, RSTART, RLENGTH - 1), ends, /->>|-x/)
		for (i = 1; i <= n; i++)
			if (!(ends[i] in seen)) print "unknown", ends[i], "in", $0
	}' diagram)" ""
tap_is "an arrow for each MAD" "$(grep -c 'p[0-9].*: Vend' diagram)" \
	"$(COLUMNS=500 "$umadrig" show --ladder draw.pcapng | grep -c 'tid=')"
tap_is "no mark of Mermaid's in what is said" \
	"$(sed -n 's/.*\(%%\|Note over p0:\) it/it/p' diagram)" 'it#59; begins #35;1'

# ---- Perfetto ----

if ! command -v python3 >/dev/null 2>&1; then
	tap_skip "traces" "no python3"
	tap_done
	exit
fi
cat >decode.py <<'END'
"""decode.py TRACE: whether a trace is sound; what is in it, as "tracks slices flows counters"."""
import collections
import sys

def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7f) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at

def fields(data):
    found, at = collections.defaultdict(list), 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        elif tag & 7 == 1:
            value, at = int.from_bytes(data[at:at + 8], "little"), at + 8
        elif tag & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        else:
            sys.exit("wire type %d" % (tag & 7))
        if at > len(data):
            sys.exit("a field ends behind its message")
        found[tag >> 3].append(value)
    return found

tracks, depth, counters = {}, collections.Counter(), {}
begun, ended, last, slices, names = [], [], 0, 0, collections.Counter()
packets = fields(open(sys.argv[1], "rb").read())
assert set(packets) <= {1}, packets.keys()
for number, packet in enumerate(map(fields, packets[1])):
    assert packet[10] == [1], "the sequence's number"
    assert packet[13] == ([1] if number == 0 else []), "the state is cleared once, at the beginning"
    for descriptor in map(fields, packet[60]):
        assert descriptor[1][0] not in tracks, "a track is described once"
        for parent in descriptor[5]:
            assert parent in tracks, "a track's parent comes before it"
        tracks[descriptor[1][0]] = (descriptor[2][0].decode(), bool(descriptor[8]))
    for event in map(fields, packet[11]):
        kind, track = event[9][0], event[11][0]
        assert packet[8][0] >= last, "time does not go backwards"
        last = packet[8][0]
        assert tracks[track][1] == (kind == 4), "counters have tracks of their own"
        if kind == 1:
            depth[track] += 1
            slices += 1
            assert depth[track] == 1, "one request at a time on a track"
        elif kind == 2:
            depth[track] -= 1
            assert depth[track] == 0, "a slice that ends has begun"
        elif kind == 4:
            assert 0 <= event[30][0] < 1000
            counters[track] = event[30][0]
        for name in event[23]:
            names[name.decode()] += 1
        begun += event[47]
        ended += event[48]
assert not +depth, "all slices end"
assert not any(counters.values()), "and then no request is waiting"
assert len(set(begun)) == len(begun) and sorted(begun) == sorted(ended), "flows have two ends"
print(len(tracks), slices, len(begun), len(counters), names["(not answered)"])
END
"$umadrig" show --perfetto draw.pftrace draw.pcapng >out 2>err
tap_is "a trace is written, and nothing else" "$?/$(cat out err)" 0/
# Notes, two ports, a counter and a track for the requests of one; each of its questions a slice.
tap_is "tracks, slices, arrows, counters, unanswered requests" \
	"$(python3 decode.py draw.pftrace 2>&1)" "5 2 4 1 0"
"$umadrig" show --perfetto lost.pftrace draw.pcapng VendGet >out 2>err
tap_is "requests without answers end with the capture" \
	"$(python3 decode.py lost.pftrace 2>&1)" "5 2 2 1 2"
"$top_builddir/tests/tools/every-mad" every.pcapng >/dev/null 2>&1
"$umadrig" show --perfetto every.pftrace every.pcapng >out 2>err
tap_is "a MAD of every kind" "$(python3 decode.py every.pftrace 2>&1 | grep -c '^[0-9 ]*$')" 1
"$umadrig" show --perfetto /dev/full draw.pcapng >out 2>err
tap_is "a full disk: status" "$?/$(grep -c 'cannot write' err)" 1/1
tap_done
