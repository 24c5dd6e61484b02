# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=sh
# tool-rows.sh: a test's rows of the tables of doc/programs.md, which "make tables" makes of them.
# Sourced behind tap.sh, in a directory of the test's own, $work.
#
#	tool_watch PROGRAM...	before the first is run: what each is run with is noted
#	tool_rows TABLE <<'END'	at the end: rows, and whether they are of what was run
#	PROGRAM, OPTION, OPTION | right: what | the begin of a point's name
#	PROGRAM, PROGRAM OPTION | under ibsim | right: what | the begin of a point's name
#	END
#
# The first field has programs that are watched, each with its options and subcommands behind it;
# where programs stand beside each other, what follows is of each of them. What is in brackets, and
# words with capitals, are for the reader. A row is of the points whose names begin as its last
# field says. It counts where such a point was run: then each of its words was an argument of that
# program in this test, and no program was run with an option that no row has, of this test or of
# another. No row counts for a program that is not here.

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

# Prints the rows of all tests.
tool_rows_of_all() {
	sed -n "/^[[:blank:]]*tool_rows .*<<'END'\$/,/^END\$/{/ | /p}" \
		"$top_srcdir"/tests/stock/*.sh "$top_srcdir"/tests/harness/*.sh
}

# Prints what is wrong with the rows on standard input.
tool_rows_wrong() {
	printf '%s' "$tap_names" >"$work/points"
	tool_rows_of_all >"$work/all-rows"
	"${AWK:-awk}" -v watched="$tool_watched" -v points="$work/points" '
		BEGIN {
			for (i = split(watched, tools, " "); i > 0; i--)
				is_tool[tools[i]] = 1
			while ((getline line <points) > 0)
				point[++count] = line
		}
		# What was run, from the log.
		FILENAME == ARGV[1] {
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
		# The programs that what follows is of, in "of".
		function take(i) {
			if (!(word[i] in is_tool))
				return joins = 0
			if (!joins)
				ofs = 0
			of[++ofs] = word[i]
			return joins = 1
		}
		# A row, of any test.
		{
			fields = split($0, field, / \| /)
			gsub(/ *\([^)]*\)/, "", field[1])
			words = split(field[1], word, /[ ,]+/)
			joins = ofs = 0
			for (i = 1; i <= words; i++) {
				if (take(i))
					named[word[i]] = 1
				else
					for (k = 1; k <= ofs; k++)
						named[of[k], word[i]] = 1
			}
		}
		FILENAME == ARGV[2] { next }
		# A row of this test.
		{
			has = skipped = 0
			for (i = 1; i <= count; i++) {
				name = point[i]
				if (sub(/^skip /, "", name) + sub(/^done /, "", name) &&
				    index(name, field[fields]) == 1) {
					has++
					skipped += point[i] ~ /^skip /
				}
			}
			if (!(word[1] in is_tool))
				next
			if (!has)
				print "no point begins as that of the row: " $0
			if (!has || has == skipped)
				next
			joins = ofs = 0
			for (i = 1; i <= words; i++) {
				if (take(i)) {
					if (!(word[i] in ran))
						print word[i] " was not run: " $0
				} else if (word[i] ~ /^(--?[A-Za-z][A-Za-z0-9_-]*|[a-z_]+)$/) {
					for (k = 1; k <= ofs; k++)
						if (!((of[k], word[i]) in ran))
							print of[k] " was not run with " word[i] ": " $0
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
		}' "$tool_log" "$work/all-rows" -
}

# TABLE, with rows on standard input. All that a test has of one table are one list, which says the
# ibsim field of each row or of none.
tool_rows() {
	tap_is "the rows of the table '$1' in doc/programs.md are of what was run" \
		"$(tool_rows_wrong | sort)" ""
}
