# Compares two fabrics as graphs: the file that describes one (first) with what ibnetdiscover printed
# of it (second). It reads both by itself, sharing nothing with the reader that it checks.
#
#	awk -f graph-compare.awk [-v all=1] DESCRIPTION OUTPUT
#
# Only what is connected with the node from which OUTPUT was made ("Initiated from node") is
# compared, because nobody can discover more; all=1 compares everything. What the description does
# not say, or says so that it cannot be (a LID above 0xbfff, a GUID that is not hexadecimal), may be
# anything. A node without a GUID of its own is recognized by its description.
# Prints each difference and, last, a line of counts; exits 1 if there was a difference.

function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }

# Lower case, no leading zeros; "*" if it is no GUID.
function hex(s)
{
	s = tolower(s)
	sub(/^0x/, "", s)
	if (s !~ /^[0-9a-f]+$/ || length(s) > 16)
		return "*"
	sub(/^0+/, "", s)
	return s == "" ? "*" : s
}

function lid(s)
{
	return s ~ /^[0-9]+$/ && s + 0 >= 1 && s + 0 <= 49151 ? s + 0 : "*"
}

# The word behind 'word' in 's', "" if there is none.
function after(s, word,    a, n, i)
{
	n = split(s, a, /[ \t]+/)
	for (i = 1; i < n; i++)
		if (a[i] == word)
			return a[i + 1]
	return ""
}

# What stands between the first and the last quote of 's', with what is before and after it.
function cut(s,    first, last)
{
	first = index(s, "\"")
	last = length(s)
	while (last > first && substr(s, last, 1) != "\"")
		last--
	quoted = first && last > first
	before = quoted ? substr(s, 1, first - 1) : s
	inside = quoted ? substr(s, first + 1, last - first - 1) : ""
	behind = quoted ? substr(s, last + 1) : s
}

function rate(s,    a, n, i)
{
	n = split(s, a, /[ \t]+/)
	for (i = 1; i <= n; i++)
		if (a[i] ~ /^(1|2|4|8|12)x(SDR|DDR|QDR|FDR10|FDR|EDR|HDR|NDR|XDR)$/)
			return a[i]
	return "*"
}

function header(line,    a, id, hash)
{
	split(line, a, "\"")
	id = a[2]
	node = id
	if ((side, id) in kind) {
		print "node twice: " id
		return
	}
	hash = index(substr(line, length(a[1]) + length(id) + 3), "#")
	cut(hash ? substr(line, length(a[1]) + length(id) + 3 + hash) : "")
	split(line, a, /[ \t]+/)
	ids[side, ++count[side]] = id
	kind[side, id] = a[1] == "Switch" ? "switch" : a[1] == "Rt" ? "router" : "ca"
	ports[side, id] = a[2]
	desc[side, id] = quoted ? inside : id
	port0[side, id] = behind ~ /enhanced port 0/ ? "enhanced" : behind ~ /base port 0/ ? "base" : "*"
	own[side, id, 0] = lid(after(behind, "lid"))
	lmc[side, id, 0] = after(behind, "lmc")
	said[side, id] = next_ids == "" ? "* * *" : next_ids
	portguid[side, id, 0] = next_guid
	next_vendid = next_devid = next_sysimg = next_ids = next_guid = ""
}

function port(line,    a, num, peer, rest, tail, hash)
{
	num = line
	sub(/^\[/, "", num)
	sub(/\].*/, "", num)
	split(line, a, "\"")
	peer = a[2]
	if (a[1] ~ /\([^)]*\)/ && kind[side, node] != "switch") {
		rest = a[1]
		gsub(/^[^(]*\(|\).*/, "", rest)
		portguid[side, node, num] = hex(rest)
	}
	rest = substr(line, length(a[1]) + length(peer) + 3)
	tail = rest
	sub(/^[ \t]*\[/, "", tail)
	sub(/\].*/, "", tail)
	hash = index(rest, "#")
	if (!hash) {
		before = behind = rest
		quoted = 0
	} else {
		cut(substr(rest, hash + 1))
	}
	if (hash && kind[side, node] != "switch") {
		own[side, node, num] = lid(after(before, "lid"))
		lmc[side, node, num] = after(before, "lmc")
	}
	links[side, node] = links[side, node] " " num
	link[side, node, num] = peer
	linkport[side, node, num] = rest ~ /^[ \t]*\[[0-9]+\]/ ? tail + 0 : 1
	linkrate[side, node, num] = rate(behind)
}

FNR == 1 { side++; node = ""; sub("^\357\273\277", "") }
{ sub(/\r$/, "") }
/^# Initiated from node / { start[side] = $5 }
/^vendid=/ { next_vendid = hex(substr($1, 8)); ids_said() }
/^devid=/ { next_devid = hex(substr($1, 7)); ids_said() }
/^sysimgguid=/ { next_sysimg = hex(substr($1, 12)); ids_said() }
/^(switch|ca|rt)guid=/ {
	next_guid = $1
	if (next_guid !~ /\(/)
		next_guid = "*"
	gsub(/.*\(|\).*/, "", next_guid)
	next_guid = hex(next_guid)
}
/^(Switch|Ca|Hca|Rt)[ \t]+[0-9]+[ \t]+"/ { header($0) }
/^\[[0-9]+\].*"/ { if (node != "") port($0) }

function ids_said()
{
	next_ids = (next_vendid == "" ? "*" : next_vendid) " " (next_devid == "" ? "*" : next_devid) \
		" " (next_sysimg == "" ? "*" : next_sysimg)
}

function is_name(id)
{
	return id !~ /^[SHR]-[0-9a-f]+$/ || length(id) != 18
}

# By its GUID, else (a name, a GUID that had to be made up) by its description.
function key_of(s, id)
{
	if (named == count[1] || is_name(id) || id ~ /^[SHR]-0000000000[123]/)
		return "'" desc[s, id] "'"
	return id
}

function index_side(s,    i, id, k)
{
	for (i = 1; i <= count[s]; i++) {
		id = ids[s, i]
		k = key_of(s, id)
		if ((s, k) in by_key) {
			print "two nodes cannot be told apart: " k
			bad++
		}
		key[s, id] = k
		by_key[s, k] = id
	}
}

# Marks what is connected with 'k'.
function walk(s, k,    queue, head, tail, a, n, i, id, peer)
{
	if (!((s, k) in by_key))
		return
	queue[tail = 1] = by_key[s, k]
	reached[s, k] = 1
	for (head = 1; head <= tail; head++) {
		id = queue[head]
		n = split(trim(links[s, id]), a, " ")
		for (i = 1; i <= n; i++) {
			peer = link[s, id, a[i]]
			if (!((s, peer) in key) || (s, key[s, peer]) in reached)
				continue
			reached[s, key[s, peer]] = 1
			queue[++tail] = peer
		}
	}
}

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
	for (i = 1; i <= count[1]; i++)
		named += is_name(ids[1, i])
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
