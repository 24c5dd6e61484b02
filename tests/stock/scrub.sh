#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-scrub: OpenSM brings up a fabric with keys and a subnet prefix of its own, saquery fetches
# tables in many segments, ibnetdiscover walks through it. In the scrubbed capture of it no GUID,
# name or key of the fabric is left, in any byte order or as text, and it answers as before.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock-fabric.sh"
stock_needs opensm saquery ibnetdiscover
leaks=$top_builddir/tests/tools/scrub-leaks

fabric_serve "generate:fat-tree:24,8,state=cold,capture=$work/sweep.pcapng"
cat >"$work/conf" <<EOT
m_key 0x5eed0123456789ab
sa_key 0x7ab1e0fedcba9876
subnet_prefix 0xfec0c0de12345678
EOT
sm_start a host-0 -F "$work/conf"
tap_is "the subnet is up" "$(sm_wait a 1)" ""
on "" ibnetdiscover >"$work/then" 2>"$work/err"
for record in NR PIR LR GIR SMIR PR; do
	on host-1 saquery --smkey 0x7ab1e0fedcba9876 $record >"$work/$record" 2>"$work/err"
	tap_ok "saquery $record" grep -q 'dump:' "$work/$record"
done
fabric_end

# Of the fabric, as ibnetdiscover prints it, and of the configuration.
{
	"$AWK" '{
		while (match($0, /[HS]-[0-9a-f]+|guid=0x[0-9a-f]+|[(][0-9a-f]+[)]/)) {
			word = substr($0, RSTART, RLENGTH)
			sub(/^.*[-x(]/, "", word)
			sub(/[)]/, "", word)
			print "number " substr("0000000000000000", 1, 16 - length(word)) word
			$0 = substr($0, RSTART + RLENGTH)
		}
	}' "$work/then"
	printf 'number %s\n' 5eed0123456789ab 7ab1e0fedcba9876 fec0c0de12345678
	grep -o '"[^"]* HCA-1"\|"leaf-[0-9]*"\|"spine-[0-9]*"' "$work/then" |
		sed 's/"//g; s/ HCA-1$//; s/^/name /'
} | sort -u >"$work/values"
tap_ok "the fabric has values enough to look for" test "$(wc -l <"$work/values")" -gt 60

# The test of the test.
"$leaks" "$work/sweep.pcapng" <"$work/values" >"$work/found"
for value in $(sed -n 's/^number //p' "$work/values"); do
	grep -q "^number $value:" "$work/found" || echo "$value"
done >"$work/absent"
tap_is "each number is in the capture before" "$(cat "$work/absent")" ""

# What ibnetdiscover printed, each name and GUID by the number of its first appearance, and without
# LIDs; the replaying host is not the one that asked.
shape() {
	"$AWK" '
		function number(word) {
			if (!(word in known))
				known[word] = ++count
			return "<" known[word] ">"
		}
		/^#/ { next }
		{
			gsub(/lid [0-9]+/, "lid")
			gsub(/0x[0-9a-f]+|\([0-9a-f]+\)/, "")
			line = ""
			while (match($0, /"[^"]*"/)) {
				line = line substr($0, 1, RSTART - 1) \
					number(substr($0, RSTART, RLENGTH))
				$0 = substr($0, RSTART + RLENGTH)
			}
			print line $0
		}' "$1"
}

# What the capture answers, before it is scrubbed.
"$umadrig" replay "$work/sweep.pcapng" --mode answer -- ibnetdiscover >"$work/before" 2>"$work/err"
shape "$work/before" >"$work/before.shape"
tap_is "all switches are there" "$(grep -c '^Switch' "$work/before.shape")" \
	"$(grep -c '^Switch' "$work/then")"

# NAME OPTION...: scrubbed with these options.
scrubs() {
	name=$1
	shift
	tap_ok "$name" "$umadrig" scrub "$@" "$work/sweep.pcapng" "$work/scrubbed.pcapng"
	tap_is "$name: nothing of the fabric is left" \
		"$("$leaks" "$work/scrubbed.pcapng" <"$work/values")" ""
	tap_is "$name: for nobody else's eyes" "$(stat -c %a "$work/scrubbed.pcapng")" 600
	# All but the LIDs and the modifier, which is a block of LIDs where tables of them are asked
	# for.
	for file in sweep scrubbed; do
		"$umadrig" show --fields "$work/$file.pcapng" 2>/dev/null |
			cut -f 1,4-10 >"$work/$file.fields"
	done
	tap_ok "$name: as many MADs, and of the same kinds" \
		cmp "$work/sweep.fields" "$work/scrubbed.fields"
	if command -v tshark >/dev/null 2>&1; then
		tap_is "$name: Wireshark finds nothing malformed" \
			"$(tshark -r "$work/scrubbed.pcapng" -T fields -e _ws.malformed \
			2>/dev/null | sort -u)" ""
	else
		tap_skip "$name: Wireshark" "tshark is not installed"
	fi
	"$umadrig" replay "$work/scrubbed.pcapng" --mode answer -- ibnetdiscover \
		>"$work/now" 2>"$work/err"
	shape "$work/now" >"$work/now.shape"
	tap_ok "$name: it is replayed, and has the same shape" \
		diff "$work/before.shape" "$work/now.shape"
}


scrubs "numbered"
cp "$work/scrubbed.pcapng" "$work/first.pcapng"
"$umadrig" scrub "$work/sweep.pcapng" "$work/scrubbed.pcapng" >"$work/out"
tap_ok "the same capture gives the same bytes" cmp "$work/first.pcapng" "$work/scrubbed.pcapng"
tap_has "what was replaced is said" "$(cat "$work/out")" "2 keys"
scrubs "with a key" --key "a secret"
scrubs "with LIDs" --lids --keep-pkeys
tap_done
