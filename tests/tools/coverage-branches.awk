# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# Reads tests/tools/coverage-left, then what gcov -b -c -t prints, and sums up the branches of
# kmod-stub/.
#
# A line of coverage-left: FILE | TEXT | REASON. What contains TEXT in a line of FILE (* for any) is
# left out as far as no test takes it.

function trim(s) {
	gsub(/^[ \t]+|[ \t]+$/, "", s)
	return s
}

function short(path) {
	sub(/.*\/kmod-stub\//, "kmod-stub/", path)
	return path
}

# Why the untaken branches of this line do not count; "": they do.
function reason(file, text,    i) {
	for (i = 1; i <= left_count; i++)
		if ((left_file[i] == "*" || "kmod-stub/" left_file[i] == file) &&
		    index(text, left_text[i])) {
			left_used[i]++
			return left_reason[i]
		}
	return ""
}

FILENAME != "-" {
	if ($0 ~ /^#/ || $0 ~ /^[ \t]*$/)
		next
	n = split($0, part, "|")
	if (n < 3) {
		print FILENAME ":" FNR ": expected FILE | TEXT | REASON"
		bad = 1
		exit 1
	}
	# TEXT itself may have bars in it: the first part and the last one have none.
	left_count++
	left_file[left_count] = trim(part[1])
	text = part[2]
	for (i = 3; i < n; i++)
		text = text "|" part[i]
	left_text[left_count] = trim(text)
	left_reason[left_count] = trim(part[n])
	next
}

# -:    0:Source:PATH
/^ *-: *0:Source:/ {
	file = short(substr($0, index($0, "Source:") + 7))
	wanted = file ~ /^kmod-stub\//
	next
}

!wanted { next }

/^branch +[0-9]+ / {
	branch++
	key = file SUBSEP line SUBSEP branch
	if (!(key in branches)) {
		branches[key] = 0
		order[++key_count] = key
		key_file[key] = file
		key_line[key] = line
	}
	if ($3 == "taken")
		branches[key] += $4
	next
}

/^(function|call|unconditional|-+$)/ { next }

# count: line:source
/^ *[^:]+: *[0-9]+:/ {
	split($0, part, ":")
	line = part[2] + 0
	branch = 0
	source[file, line] = substr($0, length(part[1]) + length(part[2]) + 3)
}

END {
	if (bad)
		exit 1
	for (i = 1; i <= key_count; i++) {
		key = order[i]
		f = key_file[key]
		if (!(f in all))
			files[++file_count] = f
		all[f]++
		if (branches[key]) {
			taken[f]++
			continue
		}
		at = f SUBSEP key_line[key]
		if (reason(f, source[at]) != "") {
			all[f]--
			left[f]++
		} else if (!(at in missed)) {
			missed[at] = 1
			missed_order[++missed_count] = at
		} else {
			missed[at]++
		}
	}
	printf "%-28s %8s %8s %8s %9s\n", "file", "branches", "taken", "left out", "share"
	for (i = 1; i <= file_count; i++) {
		f = files[i]
		printf "%-28s %8d %8d %8d %8.1f%%\n", f, all[f], taken[f], left[f],
		       all[f] ? 100 * taken[f] / all[f] : 100
		total += all[f]
		total_taken += taken[f]
		total_left += left[f]
	}
	share = total ? 100 * total_taken / total : 0
	printf "%-28s %8d %8d %8d %8.1f%%\n", "all of kmod-stub", total, total_taken, total_left, share
	if (missed_count)
		print "\nbranches that nothing takes:"
	for (i = 1; i <= missed_count; i++) {
		split(missed_order[i], part, SUBSEP)
		printf "%s:%d: %d of: %s\n", part[1], part[2], missed[missed_order[i]],
		       trim(source[missed_order[i]])
	}
	for (i = 1; i <= left_count; i++)
		if (!left_used[i])
			print "coverage-left: not needed any more: " left_file[i] " | " left_text[i]
	if (share <= min) {
		printf "not above %s %%\n", min
		exit 1
	}
}
