#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# run-reports: umadrig run --junit and --json: their forms, what they say, and that they are written
# whole or the run fails.
set -u
. "$top_srcdir/tests/rig/tap.sh"

command -v python3 >/dev/null 2>&1 || tap_skip_all "no python3"
case $top_builddir in /*) ;; *) top_builddir=$PWD/$top_builddir ;; esac
case $top_srcdir in /*) ;; *) top_srcdir=$PWD/$top_srcdir ;; esac
umadrig=$top_builddir/umadrig
work=$(mktemp -d) || exit 99
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 99
PYTHONPATH=$top_srcdir/tests/rig PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE
python3 -c 'import json_schema' 2>/dev/null || tap_skip_all "no python3-jsonschema"

cat >valid.py <<'END'
"""valid.py SCHEMA MANUAL FILE: what is wrong with the JSON, then some of what it says."""
import json
import sys

from json_schema import wrong

schema = json.load(open(sys.argv[1]))
manual = open(sys.argv[2]).read()
value = json.loads(open(sys.argv[3], encoding="ascii").read())
for error in wrong(schema, value, "the object"):
    print(error)
for names in schema["properties"], schema["$defs"]["result"]["properties"]:
    for name in names:
        if "`%s`" % name not in manual:
            print("the tables say nothing of", name)
for result in value["results"]:
    print(result["name"], "|", result["verdict"], "|", result.get("message", ""))
print("status", value["status"], *value.get("cut_off", "").split())
END
json() {
	python3 "$work/valid.py" "$top_srcdir/doc/schema/run.json" "$top_srcdir/doc/run-json.md" \
		"$1" 2>&1
}
junit() {
	python3 "$top_srcdir/tests/rig/junit_check.py" "$1" 2>&1
}

# ---- what they say ----

mkdir -p suite/deep
cat >suite/deep/a.b.mad <<'END'
scenario "passes, <&'>"
0 note "text"

scenario "fails"
0 fd = umad_open_port($CA, $PORT)
+0 a = umad_register(fd, class=4) = -EPERM

scenario "skipped"
needs program nosuchprogram
0 note "text"
END
printf 'scenario "bytes \001\033[1m\302\201\357\277\277\355\240\200 end"\n0 fd = umad_open_port($CA, $PORT)\n+0 umad_close_port(fd) = -1\n' >suite/bytes.mad
printf 'scenario "x"\n0 nonsense\n' >suite/unreadable.mad

"$umadrig" run suite --junit j.xml --json r.json >out 2>err
tap_is "the status" $? 1
tap_has "TAP as ever" "$(cat out)" "ok 2 - deep/a.b.mad: passes, <&'>"
tap_is "JUnit" "$(junit j.xml | sed 's/|bytes .* end|/|BYTES|/')" 'bytes|BYTES|failure|umad_close_port() returned 0, not -EPERM
deep.a_b|passes, <&'\''>|passed|
deep.a_b|fails|failure|umad_register() returned 0, not -EPERM
deep.a_b|skipped|skipped|needs program nosuchprogram
unreadable|the script can be read|failure|the script has 1 error'
tap_has "the text of a failure" "$(cat j.xml)" "repro: umadrig run --seed"
tap_has "and its line with a caret" "$(cat j.xml)" "    6 | +0 a = umad_register(fd, class=4) = -EPERM"
tap_is "no control character" "$(tr -d '\n\t -~\200-\377' <j.xml | wc -c)" 0
tap_is "JSON" "$(json r.json | sed 's/bytes .* end/BYTES/')" 'bytes.mad: BYTES | fail | umad_close_port() returned 0, not -EPERM
deep/a.b.mad: passes, <&'\''> | pass | 
deep/a.b.mad: fails | fail | umad_register() returned 0, not -EPERM
deep/a.b.mad: skipped | skip | needs program nosuchprogram
unreadable.mad: the script can be read | fail | the script has 1 error
status 1'
LC_ALL=de_DE.UTF-8 "$umadrig" run suite/deep -k none --junit j.xml >/dev/null 2>&1
tap_is "a run that is refused leaves the old report alone" "$(junit j.xml | wc -l)" 5

cat >one.mad <<'END'
scenario "one"
0 note "text"
END
"$umadrig" run one.mad --ladder --junit ladder.xml >/dev/null 2>&1
tap_is "a point that passes, with its ladder: JUnit" "$(junit ladder.xml)" "one|one|system-out|"
"$umadrig" run one.mad --junit=/dev/stdout >out 2>/dev/null
tap_is "to standard output: status" $? 0
tap_is "the report follows the TAP" "$(sed -n '1p;/^ok 1/s/ - .*//p;$p' out)" "TAP version 13
ok 1
</testsuites>"

# ---- names of files, as TAP's YAML has them ----

