# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# Compares what `iblinkinfo -l` printed (second file) with a description that gives all LIDs and
# GUIDs (first): a line for each linked port and for each free port of a switch, and each of them
# right.
#
#	awk -f graph-read.awk -f graph-linkinfo.awk -v from=NODE-ID DESCRIPTION OUTPUT

function pad(guid) { return "0x" substr("0000000000000000", 1, 16 - length(guid)) guid }

function end_guid(id, num)
{
	return pad(portguid[1, id, kind[1, id] == "switch" ? 0 : num])
}

function end_lid(id, num) { return own[1, id, kind[1, id] == "switch" ? 0 : num] }

# A lane's speed, as iblinkinfo prints it.
function lane(text)
{
	sub(/^[0-9]+x/, "", text)
	return text == "SDR" ? "2.5 Gbps" : text == "DDR" ? "5.0 Gbps" : text == "QDR" ? "10.0 Gbps" : \
		text == "FDR10" ? "10.0 Gbps (FDR10)" : text == "FDR" ? "14.0625 Gbps" : \
		text == "EDR" ? "25.78125 Gbps" : text == "HDR" ? "53.125 Gbps" : "106.25 Gbps"
}

function wanted(id, num,    peer, width, text)
{
	peer = link[1, id, num]
	if (peer == "")
		return "Down/Polling"
	text = linkrate[1, id, num]
	width = text
	sub(/x.*/, "X", width)
	return width " " lane(text) " Active/LinkUp " end_guid(peer, linkport[1, id, num]) " " \
		end_lid(peer, linkport[1, id, num]) " " linkport[1, id, num] " " desc[1, peer]
}

# "0x.. "desc" LID PORT[ext] ==( 4X 53.125 Gbps Active/ LinkUp)==> 0x.. LID PORT[ext] "desc" ( )"
side == 2 && /==\(/ {
	at = index($0, "==(")
	left = substr($0, 1, at - 1)
	right = substr($0, at + 3)
	at = index(right, ")==>")
	middle = trim(substr(right, 1, at - 1))
	right = trim(substr(right, at + 4))
	gsub(/ +/, " ", middle)
	sub(/\/ /, "/", middle)
	gsub(/\[[^]]*\]/, "", left)
	guid = $1
	n = split(trim(left), a, / +/)
	where = guid " " a[n]
	lid_of[where] = a[n - 1]
	if (middle !~ /Down/) {
		split(right, a, /[ \[]+/)
		cut(right)
		middle = middle " " a[1] " " a[2] " " a[3] " " inside
	}
	printed[where] = middle
	lines++
}

END {
	index_side(1)
	walk(1, from)
	for (i = 1; i <= count[1]; i++) {
		id = ids[1, i]
		if (!((1, key[1, id]) in reached))
			continue
		for (num = 1; num <= ports[1, id]; num++) {
			if (!((1, id, num) in link) && kind[1, id] != "switch")
				continue
			where = end_guid(id, num) " " num
			want = wanted(id, num)
			checked++
			if (printed[where] != want) {
				print where ": '" printed[where] "', not '" want "'"
				bad++
			} else if (lid_of[where] != end_lid(id, num)) {
				print where ": LID " lid_of[where] ", not " end_lid(id, num)
				bad++
			}
		}
	}
	if (!checked || lines != checked) {
		print lines " lines for " checked " ports"
		bad++
	}
	exit bad > 0
}
