#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# bless: umadrig run --bless rewrites what scripts expect, and nothing else.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

# Has the file been left as it was?
same() {
	cmp -s "$1" "$1.before" && echo same || echo changed
}
# bless FILE [OPTION...]: what it says on standard error, and its status.
bless() {
	cp "$1" "$1.before"
	"$umadrig" run --bless "$@" >"$1.diff" 2>"$1.err" </dev/null
	echo $?
}

cat >retry.mad <<'END'
# A comment	with a tab.
scenario "a Get nobody answers"
needs    peer

0        peer listens class=0x32 oui=0x001405 methods={Get}
0        fd = umad_open_port($CA, $PORT)
+0       a  = umad_register_oui(fd, class=0x32, oui=0x001405)
+0       umad_send(fd, a, timeout=100ms, retries=3,
             VendGet(0x0010)   to=peer tid.low=0x1234) = -EPERM   # aligned

0        > VendGet(0x0010) to=peer class=0x32 tid=?t tid.low=0x1235   # the TID
90ms     > same
200ms    > same
310ms    > same
450ms    umad_recv(fd) = 7, status=0   length=2 tid=$t
+0~+1s   > nothing

scenario "what a port answers"
0        fd = umad_open_port($CA, $PORT)
+0       a  = umad_register(fd, class=SUBN_DR)
+0       b  = umad_register(fd, class=SUBN_LID)
+0       umad_send(fd, a, timeout=100ms, SubnGet(NodeInfo) path={1}) = 0
+0       umad_send(fd, a, timeout=100ms, SubnGet(PortInfo) path={1} modifier=1) = 0
+0       > SubnGet(NodeInfo) path={3}
+0       > SubnGet(PortInfo) flow_label=1
2ms      umad_recv(fd) = b, status=ETIMEDOUT SubnGetResp(NodeInfo)
3ms~4ms  umad_recv(fd) = a, SubnGetResp(PortInfo) { LinkState=Down GidPrefix=1 }
+2ms     check counter(self, PortXmitPkts) == 12
+0       do report = -ENOENT, lines=2
+0       file = file.open(self)
+0       file.poll(file) = {IN}
END
cp retry.mad kept.mad
chmod 640 retry.mad
ln -s retry.mad link.mad

tap_is "without a terminal it changes nothing" "$(bless retry.mad):$(same retry.mad)" 1:same
tap_is "and says what does" "$(grep -c 'retry.mad was not changed: --yes changes it' retry.mad.err)" 1
cp retry.mad.diff shown
tap_is "with --yes it does, also by a link" "$(bless link.mad --yes):$(same retry.mad)" 0:changed
tap_is "after it has shown how" "$(sed 's/link/retry/' link.mad.diff | cmp - shown 2>&1)" ""
tap_is "the mode stays" "$(stat -c %a retry.mad)" 640
tap_is "and the link" "$(readlink link.mad)" retry.mad
tap_is "every value is what was seen, and all else as it was" "$(sed -n '/^[-+]/p' shown)" \
"--- retry.mad
+++ retry.mad
-             VendGet(0x0010)   to=peer tid.low=0x1234) = -EPERM   # aligned
+             VendGet(0x0010)   to=peer tid.low=0x1234) = 0   # aligned
-0        > VendGet(0x0010) to=peer class=0x32 tid=?t tid.low=0x1235   # the TID
-90ms     > same
+0        > VendGet(0x0010) to=peer class=0x32 tid=?t tid.low=0x00001234   # the TID
+100ms    > same
-310ms    > same
-450ms    umad_recv(fd) = 7, status=0   length=2 tid=\$t
+300ms    > same
+400ms    umad_recv(fd) = 0, status=ETIMEDOUT   length=24 tid=\$t
-+0       > SubnGet(NodeInfo) path={3}
-+0       > SubnGet(PortInfo) flow_label=1
-2ms      umad_recv(fd) = b, status=ETIMEDOUT SubnGetResp(NodeInfo)
-3ms~4ms  umad_recv(fd) = a, SubnGetResp(PortInfo) { LinkState=Down GidPrefix=1 }
-+2ms     check counter(self, PortXmitPkts) == 12
-+0       do report = -ENOENT, lines=2
++0       > SubnGet(NodeInfo) path={1}
++0       > SubnGet(PortInfo) flow_label=0
+0        umad_recv(fd) = a, status=0 SubnGetResp(NodeInfo)
+0~1ms    umad_recv(fd) = a, SubnGetResp(PortInfo) { LinkState=Active GidPrefix=0xfe80000000000000 }
++2ms     check counter(self, PortXmitPkts) == 2
++0       do report = 0, lines=5
-+0       file.poll(file) = {IN}
++0       file.poll(file) = {OUT}"
cp kept.mad patched.mad
if command -v patch >/dev/null; then
	patch -s patched.mad <shown
	tap_is "what is shown is a patch" "$(cmp patched.mad retry.mad 2>&1)" ""
