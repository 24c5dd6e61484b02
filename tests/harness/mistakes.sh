#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# mistakes: what umadrig lint says of each mistake in tests/data/mistakes.txt, word for word; and
# the mistakes of a newcomer on the command line: message, place, cure, status.
#
# UMADRIG_REWRITE=1 writes the messages in that file anew; never where CI is set.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/golden.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

echo 'include "mistake.mad"' >mistake.inc

long=$(printf '%065536d' 0)

say() {
	# shellcheck disable=SC2059
	printf "$(sed 's/%/%%/g; s/\\"/\\\\"/g' "$1")\n" >mistake.mad
	if grep -q @64KiB@ mistake.mad; then
		sed "s/@64KiB@/$long/" mistake.mad >longer && mv longer mistake.mad
	fi
	"$umadrig" lint mistake.mad >said 2>errors
	[ $? = 1 ] && [ ! -s errors ]
}
golden "$top_srcdir/tests/data/mistakes.txt" say

# A message of one line, and its place and caret: one mistake, one message.
tap_is "one mistake has one message" "$(grep -c ': \(error\|warning\): ' 1.says)" 1

# The limit itself.
printf 'scenario "s"\n#%.65535s\n0~1ms    > nothing\n' "$long" >limit.mad
tap_is "a line of 64 KiB is not too long" "$("$umadrig" lint limit.mad 2>&1; echo ":$?")" :0

# All of the shipped scripts are as lint wants them.
tap_is "lint has nothing to say of the shipped scripts" \
	"$("$umadrig" lint "$top_srcdir/scenarios" 2>&1; echo ":$?")" :0

# ---- a newcomer ----

# cured NAME STATUS PART COMMAND...: ends with that status, and says PART
cured() {
	cured_name=$1 cured_status=$2 cured_part=$3
	shift 3
	said=$(timeout -s KILL 60 "$@" 2>&1)
	tap_has "$cured_name" "$?:$said" "$cured_status:"
	tap_has "... the cure" "$said" "$cured_part"
}

echo 'Ca 1 "H1"' >cluster.net
touch march.pcapng april.pcapng
cured "an option of the fabric" 125 "unknown option 'latncy=1us': did you mean latency=?" \
	"$umadrig" exec --fabric cluster.net,latncy=1us -- true
cured "one of a generated fabric" 125 "unknown option 'hcs=4': did you mean hcas=?" \
	"$umadrig" exec --fabric generate:fat-tree:8,4,hcs=4 -- true
cured "one that is like none" 125 "unknown option 'zzzzz': expected one of state= " \
	"$umadrig" exec --fabric cluster.net,zzzzz -- true
cured "an option of the command" 2 "Unknown option --fabrik: did you mean --fabric?" \
	"$umadrig" exec --fabrik cluster.net -- true
cured "with a value" 2 "Unknown option --limt=3: did you mean --limit?" "$umadrig" diff --limt=3 a b
cured "with one dash" 2 "Unknown option -tap: did you mean --tap?" "$umadrig" run -tap mistake.mad
cured "a fabric's file" 125 "clutser.net: No such file or directory; did you mean 'cluster.net'?" \
	"$umadrig" exec --fabric clutser.net -- true
cured "one that is like none, of its kind" 125 "; april.pcapng, march.pcapng are in " \
	"$umadrig" exec --fabric october.pcapng -- true
cured "a capture" 1 "typo.pcapng: cannot be read: No such file or directory" \
	"$umadrig" show --ladder typo.pcapng
cured "a scenario" 99 "mistke.mad: no such file or directory; did you mean 'mistake.mad'?" \
	"$umadrig" run mistke.mad
cured "a command" 2 "unknown command 'exce': did you mean 'exec'?" "$umadrig" exce
for command in exec explore record; do
	cured "a blank that nobody has quoted: $command" 2 \
		"put it in quotes: --fabric 'cluster.net,fault=drop 1% on H1[1]'" \
		"$umadrig" $command --fabric cluster.net,fault=drop 1% on 'H1[1]' -- true
done
cured "and for serve" 2 "put it in quotes: --fabric 'cluster.net,load=H1:H2:100G quiet'" \
	"$umadrig" serve --fabric cluster.net,load=H1:H2:100G quiet
cured "a command without --" 2 "put the command after --, as in 'umadrig exec -- true'" "$umadrig" exec true
cured "a host" 125 "there is no host 'node77' (the first one is 'host-0')" \
	"$umadrig" exec --fabric generate:fat-tree:8,4 --host node77 -- true
cured "with a typo" 125 "there is no host 'hots-7' (the first one is 'host-0'): did you mean 'host-7'?" \
	"$umadrig" exec --fabric generate:fat-tree:8,4 --host hots-7 -- true
cured "su in the command" 125 "Put it in front: su -c 'umadrig exec ... -- COMMAND'" \
	"$umadrig" exec --how preload -- su root

