# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# What smpquery has to answer, by what a description says (side 1): for every node that is connected
# with the one it was "Initiated from", one query a line, "ARGUMENTS|Field=value|Field=value...".
#
#	awk -f graph-read.awk -f graph-queries.awk DESCRIPTION

function pad(guid)
{
	return guid == "" || guid == "*" ? "" : "0x" substr("0000000000000000", 1, 16 - length(guid)) guid
}

function field(name, value)
{
	return value == "" || value == "*" ? "" : "|" name "=" value
}

# The paths from 'from' by fewest hops, as smpquery -D wants them.
function find_paths(from,    queue, head, tail, a, n, i, id, peer)
{
	queue[tail = 1] = from
	path[from] = "0"
	for (head = 1; head <= tail; head++) {
		id = queue[head]
		if (head > 1 && kind[1, id] != "switch")	# nobody passes through an adapter
			continue
		n = split(trim(links[1, id]), a, " ")
		for (i = 1; i <= n; i++) {
			peer = link[1, id, a[i]]
			if (!((1, peer) in kind) || peer in path)
				continue
			path[peer] = path[id] "," a[i]
			entry[peer] = linkport[1, id, a[i]]
			queue[++tail] = peer
		}
	}
}

function nodeinfo(id, num,    a)
{
	split(said[1, id], a, " ")
	return field("NodeType", kind[1, id] == "switch" ? "Switch" : kind[1, id] == "ca" ? "Channel Adapter" : "Router") \
		field("NumPorts", ports[1, id]) field("Guid", pad(substr(id, 3))) \
		field("PortGuid", pad(portguid[1, id, num])) field("SystemGuid", pad(a[3])) \
		field("DevId", "0x" substr("0000", 1, 4 - length(a[2])) a[2]) \
		field("VendorId", "0x" substr("000000", 1, 6 - length(a[1])) a[1])
}

function speed(text)
{
	if (text ~ /SDR/) return field("LinkSpeedActive", "2.5 Gbps")
	if (text ~ /DDR/ && text !~ /[EFHNX]DR/) return field("LinkSpeedActive", "5.0 Gbps")
	if (text ~ /QDR|FDR10/) return field("LinkSpeedActive", "10.0 Gbps")
	return field("LinkSpeedExtActive", text ~ /FDR/ ? "14.0625 Gbps" : text ~ /EDR/ ? "25.78125 Gbps" : \
		text ~ /HDR/ ? "53.125 Gbps" : text ~ /NDR/ ? "106.25 Gbps" : "*")
}

# num 0: port 0 of a switch.
function portinfo(id, num,    width)
{
	if (!num)
		return field("Lid", own[1, id, 0]) field("LMC", lmc[1, id, 0]) field("LinkState", "Active")
	if (!((1, id, num) in link))
		return field("LinkState", "Down") field("PhysLinkState", "Polling")
	width = linkrate[1, id, num]
	sub(/x.*/, "X", width)
	return field("LinkState", "Active") field("PhysLinkState", "LinkUp") field("LinkWidthActive", width) \
		speed(linkrate[1, id, num]) field("Lid", own[1, id, num]) field("LMC", lmc[1, id, num])
}

function queries(id,    i, num, target)
{
	target = own[1, id, 0]
	num = 0
	if (kind[1, id] != "switch") {
		num = trim(links[1, id])
		sub(/ .*/, "", num)
		target = own[1, id, num]
	}
	print "nodeinfo " target nodeinfo(id, num)
	print "nodedesc " target field("Node Description", desc[1, id])
	print "-D nodeinfo " path[id] nodeinfo(id, kind[1, id] == "switch" ? 0 : entry[id] ? entry[id] : num) \
		field("LocalPort", entry[id])
	print "-D nodedesc " path[id] field("Node Description", desc[1, id])
	for (i = num > 0; i <= ports[1, id]; i++) {
		print "portinfo " target " " i portinfo(id, i)
		print "-D portinfo " path[id] " " i portinfo(id, i)
	}
	if (kind[1, id] != "switch")
		return
	print "switchinfo " target field("EnhancedPort0", port0[1, id] == "enhanced" ? 1 : 0)
	print "-D switchinfo " path[id] field("EnhancedPort0", port0[1, id] == "enhanced" ? 1 : 0)
}

END {
	for (i = 1; i <= count[1]; i++)
		if (substr(ids[1, i], 3) == start[1])
			find_paths(ids[1, i])
	for (i = 1; i <= count[1]; i++)
		if (ids[1, i] in path)
			queries(ids[1, i])
}