mkdir names
cat >names/plain-1.mad <<'END'
scenario "fails"
0 fd = umad_open_port($CA, $PORT)
+0 umad_close_port(fd) = -1
END
cp names/plain-1.mad "names/key: value.mad"
cp names/plain-1.mad "names/$(printf 'x\nok 2 - y.mad')"
cp names/plain-1.mad "names/$(printf 'x\t"\\.mad')"
(cd names && "$umadrig" run .) >out 2>/dev/null
tap_is "names of files: a bare one, and those that YAML would read as something else" \
	"$(sed -n 's/^  at: //p' out)" '"./key: value.mad:3:4"
./plain-1.mad:3:4
"./x\x09\"\\.mad:3:4"
"./x\nok 2 - y.mad:3:4"'
tap_has "a command to copy is read back as it is" "$(cat out)" \
	"'./x\\nok 2 - y.mad'"
tap_is "no line of a name is taken for a point" "$(grep -c '^ok' out)" 0

# ---- diagrams ----

cat >drawn.mad <<'END'
scenario "passes"
latency  1ms
0        fd = umad_open_port($CA, $PORT)
+0       a  = umad_register(fd, class=SUBN_DR)
+0       umad_send(fd, a, timeout=100ms, SubnGet(NodeInfo) hop_cnt=1 path={1}) = 0
0        > SubnGet(NodeInfo)
2ms      umad_recv(fd) = a, status=0

scenario "fails"
0        fd = umad_open_port($CA, $PORT)
+0       a  = umad_register(fd, class=SUBN_DR)
+0       umad_send(fd, a, timeout=100ms, SubnGet(NodeInfo) hop_cnt=1 path={1}) = 0
0        > SubnGet(PortInfo)
END
"$umadrig" run drawn.mad --mermaid --json r.json >out 2>/dev/null
tap_has "a failure is drawn, and the report says where" "$(cat out)" '  diagram: "drawn-02.mmd"'
tap_has "in JSON, too" "$(cat r.json)" '"diagram":"drawn-02.mmd"'
tap_is "as umadrig show does" "$(cat drawn-02.mmd)" "$("$umadrig" show --mermaid drawn-02.pcapng)"
tap_is "it has an arrow" "$(grep -c 'SubnGet(NodeInfo)' drawn-02.mmd)" 1
"$umadrig" run drawn.mad --mermaid --keep kept >/dev/null 2>&1
tap_is "with --keep all are drawn" "$(cd kept && ls)" "drawn-01.mmd
drawn-01.pcapng
drawn-02.mmd
drawn-02.pcapng"
ln -sf /dev/full kept/drawn-01.mmd
"$umadrig" run drawn.mad --mermaid --keep kept -k none >/dev/null 2>&1
tap_has "a diagram that cannot be written fails its point" \
	"$("$umadrig" run drawn.mad --mermaid --keep kept 2>/dev/null)" \
	'message: "--mermaid: cannot write kept/drawn-01.mmd: No space left on device"'

# ---- written whole, or the run fails ----

# NAME OPTION FILE MESSAGE: the report cannot be written, and that is said.
lost() {
	err=$("$umadrig" run one.mad "$2" "$3" 2>&1 >/dev/null)
	tap_is "$1 $2: status" $? 1
	tap_has "$1 $2: the message" "$err" "umadrig run: $2: cannot write $3: $4"
}
for option in --junit --json; do
	lost "a full disk" $option /dev/full "No space left on device"
	err=$("$umadrig" run one.mad $option nowhere/x 2>&1 >out)
	tap_is "no such directory, $option: status" $? 2
	tap_has "it is said" "$err" "$option: nothing was run: nowhere/x: the directory nowhere: No such file"
	tap_is "before anything runs" "$(cat out)" ""
	err=$("$umadrig" run one.mad $option - 2>&1 >out)
	tap_is "-, $option: nothing is run, and no file made of that name" "$?:$(cat out; ls ./- 2>/dev/null):$err" \
		"2::umadrig run: $option: nothing was run: -: standard output is /dev/stdout, and a file of that name ./-"
	echo old >old
	chmod 640 old
	ln -sf old link
	(
		trap '' XFSZ
		ulimit -f 0
		exec "$umadrig" run one.mad $option link >/dev/null 2>&1
	)
	tap_is "no room, $option: status" $? 1
	tap_is "no room: the old one is still there" "$(cat old)" old
	tap_is "and nothing else" "$(find . -name '*old?*' -o -name '*link?*')" ""
	(umask 077 && "$umadrig" run one.mad $option link >/dev/null 2>&1)
	tap_is "a link stays one, $option" "$(readlink link)" old
	tap_is "with the mode, whatever the umask" "$(stat -c %a old)" 640
	tap_lacks "and the new report" "$(cat old)" old
done

tap_done
