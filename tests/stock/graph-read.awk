# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# Reads fabrics, in the form that ibnetdiscover prints or the one that ibsim reads, for the scripts
# that judge them: each further input file is one more 'side'. It shares nothing with the readers in
# sim/, which it is there to check.
#
# By side and node id: ids[side, 1...count[side]], kind, ports, desc, port0 (base, enhanced), said
# (vendor, device, system GUID); own, lmc and portguid by port (0 on switches); links (a list of
# ports), and link, linkport, linkrate by port. "*" is what a file does not say, or says so that it
# cannot be: a LID above 0xbfff, a GUID that is not hexadecimal.

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

# ---- nodes across sides ----

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

# Makes key[side, id] and by_key[side, key]; side 1 first.
function index_side(s,    i, id, k)
{
	for (i = 1; s == 1 && i <= count[1]; i++)
		named += is_name(ids[1, i])
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
