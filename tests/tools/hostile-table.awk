# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# hostile-table.awk: what a program waits for each answer beside those that mean harm, in a table.
#
# Of each line "SIDE ATTACK MEDIAN P99 WORST" (microseconds, "-" for a blank in ATTACK): the times
# in milliseconds, and P99 as a multiple of what it is where the side's attack is "alone".
function ms(us)
{
	return sprintf("%.3f", us / 1000)
}
BEGIN {
	line = "%-10s  %-11s  %9s  %9s  %9s  %s\n"
	printf line, "SIDE", "ATTACK", "MEDIAN ms", "P99 ms", "WORST ms", "P99 TO ALONE"
}
$2 == "alone" { alone[$1] = $4 }
{
	attack = $2
	gsub("-", " ", attack)
	ratio = alone[$1] > 0 ? sprintf("%.1f", $4 / alone[$1]) : "?"
	printf line, $1, attack, ms($3), ms($4), ms($5), ratio
}
