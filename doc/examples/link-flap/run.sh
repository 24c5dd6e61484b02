#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# run.sh: an hour of flap_alert.py in virtual time, on a fabric where cables are bad.
set -eu
cd "$(dirname "$0")"
PATH=$PATH:/usr/sbin:/sbin

if [ "${1:-}" = inside ]; then
	UMADRIG_HOST=host-0 opensm -f "$2/osm.log" >"$2/opensm" &
	opensm=$!
	sleep 30
	python3 flap_alert.py --times 3 --within 3600 >"$2/alerts" &
	alert=$!
	# A host's cable is bad, and one between switches; another one was only pulled out once.
	{
		umadrig ctl link flap 'leaf-1[2]' down 5s every 600s
		umadrig ctl link flap 'spine-0[2]' down 2s every 1000s
		umadrig ctl link flap 'leaf-0[3]' down 60s every 900s times 1
	} >"$2/flaps"
	# A little less than an hour: after 3600 s one of them flaps again.
	sleep 3590
	kill "$alert"
	kill "$opensm"
	exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umadrig exec --fabric generate:fat-tree:12,8,state=cold,clock=virtual --host host-7 -- \
	sh run.sh inside "$work"
grep -v "^#" expected.txt >"$work/expected"
if diff "$work/expected" "$work/alerts"; then
	echo "right: $(wc -l <"$work/expected") alerts, as expected"
else
	echo "WRONG: < is expected, > is what came"
	exit 1
fi
