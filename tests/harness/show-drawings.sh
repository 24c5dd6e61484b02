#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# show-drawings: ladders that fit their width, sequence diagrams, and traces that Perfetto opens.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

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
"$umadrig" show --ladder . >out 2>err
tap_is "a directory" "$?:$(cat err)" "1:umadrig show: .: cannot be read: Is a directory"
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


# Names and notes that are full of what means something to Mermaid.
cat >odd.net <<'END'
Switch	4 "end; #35 over <b>x</b> %% a->>b, & $$x$$"
[1]	"loop: x;y"[1]
[2]	"wrap:note left of p0: x"[1]

Hca	1 "loop: x;y"
[1]	"end; #35 over <b>x</b> %% a->>b, & $$x$$"[1]

Hca	1 "wrap:note left of p0: x"
[1]	"end; #35 over <b>x</b> %% a->>b, & $$x$$"[2]
END
cat >odd.mad <<'END'
scenario "odd"
topology "odd.net" self="loop: x;y[1]" peer="wrap:note left of p0: x[1]"

0      note "wrap: end"
0      note "%%{init: {}}%% <script>x</script> $$a$$ -->> p1: [x]"
+1ms   < VendGet(0x0010) class=0x32 tid=7
+0     note "end"
END
cat >grammar.py <<'END'
"""grammar.py: are the lines of standard input what the grammar of Mermaid's sequence diagrams
(packages/mermaid/src/diagrams/sequence/parser/sequenceDiagram.jison) takes, and nothing more than
declarations, messages and notes? Prints what is not, then the texts as they will be seen."""
import re
import sys

text = re.compile(r"(?!\s*:?(no)?wrap:)(?:[^#;%<>&$]|#[0-9]+;)+", re.I)
statement = re.compile(r"    (?:(participant) p[0-9]+ as|p[0-9]+(?:->>|-x)p[0-9]+:|Note over p[0-9]+:|%%(?!\{)) (.*)")
lines = sys.stdin.read().split("\n")
if lines.pop(0) != "sequenceDiagram" or lines.pop() != "":
    print("it does not begin or end as a diagram")
for line in lines:
    match = statement.fullmatch(line)
    if not match:
        print("no statement:", line)
    elif not text.fullmatch(match[2]):
        print("more than text:", line)
    elif match[1] or line.startswith("    Note"):
        print(re.sub("#([0-9]+);", lambda m: chr(int(m[1])), match[2]))
END
if command -v python3 >/dev/null 2>&1; then
	"$umadrig" run --keep . odd.mad >run.out 2>&1
	"$umadrig" show --mermaid odd.pcapng >odd
	tap_is "odd names and notes are only text" "$(python3 grammar.py <odd 2>&1 | sort -u)" \
		"$(printf 'end\nloop: x;y[1]\nwrap:note left of p0: x[1]')"
	for line in 'participant p0 as a;b' 'participant p0 as end #1' 'p0->>p1: a%%b' 'p0->p1: a' \
		'Note over p0: wrap: a' 'loop: x' 'end'; do
		tap_ok "what Mermaid would misread is found: $line" test -n "$(
			printf 'sequenceDiagram\n    %s\n' "$line" | python3 grammar.py |
			grep -e 'no statement' -e 'more than text')"
	done
else
	tap_skip "odd names and notes are only text" "no python3"
fi

# ---- SVG ----

cat >svg.py <<'END'
"""svg.py DRAWING...: is it XML, is all of it within its size, and what is in it?"""
import sys
import xml.etree.ElementTree as tree

for name in sys.argv[1:]:
    svg = tree.parse(name).getroot()
    space = "{http://www.w3.org/2000/svg}"
    width, height = int(svg.get("width")), int(svg.get("height"))
    assert svg.tag == space + "svg" and svg.get("viewBox") == "0 0 %d %d" % (width, height)
    for text in svg.iter(space + "text"):
        size, x = len(text.text) * 7, int(text.get("x"))
        left = {"middle": x - size / 2, "end": x - size}.get(text.get("text-anchor"), x)
        assert left >= 0 and left + size <= width, (text.text, x, width)
        assert 0 < int(text.get("y")) < height
    texts = {kind: [text.text for text in svg.iter(space + "text") if text.get("class") == kind]
             for kind in ("name", "note")}
    kinds = [group.get("class") for group in svg.iter(space + "g")]
    print(texts["name"], kinds.count("mad"), kinds.count("mad answer"), kinds.count("mad lost"),
          texts["note"])
