#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# health.sh: what a site asks of its fabric each hour, by infiniband-diags; stands here for a script
# of your own. Names links that are narrower than they could be, and ports that have counted more
# than ten symbol errors; status 1 if there are any.
set -u
bad=$(
	iblinkinfo --line 2>/dev/null | sed -n 's/^0x[0-9a-f]* "  *\([^"]*\)" .*(Could be [0-9]*X.*/narrow: \1/p'
	ibqueryerrors 2>/dev/null |
		sed -n -e 's/^Errors for [^ ]* "\(.*\)"$/\1/;t keep' \
			-e 's/.* port \([0-9][0-9]*\): .*SymbolErrorCounter == \([0-9]*\) .*/\1 \2/;t found' -e d \
			-e ':keep' -e h -e d -e ':found' -e G -e 's/\(.*\) \(.*\)\n\(.*\)/errors: port \1 of \3: \2/p' |
		awk '$NF > 10'
)
[ -z "$bad" ] || { printf '%s\n' "$bad"; exit 1; }
echo healthy
