# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sa-differences.awk: compares the answers of two SAs to the same requests, which
# tests/tools/sa-ask has printed.
#
#	awk -f sa-differences.awk -v table=NAME DIFFERENCES FIRST SECOND
#
# DIFFERENCES: lines "TABLE PATTERN: ROW"; where TABLE is NAME, the answers to requests whose name
# matches may differ, and one must. Prints the others, each with both answers, or, without any, how
# many there are; exit status 1 if there is one.
FNR == 1 { file++ }
/^#/ || /^$/ { next }
{
	at = index($0, ": ")
	name = substr($0, 1, at - 1)
	rest = substr($0, at + 2)
}
file == 1 {
	if ($1 == table)
		pattern[++patterns] = substr(name, length($1) + 2)
	next
}
file == 2 {
	first[name] = rest
	asked++
	next
}
!(name in first) {
	print name ": not asked before"
	bad = 1
	next
}
{
	second++
	if (first[name] == rest)
		next
	for (i = 1; i <= patterns; i++) {
		if (name ~ pattern[i]) {
			used[i] = 1
			known++
			next
		}
	}
	print name ":\n  " first[name] "\n  " rest
	bad = 1
}
END {
	for (i = 1; i <= patterns; i++) {
		if (!used[i]) {
			print "nothing differs: " pattern[i]
			bad = 1
		}
	}
	if (!asked || asked != second) {
		print asked + 0 " and " second + 0 " answers"
		bad = 1
	}
	if (!bad)
		print asked " answers, " known + 0 " of which differ as documented"
	exit bad
}
