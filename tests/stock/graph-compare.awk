# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# Compares two fabrics as graphs: the file that describes one (first) with what ibnetdiscover
# printed of it (second).
#
#	awk -f graph-read.awk -f graph-compare.awk [-v all=1] DESCRIPTION OUTPUT
#
# Only what is connected with the node from which OUTPUT was made ("Initiated from node") is
# compared, because nobody can discover more; all=1 compares everything. What the description does
# not say may be anything. A node without a GUID of its own is recognized by its description.
# Prints each difference and, last, a line of counts; exits 1 if there was a difference.

function differ(k, what, wanted, got)
{
	if (wanted == "*" || wanted == "" || wanted == got)
		return
	print k ": " what " is " (got == "" ? "missing" : got) ", not " wanted
	bad++
}

function compare_port(k, id, out, num,    peer)
{
	peer = link[1, id, num]
	if (!((1, peer) in key)) {		# dangling in the description
		left_out++
		return
	}
	ends++
	differ(k, "peer of port " num, key[1, peer], key[2, link[2, out, num]])
	differ(k, "peer's port of port " num, linkport[1, id, num], linkport[2, out, num])
	differ(k, "rate of port " num, linkrate[1, id, num], linkrate[2, out, num])
	differ(k, "LID of port " num, own[1, id, num], own[2, out, num])
	differ(k, "LMC of port " num, lmc[1, id, num], lmc[2, out, num])
	differ(k, "GUID of port " num, portguid[1, id, num], portguid[2, out, num])
}

function compare_node(k,    id, out, a, b, n, i)
{
	id = by_key[1, k]
	if (!((2, k) in by_key)) {
		print k ": missing"
		bad++
		return
	}
	out = by_key[2, k]
	differ(k, "kind", kind[1, id], kind[2, out])
	differ(k, "number of ports", ports[1, id], ports[2, out])
	differ(k, "description", desc[1, id], desc[2, out])
	differ(k, "port 0", port0[1, id], port0[2, out])
	differ(k, "LID", own[1, id, 0], own[2, out, 0])
	differ(k, "LMC", lmc[1, id, 0], lmc[2, out, 0])
	differ(k, "port GUID", portguid[1, id, 0], portguid[2, out, 0])
	split(said[1, id], a, " ")
	split(said[2, out], b, " ")
	for (i = 1; i <= 3; i++)
		differ(k, i == 1 ? "vendor" : i == 2 ? "device" : "system GUID", a[i], b[i])
	n = split(trim(links[1, id]), a, " ")
	for (i = 1; i <= n; i++)
		compare_port(k, id, out, a[i])
	# Nothing may be linked that the description does not link, from either end.
	n = split(trim(links[2, out]), a, " ")
	for (i = 1; i <= n; i++)
		if (!((1, id, a[i]) in link)) {
			print k ": port " a[i] " is linked, and the description has no line for it"
			bad++
		}
}

END {
	if (!count[1] || !count[2]) {
		print "no node in " (count[1] ? "the output" : "the description")
		exit 1
	}
	index_side(1)
	index_side(2)
	first = ""
	for (i = 1; i <= count[2]; i++)
		if (substr(ids[2, i], 3) == start[2])
			first = key[2, ids[2, i]]
	if (!all) {
		if (first == "" || !((1, first) in by_key)) {
			print "the description has no node from which the output was made: " start[2]
			exit 1
		}
		walk(1, first)
	}
	for (i = 1; i <= count[1]; i++) {
		k = key[1, ids[1, i]]
		if (!all && !((1, k) in reached))
			continue
		nodes++
		nodes_of[kind[1, ids[1, i]]]++
		compare_node(k)
	}
	for (i = 1; i <= count[2]; i++) {
		k = key[2, ids[2, i]]
		if (!((1, k) in by_key) || (!all && !((1, k) in reached))) {
			print k ": is in the output only"
			bad++
		}
	}
	printf "%d switches %d CAs %d link ends of %d nodes, %d dangling, %d differences\n",
		nodes_of["switch"], nodes_of["ca"], ends, count[1], left_out, bad
	exit bad > 0
}