else
	tap_skip "what is shown is a patch" "patch is not installed"
fi
tap_is "the scenarios pass" "$("$umadrig" run retry.mad 2>/dev/null | grep -c '^ok')" 2
tap_is "and are blessed no further" "$(bless retry.mad --yes):$(same retry.mad):$(wc -c <retry.mad.diff)" \
	0:same:0
tap_is "the style is the same" "$("$umadrig" format --check retry.mad kept.mad 2>&1; echo ":$?")" \
	"$(cd . && "$umadrig" format --check kept.mad >/dev/null 2>&1 && echo :0)"

# Where the style is another one, it stays another one.
sed 's/^90ms     >/90ms >/' kept.mad >style.mad
bless style.mad --yes >bless.status
tap_is "of another style, too" "$(cat bless.status):$(grep -c '^100ms > same$' style.mad)" 0:1

# Half of what is not known must not be written: any line that cannot be blessed keeps the file.
refuse() {
	cat >refused.mad
	tap_is "$1" "$(bless refused.mad --yes):$(same refused.mad):$(wc -c <refused.mad.diff)" 1:same:0
	grep -q "$2" refused.mad.err || tap_is "$1: the reason" "$(cat refused.mad.err)" "$2"
}
begin='0 fd = umad_open_port($CA, $PORT)
0 a = umad_register_oui(fd, class=0x32, oui=0x001405)
0 peer listens class=0x32 oui=0x001405 methods={Get, Set}'
refuse "a MAD that is missing" "what it waits for does not come" <<END
scenario "s"
$begin
0 umad_send(fd, a, VendGet(1) tid=5) = 7
0 > VendGet(1)
+1ms > VendGet(2)
END
refuse "one too many" "a MAD is missing, one too many" <<END
scenario "s"
$begin
0 umad_send(fd, a, VendGet(1) tid=5) = 7
0 umad_send(fd, a, VendGet(1) tid=6) = 7
0 > VendGet(1)
END
refuse "another one" "what came is another MAD" <<END
scenario "s"
$begin
0 umad_send(fd, a, VendGet(1)) = 7
0 > VendSet(1)
END
refuse "what is a name" "it is a name or is computed" <<END
scenario "s"
$begin
0 umad_send(fd, a, VendGet(1) tid.low=5) = 7
0 umad_send(fd, a, VendGet(1) tid.low=6) = 0
0 > VendGet(1) tid=?t
0 > VendGet(1) tid=\$t
END
refuse "a limit" "states a limit" <<END
scenario "s"
$begin
0 umad_send(fd, a, VendGet(1)) = 7
0 > VendGet(1)
0 check counter(self, PortXmitPkts) > 3
END
refuse "what a define says" "other lines may share it" <<END
scenario "s"
$begin
define ask(n) = VendGet(1) tid.low=\$n modifier=4
0 umad_send(fd, a, VendGet(1) tid.low=5) = 7
0 > ask(5)
END
refuse "a value that varies" "other lines may share it" <<END
scenario "s"
vary n in 5, 6
$begin
0 umad_send(fd, a, VendGet(1) tid.low=5) = 0
0 > VendGet(1) tid.low=\$n
END
refuse "points that differ" "it is the line of several points" <<END
scenario "s"
vary n in 5, 6
$begin
0 umad_send(fd, a, VendGet(1) tid.low=\$n) = 0
0 > VendGet(1) tid.low=7
END
refuse "what one point has and another one would lose" "it is the line of several points" <<END
scenario "s"
vary n in 5, 6
$begin
0 umad_send(fd, a, VendGet(1) tid.low=\$n) = 0
0 > VendGet(1) tid.low=6
END
refuse "what makes the script wrong" "with what was seen it would have these errors" <<END
scenario "s"
$begin
0 umad_send(fd, a, timeout=10ms, VendGet(1)) = 7
0 > VendGet(1)
9ms umad_recv(fd) = a, status=ETIMEDOUT
9500us umad_close_port(fd) = 0
END
printf '%s\n' '+0 umad_send(fd, a, VendGet(1)) = 7' '+0 > VendGet(1)' >shared.inc
cp shared.inc shared.before
refuse "what is included" "it is included" <<END
scenario "s"
$begin
include "shared.inc"
END
tap_is "which is left alone" "$(cmp shared.inc shared.before 2>&1)" ""
refuse "a script with errors" "refused.mad:1:" <<END
nonsense
END

