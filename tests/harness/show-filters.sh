#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# show FILTER: nodes, GUIDs, and what no MAD says by itself: unanswered, trip, retry, changed; what
# a filter leaves as a capture (-o, --with-answers); where such words are refused.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"
walker=$top_builddir/tests/tools/fabric-walk

"$umadrig" topology --generate fat-tree:4,4 >tree.net
"$umadrig" exec -f tree.net,clock=virtual,capture=walk.pcapng --host host-0 \
	--do 'fault drop 1 SubnGet(PortInfo) from host-0' --do 'fault delay 1 SubnGet(NodeInfo) by 5ms from host-0' -- \
	"$walker" -r 1 >walk.out 2>&1
"$umadrig" show walk.pcapng >all
count() { "$umadrig" show walk.pcapng "$@" | grep -vc '^#'; }

guid=$(sed -n 's/^switchguid=\(0x[0-9a-f]*\).*/\1/p' tree.net | sed -n 1p)
tap_is "a node's name is that of its ports" "$(count 'from=leaf-0')" "$(count 'from=leaf-0[0] or from=S-0002c90200000000[0]')"
tap_is "its GUID" "$(count "from=$guid")" "$(grep -c 'S-0002c90200000000\[[0-9]*\] >' all)"
tap_is "the host's" "$(count 'from="host-0 HCA-1" SubnGet')" "$(grep -c '> .* SubnGet(' all)"
tap_is "no GUID of the fabric" "$(count 'from=0x1234567890')" 0
tap_is "a request that was sent again" "$("$umadrig" show walk.pcapng 'retry>0' | sed -n 's/.* \(SubnGet[A-Za-z]*([A-Za-z]*)\) .*/\1/p' | tr '\n' ' ')" \
	"SubnGet(PortInfo) SubnGetResp(PortInfo) "
tap_is "round trips of 5 ms" "$("$umadrig" show walk.pcapng 'trip>=5ms trip<6ms' | sed -n 's/.* \(SubnGet[A-Za-z]*([A-Za-z]*)\) .*/\1/p' | tr '\n' ' ')" \
	"SubnGet(NodeInfo) SubnGetResp(NodeInfo) "
tap_is "all are answered in the end" "$(count unanswered)" 0
"$umadrig" exec -f tree.net,clock=virtual,capture=lost.pcapng --host host-0 \
	--do 'fault drop all SubnGet(PortInfo) from host-0' -- "$walker" -r 1 >walk.out 2>&1
tap_is "unanswered" "$("$umadrig" show lost.pcapng unanswered | grep -c 'SubnGet(PortInfo)')" \
	"$("$umadrig" show --conversations lost.pcapng | grep -c 'SubnGet(PortInfo).*no answer$')"
tap_lacks "there are some" "$("$umadrig" show lost.pcapng unanswered)" "(0 shown)"
tap_is "changed: what --history prints" \
	"$("$umadrig" show "$top_srcdir/doc/examples/april.pcapng" changed | grep -vc '^#')" \
	"$("$umadrig" show --history "$top_srcdir/doc/examples/april.pcapng" | grep -v '^#' | sed 's/.*#//' | sort -u | grep -c .)"

# ---- a capture of what is left ----

"$umadrig" show walk.pcapng 'SubnGetResp(NodeInfo)' -o part.pcapng >out
tap_is "an excerpt" "$(cat out)" "part.pcapng: $(count 'SubnGetResp(NodeInfo)') frames of walk.pcapng"
same() { sed 's/^ *[0-9]* *[0-9.]*ms //; /^#/d'; }
tap_is "has what the filter shows" "$("$umadrig" show part.pcapng | same)" \
	"$("$umadrig" show walk.pcapng 'SubnGetResp(NodeInfo)' | same)"
"$umadrig" show walk.pcapng 'SubnGetResp(NodeInfo) from=leaf-1' -o whole.pcapng --with-answers >out
tap_is "with answers: each has its request" \
	"$("$umadrig" show --conversations whole.pcapng | grep -v '^#' | grep -c 'no answer\|without')" 0
tap_is "as many requests as answers" "$("$umadrig" show whole.pcapng 'SubnGet' | grep -vc '^#')" \
	"$("$umadrig" show whole.pcapng 'SubnGetResp' | grep -vc '^#')"
"$umadrig" exec -f tree.net,clock=virtual,capture=plain.pcap --host host-0 -- "$walker" >walk.out 2>&1
"$umadrig" show plain.pcap 'SubnGetResp(NodeInfo)' -o part.pcap.gz >out
tap_is "of a pcap, compressed" "$("$umadrig" show part.pcap.gz | same)" \
	"$("$umadrig" show plain.pcap 'SubnGetResp(NodeInfo)' | same)"
head -c $(($(wc -c <walk.pcapng) - 10)) walk.pcapng >cut.pcapng
tap_has "a capture that was cut" "$("$umadrig" show cut.pcapng SUBN_DR -o cut-part.pcapng 2>&1)" \
	"the file is damaged or was cut"

# ---- refused ----

