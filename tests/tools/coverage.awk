# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# Reads what gcov -b -c -t prints of kmod-stub/, lib/, sim/ and harness/, and sums it up. min: the
# percentage of lines below which the exit status is 1.

function share(part, whole) {
	return whole ? 100 * part / whole : 100
}

function row(name, what) {
	return sprintf("%-34s %7d %6.1f%% %9d %6.1f%%", name, lines[what],
		       share(lines_taken[what], lines[what]), branches[what],
		       share(branches_taken[what], branches[what]))
}

# -:    0:Source:PATH
/^ *-: *0:Source:/ {
	file = substr($0, index($0, "Source:") + 7)
	wanted = match(file, /(kmod-stub|lib|sim|harness)\/[a-z\/-]*\.[ch]$/)
	file = substr(file, RSTART)
	next
}

!wanted { next }

/^branch +[0-9]+ / {
	branch++
	key = file SUBSEP line SUBSEP branch
	if (!(key in branch_counts))
		branch_counts[key] = 0
	if ($3 == "taken")
		branch_counts[key] += $4
	next
}

/^(function|call|unconditional|-+$)/ { next }

# count: line:source
/^ *[^:]+: *[0-9]+:/ {
	split($0, part, ":")
	line = part[2] + 0
	branch = 0
	if (part[1] ~ /-/)
		next
	key = file SUBSEP line
	if (!(key in line_counts))
		line_counts[key] = 0
	line_counts[key] += part[1] + 0
}

END {
	for (key in line_counts) {
		split(key, part, SUBSEP)
		directory = part[1]
		sub(/\/.*/, "", directory)
		files[part[1]] = 1
		lines[part[1]]++
		lines[directory]++
		if (line_counts[key]) {
			lines_taken[part[1]]++
			lines_taken[directory]++
		}
	}
	for (key in branch_counts) {
		split(key, part, SUBSEP)
		directory = part[1]
		sub(/\/.*/, "", directory)
		branches[part[1]]++
		branches[directory]++
		if (branch_counts[key]) {
			branches_taken[part[1]]++
			branches_taken[directory]++
		}
	}
	printf "%-34s %7s %7s %9s %7s\n", "", "lines", "taken", "branches", "taken"
	count = split("kmod-stub lib sim harness", directories, " ")
	for (i = 1; i <= count; i++) {
		print row(directories[i] "/", directories[i])
		lines["all"] += lines[directories[i]]
		lines_taken["all"] += lines_taken[directories[i]]
		branches["all"] += branches[directories[i]]
		branches_taken["all"] += branches_taken[directories[i]]
	}
	print row("all", "all")
	print ""
	fflush()
	for (file in files)
		printf "%07d %s\n", lines[file] - lines_taken[file], row(file, file) | "sort -k1,1nr -k2 | cut -c9-"
	close("sort -k1,1nr -k2 | cut -c9-")
	if (share(lines_taken["all"], lines["all"]) >= min && lines["all"])
		exit 0
	printf "coverage: less than %s%% of the lines\n", min
	exit 1
}