END
if command -v python3 >/dev/null 2>&1; then
	"$umadrig" show --svg draw.pcapng >draw.svg 2>err
	tap_is "a drawing is written" "$?/$(cat err)" 0/
	tap_is "two ports, questions, answers that nobody waits for, a note" \
		"$(python3 svg.py draw.svg 2>&1 | sed "s/^\['[^']*', '[^']*'\]/two/")" \
		"two 2 0 2 ['it; begins #1']"
	"$umadrig" show --svg draw.pcapng >again.svg
	tap_ok "the same drawing again" cmp draw.svg again.svg
	tap_is "odd names and notes are only text" "$("$umadrig" show --svg odd.pcapng >odd.svg
		python3 svg.py odd.svg 2>&1)" "$(printf '%s %s' \
		"['wrap:note left of p0: x[1]', 'loop: x;y[1]'] 1 0 1 ['wrap: end'," \
		"'%%{init: {}}%% <script>x</script> \$\$a\$\$ -->> p1: [x]', 'end']")"
	tap_lacks "none of them is markup" "$(cat odd.svg)" "<script"
	cat >lost.mad <<'END'
scenario "lost"
0   fault drop 1
+0  fd = umad_open_port($CA, $PORT)
+0  a = umad_register_oui(fd, class=0x32, oui=0x001405)
+0  umad_send(fd, a, timeout=10ms, retries=0, VendGet(0x0010) to=peer) = 0
+0  > VendGet(0x0010)
+10ms umad_recv(fd) = a, status=ETIMEDOUT
+0  umad_send(fd, a, timeout=10ms, retries=0, VendGet(0x0010) to=peer) = 0
+0  > VendGet(0x0010)
+0  umad_recv(fd) = a, status=0
END
	"$umadrig" run --keep . lost.mad >run.out 2>&1
	"$umadrig" show --svg lost.pcapng >lost.svg
	tap_is "a question, its answer, and a packet that is lost, with the reason" "$(python3 svg.py lost.svg 2>&1 | sed 's/.*\] \([0-9]\)/\1/')/$(
		sed -n 's/.*class="lost">\([^:]*:.; lost: [^ ]* [^ <]*\).*/\1/p' lost.svg)" \
		"1 1 1 []/lost.mad:5; lost: fault line"
	"$umadrig" show --svg --ports "$port,other" draw.pcapng >chosen.svg
	tap_has "ports are chosen" "$(python3 svg.py chosen.svg 2>&1)" "['$port', 'other', '(others)'] "
	"$umadrig" show --svg draw.pcapng 'status=0x7777' >none.svg
	tap_is "nothing to draw" "$(python3 svg.py none.svg 2>&1)/$(grep -c 'none of them a MAD' none.svg)" \
		"[] 0 0 0 []/1"
	"$top_builddir/tests/tools/every-mad" every.pcapng >/dev/null 2>&1
	"$umadrig" show --svg every.pcapng >every.svg
	tap_ok "a MAD of every kind" python3 svg.py every.svg
else
	tap_skip "drawings are XML" "no python3"
fi
"$umadrig" show --svg draw.pcapng draw.pcapng >out 2>err
tap_is "a drawing has one capture" "$?/$(grep -c -e '--svg takes one capture' err)" 2/1
"$umadrig" show --svg draw.pcapng >/dev/full 2>err
tap_is "a full disk: status of a drawing" "$?" 1

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

# Numbers and wire types of Perfetto's protos/perfetto/trace: 0 varint, 1 fixed64, 2 length.
TRACE = {1: 2}
PACKET = {8: 0, 10: 0, 11: 2, 13: 0, 60: 2}
DESCRIPTOR = {1: 0, 2: 2, 5: 0, 8: 2}
EVENT = {4: 2, 9: 0, 11: 0, 23: 2, 30: 0, 47: 1, 48: 1}
ANNOTATION = {3: 0, 6: 2, 10: 2}