printf '%s\n' 'scenario "s"' '0 fd = umad_open_port("mlx5_9", 3)' >port.mad
cured "a port in a scenario" 1 'there is no such port on this host; there are: "H1", 1' \
	"$umadrig" run port.mad
printf '%s\n' 'scenario "s"' '0 fd = umad_open_port("H1", 9) = 0' >port.mad
cured "with a result" 1 'there is no such port on this host; there are: "H1", 1' "$umadrig" run port.mad
printf '%s\n' 'scenario "s"' '0 fd = umad_open_port("H1", 9) = -EINVAL' >port.mad
tap_lacks "where that is expected nothing is said" "$("$umadrig" run port.mad 2>&1)" "there are"

# A directory with a blank in its name: what the report says to run again can be run.
mkdir "a dir"
printf '%s\n' 'scenario "s"' '0 fd = umad_open_port("H1", 9) = 0' >"a dir/port.mad"
repeat=$("$umadrig" run --tap "a dir/port.mad" 2>&1 | sed -n 's/^ *repro: "\(.*\)"$/\1/p')
cured "a blank in the name of a directory" 1 "not ok 1 - port.mad: s" \
	env PATH="$top_builddir:$PATH" sh -c "$repeat"

# Programs: those that Debian has, those that are like one, and those that are like none.
mkdir bin
printf '#!/bin/sh\n' >bin/touch
printf '#!/bin/sh\n' >bin/my-tests
chmod 755 bin/*
for program in ibdiagnet ibsim opensm ibnetdiscover srp_daemon; do
	[ -x /usr/sbin/$program ] || [ -x /usr/local/sbin/$program ] || break
done
cured "a program that Debian has" 127 "Debian has it in the package" \
	env PATH="$work/bin" "$umadrig" exec -- $program
cured "one of them, with a typo" 127 "did you mean 'ibdiagnet'?" \
	env PATH="$work/bin" "$umadrig" exec -- ibdiagnett
cured "one of the user's" 127 "there is no program 'my-test' in PATH; did you mean 'my-tests'?" \
	env PATH="$work/bin" "$umadrig" exec -- my-test
tap_lacks "one that is like none" \
	"$(PATH="$work/bin" "$umadrig" exec -- nosuch 2>&1)" "did you mean"
cured "explore says why" 127 "there is no program 'my-test' in PATH; did you mean 'my-tests'?" \
	env PATH="$work/bin" "$umadrig" explore --runs 2 -- my-test

cured "topology of a file that is not there" 1 "clutser.net: No such file or directory; did you mean 'cluster.net'?" \
	"$umadrig" topology clutser.net
cured "topology of a capture" 1 "'umadrig topology --from-capture' finds its fabric" \
	"$umadrig" topology "$top_srcdir/doc/examples/march.pcapng"
cured "replay without a command" 2 "put it after --, or name a fabric that is asked (--fabric FABRIC)" \
	"$umadrig" replay "$top_srcdir/doc/examples/march.pcapng"
cured "diff of captures that are not there" 2 "typo.pcapng" "$umadrig" diff typo.pcapng march.pcapng

# ---- in a directory with what they take for something else ----

mkdir examples && cd examples || exit 99
for file in cluster.net march.pcapng retry.mad; do cp "$top_srcdir/doc/examples/$file" .; done
cured "a version, asked for with a typo" 2 "did you mean '--version'?" "$umadrig" --verison
cured "as other programs have it" 2 "did you mean '--version'?" "$umadrig" -V
for command in exec explore record; do
	cured "a fabric without its option: $command" 2 "by an option, as in 'umadrig $command --fabric cluster.net -- true'" \
		"$umadrig" $command cluster.net -- true
done
cured "a shape without generate:" 125 "a fabric of this shape is written generate:fat-tree:20,8" \
	"$umadrig" exec --fabric fat-tree:20,8 -- true
cured "a shape with a typo" 125 "no such shape 'fattree'; write fat-tree:HCAS" \
	"$umadrig" exec --fabric generate:fattree:20,8 -- true
cured "a fault with a typo" 125 "fault=dorp 1%: expected drop, delay, duplicate, reorder, corrupt or lie first" \
	"$umadrig" exec --fabric "cluster.net,fault=dorp 1%" -- true
cured "a time without its unit" 125 "latency=1: expected a time with a unit, such as 1us" \
	"$umadrig" exec --fabric cluster.net,latency=1 -- true
for command in exec explore record serve; do
	cured "an option of the fabric for $command" 2 \
		"Unknown option --latency=1us: an option of the fabric follows it after a comma, as in --fabric FABRIC,latency=..." \
		"$umadrig" $command --latency=1us -- true
done
cured "with a typo" 2 "--fabric FABRIC,fault=..." "$umadrig" exec --faults "drop 1%" -- true
cured "a fabric for run" 2 "a script names its fabric itself, topology \"FILE\"" \
	"$umadrig" run --fabric cluster.net retry.mad
cured "a fabric as a script" 1 "cluster.net: error: this is a fabric, not a script: 'umadrig exec --fabric'" \
	"$umadrig" run cluster.net
cured "a capture as a script" 1 "this is a capture, not a script: 'umadrig show' prints it" \
	"$umadrig" run march.pcapng
cured "a fabric as a capture" 1 "cluster.net: this is text, not a capture ('umadrig topology' reads fabrics" \
	"$umadrig" show cluster.net
cured "a capture that is no new directory" 125 "File exists; give a name that nothing has yet" \
	"$umadrig" record -o march.pcapng -- true
cured "an attribute as a filter" 2 "is neither a file nor a filter: write 'SubnGetResp(PortInfo)'" \
	"$umadrig" show march.pcapng PortInfo
cured "a field without its attribute" 2 "LinkState is a field of PortInfo: write SubnGetResp(PortInfo) LinkState=Down" \
	"$umadrig" show march.pcapng LinkState=Down
cured "a field as an attribute" 2 "'LinkState' is a field of PortInfo: 'umadrig fields PortInfo' has it" \
	"$umadrig" fields LinkState
cured "a server that is not there" 125 "no fabric server answers there (No such file or directory); 'umadrig serve' starts one" \
	"$umadrig" ctl --socket nowhere dump
cured "scrub without an output" 2 "no output given: name it after the capture, as in 'umadrig scrub march.pcapng OUT.pcapng'" \
	"$umadrig" scrub march.pcapng

# kept NAME STATUS PART COMMAND...: what would be lost is refused, and nothing is
kept() {
	cured "$@"
	for kept in cluster.net march.pcapng retry.mad; do
		cmp -s $kept "$top_srcdir/doc/examples/$kept" || tap_is "... $kept" changed "as before"
	done
	tap_is "... nothing is lost" "$(ls)" "$(printf '%s\n' cluster.net march.pcapng retry.mad)"
}
kept "a capture over its fabric" 125 "capture=./cluster.net: this is the file of the fabric" \
	"$umadrig" exec --fabric cluster.net,capture=./cluster.net -- true
kept "a capture over the one that answers" 125 "which would be lost; give the capture another name" \
	"$umadrig" exec --fabric march.pcapng,capture=march.pcapng -- true
kept "a report over its fabric" 125 "which would be lost; give the report another name" \
	"$umadrig" exec --fabric cluster.net,report=cluster.net -- true
kept "of a server" 125 "capture=cluster.net: this is the file of the fabric" \
	"$umadrig" serve --fabric cluster.net,capture=cluster.net
kept "a report in the place of a script" 2 "retry.mad: this file is no report, and would be lost" \
	"$umadrig" run --junit retry.mad .
kept "of a fabric" 2 "cluster.net: this file is no report, and would be lost" \
	"$umadrig" explore --json cluster.net --fabric cluster.net -- true
kept "a page in the place of its capture" 1 "march.pcapng: this file is no report, and would be lost" \
	"$umadrig" report march.pcapng -o march.pcapng
cd ..

# ---- Python ----

# python NAME PART STATEMENT: the exception of a statement about a fabric says it
python() {
	said=$(PYTHONPATH=$top_srcdir/python PYTHONDONTWRITEBYTECODE=1 UMADRIG_BUILD=$top_builddir \
		"${PYTHON:-python3}" -c "import umadrig
fabric = umadrig.Fabric('generate:fat-tree:8,4', clock='virtual')
$3" 2>&1)
	tap_has "Python: $1" "$?:$said" "1:"
	tap_has "... the cure" "$said" "$2"
}
pythonless=
[ -n "${PYTHON:-}" ] && [ "$PYTHON" != : ] || pythonless=1
ldd "$top_builddir/.libs/libumadrig.so.0" 2>/dev/null | grep -q 'lib[at]san' && pythonless=1
if [ -z "$pythonless" ]; then
	python "a host" "no host 'node77'; there are host-0, host-1, " 'fabric.open("node77")'
	python "a host with a typo" "did you mean 'host-7' or 'host-6'?" 'fabric.open("hst-7")'
	python "a port in a node's name" "the port is an argument of its own, 'leaf-1', 33; leaf-1 has ports 1 to 4" \
		'fabric.link_down("leaf-1[33]")'
	python "of a node that is not there" "no node 'S1[33]'; there are leaf-0, leaf-1, " \
		'fabric.link_down("S1[33]")'
	python "a port" "there is no port leaf-1[33]: leaf-1 has ports 1 to 4" 'fabric.link_down("leaf-1", 33)'
	python "a fabric's file" "clutser.net: No such file or directory; did you mean 'cluster.net'?" \
		'umadrig.Fabric("clutser.net")'
	python "a field" "LinkStat" 'umadrig.Mad("SubnGet(PortInfo)")["LinkStat"]'
	python "an argument" "unexpected keyword argument 'latncy'" 'umadrig.Fabric("cluster.net", latncy="1us")'
else
	tap_skip "Python" "there is none, or it cannot load a library with a sanitizer"
fi

tap_done
