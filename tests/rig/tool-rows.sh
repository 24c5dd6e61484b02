# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=sh
# tool-rows.sh: a test's rows of the tables of doc/programs.md, which "make tables" makes of them.
# Sourced behind tap.sh, in a directory of the test's own, $work.
#
#	tool_watch PROGRAM...	before the first is run: what each is run with is noted
#	tool_rows TABLE <<'END'	at the end: rows, and whether they are of what was run
#	PROGRAM, OPTION, OPTION | right: what | the begin of a point's name
#	END
#
# The first field has programs that are watched, each with its options and subcommands behind it;
# what is in brackets, and words with capitals, are for the reader. A row is of the points whose
# names begin as its last field says. It counts where such a point was run: then each of its
# words was an argument of that program in this test, and no program was run with an option that no
# row has. No row counts for a program that is not here.

tool_log=$work/tools-run
mkdir "$work/watched" || exit 99
: >"$tool_log"
tool_watched=

# The programs are found in front of their own, by whoever starts them below.
tool_watch() {
	for tool; do
		tool_path=$(PATH=$PATH:/usr/sbin:/sbin; command -v "$tool") || continue
		tool_watched="$tool_watched $tool"
		cat >"$work/watched/$tool" <<-END
			#!/bin/sh
			line=$tool
			for word; do line="\$line	\$word"; done
			printf '%s\n' "\$line" >>"$tool_log"	# at once: several may run
			exec "$tool_path" "\$@"
		END
		chmod 755 "$work/watched/$tool"
	done
	chmod 666 "$tool_log"
	PATH=$work/watched:$PATH
}

# Prints what is wrong with the rows on standard input.
tool_rows_wrong() {
	printf '%s' "$tap_names" >"$work/points"
	awk -v watched="$tool_watched" -v points="$work/points" '
		BEGIN {
			for (i = split(watched, tools, " "); i > 0; i--)
				is_tool[tools[i]] = 1
			while ((getline line <points) > 0)
				point[++count] = line
		}
		# What was run, from the log.
		FILENAME != "-" {
			words = split($0, word, "\t")
			for (i = 2; i <= words; i++) {
				ran[word[1], word[i]] = 1
				sub(/=.*/, "", word[i])
				ran[word[1], word[i]] = 1
				if (word[i] ~ /^--?[A-Za-z]/)
					option[word[1] SUBSEP word[i]] = 1
			}
			ran[word[1]] = 1
			next
		}
		{ split($0, field, / \| /); has = skipped = 0 }
		{
			for (i = 1; i <= count; i++) {
				name = point[i]
				if (sub(/^skip /, "", name) + sub(/^done /, "", name) &&
				    index(name, field[3]) == 1) {
					has++
					skipped += point[i] ~ /^skip /
				}
			}
			tool = ""
			here = 1
			gsub(/ *\([^)]*\)/, "", field[1])
			words = split(field[1], word, /[ ,]+/)
			for (i = 1; i <= words; i++) {
				if (word[i] in is_tool) {
					tool = word[i]
					named[tool] = 1
				} else if (i == 1) {
					here = 0
				} else {
					named[tool, word[i]] = 1
				}
			}
			if (!here)
				next
			if (!has)
				print "no point begins as that of the row: " $0
			if (!has || has == skipped)
				next
			for (i = 1; i <= words; i++) {
				if (word[i] in is_tool) {
					tool = word[i]
					if (!(tool in ran))
						print tool " was not run: " $0
				} else if (word[i] ~ /^(--?[A-Za-z][A-Za-z_-]*|[a-z_]+)$/ &&
				    !((tool, word[i]) in ran)) {
					print tool " was not run with " word[i] ": " $0
				}
			}
		}
		END {
			for (each in option) {
				split(each, word, SUBSEP)
				if (!(each in named))
					print word[1] " was run with " word[2] ", which no row has"
			}
			for (tool in is_tool)
				if (tool in ran && !(tool in named))
					print tool " was run, and no row has it"
		}' "$tool_log" -
}

# TABLE, with rows on standard input. All that a test has of one table are one list.
tool_rows() {
	tap_is "the rows of the table '$1' in doc/programs.md are of what was run" \
		"$(tool_rows_wrong | sort)" ""
}
