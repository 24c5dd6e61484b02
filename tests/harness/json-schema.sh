#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# json-schema: what each command prints as JSON is as its schema says, and the schema refuses what
# is planted in it.
set -u
. "$top_srcdir/tests/rig/tap.sh"

command -v python3 >/dev/null 2>&1 || tap_skip_all "no python3"
case $top_builddir in /*) ;; *) top_builddir=$PWD/$top_builddir ;; esac
case $top_srcdir in /*) ;; *) top_srcdir=$PWD/$top_srcdir ;; esac
umadrig=$top_builddir/umadrig
schemas=$top_srcdir/doc/schema
PYTHONPATH=$top_srcdir/tests/rig PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE
python3 -c 'import json_schema' 2>/dev/null || tap_skip_all "no python3-jsonschema"
work=$(mktemp -d) || exit 99
server=
# shellcheck disable=SC2154 # set by the trap
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
mkdir "$work/tmp"
TMPDIR=$work/tmp
export TMPDIR
unset UMAD_BACKEND UMADRIG_HOST
cd "$work" || exit 99

checked=
# SCHEMA AT-LEAST FILE...: the files' values are valid, and are so many.
valid() {
	schema=$1 least=$2
	shift 2
	said=$(python3 "$top_srcdir/tests/rig/json_schema.py" "$schema" "$@" 2>&1)
	checked="$checked $(basename "$schema")"
	if [ "${said% valid}" != "$said" ] && [ "${said% valid}" -ge "$least" ]; then
		tap_pass "$(basename "$schema" .json): $said"
	else
		tap_fail "$(basename "$schema" .json)" "$said"
	fi
}

# ---- what needs no fabric ----

"$umadrig" fields --json >fields.json
"$umadrig" fields --json PortInfo LRH >some.json
"$umadrig" fields --json Notice >notice.json
valid "$schemas/fields.json" 3 fields.json some.json notice.json

"$umadrig" doctor --json >doctor.json
valid "$schemas/doctor.json" 1 doctor.json

mkdir -p cache/umadrig/kernels
: >cache/umadrig/kernels/linux-6.1.192-0123456789abcdef.so
: >cache/umadrig/kernels/linux-7.3.0-rc2-0123456789abcdef+sanitize+debug.so
XDG_CACHE_HOME=$work/cache "$umadrig" kernel list --json >kernel.json
XDG_CACHE_HOME=$work/nothing "$umadrig" kernel list --json >no-kernel.json
valid "$schemas/kernel.json" 2 kernel.json no-kernel.json

"$umadrig" topology --quirks --format=json >quirks.json
valid "$schemas/quirks.json" 1 quirks.json

number=0
for spec in fat-tree:4,4,2 fat-tree:6,4,2,subnets=2,routers=1 rail:4,4,8 dragonfly+:3,2,2,2; do
	number=$((number + 1))
	"$umadrig" topology --format=json --generate "$spec" >"made-$number.json" 2>err ||
		tap_fail "topology of $spec" "$(cat err)"
done
"$umadrig" topology --format=json "$top_srcdir/tests/data/tree.topo" >tree.json
printf 'Switch 4 "S1"\n[1] "H1"[1]\n\nHca 2 "H1"\n[1] "S1"[1]\n' >odd.net
"$umadrig" topology --format=json odd.net >odd.json
valid "$schemas/topology.json" 6 made-*.json tree.json odd.json

# ---- a fabric, and the commands that change it ----

sed '/^do /d' "$top_srcdir/tests/data/commands.net" >plain.net
mkfifo ready
"$umadrig" serve --fabric plain.net --socket socket >ready 2>log &
server=$!
read -r line <ready
tap_is "a fabric is served" "${line%%:*}" "UMAD_BACKEND=attach"

"$umadrig" env --json --attach socket --host H1 >attached.json
"$umadrig" env --json --unset >unset.json
valid "$schemas/env.json" 2 attached.json unset.json

# A program that is attached, until it is told to go.
mkfifo go
"$umadrig" exec --attach socket --host H1 -- "$top_builddir/tests/tools/exec-probe" hold \
	<go >held 2>&1 &
held=$!
exec 3>go
tries=100
until grep -q open held || [ "$tries" = 0 ]; do
	tries=$((tries - 1))
	sleep 0.05
done
cat >lines <<'END'
Help
help fault
?
Dump
dump S1
Route H1 H2
Route 1 2
Route 1 99
Attached
clients
sa
fault add drop 5%
Fault list
load add "H1":"H2":1G
load list
vf list
after 100s Unlink "S1"[1]
every 200s Dump S1
link flap "S1"[1] 1s every 10s
schedule list
always all-active within 30s
never all-active
sometimes report = ends
finally report = nothing
property list
property end
when 3 SubnSet(PortInfo) do Dump
when all-active do Dump
when list
when remove 1
counters "H1"[1]
counters "H1"[1] PortCountersExtended
topology
topology json
topology dot
tables
report
multicast
fault remove all
Unlink "S1"[1]
Dump S1
Wait 0.001
Wait for it
sm off
nonsense "é	"
Unlink S9
json Dump
!no-such-file
END
printf 'Dump \377\n' >>lines
"$umadrig" ctl --json --socket socket <lines >ctl.json 2>err
"$umadrig" ctl --json --socket socket Unlink S9 >one.json
tap_is "a line for each command" "$(wc -l <ctl.json | tr -d ' ')" "$(wc -l <lines | tr -d ' ')"
tap_is "each answer has a form of its own" "$(python3 -c '
import json
forms = set()
for line in open("ctl.json"):
    result = json.loads(line).get("result")
    while isinstance(result, list):
        result = result[0] if result else None
    forms.add(" ".join(result) if isinstance(result, dict) else type(result).__name__)
print(len(forms))')" 15
valid "$schemas/ctl.json" 38 ctl.json one.json
exec 3>&-
wait "$held"
kill "$server"
wait "$server" 2>/dev/null
server=

# ---- captures ----

cp "$top_srcdir/doc/examples/march.pcapng" "$top_srcdir/doc/examples/april.pcapng" .
"$top_builddir/tests/tools/every-mad" every.pcapng >/dev/null 2>&1
"$umadrig" show --json-schema >show.json
"$umadrig" show --json march.pcapng | head -n 20 >march.json
# All of them are tests/harness/show-json.sh's.
"$umadrig" show --json every.pcapng | awk 'NR % 40 == 1' >every.json
valid show.json 40 march.json every.json

"$umadrig" diff --json march.pcapng april.pcapng >changed.json
"$umadrig" diff --json march.pcapng march.pcapng >same.json
"$umadrig" diff --json -i tid -o any every.pcapng march.pcapng >other.json
"$umadrig" diff --json -o any march.pcapng every.pcapng >turned.json
# A name that is no UTF-8, in JSON that is.
cp march.pcapng "$(printf 'm\377.pcapng')"
"$umadrig" diff --json m?.pcapng march.pcapng >odd-name.json
"$umadrig" replay march.pcapng --mode ask --json \
	--fabric "$top_srcdir/doc/examples/cluster.net" >asked.json 2>err
tap_has "a capture was asked again" "$(head -n 1 asked.json)" '"b":null'
valid "$schemas/diff.json" 6 odd-name.json changed.json same.json other.json turned.json asked.json
"$umadrig" diff --fabric --json "$top_srcdir/doc/examples/cluster.net" "$top_srcdir/tests/data/two-switches.net" >fabric.json
valid "$schemas/diff-fabric.json" 3 fabric.json
tap_is "of each kind" "$(sed -n 's/^{"kind":"\([a-z]*\)".*/\1/p' changed.json other.json turned.json | sort -u |
	tr '\n' ' ')" "changed extra missing "

