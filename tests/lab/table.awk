# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# table: the scenarios on the simulator and on a real kernel, side by side, from the TAP of both.
#
#   awk -v least=N -f table.awk world=sim SIMULATOR.tap world=kernel KERNEL.tap
#
# A line for each scenario: what became of its points in either world (pass, FAIL, skip, or a number
# of those that passed), how many points it has, and why points were skipped. Points that fail, or
# that only one world knows, are listed below it. Last the reasons of what was skipped, and the sum.
# Exit status 0: no point fails, or is missing, in either world, and at least 'least' scenarios ran
# on the kernel.

# What a scenario's points came to in one world.
function came_to(world, title,    all, pass, fail, skip)
{
	all = points[title]
	pass = count[world, title, "pass"]
	fail = count[world, title, "FAIL"]
	skip = count[world, title, "skip"]
	if (fail + 0 > 0 || pass + skip < all) return "FAIL"
	if (skip == all) return "skip"
	return pass == all ? "pass" : pass "/" all
}

# The reasons of its points that were skipped, each once.
function reasons(title,    text, i)
{
	text = ""
	for (i = 1; i <= reason_count; i++) {
		if (!((title, reason[i]) in skipped)) continue
		text = text (text != "" ? "; " : "") reason[i]
	}
	return text
}

{ sub(/\r$/, "") }
/^Bail out!/ { bailed = bailed "the " world " gave up:" substr($0, 10) "\n" }
/^(not )?ok [0-9]+ - / {
	verdict = /^not/ ? "FAIL" : "pass"
	name = $0
	sub(/^(not )?ok [0-9]+ - /, "", name)
	why = ""
	if (match(name, / # SKIP/)) {
		why = substr(name, RSTART + 8)
		name = substr(name, 1, RSTART - 1)
		verdict = "skip"
	}
	if (seen[world, name]++ > 0) name = name " (" seen[world, name] ")"
	title = name
	sub(/ \[.*/, "", title)
	if (!(title in points)) order[++titles] = title
	if (!(name in title_of)) { title_of[name] = title; points[title]++; point[++names] = name }
	became[world, name] = verdict
	count[world, title, verdict]++
	if (world == "kernel" && why != "") {
		if (!(why in skips)) reason[++reason_count] = why
		skips[why]++
		skipped[title, why] = 1
	}
}

END {
	for (i = 1; i <= names; i++) {
		s = ("sim", point[i]) in became ? became["sim", point[i]] : "-"
		k = ("kernel", point[i]) in became ? became["kernel", point[i]] : "-"
		if (s == "pass" && k == "pass") both++
		if (s == "FAIL" || k == "FAIL" || s == "-" || k == "-") {
			differs++
			below[title_of[point[i]]] = below[title_of[point[i]]] \
				sprintf("    %-5s %-6s  %s\n", s, k, point[i])
		}
	}
	printf "%-8s %-8s %-6s  %s\n", "sim", "kernel", "points", "scenario"
	for (i = 1; i <= titles; i++) {
		title = order[i]
		why = reasons(title)
		printf "%-8s %-8s %-6d  %s%s\n%s", came_to("sim", title), came_to("kernel", title),
			points[title], title, why != "" ? "   (" why ")" : "", below[title]
		if (count["kernel", title, "pass"] > 0) scenarios_ran++
	}
	print ""
	for (i = 1; i <= reason_count; i++)
		printf "skipped on the kernel: %4d points, %s\n", skips[reason[i]], reason[i]
	printf "%s", bailed
	if (scenarios_ran + 0 < least)
		printf "only %d scenarios ran on the kernel: at least %d are to\n", scenarios_ran, least
	printf "%d of %d scenarios ran on the kernel: %d points pass in both worlds, %d differ or fail\n",
		scenarios_ran, titles, both, differs
	exit bailed != "" || differs > 0 || scenarios_ran + 0 < least
}