# A row is of one point: its values are its own.
cat >rows.mad <<END
scenario "rows"
$begin
each (n, m) {
    5  50
    6  6
} do {
    0  umad_send(fd, a, VendGet(1) tid.low=\$n) = 0
    0  > VendGet(1) tid.low=\$m
}
END
bless rows.mad --yes >bless.status
tap_is "the values of rows are blessed" "$(cat bless.status):$(grep -c '^    5  5$' rows.mad)" 0:1
tap_is "and theirs only" "$("$umadrig" run rows.mad 2>/dev/null | grep -c '^ok')" 2
tap_is "of a tag that is not there none" "$(bless kept.mad --yes -k nothing):$(same kept.mad)" 99:same
cat >tags.mad <<END
scenario "s"
tags one
0 fd = umad_open_port(\$CA, \$PORT)
0 umad_close_port(fd) = 5
scenario "t"
tags two
0 fd = umad_open_port(\$CA, \$PORT)
0 umad_close_port(fd) = 5
END
bless tags.mad --yes -k two >bless.status
tap_is "of a tag only its scenarios" "$(cat bless.status):$(grep -o 'port(fd).*' tags.mad)" \
"0:port(fd) = 5
port(fd) = 0"

# The patch has to be seen, and the file has to be the one that was read.
cp kept.mad full.mad
cp full.mad full.mad.before
"$umadrig" run --bless --yes full.mad >/dev/full 2>full.mad.err </dev/null
tap_is "a patch that could not be shown is not applied" "$?:$(same full.mad)" 1:same

# Programs: their status and their lines.
cat >program.mad <<'END'
scenario "s"
0        run sh -c "echo a; exit 3" fabric=no
+0       run sh -c "echo a; echo b" = 4, lines=7 fabric=no
END
bless program.mad --yes >bless.status
if "$umadrig" run program.mad 2>/dev/null | grep -q SKIP; then
	tap_skip "statuses of programs" "programs cannot be run here"
else
	tap_is "statuses of programs" "$(cat bless.status):$(sed -n 2,3p program.mad)" \
'0:0        run sh -c "echo a; exit 3" = 3 fabric=no
+0       run sh -c "echo a; echo b" = 0, lines=2 fabric=no'
fi

cat >meanwhile.mad <<END
scenario "s"
0 run sh -c "echo '# by an other hand' >>'$work/meanwhile.mad'; exit 4" = 3 fabric=no
END
bless meanwhile.mad --yes >bless.status
if grep -q 'by an other hand$' meanwhile.mad; then
	tap_is "a file that has changed meanwhile is left alone" \
		"$(cat bless.status):$(grep -c 'exit 4" = 3' meanwhile.mad):$(grep -c 'has changed meanwhile' meanwhile.mad.err)" \
		1:1:1
else
	tap_skip "a file that has changed meanwhile is left alone" "programs cannot be run here"
fi

cat >endless.mad <<'END'
scenario "s"
0 run sh -c "exit 4" = 3 fabric=no
+0 run sh -c "while :; do :; done" = 1 fabric=no
END
bless endless.mad --yes --timeout 0.3 >bless.status
if grep -q 'TIMED OUT' endless.mad.err; then
	tap_is "a run without an end blesses nothing" "$(cat bless.status):$(same endless.mad)" 1:same
else
	tap_skip "a run without an end blesses nothing" "programs cannot be run here"
fi

# What must not be mixed up with it.
for options in "--seed 1" "--profile linux-5.10" "--list" "--twice" \
	"--backend ib_umad --port A=x/1"; do
	# shellcheck disable=SC2086
	tap_is "--bless with $options" "$(bless kept.mad --yes $options):$(same kept.mad)" 2:same
done
tap_is "--yes alone" "$("$umadrig" run --yes kept.mad 2>&1 | head -n 1)" \
	"umadrig run: --yes goes with --bless"
chmod 500 .
if [ "$(id -u)" != 0 ]; then
	tap_is "where no file can be made" "$(bless kept.mad --yes 2>/dev/null):$(same kept.mad)" 1:same
fi
chmod 700 .
tap_done