# ---- scenarios ----

cat >points.mad <<'END'
scenario "passes, <&'> é"
0 note "text"

scenario "fails"
0 fd = umad_open_port($CA, $PORT)
+0 a = umad_register(fd, class=4) = -EPERM

scenario "skipped"
needs program nosuchprogram
0 note "text"
END
printf 'scenario "x"\n0 nonsense\n' >unreadable.mad
"$umadrig" run --json plain-run.json points.mad unreadable.mad >/dev/null 2>&1
"$umadrig" run --json part.json --seed 18446744073709551615 --shuffle --shard 1/2 points.mad >/dev/null 2>&1
"$umadrig" run --json empty.json --shard 9/9 points.mad >/dev/null 2>&1
valid "$schemas/run.json" 3 plain-run.json part.json empty.json

# ---- runs over many seeds ----

"$umadrig" explore --json found.json --runs 8 --keep-going --fabric ',fault=drop 1%' -- sh -c \
	"'$top_builddir/tests/tools/exec-probe' open; exit \$((UMADRIG_SEED % 3))" >/dev/null 2>&1
"$umadrig" explore --json none.json --runs 1 --fabric ,clock=real -- \
	"$top_builddir/tests/tools/exec-probe" open >/dev/null 2>&1
"$umadrig" explore --json refused.json -- ./nosuchprogram >/dev/null 2>&1
valid "$schemas/explore.json" 3 found.json none.json refused.json

# ---- the rig ----

# NAME TEXT SCHEMA: a document that is wrong is refused.
refused() {
	printf '%s\n' "$2" >wrong.json
	said=$(python3 "$top_srcdir/tests/rig/json_schema.py" "$3" wrong.json 2>&1)
	tap_lacks "refused: $1" "$said" " valid
"
	tap_has "with the reason: $1" "$said" "value 1: "
}
refused "a member too many" '{"LD_LIBRARY_PATH":null,"LD_PRELOAD":null,"ASAN_OPTIONS":null,"UMAD_BACKEND":null,"UMADRIG_HOST":null,"PATH":"x"}' "$schemas/env.json"
refused "a member that is missing" '{"LD_LIBRARY_PATH":null}' "$schemas/env.json"
refused "another type" '{"checks":[],"lacks":"0"}' "$schemas/doctor.json"
refused "an answer of another command" '{"command":"Dump","result":{"id":1}}' "$schemas/ctl.json"
refused "an answer and an error" '{"command":"Wait 1","result":null,"error":{"status":1,"message":"x"}}' \
	"$schemas/ctl.json"
refused "a change of no kind" '{"kind":"cable","at":"S1[1]","a":"H1[1]"}' "$schemas/diff-fabric.json"
for schema in "$schemas"/*.json; do
	tap_has "there is an output of $(basename "$schema")" "$checked " " $(basename "$schema") "
done
tap_done
