#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# show-why: the frames that give no usable MAD are listed with their causes, whatever the capture
# comes from: a file, standard input, compressed or not, and a pipe that still grows.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

corpus=$top_srcdir/tests/fuzz/corpus-capture
cp "$corpus/truncated.pcap" "$corpus/erf-extension.pcap" "$corpus/mixed.pcapng" .

want='     1         0.000000ms  cut-mad        the MAD is cut off: 72 of its 256 bytes were captured; capture whole packets (tcpdump -s 0)
     2      1000.000000ms  cut-header     cut off inside its headers, so nobody can tell whether it is a MAD; capture whole packets (tcpdump -s 0)
# 3 frames: 1 MADs, 0 others, 2 damaged
#        1 cut-header     cut off inside its headers by the capture
#        1 cut-mad        a MAD that the capture cut off'
tap_is "each frame, and the sum of each cause" "$("$umadrig" show --why truncated.pcap 2>&1)" "$want"
tap_is "from standard input" "$("$umadrig" show --why - <truncated.pcap 2>&1)" "$want"
tap_is "through a pipe" "$(cat truncated.pcap | "$umadrig" show --why - 2>&1)" "$want"
gzip -k truncated.pcap
tap_is "compressed by gzip" "$("$umadrig" show --why truncated.pcap.gz 2>&1)" "$want"
tap_is "so, too, through a pipe" "$(cat truncated.pcap.gz | "$umadrig" show --why - 2>&1)" "$want"
if command -v zstd >/dev/null 2>&1; then
	zstd -q -k truncated.pcap
	tap_is "compressed by zstd" "$("$umadrig" show --why truncated.pcap.zst 2>&1)" "$want"
else
	tap_skip "compressed by zstd" "no zstd: install zstd"
fi
tap_is "a frame that carries no MAD" "$("$umadrig" show --why erf-extension.pcap 2>&1 | sed -n '/^ /s/.*ms  //p')" \
	"flow-control   an InfiniBand link packet (flow control)"
tap_is "time that goes backwards is reported" "$("$umadrig" show --why mixed.pcapng 2>&1 | grep backwards)" \
	"umadrig show: mixed.pcapng: time goes backwards at frame 3: 1 of its MADs is earlier than the MAD before"

# The first frame is printed while the pipe is open: its header is 24 bytes, each record's 16.
mkfifo pipe
"$umadrig" show --why - <pipe >out 2>&1 &
pid=$!
exec 3>pipe
head -c 140 truncated.pcap >&3
tries=0
while [ ! -s out ] && [ "$tries" -lt 600 ]; do
	sleep 0.1
	tries=$((tries + 1))
done
tap_is "a line is there as soon as its frame is" "$(cut -c 1-34 out)" \
	"     1         0.000000ms  cut-mad"
tail -c +141 truncated.pcap >&3
exec 3>&-
wait "$pid"
tap_is "and the rest when the pipe is closed" "$?:$(cat out)" "0:$want"

"$umadrig" show --why "$top_srcdir/README" >out 2>&1
tap_is "what is no capture is refused" "$?:$(cat out)" "1:umadrig show: $top_srcdir/README: this is text, not a \
capture ('umadrig topology' reads fabrics, 'umadrig run' scripts)"
printf '\177ELF what Wireshark may know' >other.bin
"$umadrig" show --why other.bin >out 2>&1
tap_is "and what is no text" "$?:$(cat out)" "1:umadrig show: other.bin: neither pcap nor pcapng \
nor ERF; if Wireshark opens it, convert it: editcap -F pcapng other.bin OUT.pcapng"
"$umadrig" show --why --ladder truncated.pcap >out 2>&1
tap_is "--why excludes --ladder" "$?" 2

# A word that is neither is found before anything is printed.
"$umadrig" show truncated.pcap vanished >out 2>err
tap_is "a word that is no filter: status, and nothing is printed" "$?:$(cat out)" 2:
tap_has "a word that is no filter: message" "$(cat err)" "'vanished' is neither a file nor a filter"
"$umadrig" show none.pcap truncated.pcap >out 2>err
tap_is "a capture that is not there: status, and nothing is printed" "$?:$(cat out)" 1:
"$umadrig" show --ladder none.pcap >out 2>err
tap_has "a ladder of it: message" "$(cat err)" "none.pcap: cannot be read: No such file"

tap_done
