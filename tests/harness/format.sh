#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# format: umadrig format over all scripts of the tree, twice; what they mean stays the same.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

scripts=$(cd "$top_srcdir" && find scenarios -name '*.mad' -o -name '*.inc' | sort)
cp -r "$top_srcdir/scenarios" before
chmod -R u+w before
cp -r before after

# shellcheck disable=SC2086
tap_is "the shipped scripts are formatted" \
	"$(cd "$top_srcdir" && "$umadrig" format --check $scripts 2>&1; echo ":$?")" :0

# The same scripts as nobody would write them: with other blanks, tabs, line ends, blank lines.
find after -name '*.mad' -o -name '*.inc' >list
while read -r file; do
	sed 's/^    /\t/; s/^\([+0-9][^ ]*\)  */\1\t/; s/^\([a-z]*\)   */\1 /; s/$/ \r/' "$file" |
		awk '{ print } /^scenario/ { print "\r"; print "\r" }' >spoiled
	cp spoiled "$file"
done <list
cp -r after spoiled.d
# shellcheck disable=SC2046
tap_is "spoiled ones are not" "$("$umadrig" format --check $(cat list) | grep -c ': not formatted$')" \
	"$(wc -l <list)"
# shellcheck disable=SC2046
tap_is "and can be formatted" "$("$umadrig" format $(cat list) 2>&1; echo ":$?")" :0
# shellcheck disable=SC2046
tap_is "a second time changes nothing" "$("$umadrig" format --check $(cat list) 2>&1; echo ":$?")" :0

# What they compile to, but for line numbers and blanks.
plans() {
	(cd "$1" && "$umadrig" run --explain . 2>&1) | sed 's/  line [0-9]*//' | tr -d ' \t'
}
plans before >plans.before
plans after >plans.after
tap_ok "there are plans to compare" test "$(wc -l <plans.before)" -gt 1000
tap_is "and they mean the same" "$(cmp plans.before plans.after 2>&1)" ""
tap_is "comments stay" "$(cat $(cat list) | grep -o '#.*' | cksum)" \
	"$(cd before && find . -name '*.mad' -o -name '*.inc' | sed 's/^.//; s/^/..\/before/' | cat >../list.before
	sed 's/^after/before/' ../list | while read -r f; do cat "../$f"; done | grep -o '#.*' | cksum)"

# Not only those of scenarios/: all scripts of the tree, with those of the fuzzers and the manual.
mkdir all
i=0
(cd "$top_srcdir" && find . \( -name 'build*' -o -name .git \) -prune -o -type f \( -name '*.mad' -o \
	-name '*.inc' -o -path './tests/fuzz/corpus-script/*' \) -print) >list.all
while read -r file; do
	i=$((i + 1))
	cp "$top_srcdir/$file" "all/$i.mad"
