# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# Follows what ibtracert printed (second file) in the description (first): each hop is a cable, it
# ends where it shall, and there is no shorter way.
#
#	awk -f graph-read.awk -f graph-route.awk -v from=LID -v to=LID DESCRIPTION OUTPUT
#	awk -f graph-read.awk -f graph-route.awk -v list=NODE-ID DESCRIPTION
#
# The second form prints the LIDs of everything that is connected with a node.

# Sets at_id and at_num to the end port that has the LID.
function find_lid(wanted,    i, id, num, last)
{
	for (i = 1; i <= count[1]; i++) {
		id = ids[1, i]
		last = kind[1, id] == "switch" ? 0 : ports[1, id]
		for (num = last > 0; num <= last; num++)
			if (own[1, id, num] != "" && own[1, id, num] != "*" && wanted >= own[1, id, num] &&
			    wanted < own[1, id, num] + 2 ^ lmc[1, id, num]) {
				at_id = id
				at_num = num
				return 1
			}
	}
	return 0
}

# Cables between two end ports; packets pass through switches only.
function distance(from_id, from_num, to_id, to_num,    queue, steps, head, tail, a, n, i, id, peer)
{
	if (from_num) {
		id = link[1, from_id, from_num]
		if (id == to_id && (!to_num || linkport[1, from_id, from_num] == to_num))
			return 1
	} else {
		id = from_id
	}
	queue[tail = 1] = id
	steps[id] = from_num > 0
	for (head = 1; head <= tail; head++) {
		id = queue[head]
		if (id == to_id && !to_num)
			return steps[id]
		n = split(trim(links[1, id]), a, " ")
		for (i = 1; i <= n; i++) {
			peer = link[1, id, a[i]]
			if (peer == to_id && to_num && linkport[1, id, a[i]] == to_num)
				return steps[id] + 1
			if (kind[1, peer] != "switch" || peer in steps)
				continue
			steps[peer] = steps[id] + 1
			queue[++tail] = peer
		}
	}
	return -1
}

function wrong(text)
{
	print from " to " to ": " text
	bad++
}

function guid_of(id, num) { return portguid[1, id, kind[1, id] == "switch" ? 0 : num] }

# "[1] -> switch port {0x...}[3] lid 2-2 "leaf 1"": how many steps, and each one
side == 2 && /^\[/ {
	out[++hops] = $1
	gsub(/[\[\]]/, "", out[hops])
	guid = $0
	sub(/^[^{]*\{/, "", guid)
	sub(/\}.*/, "", guid)
	in_guid[hops] = hex(guid)
	num = $0
	sub(/^[^}]*\}\[/, "", num)
	sub(/\].*/, "", num)
	in_port[hops] = num
}
side == 2 && /^To / { arrived = 1 }

END {
	if (list) {
		index_side(1)
		walk(1, list)
		for (i = 1; i <= count[1]; i++)
			for (num = 0; num <= ports[1, ids[1, i]]; num++)
				if ((1, ids[1, i]) in reached && own[1, ids[1, i], num] + 0)
					for (j = 0; j < 2 ^ lmc[1, ids[1, i], num]; j++)
						print own[1, ids[1, i], num] + j
		exit 0
	}
	find_lid(from)
	id = first_id = at_id
	first_num = at_num
	num = first_num
	if (!find_lid(to) || !arrived)
		wrong("no path was printed")
	for (i = 1; i <= hops; i++) {
		peer = link[1, id, out[i]]
		if (peer == "" || linkport[1, id, out[i]] != in_port[i] || guid_of(peer, in_port[i]) != in_guid[i]) {
			wrong("step " i " takes port " out[i] " of " id " to port " in_port[i] " of " in_guid[i])
			exit 1
		}
		id = peer
		num = in_port[i]
	}
	if (id != at_id || (at_num && num != at_num))
		wrong("ends at port " num " of " id)
	# Two LIDs of one port (LMC): there is nowhere to go.
	shortest = first_id == at_id && first_num == at_num ? 0 : distance(first_id, first_num, at_id, at_num)
	if (hops + 0 != shortest)
		wrong(hops + 0 " hops, and " shortest " are enough")
	exit bad > 0
}