def fields(data, types):
    found, at = collections.defaultdict(list), 0
    while at < len(data):
        tag, at = varint(data, at)
        if types.get(tag >> 3) != tag & 7:
            sys.exit("field %d has wire type %d" % (tag >> 3, tag & 7))
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
packets = fields(open(sys.argv[1], "rb").read(), TRACE)
for number, packet in enumerate(fields(data, PACKET) for data in packets[1]):
    assert packet[10] == [1], "the sequence's number"
    assert packet[13] == ([1] if number == 0 else []), "the state is cleared once, at the beginning"
    assert len(packet[60]) + len(packet[11]) == 1, "a packet is one thing"
    for descriptor in (fields(data, DESCRIPTOR) for data in packet[60]):
        assert descriptor[1][0] not in tracks, "a track is described once"
        for parent in descriptor[5]:
            assert parent in tracks, "a track's parent comes before it"
        tracks[descriptor[1][0]] = (descriptor[2][0].decode(), bool(descriptor[8]))
    for event in (fields(data, EVENT) for data in packet[11]):
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
        for annotation in (fields(data, ANNOTATION) for data in event[4]):
            assert len(annotation[10]) == len(annotation[3] + annotation[6]) == 1
            annotation[10][0].decode(), [text.decode() for text in annotation[6]]
        assert not set(event[47]) & set(begun), "a flow begins once"
        assert set(event[48]) <= set(begun), "a flow begins before it ends"
        for name in event[23]:
            names[name.decode()] += 1
        begun += event[47]
        ended += event[48]
assert not +depth, "all slices end"
assert not any(counters.values()), "and then no request is waiting"
assert sorted(begun) == sorted(ended), "flows have two ends"
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

# The same by somebody else's reader: what is not of this type, or no UTF-8, it prints as a number.
# NAME DEFINITION: what it reads becomes TRACE.NAME.
decode() {
	for trace in draw lost every; do
		protoc --proto_path="$(dirname "$2")" --decode=perfetto.protos.Trace "$2" \
			<$trace.pftrace >$trace.$1 2>err
		tap_is "protoc reads $trace by $1" "$?/$(cat err)/$(grep '^ *[0-9]' $trace.$1)" 0//
	done
}
own=$top_srcdir/tests/data/perfetto.proto
if command -v protoc >/dev/null 2>&1; then
	decode ours "$own"
	tap_is "protoc sees what we see: tracks, slices, arrows, counters, unanswered requests" \
		"$(awk '
			/track_descriptor/ { tracks++ }
			/counter \{/ { counters++ }
			/type: TYPE_SLICE_BEGIN/ { slices++ }
			/ flow_ids/ { flows++ }
			/\(not answered\)/ { lost++ }
			END { print tracks, slices, flows, counters, lost + 0 }' draw.ours)" "5 2 4 1 0"
	cat draw.ours lost.ours every.ours >all.ours
	sed -n 's/^\t[ro].* \([a-z_]*\) = [0-9]*;$/\1/p' "$own" | while read -r field; do
		grep -q "^ *$field\( {\|:\)" all.ours || echo "$field"
	done >unused
	tap_is "each field of the definition is in a trace" "$(cat unused)" ""
	# make check-perfetto: Perfetto's own definition.
	if [ -n "${PERFETTO_PROTO:-}" ]; then
		decode perfetto "$PERFETTO_PROTO"
		for trace in draw lost every; do
			tap_ok "$trace says the same to Perfetto" cmp $trace.ours $trace.perfetto
		done
	else
		tap_skip "Perfetto's definition" "PERFETTO_PROTO names no perfetto_trace.proto"
	fi
else
	tap_skip "protoc reads traces" "no protoc: install protobuf-compiler"
fi
"$umadrig" show --perfetto /dev/full draw.pcapng >out 2>err
tap_is "a full disk: status" "$?/$(grep -c 'cannot write' err)" 1/1
tap_done