done <list.all
chmod u+w all/*
awk '
	/^```/ { on = !open && $0 == "```"; open = !open; n += on; next }
	on { print >("all/manual-" n ".mad") }
' "$top_srcdir/doc/scenario-language.md"
tap_is "the examples of the manual are formatted" \
	"$("$umadrig" format --check all/manual-*.mad 2>&1)" ""
tap_ok "there are many scripts" test "$(find all -name '*.mad' | wc -l)" -ge 60
"$umadrig" format all/*.mad >said 2>&1
grep -v ': error: \|^ *[0-9]* | \|^ *| ' said >unexpected
tap_is "all of the tree's are formatted, or have mistakes" "$(cat unexpected)" ""
cp -r all once
"$umadrig" format all/*.mad >/dev/null 2>&1
tap_is "and are the same a second time" "$(diff -r once all)" ""

# Scripts with mistakes, and what is no script.
printf 'scenario "s"\n0 > VendGet(\n  1ms   >   same # late\n\n\n\n' >t.mad
"$umadrig" format t.mad
tap_is "a script with errors is formatted, too" "$(cat t.mad)" 'scenario "s"
0        > VendGet(
  1ms   >   same # late'
printf 'scenario "s"\n0 run sh -c "a  b",c # x\n* umad_recv( fd ,7,8)\n0~$n+1 ~ 5ms > nothing\n' >t.mad
"$umadrig" format t.mad 2>/dev/null
tap_is "words and strings stay as they are" "$(sed -n 2p t.mad)" '0        run sh -c "a  b",c # x'
printf 'ignore > rmpp=ACK\nscenario "s"\n+( $n + 1ms )*2 > same\n($n~ 1ms\n' >b.mad
"$umadrig" format b.mad 2>/dev/null
tap_is "a directive, and a time in brackets" "$(cat b.mad)" 'ignore   > rmpp=ACK
scenario "s"
+($n+1ms)*2 > same
($n~ 1ms'
tap_is "commas are followed by a blank" "$(sed -n 3p t.mad)" '*        umad_recv( fd, 7, 8)'
printf 'scenario "s"\n\0\n' >t.mad
out=$("$umadrig" format t.mad 2>&1)
tap_is "what is no script stays as it is" "$?:$(wc -c <t.mad)" 1:15
tap_has "and is named" "$out" "t.mad:2:1: error: there is a NUL byte"
printf '# a comment\nall:\n\techo hi\n' >Makefile
printf '{ "key" : 1 }\n' >t.json
cp Makefile Makefile.before
cp t.json t.json.before
out=$("$umadrig" format Makefile t.json 2>&1)
tap_is "a Makefile and JSON, given by mistake, stay as they are" \
	"$?:$(cmp Makefile Makefile.before 2>&1; cmp t.json t.json.before 2>&1)" 1:
tap_has "and the first line is named" "$out" "Makefile:2:1: error: this is no scenario script: its first line"
tap_has "of both" "$out" "t.json:1:1: error: this is no scenario script"
printf 'scenaro   "s"\n' >t.mad
"$umadrig" format t.mad
tap_is "a directive with a typo is one" "$?:$(cat t.mad)" '0:scenaro  "s"'
: >t.mad
tap_is "an empty file is as it should be" "$("$umadrig" format --check t.mad 2>&1; echo $?)" 0
printf 'scenario "s"\n0~1ms > nothing\n' >t.mad
chmod 640 t.mad
ln -s t.mad link.mad
(umask 077 && "$umadrig" format link.mad)
tap_is "mode and links stay, whatever the umask" "$(stat -c %a t.mad):$(readlink link.mad):$(sed -n 2p t.mad)" \
	'640:t.mad:0~1ms    > nothing'
out=$("$umadrig" format 2>&1)
tap_is "no script is an error" "$?" 2
tap_has "which says so" "$out" "no scripts given"

# ---- run --explain ----

cat >explain.mad <<'END'
scenario "one"
latency  1ms
0        fd = umad_open_port($CA, $PORT)
+10ms    a  = umad_register_oui(fd, class=0x32, oui=0x001405)   # an agent
+0       umad_send(fd, a, timeout=100ms,
             VendGet(0x0010)) = 0
+0       > VendGet(0x0010)
+0~+5ms  > nothing
*        umad_recv(fd) = a
+1s      umad_poll(fd) = 0
END
out=$("$umadrig" run --explain explain.mad)
tap_is "--explain" "$?:$(printf '%s\n' "$out" | sed 's/seed [0-9]*/seed N/')" \
'0:explain.mad: one
  on the default fabric, from H1[1] to H2[1]; seed N; latency 1ms
               0  line 3    fd = umad_open_port($CA, $PORT)
            10ms  line 4    a = umad_register_oui(fd, class=0x32, oui=0x001405)
            10ms  line 5    umad_send(fd, a, timeout=100ms, VendGet(0x0010)) = 0
            10ms  line 7    > VendGet(0x0010)    # waits for a MAD that leaves H1[1]
    10ms to 15ms  line 8    > nothing    # nothing leaves H1[1]
        any time  line 9    umad_recv(fd) = a    # waits for this at H1[1]
             +1s  line 10   umad_poll(fd) = 0'
# What runs bind ($CA) stays as it is.
cat >bound.mad <<'END'
scenario "bound"
vary     gap in 1ms, 2ms
each (mad, set, text, number, errno) {
    VendSend(0x0010) class=0x32 bytes[24..27]=0x01020304 mut=status:3  {Get, Set}  "q \"1\""  ((1 + 2) * 3)  -EPERM
    SubnGetResp(PortInfo) { LinkState=Init Lid=(2 * 3 + 1) } exact  {Get}  "a"  0x10  0
} do {
    0     note $text
    +0    peer answers VendGet(0x0011) class=0x32 after $gap
    +0    fd = umad_open_port($CA, $PORT)
    +0    a = umad_register_oui(fd, class=0x32, oui=$number, methods=$set) = $errno
    +0    < $mad from=peer tid=7
}
END
"$umadrig" run --explain bound.mad | sed -n 's/.*  line [0-9]*  *//p' >out
{ sed -n 1,5p out; sed -n 16,20p out; } >first-and-last
cat >expected <<'END'
note "q \"1\""
peer answers VendGet(0x0011) class=0x32 after 1ms
fd = umad_open_port($CA, $PORT)
a = umad_register_oui(fd, class=0x32, oui=(1 + 2) * 3, methods={Get, Set}) = -EPERM
< VendSend(0x0010) class=0x32 bytes[24..27]=0x01020304 mut=status:3 from=peer tid=7
note "a"
peer answers VendGet(0x0011) class=0x32 after 2ms
fd = umad_open_port($CA, $PORT)
a = umad_register_oui(fd, class=0x32, oui=0x10, methods={Get}) = 0
< SubnGetResp(PortInfo) { LinkState=Init Lid=((2 * 3) + 1) } exact from=peer tid=7
END
tap_is "--explain fills in what rows and choices bind" "$(cat first-and-last)" "$(cat expected)"
printf 'scenario "s"\n0 > Frob()\n' >wrong.mad
out=$("$umadrig" run --explain wrong.mad)
tap_is "--explain of a script with errors" "$?:$(printf '%s\n' "$out" | sed -n 1p | cut -c1-21)" \
	"1:wrong.mad:2:5: error:"

tap_done