# NAME STATUS WORDS ARGUMENT...
refuse() {
	name=$1 status=$2 words=$3
	shift 3
	said=$("$umadrig" "$@" 2>&1 <walk.pcapng)
	tap_is "$name: status" $? "$status"
	tap_has "$name" "$said" "$words"
}
refuse "standard input" 2 "cannot be read twice, as 'trip' needs it" show - 'trip>1ms'
refuse "a directory" 1 ".: cannot be read: Is a directory" show . 'trip>1ms'
refuse "a trip without a time" 2 "a round trip is a time, such as trip>1ms" show walk.pcapng 'trip>5'
refuse "by two captures" 2 "--where: 'unanswered' is about a conversation" diff -w unanswered walk.pcapng walk.pcapng
refuse "onto itself" 1 "are one file" show walk.pcapng SA -o walk.pcapng
refuse "an excerpt of standard input" 2 "cannot be read more than once" show - SA -o x.pcapng
refuse "as a ladder" 2 "--output writes a capture" show walk.pcapng SA -o x.pcapng --ladder
refuse "answers of nothing" 2 "--with-answers goes with --output" show walk.pcapng SA --with-answers
cat >words.mad <<'END'
scenario "words"
0  fd = umad_open_port($CA, $PORT)
+0 > SubnGet(PortInfo) LinkState=Down
+0 > SubnGet(PortInfo) unanswered
+0 > SubnGet(PortInfo) retry=1
END
said=$("$umadrig" lint words.mad 2>&1)
tap_has "scenario: a field of an attribute" "$said" "written in braces, { LinkState=Down }"
tap_has "scenario: a word of filters" "$said" "'unanswered' has no place here: a filter of a capture (umadrig show)"
tap_has "scenario: a field of filters" "$said" "'retry' has no place here"

# ---- in rules of faults, in triggers and in scenarios ----

# A filter behind "where" drops just what the same filter shows of a run without it.
for filter in 'SubnGetResp(PortInfo) LinkState=Active' 'SubnGetResp(NodeInfo) from=leaf-1' \
	'SubnGetResp(NodeInfo) { NumPorts>1 } or hop_cnt=0' 'not SubnGet from=leaf-1'; do
	"$umadrig" exec -f tree.net,clock=virtual,capture=rule.pcapng --host host-0 \
		--do "fault drop 1 where $filter" -- "$walker" -r 1 >walk.out 2>&1
	tap_is "where $filter" \
		"$("$umadrig" show rule.pcapng dropped | same | sed 's/.* \(Subn[A-Za-z]*([A-Za-z]*) tid=[^ ]*\).*/\1/')" \
		"$("$umadrig" show rule.pcapng "$filter" | same | sed -n '1s/.* \(Subn[A-Za-z]*([A-Za-z]*) tid=[^ ]*\).*/\1/p')"
done
"$umadrig" exec -f tree.net,clock=virtual,'fault=drop 1 where "SubnGetResp(NodeInfo) { NumPorts>1, NodeType=Switch }"',capture=option.pcapng \
	--host host-0 -- "$walker" -r 1 >walk.out 2>&1
tap_has "in quotes among options" "$("$umadrig" show option.pcapng dropped)" 'NodeType=Switch }"'
"$umadrig" exec -f tree.net,clock=virtual --host host-0 --do 'when where SubnGetResp(NodeInfo) { NodeType=Switch } do dump host-1' -- \
	"$walker" -r 1 >walk.out 2>&1
tap_is "a trigger: status" $? 0
refuse "a rule about more than a MAD" 125 "'unanswered': whether an answer comes is not known" exec -f tree.net --do \
	'fault drop 1 where unanswered' -- true
cat >where.mad <<'END'
scenario "an answer with an error is lost, another is not"
0        fd = umad_open_port($CA, $PORT)
+0       a  = umad_register_oui(fd, class=0x32, oui=0x001405)
+0       peer answers VendGet(0x0010) class=0x32 with status=0x1c
+0       peer answers VendGet(0x0011) class=0x32
+0       fault drop all VendGetResp() from peer where "status!=0 or trap=128"
+0       umad_send(fd, a, timeout=100ms, VendGet(0x0011) to=peer tid.low=1) = 0
+0       > VendGet(0x0011)
+0       umad_recv(fd) = a, status=0 mad.status=0
+0       umad_send(fd, a, timeout=100ms, VendGet(0x0010) to=peer tid.low=2) = 0
+0       > VendGet(0x0010)
+100ms   umad_recv(fd) = a, status=ETIMEDOUT
END
"$umadrig" run where.mad >where.out 2>&1
tap_is "in a scenario: status" $? 0
tap_has "in a scenario" "$(cat where.out)" "ok 1 - where.mad: an answer with an error is lost, another is not"
cat >words.mad <<'END'
scenario "words"
0  fault drop 1 where "SubnGet(PortInfo) LinkState=Dwon"
+0 fault drop 1 SubnGet(PortInfo) where "LinkState=Down trip>1ms"
+0 fault drop 1 where SubnGet
+0 fault drop 1 SubnGet(PortInfo) { LinkState=Down }
END
said=$("$umadrig" lint words.mad 2>&1)
tap_has "its place in the string" "$said" '2:52: error: LinkState has no value called '"'Dwon'"': did you mean Down?'
tap_has "a word that is refused" "$said" "3:57: error: 'trip': how long an answer takes is not known"
tap_has "without quotes" "$said" 'expected a filter in quotes, such as "SubnGetResp(PortInfo) LinkState=Down", found '"'SubnGet'"
tap_has "outside of a filter" "$said" "after 'where': where \"LinkState=...\""

tap_done
