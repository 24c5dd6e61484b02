# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# Reads tests/static/accepted, then findings (FILE:LINE: CHECK: TEXT), and prints those that are not
# accepted, and what is accepted in vain. srcdir: where FILE is; tools: those that have run.

function tool_of(check) {
	return check ~ /^SC[0-9]/ ? "shellcheck" : check ~ /^cppcheck-/ ? "cppcheck" : "clang"
}

function trimmed(text) {
	gsub(/^[ \t]+|[ \t]+$/, "", text)
	return text
}

# Line 'number' of a file.
function source(file, number,    path, line, at) {
	path = srcdir "/" file
	for (at = 0; at < number && (getline line <path) > 0;)
		at++
	close(path)
	return at == number ? line : ""
}

function is_accepted(file, line, check, message,    i, text, found) {
	text = source(file, line)
	for (i = 1; i <= count; i++) {
		if (checks[i] != check || (files[i] != "*" && files[i] != file) ||
		    (parts[i] != "*" && !index(text, parts[i]) &&
		     !index(message, parts[i])))
			continue
		used[i] = 1
		found = 1
	}
	return found
}

FNR == NR {
	if (/^#/ || /^$/)
		next
	if (split($0, field, / \| /) < 4) {
		print FILENAME ":" FNR ": expected CHECK | FILE | TEXT | REASON"
		bad = 1
		next
	}
	checks[++count] = trimmed(field[1])
	files[count] = trimmed(field[2])
	parts[count] = trimmed(field[3])
	where[count] = FILENAME ":" FNR
	next
}

{
	split($0, field, ": ")
	split(field[1], place, ":")
	if (!is_accepted(place[1], place[2] + 0, field[2], $0)) {
		print
		bad = 1
	}
}

END {
	for (i = 1; i <= count; i++) {
		if (used[i] || !index(tools, " " tool_of(checks[i]) " "))
			continue
		print where[i] ": " checks[i] " is not found in " files[i] " any more"
		bad = 1
	}
	exit bad
}
