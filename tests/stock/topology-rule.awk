# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# What a scheduler's topology discovery understands of ibnetdiscover's output. The rule is that of
# NVIDIA's topograph (pkg/ib): lines are taken apart by regular expressions; a switch's name is what
# stands between the ';' and the ':' of its description, or all of it if it is one word without
# these; a CA is a host's if its description is two words, of which the first is the host; switches
# with such CAs are leaves, those cabled to leaves the next tier, and so on.
#
# Prints "NAMED of SWITCHES, HOSTS with CAS of ALL, tiers: LEAVES NEXT ...".
#
#	awk -f topology-rule.awk OUTPUT

function quoted(n,    part) { split($0, part, "\""); return part[n] }

/^Switch[ \t]+[0-9]+[ \t]+"[^"]+"[ \t]+# "[^"]+"/ {
	at = quoted(2)
	tier[at] = 0
	named += quoted(4) ~ /^[^;:]+;[^;:]+:[^;:]+$/ || quoted(4) !~ /[ ;:]/
}
/^Ca[ \t]+[0-9]+[ \t]+"[^"]+"[ \t]+# "[^"]+"/ {
	at = ""
	all++
	if (quoted(4) ~ /^[^ \t]+[ \t][^ \t]+$/) {
		cas++
		host[quoted(2)] = substr(quoted(4), 1, index(quoted(4), " ") - 1)
		hosts[host[quoted(2)]]
	}
}
at && /^\[[0-9]+\][ \t]+"[^"]+"\[[0-9]+\](\([0-9a-f]+\))?[ \t]+# "[^"]+"/ { link[at, quoted(2)] }

END {
	for (pair in link) {
		split(pair, end, SUBSEP)
		if (end[2] in host)
			tier[end[1]] = 1
	}
	for (level = 1; level == last + 1; level++) {
		for (pair in link) {
			split(pair, end, SUBSEP)
			if (tier[end[1]] == 0 && end[2] in tier && tier[end[2]] == level)
				tier[end[1]] = level + 1
		}
		for (id in tier) {
			count[level] += tier[id] == level
			switches += level == 1
		}
		last = count[level] ? level : last
	}
	for (id in hosts)
		hosts_count++
	printf "%d of %d, %d with %d of %d, tiers:", named, switches, hosts_count, cas, all
	for (level = 1; level <= last; level++)
		printf " %d", count[level]
	print ""
}
