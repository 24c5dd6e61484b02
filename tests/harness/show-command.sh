#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# show-command: what "umadrig show" makes of its command line: filters, and what is wrong with them.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

# Nobody serves the class: the answers are the kernel's, and each is recorded once more at its end.
cat >ask.mad <<'END'
scenario "ask"

0      < VendGet(0x0010) class=0x32 tid=7
+0     > VendGetResp(0x0010) class=0x32 status=0x000c
+2ms   < VendGet(0x0011) class=0x32 tid=8
+0     > VendGetResp(0x0011) class=0x32 status=0x000c
END
"$umadrig" run --keep . ask.mad >run.out 2>&1
capture=ask.pcapng
[ -f "$capture" ] || capture=$(ls ./*.pcapng)

# NAME EXPECTED ARGUMENT...: the frames that are shown.
frames() {
	name=$1
	expected=$2
	shift 2
	tap_is "$name" "$("$umadrig" show --fields "$@" 2>err | awk '$1 ~ /^[0-9]/ { printf "%s ", $1 }'
		cat err)" "$expected"
}
frames "everything" "1 2 3 4 5 6 " "$capture"
frames "a method" "1 4 " "$capture" VendGet
frames "a method and an attribute" "4 " "$capture" 'VendGet(0x11)'
frames "several words are one filter" "5 6 " "$capture" VendGetResp 'tid.low=8'
frames "a status" "2 3 5 6 " "$capture" 'status!=0'
frames "--where is a filter too" "2 3 " --where 'status!=0' "$capture" '~1ms'
frames "times" "4 5 6 " "$capture" '1ms~'
port=$("$umadrig" show "$capture" | awk 'NR == 1 { print $3 }')
frames "from a port" "1 4 " "$capture" "from=$port"
frames "to a port: it answers with the LID that it is asked at" "2 3 5 6 " "$capture" "to=$port"
frames "either" "1 4 " "$capture" "port=$port VendGet or frame=99"
cp "$capture" a=b
frames "a file is never a filter" "1 2 3 4 5 6 1 2 3 4 5 6 " "$capture" a=b

"$umadrig" show "$capture" 'VendGte(0x10)' >out 2>err
tap_is "a wrong filter: status" $? 2
tap_is "a wrong filter: nothing is printed" "$(cat out)" ""
tap_is "a wrong filter: the place and a suggestion" "$(sed -n 2,4p err)" \
	"filter:1:1: error: there is no method or class 'VendGte', and no field follows it with a \
value: did you mean VendGet?
    1 | VendGte(0x10)
      | ^~~~~~~"
"$umadrig" show no-such.pcap VendGet >out 2>err
tap_is "a capture that is not there: status" "$?/$(cat out)" "1/"

# ---- input and output ----

tap_is "standard input, while it is still being written" \
	"$({ cat "$capture"; sleep 0.1; } | "$umadrig" show --fields - | awk 'END { print $1 }')" 6
"$umadrig" show "$capture" >/dev/full 2>err
tap_is "a full disk: status" "$?/$(grep -c 'cannot write' err)" 1/1
tap_done
