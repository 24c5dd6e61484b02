# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# What the programs that list a fabric have to print, by what a description says (side 1), of every
# node that is connected with the one it was "Initiated from"; runs of blanks as one.
#
#	awk -f graph-read.awk -f graph-lists.awk -v list=LIST [-v of=KIND] DESCRIPTION
#
# LIST is nodes (ibhosts, ibswitches, ibrouters), devices (ibnetdiscover -l), ports (ibnetdiscover
# -p) or ids (KIND, LID, port GUID, port of each end, for other scripts). KIND is ca, switch or
# router.

function pad(guid) { return "0x" substr("0000000000000000", 1, 16 - length(guid)) guid }

function end_port(id, num) { return kind[1, id] == "switch" ? 0 : num }

function word(id) { return kind[1, id] == "switch" ? "Switch" : kind[1, id] == "ca" ? "Ca" : "Rt" }

function short(id) { return kind[1, id] == "switch" ? "SW" : kind[1, id] == "ca" ? "CA" : "RT" }

function node_line(id)
{
	print word(id) " : " pad(substr(id, 3)) " ports " ports[1, id] " \"" desc[1, id] "\"" \
		(kind[1, id] != "switch" ? "" : " " port0[1, id] " port 0 lid " own[1, id, 0] " lmc " lmc[1, id, 0])
}

function device_line(id,    a)
{
	split(said[1, id], a, " ")
	print (kind[1, id] == "router" ? "Router" : word(id)) " : " pad(substr(id, 3)) " ports " ports[1, id] \
		" devid 0x" a[2] " vendid 0x" a[1] " \"" desc[1, id] "\""
}

function end(id, num)
{
	return short(id) " " own[1, id, end_port(id, num)] " " num " " pad(portguid[1, id, end_port(id, num)])
}

# A port without a cable stands at 4X and SDR, as after power-up.
function port_line(id, num,    text, peer)
{
	text = linkrate[1, id, num]
	sub(/x/, "x ", text)
	peer = link[1, id, num]
	if (peer == "")
		return end(id, num) " 4x SDR '" desc[1, id] "'"
	return end(id, num) " " text " - " end(peer, linkport[1, id, num]) " ( '" desc[1, id] "' - '" \
		desc[1, peer] "' )"
}

function each_port(id,    num)
{
	for (num = 1; num <= ports[1, id]; num++)
		if ((1, id, num) in link || kind[1, id] == "switch")
			print port_line(id, num)
}

function each_end(id,    num)
{
	for (num = end_port(id, 1); num <= (kind[1, id] == "switch" ? 0 : ports[1, id]); num++)
		if (num == 0 || (1, id, num) in link)
			print kind[1, id], own[1, id, num], pad(portguid[1, id, num]), num
}

END {
	index_side(1)
	for (i = 1; i <= count[1]; i++)
		if (substr(ids[1, i], 3) == start[1])
			walk(1, ids[1, i])
	for (i = 1; i <= count[1]; i++) {
		id = ids[1, i]
		if (!((1, key[1, id]) in reached) || of && kind[1, id] != of)
			continue
		if (list == "nodes") node_line(id)
		else if (list == "devices") device_line(id)
		else if (list == "ports") each_port(id)
		else if (list == "ids") each_end(id)
	}
}
